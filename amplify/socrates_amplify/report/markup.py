"""HTML and SVG as values. Text and attributes are escaped here and nowhere else."""

from __future__ import annotations

from html import escape


class Markup(str):
    """Text that is markup already. Everything else that goes into an element is escaped."""

    __slots__ = ()


def tag(name: str, *children: Markup | str | None, **attributes: object) -> Markup:
    """An element. ``class_`` and ``text_anchor`` become ``class`` and ``text-anchor``; None is left out.

    Names of elements and attributes come from our own code; every value is escaped.
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_clean(str(value)), quote=True)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{name}{written}>{join(*children)}</{name}>")


def join(*children: Markup | str | None) -> Markup:
    """Several pieces after one another."""
    return Markup(
        "".join(
            child if isinstance(child, Markup) else escape(_clean(child), quote=False)
            for child in children
            if child is not None
        )
    )


def _clean(text: str) -> str:
    """``text`` without lone surrogates and control characters, which have no place on a page."""
    return "".join(
        char if char in "\n\t" or (char.isprintable() or char.isspace()) else "\ufffd"
        for char in text
    )


def number(value: float) -> str:
    """A coordinate, without needless digits."""
    return f"{value:.1f}".removesuffix(".0")
