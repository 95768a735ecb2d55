"""Small SVG charts without a plotting library: box plots and lines."""

from __future__ import annotations

import html
import math
import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path

WIDTH, HEIGHT = 720, 360
LEFT, RIGHT, TOP, BOTTOM = 60, 30, 40, 60
COLOURS = ("#3b6ea5", "#c0504d", "#5b8c5a", "#8064a2", "#d19a2a", "#4bacc6")


def boxes(path: Path, title: str, series: Mapping[str, Sequence[float]], unit: str) -> None:
    """One box a name: quartiles, median, and whiskers to the least and the greatest value."""
    names = [name for name in series if series[name]]
    top = _ceiling(max((max(series[name]) for name in names), default=1.0))
    step = (WIDTH - LEFT - RIGHT) / max(len(names), 1)
    parts = _frame(title, unit, top)
    for number, name in enumerate(names):
        centre = LEFT + step * (number + 0.5)
        parts += _box(sorted(series[name]), centre, min(step * 0.5, 60), top, COLOURS[number % 6])
        parts.append(_text(centre, HEIGHT - BOTTOM + 18, name, "middle"))
    _write(path, parts)


def lines(
    path: Path, title: str, series: Mapping[str, Sequence[tuple[float, float]]], x: str, y: str
) -> None:
    """One line a name through its points."""
    points = [point for line in series.values() for point in line]
    right = max((point[0] for point in points), default=1.0) or 1.0
    top = _ceiling(max((point[1] for point in points), default=1.0))
    parts = _frame(title, y, top)
    for share in (0, 0.25, 0.5, 0.75, 1):
        parts.append(
            _text(_x(share * right, right), HEIGHT - BOTTOM + 18, f"{share * right:g}", "middle")
        )
    parts.append(_text(WIDTH / 2, HEIGHT - 22, x, "middle"))
    for number, (name, line) in enumerate(series.items()):
        colour = COLOURS[number % 6]
        path_data = " ".join(f"{_x(a, right):.1f},{_y(b, top):.1f}" for a, b in line)
        parts.append(
            f'<polyline points="{path_data}" fill="none" stroke="{colour}" stroke-width="2"/>'
        )
        parts.append(_text(LEFT + 10, TOP + 16 + 16 * number, name, colour=colour))
    _write(path, parts)


def _box(
    values: Sequence[float], centre: float, width: float, top: float, colour: str
) -> list[str]:
    low, middle, high = (
        statistics.quantiles(values, n=4, method="inclusive")
        if len(values) > 1
        else [values[0]] * 3
    )
    left, right = centre - width / 2, centre + width / 2
    box = (
        f'<rect x="{left:.1f}" y="{_y(high, top):.1f}" width="{width:.1f}" '
        f'height="{max(_y(low, top) - _y(high, top), 1):.1f}" fill="{colour}" fill-opacity="0.35" '
        f'stroke="{colour}"/>'
    )
    return [
        _line(centre, _y(values[0], top), centre, _y(low, top), colour),
        _line(centre, _y(high, top), centre, _y(values[-1], top), colour),
        box,
        _line(left, _y(middle, top), right, _y(middle, top), "#000"),
        _text(centre, _y(middle, top) - 5, f"{middle:g}", "middle"),
    ]


def _frame(title: str, unit: str, top: float) -> list[str]:
    parts = [_text(WIDTH / 2, 22, title, "middle", size=15)]
    for share in (0, 0.25, 0.5, 0.75, 1):
        height = _y(share * top, top)
        parts.append(_line(LEFT, height, WIDTH - RIGHT, height, "#ddd"))
        parts.append(_text(LEFT - 8, height + 4, f"{share * top:.3g}", "end"))
    middle = HEIGHT / 2
    parts.append(
        f'<text x="16" y="{middle}" font-size="12" text-anchor="middle" '
        f'transform="rotate(-90 16 {middle})">{html.escape(unit)}</text>'
    )
    return parts


def _ceiling(value: float) -> float:
    """The next round number above: what four equal steps of an axis can end at."""
    size: float = 10 ** math.floor(math.log10(value)) if value > 0 else 1.0
    return next(step * size for step in (1, 2, 4, 6, 8, 10, 20) if step * size > value)


def _x(value: float, right: float) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * value / right


def _y(value: float, top: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / top


def _line(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>'


def _text(
    x: float, y: float, text: str, anchor: str = "start", size: int = 12, colour: str = "#222"
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" '
        f'fill="{colour}">{html.escape(text)}</text>'
    )


def _write(path: Path, parts: Sequence[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="sans-serif"><rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
    )
    path.write_text("\n".join([head, *parts, "</svg>", ""]), encoding="utf-8")
