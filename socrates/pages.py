"""The pages that ship with Socrates, and the address of a rule's page.

An installed Socrates has them in its package; in a clone they are the folder ``docs``. No address
on the web is made up: without the setting ``docs-url`` a link leads to the file.
"""

from __future__ import annotations

from pathlib import Path

from socrates.files.looking import is_file, is_folder

_INSTALLED = Path(__file__).parent / "pages"
_IN_A_CLONE = Path(__file__).parents[1] / "docs"


def folder() -> Path:
    """Where the guides lie, with the pages of rules in ``rules`` below."""
    return _INSTALLED if is_folder(_INSTALLED) else _IN_A_CLONE


def guides() -> dict[str, Path]:
    """The guides by the names that ``socrates docs`` takes."""
    return {path.stem: path for path in sorted(folder().glob("*.md"))}


def guide(name: str) -> str:
    """The text of a guide."""
    return guides()[name].read_text(encoding="utf-8")


def address_of(code: str, name: str, docs_url: str | None = None) -> str:
    """The address of a rule's page; empty for a rule of a plugin that nobody has put anywhere.

    ``docs_url`` is where somebody keeps the pages: ``{name}`` and ``{code}`` in it stand for the
    rule, else the name comes at its end.
    """
    if docs_url is not None:
        if "{name}" in docs_url or "{code}" in docs_url:
            return docs_url.replace("{name}", name).replace("{code}", code)
        return f"{docs_url.rstrip('/')}/{name}/"
    page = folder() / "rules" / f"{name}.md"
    return page.as_uri() if is_file(page) else ""
