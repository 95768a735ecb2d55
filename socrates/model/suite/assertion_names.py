"""What the names of assertion functions tell: where the message stands, and what kind they are."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

MESSAGES = frozenset({"msg", "message", "err_msg", "msg_prefix", "reason"})
_ONE_ARGUMENT = frozenset(
    {"assertTrue", "assertFalse", "assertIsNone", "assertIsNotNone", "assert_", "assertEmpty"}
    | {"assertNotEmpty", "failUnless", "failIf"}
)
_OPAQUE = frozenset({"assertTrue", "assertFalse", "assert_", "failUnless", "failIf"})
_THREE_ARGUMENTS = frozenset(
    {"assertAlmostEqual", "assertNotAlmostEqual", "assertAlmostEquals", "assertNotAlmostEquals"}
    | {"assertApproximates", "assertBetween", "failUnlessAlmostEqual"}
)
_TWO_ARGUMENTS = re.compile(
    r"(assert|failUnless|failIf)(Not)?(Equals?|Is|In|IsInstance|Greater(Equal)?|Less(Equal)?|"
    r"Regexp?|RegexpMatches|CountEqual|ItemsEqual|(List|Tuple|Set|Dict|Sequence|MultiLine)Equal|"
    r"DictContainsSubset|IsNot|StartsWith|EndsWith|HasAttr|IsSubclass|Identical|That|Len|"
    r"SameElements|ContainsSubset|ArrayEqual)"
)
_MOCK = re.compile(
    r"assert_(called|not_called|any_call|has_calls|awaited|any_await|has_awaits|not_awaited)"
)
_RAISES_WORDS = frozenset(
    {"raise", "raises", "raised", "warn", "warns", "warning", "warnings", "logs", "throws"}
    | {"failure", "deprecated"}
)
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


@lru_cache(maxsize=4096)
def message_position(name: str) -> int | None:
    """Where the message stands among the positional arguments of a known assert method."""
    camel = _camel(name)
    if camel in _ONE_ARGUMENT:
        return 1
    if camel in _THREE_ARGUMENTS:
        return 3
    return 2 if _TWO_ARGUMENTS.fullmatch(camel) else None


@lru_cache(maxsize=4096)
def names_raising(name: str) -> bool:
    """Whether an assertion is about an exception, a warning or a log: ``assertRaisesRegex``."""
    return any(word.lower() in _RAISES_WORDS for word in _WORD.findall(name))


def names_mock_check(name: str) -> bool:
    """Whether it is a method of a mock: ``assert_called_once_with``."""
    return bool(_MOCK.match(name))


def names_opaque(name: str) -> bool:
    """Whether a failure shows no values: ``assertTrue``."""
    return _camel(name) in _OPAQUE


def names_assertion(name: str) -> bool:
    """``assert_sorted(...)`` asserts, ``assertions_of(...)`` and ``assertion_error(...)`` do not."""
    return name.startswith("assert") and not name.startswith("assertion")


def names_expectation(name: str) -> bool:
    """``expect_status(...)`` asserts, ``expected_status(...)`` makes what is compared with."""
    return name.startswith("check_that") or (
        name.startswith("expect") and not name.startswith("expected")
    )


def names_failure(name: str) -> bool:
    """``fail``, the old ``failUnless`` family, and trial's ``failureResultOf``."""
    return name == "fail" or name.startswith(("failUnless", "failIf", "failureResultOf"))


def message_of(node: ast.Assert | ast.Call, name: str | None) -> ast.expr | None:
    """The message that an assertion carries, or None. A literal ``None`` is no message."""
    found: ast.expr | None = None
    if isinstance(node, ast.Assert):
        return node.msg
    for keyword in node.keywords:
        if keyword.arg in MESSAGES:
            found = keyword.value
    position = message_position(name) if name else None
    if found is None and position is not None and len(node.args) > position:
        found = node.args[position]
    if found is None and name == "assert_that" and len(node.args) == 2:
        described = node.args[1]
        is_text = isinstance(described, ast.Constant) and isinstance(described.value, str)
        found = described if is_text or isinstance(described, ast.JoinedStr) else None
    return None if isinstance(found, ast.Constant) and found.value is None else found


@lru_cache(maxsize=4096)
def _camel(name: str) -> str:
    if "_" not in name or name == "assert_":
        return name
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)
