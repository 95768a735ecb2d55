"""Whether a changed file is still a program, also where the running Python is too old to say."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from socrates.fixes import compiles
from socrates.model.python.source import SourceError

SOUND, BROKEN = b"x = 1\n", b"x = (\n"


@pytest.mark.parametrize(
    ("after", "before", "newer", "expected"),
    [
        pytest.param(SOUND, SOUND, False, True, id="compiles here"),
        pytest.param(SOUND, BROKEN, False, True, id="compiles here, though it did not before"),
        pytest.param(BROKEN, SOUND, True, False, id="compiled here, and now only as a tree"),
        pytest.param(BROKEN, BROKEN, True, True, id="only as a tree, as before"),
        pytest.param(BROKEN, BROKEN, False, False, id="not even as a tree"),
    ],
)
def test_file_that_still_compiles(
    after: bytes, before: bytes, newer: bool, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiles, "parse", lambda data: SimpleNamespace(tree=None))
    monkeypatch.setattr(compiles, "compiles", lambda tree: newer)
    assert compiles.still_compiles(after, before) is expected


def test_file_that_can_not_be_parsed_does_not_compile() -> None:
    assert not compiles.still_compiles(BROKEN, BROKEN)


def test_error_of_the_parser_is_no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    def parse(data: bytes) -> None:
        raise SourceError("no", 1, 1)

    monkeypatch.setattr(compiles, "parse", parse)
    assert not compiles.still_compiles(BROKEN, BROKEN)
