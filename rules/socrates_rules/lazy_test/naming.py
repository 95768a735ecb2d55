"""What clones are about, in a word: the method that a reader would name.

The method that is looked at last may stand in a helper: ``disconnect`` in ``assertReceived``,
``flush`` after ``decode`` in ``decode_all``. Or it may only show what was done: ``items`` in ``test_update``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from socrates.model.units.phases import names_method, words_of

if TYPE_CHECKING:
    from socrates.model.units.production import ProductionCall

_ASSERTS = re.compile(r"_*(assert|check|expect|verify)")


def told(methods: Iterable[str], calls: Sequence[ProductionCall]) -> list[str]:
    """The methods to name for those that a test has looked at: those that the test is named after."""
    named = [call.method for call in calls if call.is_named and call.acts]
    found = dict.fromkeys(name for method in methods for name in _told(method, calls))
    return list(found if found.keys() & set(named) else dict.fromkeys(named)) or list(found)


def _told(method: str, calls: Sequence[ProductionCall]) -> Iterator[str]:
    place, looked_at = next(
        (place, call) for place, call in enumerate(calls) if call.checked and call.method == method
    )
    helper = str(getattr(looked_at.scope.function, "name", ""))
    if not looked_at.in_helper:
        yield method
    elif _ASSERTS.match(helper):
        own = [call.method for call in calls[:place] if call.acts and not call.in_helper]
        yield from own[-1:]
    else:
        inside = [c.method for c in calls if c.scope.function is looked_at.scope.function]
        yield next((name for name in inside if names_method(words_of(helper), name)), method)
