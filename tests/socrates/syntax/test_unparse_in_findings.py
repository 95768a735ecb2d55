"""Findings quote code of any Python, whichever runs Socrates."""

from __future__ import annotations

from pathlib import Path

from socrates import session

CODE = """\
def test_reads():
    with open(f"data/{"\\n".join(["a"])}.txt") as file:
        assert file.read() == "x"
"""


def test_a_string_within_a_string_of_its_own_quotes_is_quoted(tmp_path: Path) -> None:
    (tmp_path / "test_x.py").write_text(CODE)
    result = session.check(session.prepare((str(tmp_path),), isolated=True, cwd=tmp_path))
    assert ([finding.code for finding in result.findings], result.errors) == (["SOC105"], ())
