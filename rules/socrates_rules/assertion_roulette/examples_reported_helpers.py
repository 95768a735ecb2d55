"""Examples that SOC101 reports: assertions that a test makes by calling a helper."""

from __future__ import annotations

from socrates.example import Example

REPORTED_HELPERS = (
    Example(
        "helper of the module",
        """
        def check(pair):
            assert pair[0] == 1
            assert pair[1] == 2


        def test_pair():
            check((1, 2))
            assert len((1, 2)) == 2
        """,
        {"test_pair": "info: 2 assertions, 2 without an explanation"},
        note="The call counts as one assertion, whatever the helper holds.",
    ),
    Example(
        "helper of the class",
        """
        class TestPair:
            def check(self, pair):
                assert pair[0] == 1

            def test_pair(self):
                self.check((1, 2))
                self.check((1, 3))
        """,
        {"TestPair::test_pair": "info: 2 assertions, 2 without an explanation"},
    ),
    Example(
        "helper of another module",
        {
            "testing.py": """
            def check(pair):
                assert pair[0] == 1
            """,
            "test_example.py": """
            from testing import check


            def test_pair():
                check((1, 2))
                check((1, 3))
            """,
        },
        {"test_pair": "info: 2 assertions, 2 without an explanation"},
    ),
    Example(
        "helper inside an assert",
        """
        def run(text):
            result = eval(text)
            assert result is not None
            return result


        def test_pair():
            assert run("1 + 1") == 2
        """,
        {"test_pair": "info: 2 assertions, 2 without an explanation"},
        note="The helper asserts, and so does the test.",
    ),
    Example(
        "helper with a message for all its callers",
        """
        def check(pair):
            assert len(pair) == 2, "not a pair"


        def test_pair():
            check((1, 2))
            check((2, 1))
        """,
        {"test_pair": "info: 2 assertions, 2 without an explanation"},
        note="The calls carry no message, so a red run does not say what each was to prove.",
    ),
    Example(
        "helper that words what it is not given",
        """
        def eq_(one, other, msg=None):
            assert one == other, msg or "%r != %r" % (one, other)


        def test_pair():
            eq_((1, 2)[0], 1)
            eq_((1, 2)[1], 2)
        """,
        {"test_pair": "info: 2 assertions, 2 without an explanation"},
    ),
    Example(
        "helper that gets no message",
        """
        def assert_same(one, other, msg=None):
            assert one == other, msg


        def test_pair():
            assert_same((1, 2)[0], 1)
            assert_same((1, 2)[1], 2)
        """,
        {"test_pair": "info: 2 assertions, 2 without an explanation"},
    ),
    Example(
        "nothing but calls of a helper",
        """
        def check(pair):
            assert pair


        def test_pair():
            check((1, 2))
            check((2, 1))
            assert True, "fine"
        """,
        {"test_pair": "info: 3 assertions, 2 without an explanation"},
        note="What a helper was called to prove, only a person can say.",
    ),
    Example(
        "expectations by name",
        """
        def expect_pair(calls, pair):
            calls.append(pair)


        def test_pair(calls):
            expect_pair(calls, (1, 2))
            assert calls
        """,
        {"test_pair": "info: 2 assertions, 2 without an explanation"},
        note="The name says that it asserts, whatever it does.",
    ),
    Example(
        "short names of nose and SQLAlchemy",
        """
        from sqlalchemy.testing import eq_, is_true


        def test_pair():
            eq_((1, 2)[0], 1)
            is_true((1, 2))
        """,
        {"test_pair": "info: 2 assertions, 2 without an explanation"},
    ),
    Example(
        "functions named assert, check_that and expect",
        """
        def test_pair(assert_ordered, check_that, expect):
            assert_ordered((1, 2))
            check_that((1, 2))
            expect((1, 2))
        """,
        {"test_pair": "info: 3 assertions, 3 without an explanation"},
    ),
    Example(
        "an assertion function of one's own",
        """
        def test_pair(page):
            page.shows(1)
            page.shows(2)
        """,
        {"test_pair": "info: 2 assertions, 2 without an explanation"},
        options={"assertion-helpers": ["*.shows", "shows"]},
    ),
)
