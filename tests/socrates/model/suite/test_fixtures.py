"""Fixtures are looked up as pytest does: class, module, conftest upwards, plugins that they name."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from socrates.model.context import FileContext
from socrates.model.python.values import Instance
from socrates.model.suite.fixtures import Fixture

OpenModule = Callable[..., FileContext]

FIXTURE = "import pytest\n\n@pytest.fixture\ndef oven():\n    return {value!r}\n"
TEST = "def test_it(oven): pass\n"


def value_of(fixture: Fixture | None) -> object:
    """The constant that a fixture returns; None when it is no fixture of the project."""
    return getattr(fixture.values[0], "value", None) if fixture else None


def found(file: FileContext, name: str = "oven") -> object:
    return value_of(file.fixture(name, file.tests[0]))


LOOKUPS = {
    "in the module": ({"test_it.py": FIXTURE.format(value="module") + TEST}, "module"),
    "nearest conftest": (
        {
            "conftest.py": FIXTURE.format(value="far"),
            "kitchen/conftest.py": FIXTURE.format(value="near"),
            "kitchen/test_it.py": TEST,
        },
        "near",
    ),
    "conftest further up": (
        {
            "conftest.py": FIXTURE.format(value="far"),
            "kitchen/conftest.py": "",
            "kitchen/test_it.py": TEST,
        },
        "far",
    ),
    "module before conftest": (
        {
            "conftest.py": FIXTURE.format(value="far"),
            "test_it.py": FIXTURE.format(value="module") + TEST,
        },
        "module",
    ),
    "plugin that a conftest names": (
        {
            "tools.py": FIXTURE.format(value="plugin"),
            "conftest.py": "pytest_plugins = ['tools']\n",
            "test_it.py": TEST,
        },
        "plugin",
    ),
    "plugin that the module names": (
        {
            "tools.py": FIXTURE.format(value="plugin"),
            "test_it.py": "pytest_plugins = 'tools'\n" + TEST,
        },
        "plugin",
    ),
    "imported": (
        {
            "tools.py": FIXTURE.format(value="imported"),
            "test_it.py": "from tools import oven\n" + TEST,
        },
        "imported",
    ),
    "imported under another name": (
        {
            "tools.py": FIXTURE.format(value="imported").replace("oven", "stove"),
            "test_it.py": "from tools import stove as oven\n" + TEST,
        },
        "imported",
    ),
    "imported with a star": (
        {
            "tools.py": FIXTURE.format(value="star"),
            "test_it.py": "from tools import *\n" + TEST,
        },
        "star",
    ),
    "by its name option": (
        {
            "test_it.py": FIXTURE.format(value="named").replace(
                "@pytest.fixture\ndef oven", "@pytest.fixture(name='oven')\ndef _oven"
            )
            + TEST,
        },
        "named",
    ),
    "of a plugin outside the project": ({"test_it.py": TEST}, None),
}


@pytest.mark.parametrize(("files", "expected"), LOOKUPS.values(), ids=list(LOOKUPS))
def test_lookup(open_module: OpenModule, files: dict[str, str], expected: object) -> None:
    name = next(name for name in files if name.endswith("test_it.py"))
    assert found(open_module(files, name)) == expected


def test_fixture_of_the_class_comes_first(open_module: OpenModule) -> None:
    file = open_module(
        FIXTURE.format(value="module")
        + """
class TestKitchen:
    @pytest.fixture
    def oven(self):
        return "class"

    def test_it(self, oven): pass
"""
    )
    assert found(file) == "class"


def test_fixture_of_a_base_class(open_module: OpenModule) -> None:
    file = open_module(
        """
        import pytest

        class Base:
            @pytest.fixture
            def oven(self):
                return "base"

        class TestKitchen(Base):
            def test_it(self, oven): pass
        """
    )
    assert found(file) == "base"


def test_each_override_requests_the_next_one_outwards(open_module: OpenModule) -> None:
    override = "import pytest\n\n@pytest.fixture\ndef oven(oven):\n    return {value!r}\n"
    files = {
        "conftest.py": FIXTURE.format(value="far"),
        "kitchen/conftest.py": override.format(value="near"),
        "kitchen/test_it.py": override.format(value="module") + TEST,
    }
    file = open_module(files, "kitchen/test_it.py")
    chain = [file.fixtures.find("oven", None)]
    for _ in range(2):
        assert chain[-1] is not None, "the chain must not end early"
        chain.append(file.fixtures.find("oven", None, skip=chain[-1].node))
    assert [value_of(fixture) for fixture in chain] == ["module", "near", "far"]


CLOSURES = {
    "usefixtures on the test": "@pytest.mark.usefixtures('oven')\ndef test_it(): pass\n",
    "usefixtures on the class": (
        "@pytest.mark.usefixtures('oven')\nclass TestIt:\n    def test_it(self): pass\n"
    ),
    "usefixtures in pytestmark": (
        "pytestmark = [pytest.mark.usefixtures('oven')]\ndef test_it(): pass\n"
    ),
    "getfixturevalue": "def test_it(request): request.getfixturevalue('oven')\n",
    "request of a fixture": (
        "@pytest.fixture\ndef kitchen(oven): pass\n\ndef test_it(kitchen): pass\n"
    ),
    "autouse": "@pytest.fixture(autouse=True)\ndef kitchen(oven): pass\n\ndef test_it(): pass\n",
}


@pytest.mark.parametrize("text", CLOSURES.values(), ids=list(CLOSURES))
def test_closure_holds_every_fixture_that_runs(open_module: OpenModule, text: str) -> None:
    file = open_module(FIXTURE.format(value="module") + "\n" + text)
    assert value_of(file.fixtures.closure(file.tests[0]).get("oven")) == "module"


@pytest.mark.parametrize(
    "mark", ["parametrize('oven', [1])", "skipif('oven')", "other.usefixtures2('oven')"]
)
def test_other_marks_ask_for_no_fixtures(mark: str, open_module: OpenModule) -> None:
    text = f"@pytest.mark.{mark}\ndef test_it(**given): pass\n"
    file = open_module(FIXTURE.format(value="module") + "\n" + text)
    assert file.fixtures.used_by_name(file.tests[0]) == set()


def test_parametrized_and_patched_parameters_are_no_fixtures(open_module: OpenModule) -> None:
    file = open_module(
        """
        import pytest
        from unittest import mock

        @mock.patch("os.getcwd")
        @pytest.mark.parametrize("number", [1, 2])
        def test_it(getcwd, number, oven, option=None): pass
        """
    )
    assert file.tests[0].fixture_names == ("oven",)


KEEPS = """\
import pytest

@pytest.fixture(scope="class"{options})
def keeps(request):
    request.cls.oven = 1
    request.instance.tin = 2
    request.node.lid = 3

{mark}
class TestBaking{base}:
    def test_it(self): pass
"""
MARK = "@pytest.mark.usefixtures('keeps')"


@pytest.mark.parametrize(
    ("options", "mark", "base", "names"),
    [
        pytest.param("", MARK, "", ["oven", "tin"], id="asked for by the class"),
        pytest.param("", f"{MARK}\nclass Base: pass", "(Base)", ["oven", "tin"], id="by a base"),
        pytest.param(", autouse=True", "", "", ["oven", "tin"], id="runs for all"),
        pytest.param("", "", "", [], id="not asked for"),
        pytest.param("", "@pytest.mark.usefixtures('other')", "", [], id="another is asked for"),
    ],
)
def test_what_fixtures_keep_on_a_class(
    options: str, mark: str, base: str, names: list[str], open_module: OpenModule
) -> None:
    file = open_module(KEEPS.format(options=options, mark=mark, base=base))
    assert sorted(file.fixtures.set_on(file.tests[0].cls)) == names  # type: ignore[arg-type]


def test_what_a_fixture_keeps_on_a_class_is_known_to_its_tests(open_module: OpenModule) -> None:
    source = KEEPS.format(options="", mark=MARK, base="").replace("= 1", "= Oven()")
    file = open_module(f"class Oven: pass\n\n{source}")
    kept = file.inference.member(Instance(file.tests[0].cls), "oven")  # type: ignore[arg-type]
    assert isinstance(kept, Instance)
    assert kept.cls.name == "Oven"


def test_autouse_fixture_that_is_overridden_runs_as_the_nearest_one(
    open_module: OpenModule,
) -> None:
    far = FIXTURE.format(value="far").replace("fixture\n", "fixture(autouse=True)\n")
    near = FIXTURE.format(value="near") + "\ndef test_it(): pass\n"
    file = open_module({"conftest.py": far, "test_it.py": near})
    assert [value_of(fixture) for fixture in file.fixtures.autouse(file.tests[0])] == ["near"]


def test_closure_goes_on_after_a_fixture_that_it_has(open_module: OpenModule) -> None:
    text = (
        "import pytest\n\n@pytest.fixture\ndef pan(): pass\n\n@pytest.fixture\ndef oven(): pass\n\n"
        "@pytest.fixture\ndef kitchen(oven): pass\n\ndef test_it(pan, oven, kitchen): pass\n"
    )
    file = open_module(text)
    assert sorted(file.fixtures.closure(file.tests[0])) == ["kitchen", "oven", "pan"]


@pytest.mark.parametrize(
    ("definition", "autouse"),
    [
        ("@pytest.fixture(autouse=True)", True),
        ("@pytest.fixture(autouse=False)", False),
        ("@pytest.fixture(autouse=ALWAYS)", False),
        ("@pytest.fixture()", False),
        ("@pytest.fixture", False),
    ],
)
def test_autouse_is_what_the_decorator_says(
    definition: str, autouse: bool, open_module: OpenModule
) -> None:
    file = open_module(f"import pytest\n\n{definition}\ndef oven(): pass\n\n{TEST}")
    fixture = file.fixture("oven", file.tests[0])
    assert fixture is not None
    assert fixture.autouse is autouse
