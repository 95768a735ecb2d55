"""What the user must hear of a run beside its outcome."""

from __future__ import annotations

import importlib.metadata

import pytest

from socrates.findings import PluginError
from socrates_amplify.model.notices import Notice
from socrates_amplify.record.notices import Notices

LATE = Notice("it is late")
BROKEN = PluginError("acme", "KeyError: 'x'", "acme.py:3")


def test_each_notice_is_kept_once() -> None:
    notices = Notices()
    for notice in (LATE, Notice.of(BROKEN), LATE):
        notices.add(notice)
    assert list(notices) == [LATE, Notice.of(BROKEN)]


def test_child_process_relays_each_notice_once() -> None:
    relayed: list[Notice] = []
    notices = Notices(relayed.append)
    notices.add(LATE)
    notices.add(LATE)
    assert relayed == [LATE]


@pytest.mark.parametrize(("notice", "failure"), [(LATE, None), (Notice.of(BROKEN), BROKEN)])
def test_warning_is_no_failure_of_a_plugin(notice: Notice, failure: PluginError | None) -> None:
    assert notice.failure == failure


@pytest.mark.parametrize(
    ("module", "named"),
    [
        ("pluggy.manager", f"pluggy {importlib.metadata.version('pluggy')}"),
        ("http.server", "http.server"),
        ("no_such_library.part", "no_such_library"),
    ],
)
def test_library_is_named_with_its_version_where_that_is_known(module: str, named: str) -> None:
    notices = Notices()
    notices.unpatched(module, KeyError("x"))
    [notice] = notices
    assert notice.message.startswith(f"{named} could not be patched: KeyError: 'x'; ")
