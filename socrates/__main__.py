"""``python -m socrates`` is the ``socrates`` command."""

import sys

from socrates.cli import main

sys.exit(main())
