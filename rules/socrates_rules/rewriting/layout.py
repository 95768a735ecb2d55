"""Lines as the project writes them: joined where they fit, broken where ruff and black would break.

What a formatter would lay out in another way is no fix in a project that has one.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator, Sequence
from itertools import pairwise
from weakref import WeakKeyDictionary

import libcst as cst

from socrates.fix import Edit, NoFix
from socrates.fixes.style import Style, settings_files, style_of
from socrates.fixes.tree import comments_in
from socrates.model.context import FileContext

_STYLES: WeakKeyDictionary[FileContext, Style] = WeakKeyDictionary()
_TOOL_COMMENT = re.compile(
    r"#\s*(type:|noqa|pragma|pylint:|pyright:|pyre|mypy:|ruff:|flake8|nosec|fmt:|isort:|yapf:|"
    r"nopep8|NOSONAR|pytype:|ty:|socrates:)",
    re.IGNORECASE,
)
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_LAYOUT_TOKENS = frozenset(
    {tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
)
INDENT = "    "


def style(file: FileContext) -> Style:
    """How lines of a file are written."""
    if file not in _STYLES:
        path, root = file.module.path, file.project.root
        file.project.dependencies |= {f"file:{place}" for place in settings_files(path, root)}
        _STYLES[file] = style_of(path, root)
    return _STYLES[file]


def indented(text: str, file: FileContext) -> str:
    """Generated lines, indented with tabs where the file is."""
    if "\n\t" not in file.module.source.text:
        return text
    return re.sub(rf"^(?:{INDENT})+", lambda m: "\t" * (len(m.group()) // 4), text, flags=re.M)


def silences_a_tool(comment: str) -> bool:
    """Whether a comment talks to another tool about the line that it stands on."""
    return _TOOL_COMMENT.search(comment) is not None


def quoted(text: str, file: FileContext) -> str:
    """A text as a literal in the quotes of the project, or in others where those would be escaped."""
    if any(not char.isprintable() for char in text):
        raise NoFix("a text is not printable")
    quote = style(file).quote or _usual_quote(file)
    other = "'" if quote == '"' else '"'
    text = text.replace("\\", "\\\\")
    if quote in text and other not in text:
        return f"{other}{text}{other}"
    return f"{quote}{text.replace(quote, chr(92) + quote)}{quote}"


def _usual_quote(file: FileContext) -> str:
    text = file.module.source.text
    return "'" if text.count("'") > text.count('"') else '"'


def in_one_line(code: str) -> str | None:
    """An expression with its line breaks taken out, as a formatter joins it; None if it would not.

    A comment, a text over several lines, or a comma before the closing bracket keeps the breaks.
    """
    if "\n" not in code and "\r" not in code:
        return code
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(f"({code}\n)").readline))
    except (tokenize.TokenError, SyntaxError):
        return None
    kept = [token for token in tokens if token.type not in _LAYOUT_TOKENS]
    joined = ""
    for before, token in pairwise(kept):
        if token.type == tokenize.COMMENT or "\n" in token.string:
            return None
        if token.start[0] == before.end[0]:
            joined += " " * (token.start[1] - before.end[1])
        elif _stays_broken(before, token):
            return None
        elif (
            before.string not in _OPENING and token.string not in _CLOSING and before.string != "."
        ):
            joined += "" if token.string == "." else " "
        joined += token.string
    return joined.removesuffix(")")


def _stays_broken(before: tokenize.TokenInfo, token: tokenize.TokenInfo) -> bool:
    """Whether a formatter leaves the line break between two tokens."""
    trailing_comma = before.string == "," and token.string in _CLOSING
    return trailing_comma or before.type == token.type == tokenize.STRING


def call(head: str, arguments: Sequence[str], column: int, file: FileContext) -> list[str]:
    """The lines of a call that stands alone, without the indentation of the first.

    In one line; else with all arguments in the next; else with one argument per line.
    """
    width = style(file).width
    one = f"{head}({', '.join(arguments)})"
    broken = any("\n" in argument for argument in arguments)
    if broken or column + len(one) <= width:
        if broken and style(file).formatted:
            raise NoFix("the formatter would lay it out in another way")
        return [one]
    inner = ", ".join(arguments)
    if column + len(INDENT) + len(inner) <= width:
        return [f"{head}(", indented(f"{INDENT}{inner}", file), ")"]
    lines = [f"{INDENT}{argument}," for argument in arguments]
    if any(column + len(line) > width for line in lines):
        raise NoFix(f"a line would be longer than {width}")
    return [f"{head}(", *(indented(line, file) for line in lines), ")"]


def require_room(line: str, column: int, file: FileContext) -> str:
    """The line, if it fits; NoFix if it does not, or spans several lines where a formatter works."""
    if "\n" in line:
        if style(file).formatted:
            raise NoFix("the formatter would lay it out in another way")
    elif column + len(line) > style(file).width:
        raise NoFix(f"a line would be longer than {style(file).width}")
    return line


def statement(lines: Sequence[str], like: cst.SimpleStatementLine) -> cst.BaseStatement:
    """Code as a statement in the place of another, with the comments of that."""
    made = cst.parse_statement("\n".join(lines) + "\n")
    if isinstance(made, cst.SimpleStatementLine):
        return made.with_changes(
            leading_lines=like.leading_lines, trailing_whitespace=like.trailing_whitespace
        )
    assert isinstance(made, cst.For)
    body = made.body.with_changes(header=like.trailing_whitespace)
    return made.with_changes(leading_lines=like.leading_lines, body=body)


def fitting(edits: Sequence[Edit], file: FileContext) -> tuple[Edit, ...]:
    """The edits, if no line gets longer than the project wants; what was too long may stay so."""
    width = style(file).width
    lines = file.module.source.lines
    long = [line.strip() for line in lines if len(line) > width]
    for edit in edits:
        for line in edit.text.splitlines():
            if len(line) > width and not any(line.strip().rstrip(",") in old for old in long):
                raise NoFix(f"a line would be longer than {width}")
    return tuple(edits)


class _Joined(cst.CSTTransformer):
    """Joins the statements that a fix has changed, where they now fit into one line."""

    def __init__(self, known: set[str], column: int, file: FileContext) -> None:
        super().__init__()
        self.known = known
        self.column = column
        self.file = file
        self.depth = 0

    def on_visit(self, node: cst.CSTNode) -> bool:
        self.depth += isinstance(node, cst.IndentedBlock)
        return True

    def on_leave(  # type: ignore[override]
        self, original_node: cst.CSTNode, updated_node: cst.CSTNode
    ) -> cst.CSTNode:
        self.depth -= isinstance(original_node, cst.IndentedBlock)
        if isinstance(updated_node, cst.SimpleStatementLine):
            return self._in_one_line(updated_node)
        return updated_node

    def _in_one_line(self, line: cst.SimpleStatementLine) -> cst.BaseStatement:
        code = _code(line)
        if "\n" not in code or code in self.known or len(line.body) != 1:
            return line
        small = line.body[0]
        if isinstance(small, cst.Assert) and small.msg is None and small.test.lpar:
            small = small.with_changes(test=small.test.with_changes(lpar=[], rpar=[]))
        one = in_one_line(_code(small))
        column = self.column + len(INDENT) * self.depth
        if one is None or column + len(one) > style(self.file).width:
            if style(self.file).formatted:
                raise NoFix("the formatter would lay it out in another way")
            return line
        return statement([one], line)


def joined(
    function: cst.FunctionDef, before: cst.FunctionDef, column: int, file: FileContext
) -> cst.FunctionDef:
    """A function whose changed statements stand in one line where they fit."""
    known = {_code(node) for node in _simple_lines(before)}
    changed = function.visit(_Joined(known, column, file))
    assert isinstance(changed, cst.FunctionDef)
    return changed


def _simple_lines(node: cst.CSTNode) -> Iterator[cst.SimpleStatementLine]:
    queue = [node]
    while queue:
        current = queue.pop()
        if isinstance(current, cst.SimpleStatementLine):
            yield current
        else:
            queue += current.children


def _code(node: cst.CSTNode) -> str:
    return cst.Module([]).code_for_node(node).strip()


def signed(function: cst.FunctionDef, column: int, file: FileContext) -> cst.FunctionDef:
    """A function whose parameters stand in one line, in the next, or in one line each."""
    params = function.params
    if not isinstance(params.star_arg, cst.MaybeSentinel) or params.star_kwarg is not None:
        return _unless_formatted(function, file)
    if params.kwonly_params or params.posonly_params:
        return _unless_formatted(function, file)
    last = params.params[-1] if params.params else None
    exploded = last is not None and isinstance(last.comma, cst.Comma)
    bare = {"comma": cst.MaybeSentinel.DEFAULT, "star": ""}
    codes = [_code(param.with_changes(**bare)) for param in params.params]
    plain = in_one_line(", ".join(codes))
    if comments_in(params) or plain is None:
        return _unless_formatted(function, file)
    head = f"{'async ' if function.asynchronous else ''}def {function.name.value}("
    returns = "" if function.returns is None else f" -> {_code(function.returns.annotation)}"
    width = style(file).width
    if not exploded and column + len(f"{head}{plain}){returns}:") <= width:
        text = plain
    elif not exploded and column + len(INDENT) + len(plain) <= width:
        text = f"\n{INDENT}{plain}\n"
    else:
        text = "\n" + "".join(f"{INDENT}{code},\n" for code in codes)
    made = cst.parse_statement(f"def f({indented(text, file)}):\n    pass\n")
    assert isinstance(made, cst.FunctionDef)
    return function.with_changes(
        params=made.params, whitespace_before_params=made.whitespace_before_params
    )


def _unless_formatted(function: cst.FunctionDef, file: FileContext) -> cst.FunctionDef:
    if style(file).formatted:
        raise NoFix("the formatter may lay out its parameters in another way")
    return function
