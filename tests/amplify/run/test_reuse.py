"""``--since``: what is reused of a store, and the line that says why the rest runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from socrates.errors import SocratesError
from socrates_amplify.model.results import Status, TestResult
from socrates_amplify.report.json_report import as_document
from socrates_amplify.run.reuse import Reused, reusable, surroundings_of, what_is_resumed
from socrates_amplify.settings.amplify import AmplifySettings
from socrates_amplify.store.seals import VARIABLE
from socrates_amplify.store.store import Store

Git = Callable[..., None]
MAIL, TILL = "tests/test_mail.py::test_mail", "tests/test_till.py::test_till"
FILES = {
    "mail.py": "def send():\n    return 1\n",
    "till.py": "def pay():\n    return 1\n",
    "tests/test_mail.py": "import mail\ndef test_mail(): ...\n",
    "tests/test_till.py": "import till\ndef test_till(): ...\n",
    "pyproject.toml": "",
    "README.md": "",
}
EXECUTED = {MAIL: ["mail.py", "tests/test_mail.py"], TILL: ["till.py", "tests/test_till.py"]}


@dataclass
class Project:
    """A repository with one commit, and a store with the results of a run on it."""

    folder: Path
    store: Store
    git: Git
    settings: AmplifySettings = field(default_factory=AmplifySettings)

    def write(self, **files: str) -> None:
        for name, text in files.items():
            (self.folder / name.replace("__", "/").replace("_py", ".py")).write_text(text)

    def commit(self) -> None:
        self.git(self.folder, "add", "-A")
        self.git(self.folder, "commit", "-qm", "next")

    def keep(self, code: str, status: Status = Status.RESILIENT, tests: str = MAIL + TILL) -> None:
        """A run on the present state."""
        now = surroundings_of(self.folder, self.settings, ())
        assert now is not None
        self.store.add_surroundings(code, now.as_document())
        for nodeid, files in EXECUTED.items():
            if nodeid in tests:
                told = {**as_document(TestResult(nodeid, status)), "files": files}
                self.store.add_test(code, nodeid, status.value, told)

    def since(self, ref: str = "HEAD") -> Reused:
        now = surroundings_of(self.folder, self.settings, ())
        ignored = self.settings.since_ignore
        return reusable(self.store, (MAIL, TILL), ref, self.folder, now, ignored)


@pytest.fixture
def project(tmp_path: Path, git: Git) -> Iterator[Project]:
    """The project after its first run."""
    (tmp_path / "tests").mkdir()
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    git(tmp_path, "init", "-q")
    with Store.open(tmp_path) as store:
        made = Project(tmp_path.resolve(), store, git)
        made.commit()
        made.keep("first")
        yield made


def test_without_a_change_all_is_reused(project: Project) -> None:
    assert project.since() == Reused(
        {nodeid: TestResult(nodeid, Status.RESILIENT, reused=True) for nodeid in (MAIL, TILL)},
        {MAIL: "first", TILL: "first"},
        "--since HEAD: 0 of 2 tests run, 2 results reused",
    )


def test_a_dirty_tree_counts_as_changed(project: Project) -> None:
    project.write(mail_py="def send():\n    return 2\n")
    found = project.since()
    assert (list(found.results), found.told) == (
        [TILL],
        "--since HEAD: 1 of 2 tests run (1 changed), 1 result reused",
    )


def test_what_was_run_again_since_is_run_for_the_same_commit_again(project: Project) -> None:
    project.write(mail_py="def send():\n    return 2\n")
    project.keep("second")
    assert list(project.since().results) == [TILL]


def test_a_store_that_is_older_than_the_commit(project: Project) -> None:
    project.write(mail_py="def send():\n    return 2\n")
    project.commit()
    assert project.since().told == (
        "--since HEAD: 1 of 2 tests run (1 because the store is older), 1 result reused"
    )


def test_a_store_that_is_newer_than_the_commit(project: Project) -> None:
    project.write(mail_py="def send():\n    return 2\n")
    project.commit()
    project.keep("second")
    project.write(README_py="")
    assert project.since("HEAD~1").told == (
        "--since HEAD~1: all run, for README.py changed, and nothing is known to import it: "
        "it may be loaded by name"
    )


def test_a_test_of_which_it_is_not_known_what_it_executes(project: Project) -> None:
    told = {**as_document(TestResult(TILL, Status.NO_TARGETS)), "files": []}
    project.store.add_test("first", TILL, "no-targets", told)
    project.write(mail_py="def send():\n    return 2\n")
    assert project.since().told == (
        "--since HEAD: 2 of 2 tests run (1 changed, 1 because it is not known what they execute), "
        "0 results reused"
    )


def test_a_test_that_is_new(project: Project) -> None:
    project.store.forget("first", TILL)
    assert project.since().told == "--since HEAD: 1 of 2 tests run (1 new), 1 result reused"


def test_settings_that_changed(project: Project) -> None:
    project.settings = replace(project.settings, budget=3)
    assert project.since().told == (
        "--since HEAD: 2 of 2 tests run (2 because settings or arguments have changed), "
        "0 results reused"
    )


def test_settings_that_only_tell_results_may_change(project: Project) -> None:
    project.settings = replace(project.settings, jobs=4, fail_under=80.0, strict=True)
    assert len(project.since().results) == 2


def test_packages_that_changed(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "socrates_amplify.store.fingerprint._installed", lambda: (("other==1", ""),)
    )
    assert project.since().told == (
        "--since HEAD: 2 of 2 tests run (2 because installed packages or the interpreter have "
        "changed), 0 results reused"
    )


def test_dependencies_that_changed(project: Project) -> None:
    (project.folder / "pyproject.toml").write_text("[project]\n")
    assert project.since().told == (
        "--since HEAD: all run, for pyproject.toml changed, and any test may read it"
    )


def test_documentation_that_changed(project: Project) -> None:
    (project.folder / "README.md").write_text("more")
    assert len(project.since().results) == 2


def test_a_file_that_was_renamed(project: Project) -> None:
    (project.folder / "mail.py").rename(project.folder / "post.py")
    project.write(tests__test_mail_py="import post\ndef test_mail(): ...\n")
    assert list(project.since().results) == [TILL]


def test_an_interrupted_result_is_not_reused(project: Project) -> None:
    project.keep("first", Status.NOT_RUN)
    assert project.since().told == (
        "--since HEAD: 2 of 2 tests run (2 because their last run came to no end), 0 results reused"
    )


def test_a_store_that_knows_nothing(project: Project) -> None:
    for nodeid in (MAIL, TILL):
        project.store.forget("first", nodeid)
    assert project.since().told == (
        "--since HEAD: all run, for the store knows none of these tests yet"
    )


def test_results_of_a_version_before_this_one_say_not_what_they_rest_on(project: Project) -> None:
    project.store.forget("first", "")
    assert project.since().told == (
        "--since HEAD: 2 of 2 tests run (2 because the store does not know their code), "
        "0 results reused"
    )


@pytest.mark.parametrize("ref", ["nowhere", "--output=x"])
def test_a_commit_that_does_not_exist(ref: str, project: Project) -> None:
    with pytest.raises(
        SocratesError, match=f"--since: '{ref}' names no commit here; give a branch"
    ):
        project.since(ref)


def test_a_commit_that_a_shallow_clone_lacks(project: Project, tmp_path_factory, git: Git) -> None:
    project.write(mail_py="def send():\n    return 2\n")
    project.commit()
    clone = tmp_path_factory.mktemp("clone")
    git(clone, "clone", "-q", "--depth", "1", project.folder.as_uri(), "shallow")
    project.folder = (clone / "shallow").resolve()
    with pytest.raises(SocratesError, match="this clone is shallow: fetch it, or clone with"):
        project.since("HEAD~1")


def test_outside_of_a_repository(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store, pytest.raises(SocratesError, match="is in no git repo"):
        reusable(store, (MAIL,), "HEAD", tmp_path, None, ())


def test_results_without_the_right_seal_are_not_reused(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "secret")
    with Store.open(project.folder) as store:
        project.store = store
        assert project.since().results == {}


def test_sealed_results_are_reused_and_carried_over(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "secret")
    with Store.open(project.folder) as store:
        project.store = store
        project.keep("sealed")
        store.carry_over("sealed", "next", MAIL)
        project.keep("next", tests="")
        assert project.since().codes == {MAIL: "next", TILL: "sealed"}


def resumed(project: Project, *arguments: str) -> str:
    now = surroundings_of(project.folder, project.settings, arguments)
    return what_is_resumed(project.store, "other", (MAIL, TILL), now)


def test_files_that_changed_are_why_nothing_is_resumed(project: Project) -> None:
    project.write(mail_py="def send():\n    return 2\n", README_md="more")
    assert resumed(project) == "nothing to resume: mail.py changed since the last run"


def test_of_many_changed_files_three_are_named(project: Project) -> None:
    names = [*FILES, "pay.py"]
    project.write(**{name.replace("/", "__"): "#" for name in names})
    assert resumed(project) == (
        "nothing to resume: mail.py, pay.py, pyproject.toml and 3 more files changed since the "
        "last run"
    )


def test_other_arguments_are_why_nothing_is_resumed(project: Project) -> None:
    assert resumed(project, "-x") == (
        "nothing to resume: settings or arguments changed since the last run"
    )


def test_change_that_is_not_kept_is_told_in_general(project: Project) -> None:
    assert resumed(project) == (
        "nothing to resume: the code, the settings, the packages or the arguments changed since "
        "the last run"
    )
