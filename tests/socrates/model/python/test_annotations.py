"""What annotations promise."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Describe = Callable[..., str]

PROMISES = [
    ("Thing", "a Thing"),
    ("Alias", "a Thing"),
    ("'Thing'", "a Thing"),
    ("'Thing('", "unknown"),
    ("Thing | None", "a Thing"),
    ("None | Thing", "a Thing"),
    ("Thing | Part", "unknown"),
    ("Optional[Thing]", "a Thing"),
    ("typing.Optional[Thing]", "a Thing"),
    ("Union[Thing, Part]", "unknown"),
    ("Awaitable[Thing]", "a Thing"),
    ("Coroutine[None, None, Thing]", "a Thing"),
    ("Annotated[Thing, 1]", "a Thing"),
    ("Final[Thing]", "a Thing"),
    ("type[Thing]", "class Thing"),
    ("Type['Thing']", "class Thing"),
    ("Type[int]", "unknown"),
    ("None", "NoneType"),
    ("int", "int"),
    ("list[Thing]", "list"),
    ("dict[str, Thing]", "dict"),
    ("pathlib.Path", "result of pathlib.Path"),
    ("Callable[[], Thing]", "unknown"),
    ("Any", "unknown"),
    ("typing.Any", "unknown"),
    ("NUMBER", "unknown"),
]


@pytest.mark.parametrize(("annotation", "expected"), PROMISES)
def test_annotated_parameter(annotation: str, expected: str, describe: Describe) -> None:
    assert describe("", f"x: {annotation}") == expected


@pytest.mark.parametrize(("annotation", "expected"), PROMISES)
def test_annotated_result(annotation: str, expected: str, describe: Describe) -> None:
    assert describe("x = made()", before=f"def made() -> {annotation}: ...") == expected


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        ("list[Thing]", "a Thing"),
        ("typing.List[Thing]", "a Thing"),
        ("'list[Thing]'", "a Thing"),
        ("'list['", "unknown"),
        ("tuple[Thing, ...]", "a Thing"),
        ("tuple[Thing, Part]", "unknown"),
        ("Iterator[Thing]", "a Thing"),
        ("Generator[Thing, None, None]", "a Thing"),
        ("dict[str, Thing]", "unknown"),
        ("list", "unknown"),
    ],
)
def test_elements_of_an_annotated_collection(
    annotation: str, expected: str, describe: Describe
) -> None:
    as_parameter = describe("for x in many: pass", f"many: {annotation}")
    as_result = describe("for x in many(): pass", before=f"def many() -> {annotation}: ...")
    assert (as_parameter, as_result) == (expected, expected)
