"""``check --force-exclude``: named files count only where a walk over the project would find them."""

from __future__ import annotations

import json

import pytest

PAIR = "def test_pair():\n    pair = (1, 2)\n    assert pair[0] == 1\n    assert pair[1] == 2\n"


@pytest.fixture
def checked(run, write):
    """The files in which findings are, of those that are named."""

    def check(files, *args):
        write(files)
        ran = run("check", "--no-cache", "--output-format", "json", "--force-exclude", *args)
        return {item["filename"] for item in json.loads(ran.out or "[]")}

    return check


@pytest.mark.parametrize(
    ("name", "more"),
    [
        pytest.param("shop.py", {}, id="no test"),
        pytest.param("old/test_a.py", {"socrates.toml": "exclude = ['old']\n"}, id="excluded"),
        pytest.param("old/test_a.py", {".gitignore": "old/\n"}, id="ignored by git"),
        pytest.param("node_modules/test_a.py", {}, id="in a folder that pytest skips"),
        pytest.param("test_a.pyi", {}, id="another suffix"),
    ],
)
def test_left_out(checked, name, more):
    assert checked({name: PAIR, **more}, name) == set()


@pytest.mark.parametrize(
    ("name", "more"),
    [
        pytest.param("test_a.py", {}, id="a test"),
        pytest.param("tests/a_test.py", {}, id="a test in a folder"),
        pytest.param("spec_a.py", {"pytest.ini": "[pytest]\npython_files = spec_*.py\n"}, id="own"),
    ],
)
def test_checked(checked, name, more):
    assert checked({name: PAIR, **more}, name) == {name}


def test_folder_is_walked_as_ever(checked):
    assert checked({"tests/test_a.py": PAIR, "tests/shop.py": PAIR}, "tests") == {"tests/test_a.py"}


def test_nothing_left_is_nothing_found(run, write):
    write({"shop.py": PAIR})
    ran = run("check", "--force-exclude", "--strict", "shop.py")
    assert (ran.code, ran.out, ran.err) == (0, "", "")


def test_missing_file_is_still_a_mistake(run, write):
    write({})
    assert run("check", "--force-exclude", "test_gone.py").code == 2


class TestNamesThatLookLikeOptions:
    """What a hook hands over is a file, never an option."""

    @pytest.fixture
    def hostile(self, write):
        """Tests with such names, and a file that they would harm."""
        names = ("--output-file=victim_test.py", "-h_test.py", "-", "--fix")
        return write({"victim_test.py": "VICTIM = 1\n", **dict.fromkeys(names, PAIR)})

    def test_stay_files_after_two_dashes(self, run, hostile):
        ran = run(
            *("check", "--no-cache", "-q", "--output-format", "concise", "--force-exclude", "--"),
            *("--output-file=victim_test.py", "-h_test.py", "-", "--fix", "victim_test.py"),
        )
        assert (ran.code, ran.err) == (0, "")
        assert [line.partition(":")[0] for line in ran.out.splitlines()] == [
            "--output-file=victim_test.py",
            "-h_test.py",
        ]
        assert (hostile / "victim_test.py").read_text() == "VICTIM = 1\n"

    def test_stay_files_without_them_but_fail(self, run, hostile):
        ran = run("check", "--force-exclude", "--output-file=victim_test.py", "-h_test.py")
        assert (ran.code, "SOC101" in ran.out) == (2, True)
        assert ran.err.splitlines()[0] == (
            "socrates: error: --output-file=victim_test.py: there is a file of this name, so it "
            "was not taken for an option; end the `args` of the hook with `--`"
        )
        assert (hostile / "victim_test.py").read_text() == "VICTIM = 1\n"

    def test_are_options_where_no_hook_is_at_work(self, run, hostile):
        run("check", "--output-file=victim_test.py", "--", "-h_test.py")
        assert "SOC101" in (hostile / "victim_test.py").read_text()

    def test_name_with_colons_is_a_file(self, run, write):
        write({"test_a.py": "", "test_a.py::test_b.py": PAIR})
        ran = run(
            "check",
            "-q",
            "--output-format",
            "concise",
            "--force-exclude",
            "--",
            "test_a.py::test_b.py",
        )
        assert ran.out.startswith("test_a.py::test_b.py:4:5: SOC101")
