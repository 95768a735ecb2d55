"""Colours by meaning. Without colour nothing is imported and the text is the same."""

from __future__ import annotations

_STYLES = {
    "info": "cyan",
    "warning": "yellow",
    "error": "red",
    "info-code": "bold cyan",
    "warning-code": "bold yellow",
    "error-code": "bold red",
    "good": "green",
    "bold": "bold",
    "dim": "dim",
    "frame": "blue",
}


class Styler:
    """Paints text for a terminal; taking the paint off gives the same text back."""

    def __init__(self, color: bool) -> None:
        self._color = color

    def paint(self, text: str, meaning: str) -> str:
        """``text`` in the colour of its meaning, or ``text`` itself when colours are off."""
        if not self._color or not text:
            return text
        from rich.color import ColorSystem
        from rich.style import Style

        return Style.parse(_STYLES[meaning]).render(text, color_system=ColorSystem.STANDARD)
