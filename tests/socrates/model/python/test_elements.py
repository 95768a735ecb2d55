"""What iterating over a collection, or indexing it, gives."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Describe = Callable[..., str]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("for x in [Thing()]: pass", "a Thing", id="list"),
        pytest.param("x = (Thing(), Thing())[0]", "a Thing", id="tuple"),
        pytest.param("for x in {Thing()}: pass", "a Thing", id="set"),
        pytest.param("for x in [Thing(), 1]: pass", "unknown", id="mixed"),
        pytest.param("for x in []: pass", "unknown", id="empty"),
        pytest.param("for x in [*many, Thing()]: pass", "unknown", id="with elements of another"),
        pytest.param("for x in sorted([Thing()]): pass", "a Thing", id="sorted"),
        pytest.param("x = list([Thing()])[0]", "a Thing", id="copy"),
        pytest.param("for x in map([Thing()]): pass", "unknown", id="something else"),
        pytest.param("ys = [Thing()]\nfor x in ys: pass", "a Thing", id="by a name"),
        pytest.param("ys = [Thing()]\nys = list(ys)\nx = ys[0]", "unknown", id="of itself"),
        pytest.param("for x in ALL: pass", "a Thing", id="by a name of the module"),
        pytest.param("for x in (y for y in ALL): pass", "a Thing", id="generator"),
        pytest.param("for x in [Thing for y in ALL]: pass", "class Thing", id="comprehension"),
        pytest.param("for x in ['a']: pass", "unknown", id="of builtins"),
    ],
)
def test_element(body: str, expected: str, describe: Describe) -> None:
    assert describe(body, before="ALL = [Thing(), Thing()]") == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("for x in {Thing(): 1}: pass", "a Thing", id="keys of a dict"),
        pytest.param("for x in {Thing(): 1, **{}}: pass", "a Thing", id="keys beside another dict"),
        pytest.param("for x in {'a': Part()}.values(): pass", "a Part", id="values of a dict"),
        pytest.param("for x in {'a': Part()}.values(1): pass", "unknown", id="another values"),
        pytest.param("y = {'a': Part()}\nfor x in y.values(): pass", "a Part", id="by a name"),
        pytest.param("for k, x in {'a': Part()}.items(): pass", "a Part", id="items of a dict"),
        pytest.param("for x, v in {Part(): 1}.items(): pass", "a Part", id="keys of items"),
        pytest.param("for i, x in enumerate([Part()]): pass", "a Part", id="enumerate"),
        pytest.param("for x, y in enumerate([Part()]): pass", "unknown", id="number of enumerate"),
        pytest.param("for x, y in zip([Part()], [1]): pass", "a Part", id="first of zip"),
        pytest.param("for y, x in zip([1], [Part()]): pass", "a Part", id="second of zip"),
        pytest.param("for y, z, x in zip([1], [Part()]): pass", "unknown", id="too few in zip"),
        pytest.param("for y, x in list([(1, Part())]): pass", "a Part", id="copy of pairs"),
        pytest.param("for y, x in [(1, Part()), (2, Part())]: pass", "a Part", id="pairs"),
        pytest.param("for y, x in [(1, Part()), (2, 3)]: pass", "unknown", id="other pairs"),
        pytest.param("for y, x in [(y, Part()) for y in ALL]: pass", "a Part", id="made pairs"),
        pytest.param("for y, x in other([(1, Part())]): pass", "unknown", id="unknown function"),
        pytest.param("x = {'a': Part(), 'b': 1}['a']", "a Part", id="by its key"),
        pytest.param("x = {'a': Part(), 'b': 1}['c']", "unknown", id="by another key"),
        pytest.param("x = {'a': Part(), 'b': Part()}['c']", "a Part", id="all are alike"),
        pytest.param("x = {'a': Part(), 'b': Part()}[k]", "a Part", id="by an unknown key"),
        pytest.param("x = {y: Part() for y in ALL}['a']", "a Part", id="made dict"),
        pytest.param("x = [Part(), Thing()][1]", "a Thing", id="by its index"),
        pytest.param("x = [Part(), Thing()][0]", "a Part", id="by index 0"),
        pytest.param("x = [Part(), Thing()][2]", "a Base", id="by an index that is not there"),
        pytest.param("x = [Part(), 1][-1]", "unknown", id="from the end"),
        pytest.param("x = [Part()][:1]", "unknown", id="slice"),
        pytest.param("x = [*many, Part()][0]", "unknown", id="after the elements of another"),
        pytest.param("x = [Part(), *many][0]", "a Part", id="before the elements of another"),
        pytest.param("x = [y for y in ALL][0]", "a Thing", id="comprehension by its index"),
        pytest.param("for x in [Part(), Thing()]: pass", "a Base", id="a common base"),
        pytest.param("for x in [Part, Thing]: pass", "class Base", id="a common base of classes"),
        pytest.param("for x in [Part, Thing()]: pass", "unknown", id="a class and an object"),
        pytest.param("for x in [Part(), Bare()]: pass", "unknown", id="no common base"),
        pytest.param("for x in [pytest.param(Part(), id='a')]: pass", "a Part", id="param"),
        pytest.param("y, x = pair()", "a Part", id="returned pair"),
        pytest.param("x = pair()[0]", "a Thing", id="index of a returned pair"),
        pytest.param("a = b = c = d = e = [Part()]\nx = e[0]", "a Part", id="several names"),
        pytest.param("x = factory.Thing.many[0]", "unknown", id="no such attribute"),
    ],
)
def test_part(body: str, expected: str, describe: Describe) -> None:
    assert describe(body, before="import pytest\nALL = [Thing(), Thing()]") == expected


@pytest.mark.parametrize(
    ("hops", "expected"),
    [pytest.param(6, "a Part", id="near enough"), pytest.param(7, "unknown", id="too far")],
)
def test_collection_that_is_handed_on(hops: int, expected: str, describe: Describe) -> None:
    names = "\n".join(f"y{number} = y{number - 1}" for number in range(1, hops))

    assert describe(f"y0 = [Part()]\n{names}\nfor x in y{hops - 1}: pass") == expected


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        pytest.param("tuple[Thing, Part]", "a Part", id="tuple"),
        pytest.param("Tuple[Thing, Part]", "a Part", id="Tuple"),
        pytest.param("'tuple[Thing, Part]'", "a Part", id="in a text"),
        pytest.param("'tuple['", "unknown", id="in a text that is no type"),
        pytest.param("tuple[Part, ...]", "a Part", id="endless"),
        pytest.param("list[Part]", "a Part", id="list"),
        pytest.param("Coroutine[None, None, tuple[Thing, Part]]", "a Part", id="coroutine"),
        pytest.param("Annotated[tuple[Thing, Part], 1]", "a Part", id="annotated"),
        pytest.param("Optional[tuple[Thing, Part]]", "a Part", id="optional"),
        pytest.param("Awaitable[tuple[Thing, Part]]", "a Part", id="awaitable"),
        pytest.param("dict[Thing, Part]", "unknown", id="keys of a dict"),
    ],
)
def test_annotated_part(annotation: str, expected: str, describe: Describe) -> None:
    assert describe("y, x = made()", before=f"def made() -> {annotation}: ...") == expected


def test_elements_of_what_is_awaited(describe: Describe) -> None:
    many = "async def many() -> list[Thing]: ..."

    assert describe("for x in await many(): pass", before=many) == "a Thing"


GENERATORS = """\
def things():
    yield Thing()
    yield Thing()

def pairs():
    part = Part()
    yield Thing(), part

@wrapped
def decorated():
    yield Thing()
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("for x in things(): pass", "a Thing", id="what it yields"),
        pytest.param("for y, x in pairs(): pass", "a Part", id="a part of what it yields"),
        pytest.param("for x, y in pairs(): pass", "a Thing", id="another part"),
        pytest.param(
            "for x in decorated(): pass", "unknown", id="a decorator makes it something else"
        ),
    ],
)
def test_elements_of_a_generator(body: str, expected: str, describe: Describe) -> None:
    assert describe(body, before=GENERATORS) == expected
