"""Whether all bases of a class are known, so that no method of it can come from elsewhere."""

from __future__ import annotations

from collections.abc import Collection

from socrates.model.context import FileContext
from socrates.model.python.module import ClassInfo


def unknown_base(cls: ClassInfo, file: FileContext, known: Collection[str]) -> str:
    """The name of a base, at any height, that is neither the project's own nor one of ``known``."""
    for owner in file.resolver.mro(cls):
        bases = list(file.resolver.bases(owner))
        if len(bases) < len(owner.node.bases):
            return f"a base of {owner.name}"
        for base in bases:
            if base.kind != "class" and base.name not in known:
                return base.name
    return ""
