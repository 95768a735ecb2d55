"""The measured numbers as tables for docs/evaluation.md, as bars that are met or missed, and as a plot."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from orders_lab.subjects import Subject

Results = Mapping[str, Mapping[str, Any]]
_DELAYS = ("100", "200", "300")


def tables(subjects: Sequence[Subject], results: Results) -> Iterator[str]:
    """One row per subject: our search, then what it is compared with."""
    yield "| subject | from | to first | in all | s | faults | same verdict | replays | twin: executions | twin: defects |"
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for subject in subjects:
        one = results.get(subject.name, {})
        ours, again = one.get("search", {}), one.get("repeats", {})
        cells = [
            subject.title,
            subject.group,
            str(ours.get("first") or "not found") if ours else "",
            str(ours.get("in_all", "")),
            f"{ours['seconds']:.2f}" if ours.get("first") else "",
            str(ours.get("faults") or ""),
            f"{again['same']} of {again['of']}" if again else "",
            f"{again['failed']} of {again['replays']}" if again.get("found") else "",
            str(ours.get("twin", "")),
            str(ours.get("twin_defects", "")),
        ]
        yield f"| {' | '.join(cells)} |"
    yield ""
    yield (
        "| subject | ours | plain | pytest-repeat | frontrun, simloom | by chance under control "
        "| delays of 100 ms | 200 ms | 300 ms | best delay / ours |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for subject in subjects:
        one = results.get(subject.name, {})
        ours = one.get("search", {})
        cells = [
            subject.title,
            _runs(ours["first"] or ours["in_all"], ours["seconds"], ours["first"]) if ours else "",
            _until(one.get("plain")),
            _until(one.get("repeat")),
            _until(one.get("frontrun") or one.get("simloom")),
            _series(one.get("chance")),
            *(_series(one.get("delays", {}).get(delay)) for delay in _DELAYS),
            _told_ratio(one),
        ]
        yield f"| {' | '.join(cells)} |"
    covered = [subject for subject in subjects if "coverage" in results.get(subject.name, {})]
    if covered:
        yield ""
        yield "| twin | free pairs | executions | both orders: ours | by chance under control | delays of 300 ms |"
        yield "|---|---|---|---|---|---|"
        for subject in covered:
            one = results[subject.name]["coverage"]
            cells = [one[key] for key in ("pairs", "executions", "ours", "chance", "delays")]
            yield f"| {subject.title} | {' | '.join(map(str, cells))} |"


def _runs(runs: float, seconds: float, found: float) -> str:
    took = f"{seconds:.2g} s" if seconds < 10 else f"{seconds:.0f} s"
    return f"{runs:.3g} ({took})" if found else f"none in {runs:.0f} ({took})"


def _until(one: Mapping[str, Any] | None) -> str:
    if not one:
        return ""
    return "" if "missing" in one else _runs(one["runs"], one["seconds"], one["failed"])


def _series(one: Mapping[str, Any] | None) -> str:
    if not one:
        return ""
    missed = f", {one['series'] - one['found']} of {one['series']} in vain"
    told = _runs(one["runs"], one["seconds"], one["found"] > 0)
    return told + missed if 0 < one["found"] < one["series"] else told


def _best(one: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The delay that takes the least time."""
    return min(one.get("delays", {}).values(), key=lambda delay: delay["seconds"], default=None)


def ratio(one: Mapping[str, Any]) -> float | None:
    """How many times as long the best delay takes, at least."""
    best, ours = _best(one), one.get("search", {})
    return best["seconds"] / ours["seconds"] if best and ours.get("first") else None


def _told_ratio(one: Mapping[str, Any]) -> str:
    found, best = ratio(one), _best(one)
    if found is None or best is None:
        return ""
    return f"{'> ' if best['found'] < best['series'] else ''}{found:.0f} x"


def bars(subjects: Sequence[Subject], results: Results) -> Iterator[tuple[str, bool | None]]:
    """Each bar with what was measured, and whether it is met; None where nothing was measured."""
    known = [(subject, results.get(subject.name, {})) for subject in subjects]
    searched = [(subject, one["search"]) for subject, one in known if "search" in one]
    found = [one for _, one in searched if one["first"]]
    yield f"every bug is found: {len(found)} of {len(searched)}", len(found) == len(searched)
    firsts = [one["first"] for one in found]
    yield _number("median executions to the first defect", _median(firsts), 5)
    paper = [one["first"] for subject, one in searched if subject.of_paper]
    yield _number("most executions on a subject of the paper", max(paper, default=None), 10)
    yield _number(
        "median faults of a minimal scenario", _median([one["faults"] for one in found]), 2
    )
    executions = sum(one["executions"] for _, one in searched)
    unresolved = 100 * sum(one["unresolved"] for _, one in searched) / max(executions, 1)
    yield f"unresolved: {unresolved:.1f}% (under 5)", unresolved < 5 if searched else None
    yield _number("defects of twins", sum(one["twin_defects"] for _, one in searched), 0)
    repeats = [one["repeats"] for _, one in known if "repeats" in one]
    same, of = sum(one["same"] for one in repeats), sum(one["of"] for one in repeats)
    yield f"same verdict: {same} of {of}", same == of if repeats else None
    replayed = [one for one in repeats if one["found"]]
    failed, all_of = sum(one["failed"] for one in replayed), sum(one["replays"] for one in replayed)
    yield f"replays: {failed} of {all_of}", failed == all_of if replayed else None
    yield from _ratios(known)
    yield _covered(known)


def _ratios(
    known: Sequence[tuple[Subject, Mapping[str, Any]]],
) -> Iterator[tuple[str, bool | None]]:
    """Each delay by itself, as the paper adds up: time of all subjects by number of bugs found.

    Then the same without the bugs that no delay finds, whose time is that of our patience, and
    subject by subject.
    """
    timed = [one for _, one in known if ratio(one) is not None]
    if not timed:
        return
    slowdowns = [_slowdown(timed, delay) for delay in _DELAYS]
    told = ", ".join(f"{one:.0f}" for one in slowdowns)
    best = min(slowdowns)
    yield f"time per bug, delays of 100, 200, 300 ms / ours: {told} x (122)", best >= 122
    ours = sum(one["search"]["seconds"] for one in timed)
    totals = [sum(one["delays"][delay]["seconds"] for one in timed) for delay in _DELAYS]
    yield f"time of all subjects, best delay / ours: {min(totals) / ours:.0f} x", None
    easy = [one for one in timed if all(each["found"] for each in one["delays"].values())]
    if easy:
        told = ", ".join(f"{_slowdown(easy, delay):.0f}" for delay in _DELAYS)
        yield f"time per bug, of the {len(easy)} that every delay finds: {told} x", None
    single = [ratio(one) or 1.0 for one in timed]
    median, mean = statistics.median(single), statistics.geometric_mean(single)
    yield f"best delay / ours by subject: median {median:.0f} x, geometric mean {mean:.0f} x", None


def _slowdown(timed: Sequence[Mapping[str, Any]], delay: str) -> float:
    """How many times as long a bug takes with this delay as it takes us."""
    late = [one["delays"][delay] for one in timed]
    bugs = sum(one["found"] for one in late)
    spent: float = sum(one["seconds"] * one["series"] for one in late)
    ours: float = sum(one["search"]["seconds"] for one in timed)
    return spent / max(bugs, 1) / (ours / len(timed))


def _covered(known: Sequence[tuple[Subject, Mapping[str, Any]]]) -> tuple[str, bool | None]:
    measured = [one["coverage"] for _, one in known if "coverage" in one]
    ours = sum(one["ours"] for one in measured)
    delays, chance = (sum(one[name] for one in measured) for name in ("delays", "chance"))
    told = f"pairs in both orders: ours {ours}, delays {delays}, by chance under control {chance} (3 x delays)"
    return told, ours >= 3 * delays if measured else None


def _median(values: Sequence[float]) -> float | None:
    return statistics.median(values) if values else None


def _number(what: str, value: float | None, most: float) -> tuple[str, bool | None]:
    if value is None:
        return f"{what}: not measured", None
    return f"{what}: {value:g} (at most {most:g})", value <= most


_LEFT, _WIDTH, _ROW, _TOP = 170, 720, 20, 60
_LEAST, _MOST = -2, 3
"""The powers of ten at both ends of the scale, in seconds."""


def plot(path: Path, subjects: Sequence[Subject], results: Results) -> None:
    """Seconds to the first failure on a scale of powers of ten: ours, and the best delay."""
    height = _TOP + _ROW * len(subjects) + 20
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{height}" fill="#fff"/>',
        '<text x="10" y="20" font-size="14">Seconds to the first failure: our search (full), the best '
        "random delay (ring; dashed: found in no series)</text>",
    ]
    for power in range(_LEAST, _MOST + 1):
        x = _place(10.0**power)
        parts.append(
            f'<line x1="{x:.0f}" y1="{_TOP - 12}" x2="{x:.0f}" y2="{height - 12}" stroke="#ddd"/>'
        )
        parts.append(
            f'<text x="{x:.0f}" y="{_TOP - 18}" text-anchor="middle">{10.0**power:g} s</text>'
        )
    for row, subject in enumerate(subjects):
        y, one = _TOP + _ROW * row + 6, results.get(subject.name, {})
        parts.append(f'<text x="{_LEFT - 12}" y="{y + 4}" text-anchor="end">{subject.title}</text>')
        ours, best = one.get("search", {}), _best(one)
        if ours.get("first"):
            parts.append(
                f'<circle cx="{_place(ours["seconds"]):.1f}" cy="{y}" r="5" fill="#3b6ea5"/>'
            )
        if best is not None:
            dashes = "" if best["found"] else ' stroke-dasharray="2 2"'
            ring = 'r="5" fill="none" stroke="#c0504d" stroke-width="2"'
            parts.append(f'<circle cx="{_place(best["seconds"]):.1f}" cy="{y}" {ring}{dashes}/>')
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([*parts, "</svg>", ""]), encoding="utf-8")


def _place(seconds: float) -> float:
    share = (math.log10(max(seconds, 10.0**_LEAST)) - _LEAST) / (_MOST - _LEAST)
    return _LEFT + share * (_WIDTH - _LEFT - 30)
