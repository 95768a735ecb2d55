"""Which parameters of a test come from fixtures."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from socrates.model.context import FileContext

OpenModule = Callable[..., FileContext]


@pytest.mark.parametrize(
    ("decorator", "fixtures"),
    [
        pytest.param("@pytest.mark.slow", ("a", "b", "c"), id="none"),
        pytest.param("@pytest.mark.parametrize('a,b', [])", ("c",), id="parametrize"),
        pytest.param("@hypothesis.given(c=1)", ("a", "b"), id="hypothesis by keyword"),
        pytest.param("@hypothesis.given(1, 2)", ("a",), id="hypothesis by position"),
        pytest.param("@mock.patch('os.sep')", ("b", "c"), id="mock"),
        pytest.param("@mock.patch('os.sep', '/')", ("a", "b", "c"), id="mock with a value"),
    ],
)
def test_fixture_names(open_module: OpenModule, decorator: str, fixtures: tuple[str, ...]) -> None:
    text = (
        "import hypothesis, pytest\nfrom unittest import mock\n"
        f"{decorator}\ndef test_it(a, b, c):\n    pass\n"
    )
    file = open_module({"test_x.py": text}, "test_x.py")
    assert file.tests[0].fixture_names == fixtures
