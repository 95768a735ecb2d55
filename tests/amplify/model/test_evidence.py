"""Which code asks for a call, on a stack from the innermost frame outwards."""

from __future__ import annotations

import pytest

from socrates_amplify.model.evidence import Evidence, Frame, Injection, Link, Role

MAKES_FAULTS = "socrates_amplify.probes.http.clients.aiohttp"
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


@pytest.mark.parametrize(
    ("module", "bases", "raised", "slipped"),
    [
        pytest.param(MAKES_FAULTS, ("TypeError",), False, True, id="a slip"),
        pytest.param(MAKES_FAULTS, ("TypeError",), True, False, id="raised on purpose"),
        pytest.param(MAKES_FAULTS, ("BaseException",), False, False, id="a cancelled task"),
        pytest.param("shop.prices", ("TypeError",), False, False, id="production code's"),
    ],
)
def test_what_goes_wrong_while_a_fault_is_made_is_told_from_faults(
    module: str, bases: tuple[str, ...], raised: bool, slipped: bool
) -> None:
    role: Role = "ours" if module == MAKES_FAULTS else "production"
    frame = Frame(role, module, f"{module}.py", "f", 1)
    link = Link("Odd", "builtins", frames=(frame,), raised=raised, bases=bases)
    assert (Evidence((link,)).our_slip is link) is slipped
