"""The circumstances that a project declares, as faults for the search."""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterator, Mapping, Sequence

from socrates_amplify.model.events import Trace
from socrates_amplify.model.faults import Fault
from socrates_amplify.settings.circumstances_table import WHERE, read_table


class Circumstances:
    """What a project declares, as faults; remembers for which orders a test had the messages."""

    def __init__(self, table: Mapping[str, object]) -> None:
        self.declared = read_table(table)
        self._met: set[str] = set()

    def check(self) -> None:
        """Raise SocratesError for a time zone or a locale that this machine has not."""
        if self.declared:
            from socrates_amplify.probes.circumstances import check

            check(self.declared)

    def faults_of(self, trace: Trace, reorderings: Callable[[], Sequence[Fault]]) -> list[Fault]:
        """One fault for each general value, and those reorderings that swap a declared pair."""
        found = [one.fault() for one in self.declared if one.how != "order"]
        orders = [one for one in self.declared if one.how == "order"]
        offered = reorderings() if orders else ()
        messages = {send.target: send.message for send in trace.sends} if offered else {}
        for one in orders:
            for fault in offered:
                two = (fault.message, messages.get(fault.detail, ""))
                if _fits(two, one.pair) or _fits(two, (one.pair[1], one.pair[0])):
                    self._met.add(one.name)
                    found.append(fault)
        return found

    def unmatched(self) -> Iterator[str]:
        """One warning for each order whose messages no test sent so that they can change places."""
        for one in self.declared:
            if one.how == "order" and one.name not in self._met:
                first, second = one.pair
                yield (
                    f"[{WHERE}] {one.name}: no test has messages like {first!r} and {second!r}, "
                    "of two senders, one after the other in one inbox"
                )


def _fits(messages: tuple[str, str], globs: tuple[str, str]) -> bool:
    return all(map(fnmatch.fnmatchcase, messages, globs))
