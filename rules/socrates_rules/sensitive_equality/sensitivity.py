"""Which texts of objects are sensitive, and whether the text method itself is what a test is about."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from socrates.model.context import FileContext
from socrates.model.python.module import ClassInfo
from socrates.model.python.names import Scope, binding_for
from socrates.model.python.values import ClassValue, FunctionValue, Instance
from socrates.model.python.walk import walk
from socrates.model.suite.collect import TestCase
from socrates_rules.sensitive_equality.comparisons import Comparison
from socrates_rules.sensitive_equality.plain import Plain
from socrates_rules.sensitive_equality.plain_names import is_number_pattern, is_plain_text
from socrates_rules.sensitive_equality.text import TextOf


def sensitive(
    file: FileContext, test: TestCase, compared: Sequence[Comparison]
) -> list[tuple[Comparison, TextOf]]:
    """The comparisons of texts of objects that are not plain, with the object that is not."""
    plain = Plain(file, test)
    found = []
    for comparison in compared:
        answers = [(text, _verdict(plain, text)) for text in comparison.texts]
        # What equals the text of a path is a path, and what reads "0.5" is a number.
        has_plain = comparison.alike and any(answer for _, answer in answers)
        has_plain |= comparison.expected_is(
            is_plain_text if comparison.whole else is_number_pattern
        )
        wrong = [
            text
            for text, answer in answers
            if answer is False or (answer is None and not has_plain)
        ]
        if wrong:
            found.append((comparison, wrong[0]))
    return found


def _verdict(plain: Plain, text: TextOf) -> bool | None:
    if text.each:
        return plain.elements(text.subject, text.scope)
    return plain.verdict(text.subject, text.scope)


def targets_text_method(file: FileContext, test: TestCase, compared: Sequence[Comparison]) -> bool:
    """Whether the text method is what the test is about.

    The object's class defines it, every assertion compares such a text, and the test calls
    nothing of the project but constructors.
    """
    asserted = {id(assertion.node) for assertion in file.assertions(test)}
    if asserted != {id(comparison.node) for comparison in compared}:
        return False
    texts = [text for comparison in compared for text in comparison.texts]
    if not all(_defines_text(file, text) for text in texts):
        return False
    return not any(_acts(file, node, test.scope) for node in walk(test.node))


def _defines_text(file: FileContext, text: TextOf) -> bool:
    """Whether the test builds or imports the object, and its class defines how it reads."""
    subject = text.subject
    local = text.scope.lookup(subject.id) if isinstance(subject, ast.Name) else None
    if isinstance(subject, ast.Name) and local is not None:
        binding = binding_for(local[1], subject)
        subject = binding.value if isinstance(binding.value, ast.expr) else subject
    value = file.infer(subject, text.scope)
    wanted = ("__repr__",) if text.method == "repr" else ("__str__", "__repr__", "__format__")
    if isinstance(value, ClassValue):
        return any(_defines(file, kind, wanted) for kind in _metaclasses(file, value.cls))
    if not isinstance(value, Instance):
        return False
    is_built = isinstance(subject, ast.Call) and isinstance(
        file.infer(subject.func, text.scope), ClassValue
    )
    return (is_built or _is_constant(file, subject, text.scope)) and _defines(
        file, value.cls, wanted
    )


def _is_constant(file: FileContext, subject: ast.expr, scope: Scope) -> bool:
    """``MISSING`` or ``shop.core.MISSING``: an object that a module makes once."""
    found = file.resolver.expression(subject, scope)
    return found is not None and found.kind == "value" and found.cls is None


def _defines(file: FileContext, cls: ClassInfo, methods: Sequence[str]) -> bool:
    """Whether a class, or a base beside it, defines one: a class of the tests inherits no target."""
    owners = (file.resolver.method(cls, name)[0] for name in methods)
    return any(o is not None and o.module.is_test == cls.module.is_test for o in owners)


def _metaclasses(file: FileContext, cls: ClassInfo) -> Iterable[ClassInfo]:
    for base in file.resolver.mro(cls):
        for keyword in base.node.keywords:
            if keyword.arg == "metaclass":
                found = file.resolver.expression(keyword.value, Scope(base.module))
                if found is not None and found.cls is not None:
                    yield found.cls


def _acts(file: FileContext, node: ast.AST, scope: Scope) -> bool:
    """Whether a node calls a function or method of production code: not a constructor."""
    if not isinstance(node, ast.Call):
        return False
    called = file.infer(node.func, scope)
    return isinstance(called, FunctionValue) and not called.module.is_test
