"""A line of a report for people: words, each in a style that a terminal may show."""

from __future__ import annotations


class Line:
    """Text in parts, each with the name of a style of rich's, which may be empty."""

    def __init__(self, text: str = "", style: str = "") -> None:
        self.parts: list[tuple[str, str]] = [(text, style)] if text else []

    @classmethod
    def of(cls, *parts: str | tuple[str, str] | Line) -> Line:
        """One line of several parts: texts, texts with styles, and lines."""
        line = cls()
        for part in parts:
            if isinstance(part, Line):
                line.parts += part.parts
            elif isinstance(part, str):
                line.append(part)
            else:
                line.append(*part)
        return line

    def append(self, text: str, style: str = "") -> None:
        """Say something more."""
        if text:
            self.parts.append((text, style))

    def rstrip(self) -> None:
        """Take the blanks at the end away."""
        while self.parts:
            text, style = self.parts.pop()
            if kept := text.rstrip():
                self.parts.append((kept, style))
                return

    def __bool__(self) -> bool:
        return bool(self.parts)

    @property
    def plain(self) -> str:
        """The text alone."""
        return "".join(text for text, _ in self.parts)
