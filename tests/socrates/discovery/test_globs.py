"""Git's wildcards: what matches a name, and what a path (checked against git elsewhere)."""

from __future__ import annotations

from pathlib import Path

import pytest

from socrates.discovery import testpaths
from socrates.discovery.globs import name_regex, path_regex, plain_length


def rows(table: str) -> list[tuple[str, str, str]]:
    """Each line: a glob, what it matches, what it does not."""
    split = [[part.strip() for part in line.split("|")] for line in table.strip().splitlines()]
    return [(glob, matched, others) for glob, matched, others in split]


NAMES = r"""
a           | a                 | b ab
*           | a ab .a           |
a*          | a ab              | ba
*a          | a ba              | ab
a*b*c       | abc aXbYc abcbc   | acb abcX
*a*         | a XaX             | b
?           | a b               | ab
a?c         | abc               | ac abbc
[abc]       | a c               | d ab
[!a]        | b                 | a
[^a]        | b                 | a
[a-c]       | a b c             | d -
[a-]        | a -               | b
[-a]        | a -               | b
[c-a]       | c                 | a b
[]a]        | ] a               | b
[!]a]       | b                 | ] a
[\]]        | ]                 | \
[[:digit:]] | 1                 | a
[[:alpha:]x-z] | a x            | 1
[[:upper:]] | A                 | a
[[:lower:]] | a                 | A
[[:alnum:]] | a 1               | -
[[:punct:]] | ! ~ @             | a 1
[[:xdigit:]] | f F 9            | g
[[:graph:]] | a !               |
[[:x]       | [ : x             | y
\*          | *                 | a
\a          | a                 | b
a\b         | ab                | a
"""
BAD = [r"[", r"[a", "a\\", r"[[:nope:]]", r"[[:alpha", "[a-\\"]
PATHS = r"""
a/b         | a/b               | a/c x/a/b
a/*         | a/b               | a/b/c a
*/b         | a/b               | b a/a/b
**/b        | b a/b a/c/b       | a/bc
a/**        | a/b a/b/c         | b a
a/**/b      | a/b a/c/b a/c/d/b | a/cb ab
**          | a a/b             |
a**         | ab a a/b          | b
a**/b       | ab/b a/b a/c/b    | b
*a/**/b     | a/b xa/c/b        | b
x?y         | xay               | x/y
x[!a]y      | xby               | x/y xay
a/b**/c     | a/b/c a/bx/c a/b/x/c | a/c
**\/b       | a/b a/c/b         | b
"""


@pytest.mark.parametrize(("glob", "matched", "others"), rows(NAMES))
def test_names(glob: str, matched: str, others: str) -> None:
    regex = name_regex(glob.encode())
    assert regex is not None
    told = [[bool(regex.fullmatch(name.encode())) for name in names.split()]
            for names in (matched, others)]  # fmt: skip
    assert told == [[True] * len(matched.split()), [False] * len(others.split())]


@pytest.mark.parametrize(("glob", "matched", "others"), rows(PATHS))
def test_paths(glob: str, matched: str, others: str) -> None:
    regex = path_regex(glob.encode())
    assert regex is not None
    told = [[bool(regex.fullmatch(path.encode())) for path in paths.split()]
            for paths in (matched, others)]  # fmt: skip
    assert told == [[True] * len(matched.split()), [False] * len(others.split())]


@pytest.mark.parametrize("glob", BAD)
def test_a_glob_that_is_left_open_matches_nothing(glob: str) -> None:
    assert (name_regex(glob.encode()), path_regex(glob.encode())) == (None, None)


@pytest.mark.parametrize(
    ("glob", "length"), [(b"abc", 3), (b"a*", 1), (b"?", 0), (b"ab[", 2), (b"a\\b", 1)]
)
def test_length_of_the_plain_beginning(glob: bytes, length: int) -> None:
    assert plain_length(glob) == length


@pytest.mark.parametrize(
    ("patterns", "found"),
    [
        (("a",), ["a"]),
        (("a", "a"), ["a"]),
        (("missing",), []),
        (("a/b", "c.py"), ["a/b", "c.py"]),
        (("*",), ["a", "c.py", "link"]),
        (("?.py",), ["c.py"]),
        (("[ab]",), ["a"]),
        (("**",), [".", "a", "a/b", "a/b/d"]),
        (("a/**/d",), ["a/b/d"]),
        (("**/b",), ["a/b"]),
        (("*/b",), ["a/b", "link/b"]),
        (("../other",), ["../other"]),
        (("..",), []),
        (("../*",), []),
        (("/",), []),
        (("a\0",), []),
        ((".",), ["."]),
    ],
)
def test_what_testpaths_name(patterns: tuple[str, ...], found: list[str], tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "a" / "b" / "d").mkdir(parents=True)
    (tmp_path / "other").mkdir()
    (root / "c.py").touch()
    (root / "link").symlink_to(root / "a")
    assert testpaths.expand(patterns, root) == found
