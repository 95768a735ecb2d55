"""The probes that every run needs, whatever is installed: importing this loads them."""

from __future__ import annotations

import socrates_amplify.probes.cancelling.probe
import socrates_amplify.probes.circumstances
import socrates_amplify.probes.orders.probe  # noqa: F401
