"""A suite gives the outcomes of plain pytest when it runs through the fork server."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from socrates_amplify.model.faults import Scenario

CONFTEST = """
    import pytest

    ORDER = []

    @pytest.fixture(scope="session")
    def for_session():
        ORDER.append("session")
        yield len(ORDER)
        ORDER.append("session over")

    @pytest.fixture(scope="package")
    def for_package(for_session):
        return for_session + 1

    @pytest.fixture(scope="module")
    def for_module(for_package):
        return for_package + 1

    @pytest.fixture(scope="class")
    def for_class(for_module):
        return for_module + 1

    @pytest.fixture
    def for_function(for_class):
        return for_class + 1

    @pytest.fixture(autouse=True)
    def always(monkeypatch):
        monkeypatch.setenv("ALWAYS", "1")

    @pytest.fixture
    def broken():
        raise OSError("no such thing")

    @pytest.fixture
    def broken_in_the_end():
        yield
        raise OSError("could not clean up")
"""

SUITE = """
    import os, sys, unittest, warnings
    import pytest

    STDOUT = sys.stdout
    pytestmark = pytest.mark.filterwarnings("error::UserWarning")

    def test_scopes(for_function):
        assert for_function == 5

    def test_autouse():
        assert os.environ["ALWAYS"] == "1"

    @pytest.mark.parametrize("number", [1, 2, 3], ids=["one", "two::b", "three [c]"])
    def test_parameters(number):
        assert number != 2

    class TestClass:
        def test_in_class(self, for_class):
            assert for_class == 4

    class TestUnit(unittest.TestCase):
        @classmethod
        def setUpClass(cls):
            cls.ready = True

        def test_ready(self):
            self.assertTrue(self.ready)

        def test_wrong(self):
            self.assertEqual(1, 2)

        def test_subtests(self):
            for number in range(3):
                with self.subTest(number=number):
                    self.assertLess(number, 3)

        @unittest.expectedFailure
        def test_expected(self):
            self.fail("as expected")

        @unittest.skip("not today")
        def test_not_today(self):
            pass

    def test_failing():
        assert [1, 2] == [1, 3]

    def test_warning_is_error():
        warnings.warn("careful")

    def test_error_before(broken):
        pass

    def test_error_after(broken_in_the_end):
        pass

    @pytest.mark.skipif(sys.version_info > (3,), reason="new")
    def test_skipped():
        pass

    def test_skips_itself():
        pytest.skip("changed my mind")

    @pytest.mark.xfail(reason="known")
    def test_xfail():
        assert False

    @pytest.mark.xfail
    def test_xpass():
        pass

    @pytest.mark.xfail(strict=True)
    def test_strict_xpass():
        pass

    @pytest.mark.asyncio
    async def test_async():
        import asyncio
        await asyncio.sleep(0)

    @pytest.mark.asyncio
    async def test_async_failing():
        assert False

    def test_output(capsys):
        print("hello")
        assert capsys.readouterr().out == "hello\\n"

    def test_stream_of_the_import():
        print("hello", file=STDOUT)
        assert sys.stdout is STDOUT

    def test_file_descriptors(capfd):
        os.system("echo hello")
        assert capfd.readouterr().out == "hello\\n"

    def test_temporary(tmp_path, tmp_path_factory):
        assert tmp_path.parent == tmp_path_factory.getbasetemp()

    def test_log(caplog):
        import logging
        logging.getLogger("x").warning("w")
        assert caplog.messages == ["w"]
"""

PLUGINS = ("-p", "no:cacheprovider", "-p", "pytest_asyncio.plugin")
INI = """
    [pytest]
    asyncio_mode = strict
    asyncio_default_fixture_loop_scope = function
"""


@pytest.fixture(scope="module")
def files() -> dict[str, str]:
    """The suite."""
    return {"conftest.py": CONFTEST, "test_suite.py": SUITE, "pytest.ini": INI}


@pytest.fixture(scope="module")
def plain(
    files: dict[str, str], write_suite, tmp_path_factory: pytest.TempPathFactory
) -> list[str]:
    """``name: outcome`` of each test, as plain pytest reports it."""
    folder = tmp_path_factory.mktemp("plain")
    suite = write_suite(folder, files)
    report = folder / "report.xml"
    command = [sys.executable, "-m", "pytest", *PLUGINS, f"--junitxml={report}"]
    subprocess.run(command, cwd=suite.cwd, capture_output=True, check=False, timeout=120)
    return sorted(_named(case) for case in ET.parse(report).iter("testcase"))


def _named(case: ET.Element) -> str:
    """Of two entries about one test, the error after it is the worse."""
    kinds = {child.tag: child for child in case}
    if "error" in kinds:
        outcome = "error"
    elif "failure" in kinds:
        outcome = "failed"
    elif "skipped" in kinds:
        outcome = "xfailed" if kinds["skipped"].get("type") == "pytest.xfail" else "skipped"
    else:
        outcome = "passed"
    return f"{case.get('name')}: {outcome}"


@pytest.fixture(scope="module")
def amplified(files: dict[str, str], project) -> list[str]:
    """The same through the fork server."""
    executor = project(files, *PLUGINS)
    named = []
    for nodeid in executor.collect():
        status = executor.run(nodeid, Scenario(), 60.0).status
        name = nodeid.removeprefix("test_suite.py::").removeprefix("TestClass::")
        name = name.removeprefix("TestUnit::")
        # JUnit knows no xpass: it is a pass.
        named.append(f"{name}: {'passed' if status == 'xpassed' else status}")
    return sorted(named)


def test_outcomes_are_those_of_plain_pytest(plain: list[str], amplified: list[str]) -> None:
    assert amplified == plain


@pytest.mark.parametrize("status", ["passed", "failed", "error", "skipped", "xfailed"])
def test_every_outcome_occurs(amplified: list[str], status: str) -> None:
    assert any(entry.endswith(f": {status}") for entry in amplified)


SUBTESTS = """
    import unittest

    class TestUnit(unittest.TestCase):
        def test_unit(self):
            for number in range(3):
                with self.subTest(number=number):
                    self.assertLess(number, 2)

    def test_fixture(subtests):
        for number in range(3):
            with subtests.test(number=number):
                assert number < 2
"""


@pytest.mark.skipif(
    tuple(map(int, pytest.__version__.split(".")[:1])) < (9,), reason="subtests came with pytest 9"
)
@pytest.mark.parametrize(("name", "line"), [("TestUnit::test_unit", 8), ("test_fixture", 13)])
def test_a_failing_subtest_fails_its_test(project, name: str, line: int) -> None:
    outcome = project({"test_it.py": SUBTESTS}).run(f"test_it.py::{name}", Scenario(), 60.0)
    assert outcome.failure is not None
    assert (outcome.status, outcome.failure.location) == ("failed", f"test_it.py:{line}")


def test_the_session_fixture_is_fresh_in_every_execution(project) -> None:
    files = {
        "conftest.py": CONFTEST,
        "test_it.py": "def test_it(for_session): assert for_session == 1\n",
    }
    executor = project(files)
    statuses = [executor.run("test_it.py::test_it", Scenario(), 60.0).status for _ in range(3)]
    assert statuses == ["passed"] * 3


def test_rootdir_and_conftest_are_found_from_a_folder_below(write_suite, tmp_path: Path) -> None:
    from socrates_amplify.executors.fork.executor import ForkExecutor

    suite = write_suite(tmp_path, {"conftest.py": CONFTEST})
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "test_it.py").write_text("def test_it(for_session): pass\n")
    executor = ForkExecutor(type(suite)(tmp_path / "inner", pytest_args=suite.pytest_args))
    collected = executor.collect()
    executor.close()
    assert collected == ["inner/test_it.py::test_it"]
