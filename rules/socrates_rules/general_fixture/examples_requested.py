"""The examples of SOC104 for what fixtures and loans hand out, and for its settings."""

from __future__ import annotations

from socrates.rule import Example

_FILE = "test_example.py"

LOAN = (
    Example(
        "a fixture lends two objects, the test uses one",
        {
            _FILE: """\
            import pytest

            @pytest.fixture
            def kitchen():
                return object(), object()

            def test_unpacked(kitchen):
                oven, table = kitchen
                assert oven

            def test_by_index(kitchen):
                assert kitchen[1]

            def test_both(kitchen):
                oven, table = kitchen
                assert oven is not table

            def test_whole(kitchen):
                assert len(kitchen) == 2
            """
        },
        {"test_unpacked": "warning", "test_by_index": "warning"},
    ),
    Example(
        "a dict with literal keys",
        {
            _FILE: """\
            import pytest

            @pytest.fixture
            def prices():
                return {"milk": 1, "flour": 2, "sugar": 3}

            def test_two_of_three(prices):
                assert prices["milk"] + prices["flour"] == 3
            """
        },
        {"test_two_of_three": "info"},
    ),
    Example(
        "a context manager of the tests",
        {
            _FILE: """\
            from contextlib import contextmanager

            @contextmanager
            def kitchen():
                oven, table = object(), object()
                yield oven, table

            def test_oven():
                with kitchen() as (oven, table):
                    assert oven
            """
        },
        {"test_oven": "warning"},
    ),
    Example(
        "a decorator of the tests",
        {
            _FILE: """\
            def in_kitchen(function):
                def wrapper():
                    return function(object(), object())
                return wrapper

            @in_kitchen
            def test_oven(oven, table):
                assert oven
            """
        },
        {"test_oven": "warning"},
    ),
    Example(
        "what clean-up needs does not count",
        {
            _FILE: """\
            import pytest

            @pytest.fixture
            def served(make_server):
                server = make_server()
                url = server.url
                yield server, url
                server.stop()

            def test_url(served):
                server, url = served
                assert url
            """
        },
    ),
)

WITH_FIXTURE = (
    Example(
        "a record with more fields than the test reads",
        {
            _FILE: """\
            from collections import namedtuple
            from dataclasses import dataclass
            from types import SimpleNamespace

            import pytest

            Pair = namedtuple("Pair", "left right")

            @dataclass
            class Kitchen:
                oven: object
                table: object
                chair: object

                def places(self):
                    return [self.table, self.chair]

            @pytest.fixture
            def kitchen():
                return Kitchen(object(), object(), object())

            @pytest.fixture
            def pair():
                return Pair(1, 2)

            @pytest.fixture
            def space():
                return SimpleNamespace(floor=1, wall=2)

            def test_oven(kitchen):
                assert kitchen.oven

            def test_through_a_method(kitchen):
                assert len(kitchen.places()) == 2

            def test_left(pair):
                assert pair.left == 1

            def test_floor(space):
                assert space.floor == 1

            def test_whole(kitchen):
                assert repr(kitchen)
            """
        },
        {
            "test_oven": "warning",
            "test_through_a_method": "info",
            "test_left": "warning",
            "test_floor": "warning",
        },
    ),
    Example(
        "an object of production code is one object",
        {
            "kitchen.py": """\
            from dataclasses import dataclass

            @dataclass
            class Kitchen:
                oven: object
                table: object
            """,
            _FILE: """\
            import pytest

            from kitchen import Kitchen

            @pytest.fixture
            def kitchen():
                return Kitchen(object(), object())

            def test_oven(kitchen):
                assert kitchen.oven
            """,
        },
    ),
)

REQUESTED = (
    Example(
        "a fixture that only builds a value and is never read",
        {
            _FILE: """\
            import pytest

            @pytest.fixture
            def oven():
                return object()

            @pytest.fixture
            def milk():
                return ["milk"]

            def test_milk(milk, oven):
                assert milk == ["milk"]
            """
        },
        {"test_milk": "warning"},
    ),
    Example(
        "fixtures run for their effect",
        {
            _FILE: """\
            import os
            from unittest import mock

            import pytest

            @pytest.fixture
            def cleaned():
                yield object()

            @pytest.fixture
            def patched(monkeypatch):
                monkeypatch.setenv("KITCHEN", "1")
                return "1"

            @pytest.fixture
            def mocked():
                return mock.patch("os.getcwd").start()

            @pytest.fixture
            def folder():
                os.makedirs("kitchen", exist_ok=True)
                return "kitchen"

            @pytest.fixture
            def served(patched):
                return "http://" + patched

            @pytest.fixture
            def started(make_server):
                return make_server()

            @pytest.fixture
            def route(app):
                app.debug = True
                return app

            @pytest.fixture
            def app():
                return mock.Mock()

            @pytest.fixture
            def checked():
                assert os.sep

            def test_effects(cleaned, patched, mocked, folder, started, route, checked):
                assert True

            def test_effect_of_what_it_requests(served):
                assert True
            """
        },
    ),
    Example(
        "fixtures that check, or ask for others by name",
        {
            _FILE: """\
            import sys

            import pytest

            @pytest.fixture
            def linux_only():
                assert sys.platform == "linux"
                return sys.platform

            @pytest.fixture(params=["memory", "disk"])
            def store(request):
                return request.getfixturevalue(request.param)

            def test_sum(linux_only, store):
                assert 1 + 1 == 2
            """
        },
    ),
    Example(
        "underscored parameters, request and fixtures of plugins",
        {
            _FILE: """\
            import pytest

            @pytest.fixture
            def _kitchen():
                return object()

            def test_nothing(_kitchen, request, tmp_path, mocker):
                assert True
            """
        },
    ),
    Example(
        "a fixture from the nearest conftest",
        {
            "conftest.py": """\
            import pytest

            @pytest.fixture
            def oven(monkeypatch):
                monkeypatch.setenv("OVEN", "1")
                return 1
            """,
            "kitchen/conftest.py": """\
            import pytest

            @pytest.fixture
            def oven():
                return 2
            """,
            "kitchen/test_kitchen.py": "def test_near(oven):\n    assert True\n",
            "test_hall.py": "def test_far(oven):\n    assert True\n",
        },
        {"test_near": "warning"},
    ),
)

SETTINGS = (
    Example(
        "attributes and fixtures that never count",
        {
            _FILE: """\
            import pytest

            @pytest.fixture
            def oven():
                return object()

            class TestMilk:
                def setup_method(self):
                    self.log = []

                def test_milk(self, oven):
                    assert True
            """
        },
        options={"ignore-attributes": ["log"], "ignore-fixtures": ["ov*"]},
    ),
    Example(
        "another share for warnings",
        {
            _FILE: """\
            class TestMilk:
                def setup_method(self):
                    self.cow, self.milk = object(), object()

                def test_milk(self):
                    assert self.milk
            """
        },
        {"TestMilk::test_milk": "info"},
        options={"warning-percent": 51},
    ),
)
