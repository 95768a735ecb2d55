"""Examples in which SOC104 stays silent."""

from __future__ import annotations

from socrates.example import Example

SILENT = (
    Example(
        "read through methods and properties",
        """
        import unittest

        class TestRecipe(unittest.TestCase):
            def setUp(self):
                self.flour = 1
                self.sugar = 2

            @property
            def sweet(self):
                return self.sugar

            def total(self):
                return self.flour + self.sweet

            def test_total(self):
                self.assertEqual(self.total(), 3)
        """,
    ),
    Example(
        "attributes from which set-up builds what is read",
        """
        import unittest

        class TestRecipe(unittest.TestCase):
            def setUp(self):
                self.flour = 1
                amount = self.flour * 2
                self.dough = [amount]
                self.sugar = 2
                self.dough.append(self.sugar)
                self.oven = object()
                self.oven.dough = self.dough
                self.oven.light = self.light = object()

            def test_oven(self):
                self.assertTrue(self.oven)
        """,
        note="Each is as used as what is built from it.",
    ),
    Example(
        "folders that set-up makes and goes to",
        """
        import os
        import shutil
        import unittest

        class TestRecipe(unittest.TestCase):
            def setUp(self):
                self.temporary = self.useFixture(TempDir()).path
                self.output = StringStream("stdout")
                self.useFixture(self.output)
                self.assertMatches = self.assertRegex
                self.folder = os.path.join("tests", "kitchen")
                shutil.copytree("kitchen", self.folder)
                self.place = os.path.join("tests", "place")
                os.chdir(self.place)

            def test_sum(self):
                self.assertEqual(1 + 1, 2)
        """,
        note="They have their effect without being read.",
    ),
    Example(
        "an attribute that the test sets for a function of the set-up",
        """
        import unittest

        class TestOven(unittest.TestCase):
            def setUp(self):
                self.heat = None
                self.oven = make_oven(lambda: self.heat)

            def test_oven(self):
                self.heat = 200
                self.assertTrue(self.oven.is_hot)
        """,
    ),
    Example(
        "attributes that tearDown reads don't count",
        """
        import shutil
        import tempfile
        import unittest

        class TestFolder(unittest.TestCase):
            def setUp(self):
                self.prefix = "kitchen"
                self.folder = tempfile.mkdtemp(self.prefix)
                self.other = tempfile.mkdtemp()
                self.addCleanup(shutil.rmtree, self.other)

            def tearDown(self):
                shutil.rmtree(self.folder)

            def test_nothing_of_it(self):
                self.assertEqual(sum([1, 2]), 3)
        """,
    ),
    Example(
        "attributes that registered clean-up needs under another name",
        """
        import unittest

        class TestRecipe(unittest.TestCase):
            def setUp(self):
                self.log = log = open_log()
                self.addCleanup(log.close)
                self.book = open_book()
                book = self.book
                self.addCleanup(book.close)

            def test_sum(self):
                self.assertEqual(1 + 1, 2)
        """,
    ),
    Example(
        "a patch that is started has its effect without being read",
        """
        import unittest
        from unittest import mock

        class TestClock(unittest.TestCase):
            def setUp(self):
                patcher = mock.patch("time.time", return_value=1)
                self.clock = patcher.start()
                self.addCleanup(patcher.stop)

            def test_clock(self):
                import time
                self.assertEqual(time.time(), 1)
        """,
    ),
    Example(
        "a test that hands itself on uses everything",
        """
        import unittest

        def total(case):
            return case.flour + case.sugar

        class TestRecipe(unittest.TestCase):
            def setUp(self):
                self.flour = 1
                self.sugar = 2

            def test_total(self):
                self.assertEqual(total(self), 3)

            def test_by_name(self):
                for name in ("flour", "sugar"):
                    self.assertTrue(getattr(self, name))
        """,
        page=True,
    ),
    Example(
        "what clean-up needs does not count",
        """
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
        """,
    ),
    Example(
        "an object of production code is one object",
        {
            "kitchen.py": """
            from dataclasses import dataclass

            @dataclass
            class Kitchen:
                oven: object
                table: object
            """,
            "test_example.py": """
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
    Example(
        "fixtures run for their effect",
        """
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
        """,
    ),
    Example(
        "whatever can't be looked into may have an effect",
        {
            "kitchen.py": """
            COOKS = []

            def hire(name):
                COOKS.append(name)
                return name

            class Cook:
                def __init__(self, name):
                    hire(name)

            class Station:
                def __init_subclass__(cls):
                    COOKS.append(cls)
            """,
            "test_example.py": """
            import factory
            import pytest

            from kitchen import Cook, Station, hire

            SEEN = []

            class CookFactory(factory.Factory):
                class Meta:
                    model = Cook

            @pytest.fixture
            def hired():
                return hire("ann")

            @pytest.fixture
            def cook():
                return Cook("bob")

            @pytest.fixture
            def made():
                return CookFactory()

            @pytest.fixture
            def station():
                class Grill(Station):
                    pass

                return Grill

            @pytest.fixture
            def imported():
                import kitchen

                return kitchen

            @pytest.fixture
            def seen():
                SEEN.append(1)
                return SEEN

            def test_cooks(hired, cook, made, station, imported, seen):
                assert True
            """,
        },
        note="Production functions, classes, imports and calls on globals.",
    ),
    Example(
        "fixtures that check, or ask for others by name",
        """
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
        """,
    ),
    Example(
        "underscored parameters, request and fixtures of plugins",
        """
        import pytest

        @pytest.fixture
        def _kitchen():
            return object()

        def test_nothing(_kitchen, request, tmp_path, mocker):
            assert True
        """,
    ),
    Example(
        "attributes and fixtures that never count",
        """
        import pytest

        @pytest.fixture
        def oven():
            return object()

        class TestMilk:
            def setup_method(self):
                self.log = []

            def test_milk(self, oven):
                assert True
        """,
        options={"ignore-attributes": ["log"], "ignore-fixtures": ["ov*"]},
    ),
)
