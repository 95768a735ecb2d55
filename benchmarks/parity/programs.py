"""Random programs from the grammar, laid out in every way that Python allows."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence

from parity.grammar import BYTES, RULES, STRINGS, WORDS

_DEEPEST = 8
_NEW_FIELDS = sys.version_info >= (3, 12)
"""Whether the running Python takes any code in replacement fields (PEP 701)."""
_NESTED = (":{w:>{p}}",) if _NEW_FIELDS else ()


def program(source: random.Random) -> str:
    """A program that every Python from 3.11 on accepts, but for newer f-strings on newer ones."""
    return _Layout(source).text(list(_tokens("program", source, 0)))


def _tokens(name: str, source: random.Random, depth: int) -> Iterator[str]:
    if name in WORDS:
        yield source.choice(WORDS[name])
        return
    if name == "STRINGS":
        yield from _strings(source)
        return
    ways = RULES[name]
    for word in (ways[0] if depth > _DEEPEST else source.choice(ways)).split():
        if word.startswith("<") and word.endswith(">") and len(word) > 2:
            yield from _tokens(word[1:-1], source, depth + 1)
        else:
            yield word


# -- strings -------------------------------------------------------------------------------------


def _strings(source: random.Random) -> list[str]:
    if source.random() < 0.2:
        return source.choices(BYTES, k=source.randint(1, 2))
    plain = source.choices(STRINGS, k=source.randint(1, 2))
    if source.random() < 0.6:
        return plain
    return [*plain[1:], _formatted(source), source.choice((plain[0], _formatted(source)))]


def _formatted(source: random.Random) -> str:
    quotes = source.choice(("'", '"', "'''", '"""'))
    prefix = source.choice(("f", "F", "rf", "fR"))
    texts = ["", "a", "{{", "}}", "é", "x {{y}} ", " "]
    texts += ["\n", "\n  "] if len(quotes) == 3 else []
    texts += ["\\n", "\\N{BULLET}", "\\\\"] if "r" not in prefix.lower() else ["\\d"]
    found = source.choice(texts)
    for _ in range(source.randint(0, 3)):
        found += _field(source, quotes) + source.choice(texts)
    return f"{prefix}{quotes}{found}{quotes}"


def _field(source: random.Random, quotes: str) -> str:
    other = "'" if '"' in quotes else '"'
    values = ["a", "a.b", "f(x, y=1)", "a[1]", "not a", "(a, b)", "a, b", "x if y else z", "{1: 2}"]
    values += [f"d[{other}k{other}]", f"f{other}a{{b}}{other}"]
    if _NEW_FIELDS:
        values += [f"d[{quotes}k{quotes}]", f"f{quotes}{{{quotes}{quotes}}}{quotes}", "(a # why\n)"]
    value = source.choice(values)
    shown = source.choice(("", "", "", "=", " = "))
    conversion = source.choice(("", "", "!r", "!s"))
    form = source.choice(("", "", "", ":", ":>10", ":{w}", ":a{w!r}b{p}", ":%Y-%m", *_NESTED))
    blank = source.choice(("", " "))
    blank = f" {blank}" if value.startswith("{") else blank
    return "{" + blank + value + (shown or blank) + conversion + form + "}"


# -- layout --------------------------------------------------------------------------------------


class _Layout:
    """Puts blanks, comments, line ends and continuations between tokens."""

    def __init__(self, source: random.Random) -> None:
        self.random = source
        self.indents = [""]
        self.depth = 0

    def text(self, tokens: Sequence[str]) -> str:
        found, before, at_start = "", "", True
        for token in tokens:
            if token == "NEWLINE":
                found += self._pick("", "", "", "  # note", "\t") + "\n"
                at_start = True
            elif token == "INDENT":
                self.indents.append(self.indents[-1] + self._pick("    ", " ", "\t", "  "))
            elif token == "DEDENT":
                self.indents.pop()
            else:
                if at_start:
                    indent = self.indents[-1]
                    found += self._pick(
                        "", "", "", "\n", "# alone\n", f"{indent}# here\n", "\f\n", " \n"
                    )
                    found += indent
                else:
                    found += self._gap(before, token)
                at_start = False
                found += token
                before = token
                self.depth += (token in "([{") - (token in ")]}")
        return found

    def _gap(self, before: str, after: str) -> str:
        if before == "async" or after == "lambda":  # libcst takes few others there
            return " "
        if self.random.random() < 0.85:
            return self._pick("", "", " ") or (" " if _would_merge(before, after) else "")
        if self.depth and self.random.random() < 0.5:
            return self._pick("\n", "\n  ", "  # why, (not)\n", "\n\n\t")
        return self._pick("  ", "\t", " \\\n ", "\f")

    def _pick(self, *options: str) -> str:
        return self.random.choice(options)


def _would_merge(before: str, after: str) -> bool:
    """Whether two tokens without a blank between them would be read as others."""
    last, first = before[-1], after[0]
    if last in "([{)]},;" or first in "([{)]},;":
        return False
    wordy = [one.isalnum() or one in "_'\"." or not one.isascii() for one in (last, first)]
    return wordy[0] == wordy[1] or last == "." or first == "."
