"""A project that nobody vouches for can't make a command write outside of it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

HEAD = "import pytest\n\n\n@pytest.fixture\ndef number():\n    return 3\n\n\n"
SMELLY = f"{HEAD}def test_it(number):\n    assert True\n"
CLEAN = f"{HEAD}def test_it():\n    assert True\n"
PAIR = "def test_pair():\n    assert (1, 2)[0] == 1\n    assert (1, 2)[1] == 2\n"


@pytest.fixture
def outside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder beside the project, with a file that a fix would change."""
    folder = tmp_path_factory.mktemp("outside")
    (folder / "test_precious.py").write_text(SMELLY, "utf-8")
    return folder


@pytest.fixture
def contents(outside: Path) -> Callable[[], dict[str, str]]:
    """What lies outside of the project, by name."""
    return lambda: {path.name: path.read_text("utf-8") for path in outside.iterdir()}


class TestFix:
    @pytest.fixture
    def fix(self, run, contents):
        """Fix the project; checks that nothing outside was touched and that the rest was fixed."""

        def check(folder: Path, *args: str):
            (folder / "test_z.py").write_text(SMELLY, "utf-8")
            before = contents()
            ran = run("check", "--no-cache", "--fix", *args)
            assert contents() == before, "something outside has changed"
            assert (folder / "test_z.py").read_text() == CLEAN, "the others are fixed all the same"
            return ran

        return check

    def test_linked_file_is_refused_by_name(self, write, fix, outside: Path) -> None:
        folder = write({})
        (folder / "test_link.py").symlink_to(outside / "test_precious.py")
        ran = fix(folder)
        assert ran.code == 2
        assert ran.err.splitlines()[0] == (
            "socrates: test_link.py: not fixed: it leads out of the project, "
            f"to {outside / 'test_precious.py'}"
        )

    def test_linked_folder_is_refused_by_name(self, write, fix, outside: Path) -> None:
        folder = write({})
        (folder / "tests").symlink_to(outside, target_is_directory=True)
        ran = fix(folder)
        assert (ran.code, "tests/test_precious.py: not fixed" in ran.err) == (2, True)

    @pytest.mark.parametrize("flag", ["--fix-only", "--exit-zero", "--exit-non-zero-on-fix"])
    def test_refusal_is_a_mistake_with_any_flag(self, write, fix, outside: Path, flag) -> None:
        folder = write({})
        (folder / "test_link.py").symlink_to(outside / "test_precious.py")
        assert fix(folder, flag).code == 2

    def test_link_to_a_file_that_is_no_python_is_refused(self, write, fix) -> None:
        folder = write({"notes.txt": SMELLY})
        (folder / "test_link.py").symlink_to(folder / "notes.txt")
        ran = fix(folder)
        assert (ran.code, "which is no Python file" in ran.err) == (2, True)
        assert (folder / "notes.txt").read_text() == SMELLY

    def test_link_inside_the_project_is_followed(self, write, fix) -> None:
        folder = write({"shared/cases.py": SMELLY})
        (folder / "test_link.py").symlink_to(folder / "shared" / "cases.py")
        assert fix(folder).code == 0
        assert (folder / "shared" / "cases.py").read_text() == CLEAN

    def test_tests_inherited_from_outside_are_refused(self, write, fix, outside: Path) -> None:
        base = f"{HEAD}class Base:\n    def test_it(self, number):\n        assert True\n"
        (outside / "base.py").write_text(base, "utf-8")
        folder = write(
            {
                "pytest.ini": f"[pytest]\npythonpath = {outside}\n",
                "test_a.py": "from base import Base\n\n\nclass TestIt(Base):\n    pass\n",
            }
        )
        fix(folder)

    def test_project_that_the_user_names_is_fixed_wherever_it_lies(
        self, write, run, outside: Path
    ) -> None:
        write({"test_a.py": SMELLY})
        assert run("check", "--no-cache", "--fix", ".", str(outside)).code == 0
        assert (outside / "test_precious.py").read_text() == CLEAN

    def test_file_that_the_user_names_is_fixed_wherever_it_lies(
        self, write, run, outside: Path
    ) -> None:
        write({"test_a.py": SMELLY})
        named = str(outside / "test_precious.py")
        assert run("check", "--no-cache", "--fix", ".", named).code == 0
        assert (outside / "test_precious.py").read_text() == CLEAN

    def test_defect_of_a_fix_names_the_file_and_the_others_are_fixed(
        self, write, fix, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from socrates.fixes import apply

        original = apply.fix_in_rounds

        def broken(data: bytes, *args: object, **kwargs: object) -> object:
            if b"guilty" in data:
                raise KeyError("a defect")
            return original(data, *args, **kwargs)

        monkeypatch.setattr(apply, "fix_in_rounds", broken)
        ran = fix(write({"test_a.py": SMELLY.replace("number", "guilty")}))
        assert ran.code == 2
        assert "Socrates itself failed: KeyError: 'a defect' (while fixing test_a.py)" in ran.err

    @pytest.mark.parametrize("codec", ["unicode_escape", "utf-7"])
    def test_codec_that_gives_other_bytes_back_changes_nothing(
        self, write, run, codec: str
    ) -> None:
        text = f"# coding: {codec}\nTEXT = '\\x41 +AGE-'\n{SMELLY}"
        folder = write({"test_a.py": text})
        run("check", "--no-cache", "--fix")
        assert (folder / "test_a.py").read_text() == text


class TestCache:
    @pytest.fixture
    def check(self, run, contents):
        """Check the project with the cache; nothing outside may change."""

        def checked(*args: str):
            before = contents()
            ran = run("check", "-q", "--output-format", "concise", *args)
            assert contents() == before, "something outside has changed"
            return ran

        return checked

    @pytest.mark.parametrize("name", ["../elsewhere", "/tmp/elsewhere", "a/../../b", ".", ".."])
    def test_setting_that_leads_out_is_one_line(self, write, check, name: str) -> None:
        write({"socrates.toml": f"cache-dir = {json.dumps(name)}\n", "test_a.py": PAIR})
        ran = check()
        assert ran.code == 2
        assert ran.err == (
            f"socrates: error: socrates.toml: cache-dir: {name!r} leads out of the project; "
            "name a folder inside, or say it with --cache-dir\n"
        )

    @pytest.mark.parametrize("link", [".socrates_cache", "inner"])
    def test_linked_folder_is_not_used_and_said(self, write, check, outside: Path, link) -> None:
        folder = write({"socrates.toml": f'cache-dir = "{link}/x"\n', "test_a.py": PAIR})
        if link.startswith("."):
            write({"socrates.toml": ""})
        (folder / link).symlink_to(outside, target_is_directory=True)
        ran = check()
        assert "SOC101" in ran.out, "the check goes on without a cache"
        assert ran.err.startswith("socrates: warning: cache-dir: "), ran.err

    @pytest.mark.parametrize("name", [".gitignore", "CACHEDIR.TAG"])
    def test_linked_file_inside_is_not_written(self, write, check, outside: Path, name) -> None:
        folder = write({"test_a.py": PAIR})
        (folder / ".socrates_cache").mkdir()
        (folder / ".socrates_cache" / name).symlink_to(outside / "new")
        check()

    def test_linked_folders_of_entries_are_not_used(self, write, check, outside: Path) -> None:
        folder = write({"test_a.py": PAIR})
        (folder / ".socrates_cache").mkdir()
        for number in range(256):
            (folder / ".socrates_cache" / f"{number:02x}").symlink_to(outside)
        assert "SOC101" in check().out

    def test_linked_entry_is_not_followed(self, write, check, outside: Path) -> None:
        folder = write({"test_a.py": PAIR})
        check()
        [entry] = (folder / ".socrates_cache").glob("*/*.json")
        entry.unlink()
        entry.symlink_to(outside / "test_precious.py")
        assert "SOC101" in check().out

    def test_folder_of_the_project_gains_no_gitignore(self, write, check) -> None:
        folder = write({"socrates.toml": 'cache-dir = "tests"\n', "tests/test_a.py": PAIR})
        check()
        assert not (folder / "tests" / ".gitignore").exists()

    def test_new_folder_tells_git_to_ignore_it(self, write, check) -> None:
        folder = write({"test_a.py": PAIR})
        check()
        assert (folder / ".socrates_cache" / ".gitignore").read_text() == "*\n"

    @pytest.mark.parametrize(
        "words",
        [
            pytest.param(["--cache-dir", "{}"], id="flag"),
            pytest.param(["--config", "cache-dir = '{}'"], id="inline setting"),
        ],
    )
    def test_user_may_name_any_folder(self, write, run, tmp_path_factory, words) -> None:
        write({"test_a.py": PAIR})
        folder = tmp_path_factory.mktemp("cache")
        run("check", *(word.format(folder) for word in words))
        assert list(folder.glob("*/*.json"))

    def test_pipe_in_place_of_an_entry_is_no_wait(self, write, check) -> None:
        folder = write({"test_a.py": PAIR})
        check()
        [entry] = (folder / ".socrates_cache").glob("*/*.json")
        entry.unlink()
        os.mkfifo(entry)
        assert "SOC101" in check().out


class TestBaseline:
    @pytest.mark.parametrize("name", ["../accepted.json", "link.json", "folder/accepted.json"])
    def test_setting_that_leads_out_is_refused_by_name(
        self, write, run, outside: Path, contents, name: str
    ) -> None:
        folder = write({"socrates.toml": f'baseline = "{name}"\n', "test_a.py": PAIR})
        (folder / "link.json").symlink_to(outside / "accepted.json")
        (folder / "folder").symlink_to(outside, target_is_directory=True)
        before = contents()
        ran = run("baseline")
        assert (ran.code, "left alone, it leads out of the project" in ran.err) == (2, True)
        assert contents() == before
        assert not (folder.parent / "accepted.json").exists()

    def test_default_file_as_a_link_is_refused(self, write, run, outside: Path, contents) -> None:
        folder = write({"test_a.py": PAIR})
        (folder / ".socrates-baseline.json").symlink_to(outside / "accepted.json")
        before = contents()
        assert (run("baseline").code, contents()) == (2, before)

    def test_user_may_name_any_file(self, write, run, outside: Path) -> None:
        write({"test_a.py": PAIR})
        assert run("baseline", "-o", str(outside / "accepted.json")).code == 0
        assert len(json.loads((outside / "accepted.json").read_text())["findings"]) == 1


class TestInit:
    @pytest.mark.parametrize(
        ("name", "text"),
        [("pyproject.toml", "[project]\nname = 'x'\n"), (".pre-commit-config.yaml", "repos:\n")],
    )
    def test_linked_file_is_refused_by_name(
        self, write, run, outside: Path, contents, name: str, text: str
    ) -> None:
        folder = write({"test_a.py": PAIR})
        (folder / "socrates.toml").unlink()
        (folder / ".git").mkdir()
        (outside / "theirs").write_text(text)
        (folder / name).symlink_to(outside / "theirs")
        before = contents()
        ran = run("init", "--yes")
        assert (ran.code, contents()) == (2, before)
        assert ran.err == (
            f"socrates: error: init: {name}: left alone, it leads out of the project, "
            f"to {outside / 'theirs'}\n"
        )

    def test_dangling_link_is_not_filled(self, write, run, outside: Path, contents) -> None:
        folder = write({"test_a.py": PAIR})
        (folder / "socrates.toml").unlink()
        (folder / "socrates.toml").symlink_to(outside / "new.toml")
        (folder / "pytest.ini").touch()
        before = contents()
        assert (run("init", "--yes").code, contents()) == (2, before)
