"""Where the nodes, lines and captions of a graph go: in layers from left to right, always the same.

After Sugiyama: lines that would go backwards are turned for the layering, each node stands behind all
that lead to it, a line that passes a layer has a place there, and within the layers everything moves
next to its neighbours. Captions are places like nodes, in layers of their own, so that they cover
nothing.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from socrates.classes.lazy import dataclass

_SWEEPS = 12
_GAP = 12.0

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Sizes:
    """What things measure; a caption of no width is not drawn and takes no room."""

    node: Point = (200.0, 40.0)
    caption: Point = (160.0, 14.0)
    space: float = 26.0
    """Between a layer of nodes and one of captions."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Centres of nodes by their number; for each line its points, and the centre of its caption."""

    nodes: tuple[Point, ...]
    lines: tuple[tuple[Point, ...], ...]
    captions: tuple[Point, ...]
    width: float
    height: float


def layout(nodes: int, lines: Sequence[tuple[int, int]], sizes: Sizes) -> Layout:
    """Place ``nodes`` and the ``lines`` between them, each from one number to another."""
    turned = _backwards(nodes, lines)
    forward = [(end, start) if (start, end) in turned else (start, end) for start, end in lines]
    ranks = _ranks(nodes, [line for line in forward if line[0] != line[1]])
    grid = _Grid(nodes, ranks, forward, sizes)
    heights = grid.place()
    xs = _columns(max(grid.layers.values(), default=0) + 1, sizes)
    top = min(heights.values(), default=0.0) - sizes.node[1]
    point = {item: (xs[grid.layers[item]], y - top) for item, y in heights.items()}
    placed: list[tuple[Point, ...]] = []
    captions: list[Point] = []
    for number, (start, end) in enumerate(lines):
        chain = grid.chains[number]
        if not chain:
            placed.append((point[start],))
            x, y = point[start]
            captions.append((x, y - sizes.node[1] / 2 - 8))
            continue
        first, last = forward[number]
        between = [p for item in chain for p in _passing(point[item], grid.layers[item], sizes)]
        points = [point[first], *between, point[last]]
        placed.append(tuple(reversed(points) if (start, end) in turned else points))
        captions.append(point[chain[0]])
    bottom = max((y for _, y in point.values()), default=0.0) + sizes.node[1]
    right = max((x for x, _ in point.values()), default=0.0) + sizes.node[0] / 2 + sizes.space
    return Layout(
        tuple(point[node] for node in range(nodes)), tuple(placed), tuple(captions), right, bottom
    )


def _passing(at: Point, layer: int, sizes: Sizes) -> tuple[Point, ...]:
    """Where a line goes in a layer: level past nodes, so that it touches none."""
    if layer % 2:
        return (at,)
    half = sizes.node[0] / 2
    return ((at[0] - half, at[1]), (at[0] + half, at[1]))


def _backwards(nodes: int, lines: Iterable[tuple[int, int]]) -> set[tuple[int, int]]:
    """The lines that close a circle, when one goes through the graph from its sources."""
    after: dict[int, list[int]] = defaultdict(list)
    led_to = set()
    for start, end in lines:
        if start != end:
            after[start].append(end)
            led_to.add(end)
    found: set[tuple[int, int]] = set()
    state = [0] * nodes
    for root in sorted(range(nodes), key=lambda node: (node in led_to, node)):
        stack = [(root, iter(after[root]))] if not state[root] else []
        state[root] = state[root] or 1
        while stack:
            node, rest = stack[-1]
            following = next(rest, None)
            if following is None:
                state[node] = 2
                stack.pop()
            elif state[following] == 1:
                found.add((node, following))
            elif state[following] == 0:
                state[following] = 1
                stack.append((following, iter(after[following])))
    return found


def _ranks(nodes: int, lines: Sequence[tuple[int, int]]) -> list[int]:
    """How many steps each node is behind the sources, by the longest way; no circles are left."""
    ranks = [0] * nodes
    for _ in range(nodes):
        moved = False
        for start, end in lines:
            if ranks[end] <= ranks[start]:
                ranks[end] = ranks[start] + 1
                moved = True
        if not moved:
            break
    return ranks


def _columns(layers: int, sizes: Sizes) -> list[float]:
    """The centre of each layer: those of nodes and those of captions take turns."""
    xs, x = [], sizes.space
    for layer in range(layers):
        width = sizes.caption[0] if layer % 2 else sizes.node[0]
        xs.append(x + width / 2)
        x += width + sizes.space
    return xs


class _Grid:
    """Nodes, captions and the places of passing lines, all called items, in their layers."""

    def __init__(
        self,
        nodes: int,
        ranks: Sequence[int],
        lines: Sequence[tuple[int, int]],
        sizes: Sizes,
    ) -> None:
        self.layers: dict[int, int] = {node: 2 * ranks[node] for node in range(nodes)}
        self.chains: list[list[int]] = []
        self._heights: dict[int, float] = dict.fromkeys(range(nodes), sizes.node[1])
        self._left: dict[int, list[int]] = defaultdict(list)
        self._right: dict[int, list[int]] = defaultdict(list)
        for start, end in lines:
            chain: list[int] = []
            for layer in range(self.layers[start] + 1, self.layers[end]) if start != end else ():
                item = len(self.layers)
                self.layers[item] = layer
                captioned = not chain and sizes.caption[0] > 0
                self._heights[item] = sizes.caption[1] if captioned else 2.0
                chain.append(item)
            self.chains.append(chain)
            way = [start, *chain, end] if chain else []
            for one, other in itertools.pairwise(way):
                self._right[one].append(other)
                self._left[other].append(one)
        self._rows: list[list[int]] = [
            [item for item in self.layers if self.layers[item] == layer]
            for layer in range(max(self.layers.values(), default=-1) + 1)
        ]

    def place(self) -> dict[int, float]:
        """The height of each item's centre."""
        for sweep in range(_SWEEPS):
            near, rows = (
                (self._left, self._rows) if sweep % 2 == 0 else (self._right, self._rows[::-1])
            )
            for row in rows:
                self._sort(row, near)
        ys = {item: y for row in self._rows for item, y in self._stacked(row, {})}
        for sweep in range(_SWEEPS):
            near, rows = (
                (self._left, self._rows) if sweep % 2 == 0 else (self._right, self._rows[::-1])
            )
            for row in rows:
                wished = {
                    item: _mean([ys[other] for other in near[item]], ys[item]) for item in row
                }
                ys.update(self._stacked(row, wished))
        return ys

    def _sort(self, row: list[int], near: Mapping[int, list[int]]) -> None:
        """Put each item where its neighbours are; those without any stay."""
        at = {item: place for other in self._rows for place, item in enumerate(other)}
        row.sort(key=lambda item: _mean([at[other] for other in near[item]], at[item]))

    def _stacked(self, row: Sequence[int], wished: Mapping[int, float]) -> list[tuple[int, float]]:
        """The items of a layer in their order, none on another, as near to their wish as can be."""
        blocks: list[tuple[list[int], float]] = []
        for item in row:
            block, wish = [item], wished.get(item, 0.0)
            # A block that runs into the one above becomes one with it, and they meet half-way.
            while blocks and self._top(block, wish) < self._bottom(*blocks[-1]):
                above, other = blocks.pop()
                share = len(above) / (len(above) + len(block))
                wish = share * self._first(above, other, above + block) + (1 - share) * (
                    self._first(block, wish, above + block)
                )
                block = above + block
            blocks.append((block, wish))
        placed = []
        for block, wish in blocks:
            y = self._top(block, wish)
            for item in block:
                placed.append((item, y + self._heights[item] / 2))
                y += self._heights[item] + _GAP
        return placed

    def _size(self, block: Sequence[int]) -> float:
        return sum(self._heights[item] + _GAP for item in block)

    def _top(self, block: Sequence[int], wish: float) -> float:
        return wish - self._size(block) / 2

    def _bottom(self, block: Sequence[int], wish: float) -> float:
        return wish + self._size(block) / 2 - 1e-6

    def _first(self, part: Sequence[int], wish: float, whole: Sequence[int]) -> float:
        """Where the middle of ``whole`` would be if ``part`` of it stood where it wishes to."""
        before = self._size(whole[: whole.index(part[0])])
        return self._top(part, wish) - before + self._size(whole) / 2


def _mean(values: Sequence[float], default: float) -> float:
    return sum(values) / len(values) if values else default
