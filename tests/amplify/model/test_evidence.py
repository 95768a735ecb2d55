"""Which code asks for a call, on a stack from the innermost frame outwards."""

from __future__ import annotations

import pytest

from socrates_amplify.model.evidence import Frame, Injection, Role

ROLES: dict[str, Role] = {"shop": "production", "test": "test", "tenacity": "library"}


def stack(*modules: str) -> tuple[Frame, ...]:
    """A frame per module, each with its place for a line."""
    return tuple(
        Frame(
            *(ROLES.get(module.partition(".")[0], "library"), module, f"{module}.py"),
            "traced.<locals>.wrapper" if module.endswith("wrapper") else "f",
            line,
        )
        for line, module in enumerate(modules)
    )


@pytest.mark.parametrize(
    ("modules", "expected"),
    [
        pytest.param(("requests.api", "shop.prices", "test"), 1, id="who calls the client"),
        pytest.param(
            ("requests.sessions", "shop.session", "requests.sessions", "shop.prices", "test"),
            3,
            id="not a subclass of its session",
        ),
        pytest.param(
            ("httpx._client", "shop.transport", "httpx._client", "test"),
            1,
            id="a transport, where nothing else asks",
        ),
        pytest.param(
            ("requests.api", "shop.prices", "tenacity", "shop.page", "test"),
            1,
            id="below a library",
        ),
        pytest.param(("requests.api", "shop.wrapper", "shop.page"), 2, id="not a decorator"),
        pytest.param(
            ("requests.api", "shop.wrapper", "test"), 1, id="a decorator, where it is all"
        ),
        pytest.param(("requests.api", "test"), None, id="the test itself"),
    ],
)
def test_site_of_a_call(modules: tuple[str, ...], expected: int | None) -> None:
    site = Injection("t", "timeout", stack(*modules)).site
    assert (site and site.line) == expected
