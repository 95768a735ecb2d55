"""Examples that SOC104 reports: what fixtures, context managers and decorators hand to a test."""

from __future__ import annotations

from socrates.example import Example, safe

REPORTED_FIXTURES = (
    Example(
        "a fixture that only builds a value and is never read",
        """
        import pytest

        @pytest.fixture
        def oven():
            return object()

        @pytest.fixture
        def milk():
            return ["milk"]

        def test_milk(milk, oven):
            assert milk == ["milk"]
        """,
        {"test_milk": "warning: 1 of 2 fixture objects unused: oven"},
        fixed=safe(
            """
            import pytest

            @pytest.fixture
            def oven():
                return object()

            @pytest.fixture
            def milk():
                return ["milk"]

            def test_milk(milk):
                assert milk == ["milk"]
            """
        ),
        page=True,
    ),
    Example(
        "unused fixture of a test with a comment",
        """
        import pytest


        @pytest.fixture
        def number():
            return 3


        def test_it(number):  # why
            assert True
        """,
        {"test_it": "warning: 1 of 1 fixture objects unused: number"},
        fixed=safe(
            """
            import pytest


            @pytest.fixture
            def number():
                return 3


            def test_it():  # why
                assert True
            """
        ),
    ),
    Example(
        "unused fixture beside one for its effect",
        """
        import pytest


        @pytest.fixture
        def number():
            return 3


        @pytest.fixture
        def effect(monkeypatch):
            monkeypatch.setenv("A", "1")
            yield


        def test_it(effect, number):
            assert True
        """,
        {"test_it": "warning: 1 of 1 fixture objects unused: number"},
        fixed=safe(
            """
            import pytest


            @pytest.fixture
            def number():
                return 3


            @pytest.fixture
            def effect(monkeypatch):
                monkeypatch.setenv("A", "1")
                yield


            @pytest.mark.usefixtures("effect")
            def test_it():
                assert True
            """
        ),
    ),
    Example(
        "unused fixture on a line of its own",
        """
        import pytest


        @pytest.fixture
        def number():
            return 3


        def test_it(
            tmp_path,
            number,
        ):
            assert tmp_path
        """,
        {"test_it": "warning: 1 of 2 fixture objects unused: number"},
        fixed=safe(
            """
            import pytest


            @pytest.fixture
            def number():
                return 3


            def test_it(
                tmp_path,
            ):
                assert tmp_path
            """
        ),
    ),
    Example(
        "a fixture from the nearest conftest",
        {
            "conftest.py": """
            import pytest

            @pytest.fixture
            def oven(monkeypatch):
                monkeypatch.setenv("OVEN", "1")
                return 1
            """,
            "kitchen/conftest.py": """
            import pytest

            @pytest.fixture
            def oven():
                return 2
            """,
            "kitchen/test_kitchen.py": """
            def test_near(oven):
                assert True
            """,
            "test_hall.py": """
            def test_far(oven):
                assert True
            """,
        },
        {"test_near": "warning: 1 of 1 fixture objects unused: oven"},
        fixed=safe(
            {
                "kitchen/test_kitchen.py": """
                def test_near():
                    assert True
                """,
            }
        ),
    ),
    Example(
        "a fixture lends two objects, the test uses one",
        """
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
        """,
        {
            "test_unpacked": "info: 1 of 2 fixture objects unused: kitchen[1]",
            "test_by_index": "info: 1 of 2 fixture objects unused: kitchen[0]",
        },
    ),
    Example(
        "a dict with literal keys",
        """
        import pytest

        @pytest.fixture
        def prices():
            return {"milk": 1, "flour": 2, "sugar": 3}

        def test_two_of_three(prices):
            assert prices["milk"] + prices["flour"] == 3
        """,
        {"test_two_of_three": "info: 1 of 3 fixture objects unused: prices['sugar']"},
    ),
    Example(
        "a context manager of the tests",
        """
        from contextlib import contextmanager

        @contextmanager
        def kitchen():
            oven, table = object(), object()
            yield oven, table

        def test_oven():
            with kitchen() as (oven, table):
                assert oven
        """,
        {"test_oven": "warning: 1 of 2 fixture objects unused: kitchen[1]"},
    ),
    Example(
        "a decorator of the tests",
        """
        def in_kitchen(function):
            def wrapper():
                return function(object(), object())
            return wrapper

        @in_kitchen
        def test_oven(oven, table):
            assert oven
        """,
        {"test_oven": "warning: 1 of 2 fixture objects unused: table"},
    ),
    Example(
        "a record with more fields than the test reads",
        """
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
        """,
        {
            "test_oven": "info: 2 of 3 fixture objects unused: kitchen.table, kitchen.chair",
            "test_through_a_method": "info: 1 of 3 fixture objects unused: kitchen.oven",
            "test_left": "warning: 1 of 2 fixture objects unused: pair.right",
            "test_floor": "warning: 1 of 2 fixture objects unused: space.wall",
        },
    ),
    Example(
        "a parameter that is assigned before it is read",
        """
        import pytest

        @pytest.fixture
        def milk():
            return make_milk()

        @pytest.fixture
        def oven():
            return [1]

        def test_milk(milk, oven):
            oven = [milk]
            assert oven
        """,
        {"test_milk": "warning: 1 of 2 fixture objects unused: oven"},
        fixed=safe(
            """
            import pytest

            @pytest.fixture
            def milk():
                return make_milk()

            @pytest.fixture
            def oven():
                return [1]

            def test_milk(milk):
                oven = [milk]
                assert oven
            """
        ),
    ),
    Example(
        "a fixture that is a static method",
        """
        import pytest

        class TestOven:
            @staticmethod
            @pytest.fixture
            def oven():
                return [1]

            def test_nothing(self, oven):
                assert True
        """,
        {"TestOven::test_nothing": "warning: 1 of 1 fixture objects unused: oven"},
    ),
    Example(
        "a part that the test names as unused",
        """
        import pytest

        @pytest.fixture
        def kitchen():
            return "oven", "table"

        def test_it(kitchen):
            oven, _ = kitchen
            assert oven == "oven"
        """,
        {"test_it": "info: 1 of 2 fixture objects unused: kitchen[1]"},
    ),
)
