"""A baseline over time: what gets worse is new, what only moves, is edited or is renamed is not."""

from __future__ import annotations

import json

import pytest

FILE = ".socrates-baseline.json"
INFO = """\
def test_pair():
    pair = (1, 2)
    assert pair[0] == 1
    assert pair[1] == 2
"""
WARNING = INFO + "".join(
    f"    assert divmod(sum(pair) + {n}, 1)[0] == {n + 3}\n" for n in range(14)
)
"""More assertions than any limit for a warning has been."""
SHELF = """\
class Shelf:
    def __init__(self, items=()):
        self.items = list(items)

    def last(self):
        return self.items[-1]

    def find(self, item):
        return self.items.index(item)
"""
SPLIT = """\
from shelf import Shelf


class TestShelf:
    def test_shelf(self):
        shelf = Shelf([1, 2])
        assert shelf.last() == 2
        assert shelf.last() != 1
        assert shelf.find(2) == 1
        assert shelf.find(1) != 1
"""
LESS = """\
import pytest


@pytest.fixture
def pair():
    return (1, 2)


@pytest.fixture
def single():
    return (1,)


def test_pair(pair, single):
    assert pair[0] == 1
    assert pair[1] == 2
"""
MERGE = "from shelf import Shelf\n\n\nclass TestShelf:" + "".join(
    f"""
    def test_find_{name}(self):
        shelf = Shelf([1, 2, 3])
        assert shelf.find({number}) == {number - 1}
        assert shelf.items[{number - 1}] == {number}
"""
    for number, name in enumerate(["first", "second", "third"], 1)
)


@pytest.fixture
def accept(write, run):
    """Write files and accept all that is found in them."""

    def go(files: dict[str, str], *args: str):
        root = write(files)
        run("baseline", "--no-cache", *args)
        return root

    return go


@pytest.fixture
def check(run):
    """``socrates check`` with the baseline: the codes that are new."""

    def go(*args: str) -> list[str]:
        ran = run("check", "--no-cache", "--baseline", FILE, "--output-format", "json", *args)
        return [finding["code"] for finding in json.loads(ran.out)]

    return go


def entries(root) -> list[dict[str, str]]:
    return json.loads((root / FILE).read_text())["findings"]


def forget_severities(root) -> None:
    """Make the file one of 0.1.0, which kept no severities."""
    old = [{k: v for k, v in entry.items() if k != "severity"} for entry in entries(root)]
    (root / FILE).write_text(json.dumps({"version": 1, "findings": old}))


def test_info_that_becomes_a_warning_is_new(accept, write, check) -> None:
    accept({"test_a.py": INFO})
    write({"test_a.py": WARNING})
    assert check() == ["SOC101"]


def test_warning_that_becomes_an_info_stays_accepted(accept, write, check) -> None:
    accept({"test_a.py": WARNING})
    write({"test_a.py": INFO})
    assert check() == []


def test_entry_of_a_finding_that_got_worse_is_not_called_fixed(accept, write, run) -> None:
    accept({"test_a.py": INFO})
    write({"test_a.py": WARNING})
    assert "fixed" not in run("check", "--no-cache", "--baseline", FILE).out


def test_strict_makes_nothing_look_new(accept, check) -> None:
    accept({"test_a.py": INFO})
    assert check("--strict") == []


def test_info_accepted_by_a_strict_project_is_new_as_a_warning(accept, write, check) -> None:
    accept({"test_a.py": INFO}, "--strict")
    write({"test_a.py": WARNING})
    assert check("--strict") == ["SOC101"]


def test_shrink_keeps_the_entry_of_what_got_worse_and_it_stays_new(
    accept, write, run, check
) -> None:
    root = accept({"test_a.py": INFO})
    write({"test_a.py": WARNING})
    run("baseline", "--shrink", "--no-cache")
    assert ([entry["severity"] for entry in entries(root)], check()) == (["info"], ["SOC101"])


def test_shrink_holds_what_got_better_to_its_new_severity(accept, write, run, check) -> None:
    accept({"test_a.py": WARNING})
    write({"test_a.py": INFO})
    run("baseline", "--shrink", "--no-cache")
    write({"test_a.py": WARNING})
    assert check() == ["SOC101"]


def test_file_of_0_1_0_accepts_any_severity(accept, write, check) -> None:
    forget_severities(accept({"test_a.py": INFO}))
    write({"test_a.py": WARNING})
    assert check() == []


def test_file_of_0_1_0_is_shrunk_to_one_with_severities(accept, run) -> None:
    root = accept({"test_a.py": INFO})
    forget_severities(root)
    run("baseline", "--shrink", "--no-cache")
    assert [entry["severity"] for entry in entries(root)] == ["info"]


def test_unknown_severity_is_told_in_one_line(accept, run) -> None:
    root = accept({"test_a.py": INFO})
    (root / FILE).write_text((root / FILE).read_text().replace('"info"', '"mild"'))
    assert run("check", "--baseline", FILE).err == (
        f"socrates: error: baseline {FILE}: entry 1 has a severity that is none of info, warning, "
        "error; write it anew with `socrates baseline`\n"
    )


@pytest.mark.parametrize(
    "edited",
    [
        pytest.param(INFO.replace("test_pair()", "test_pair(tmp_path)"), id="line of the test"),
        pytest.param(INFO.replace("test_pair", "test_two"), id="name of the test"),
        pytest.param(f"import os\n\n\n{INFO}", id="lines above"),
        pytest.param(
            INFO.replace("test_pair", "test_pair_first") + INFO.replace("pair()", "pair_last()"),
            id="split in two",
        ),
    ],
)
def test_edited_test_brings_nothing_new(accept, write, check, edited: str) -> None:
    accept({"test_a.py": INFO})
    write({"test_a.py": edited})
    assert check() == []


@pytest.mark.parametrize(
    "added",
    [
        pytest.param(INFO.replace("test_pair", "test_two"), id="another test"),
        pytest.param(INFO.replace("test_pair", "test_pair_again"), id="one that is called alike"),
    ],
)
def test_test_beside_the_accepted_one_is_new(accept, write, check, added: str) -> None:
    accept({"test_a.py": INFO})
    write({"test_a.py": f"{INFO}\n\n{added}"})
    assert check() == ["SOC101"]


def test_one_lost_test_accepts_one_renamed_test(accept, write, check) -> None:
    accept({"test_a.py": INFO})
    two = [INFO.replace("test_pair", name) for name in ("test_two", "test_three")]
    write({"test_a.py": "\n\n".join(two)})
    assert check() == ["SOC101"]


def test_test_of_another_class_is_new(accept, write, check) -> None:
    accept({"test_a.py": INFO})
    body = "".join(f"    {line}\n" for line in INFO.replace("()", "(self)").splitlines())
    write({"test_a.py": f"class TestPair:\n{body}"})
    assert check() == ["SOC101"]


def test_renamed_test_that_got_worse_is_new(accept, write, check) -> None:
    accept({"test_a.py": INFO})
    write({"test_a.py": WARNING.replace("test_pair", "test_two")})
    assert check() == ["SOC101"]


def test_node_id_of_a_new_test_takes_no_entry_of_tests_that_were_not_looked_at(
    accept, write, check
) -> None:
    accept({"test_a.py": INFO})
    write({"test_a.py": f"{INFO}\n\n{INFO.replace('test_pair', 'test_two')}"})
    assert check("test_a.py::test_two") == ["SOC101"]


def test_shrink_writes_the_new_name_of_a_renamed_test(accept, write, run) -> None:
    root = accept({"test_a.py": INFO})
    write({"test_a.py": INFO.replace("test_pair", "test_two")})
    run("baseline", "--shrink", "--no-cache")
    assert [entry["test"] for entry in entries(root)] == ["test_a.py::test_two"]


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        pytest.param(SPLIT, "SOC102", id="split"),
        pytest.param(MERGE, "SOC103", id="merged"),
        pytest.param(LESS, "SOC104", id="without a parameter"),
    ],
)
def test_fix_leaves_accepted_findings_of_the_test_accepted(
    accept, run, check, text: str, fixed: str
) -> None:
    root = accept({"shelf.py": SHELF, "test_shelf.py": text}, "--select", "SOC101")
    run("check", "--no-cache", "--baseline", FILE, "--select", fixed, "--fix", "--unsafe-fixes")
    changed = (root / "test_shelf.py").read_text() != text
    assert (changed, check("--select", "SOC101")) == (True, [])
