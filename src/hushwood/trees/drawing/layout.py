"""Where the nodes of a drawn tree stand: root on the left, one row per leaf, one column per depth.

What is drawn at each place is in `drawing`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

ROW_HEIGHT = 44.0
BAR_WIDTH = 72
MARGIN = 10.0
TRUNK = 10.0
LABEL_GAP = 7.0
# Wide enough for the usual system fonts at 13 px; names of tests and classes are bold.
LETTER_WIDTH = 7.9
BOLD_WIDTH = 8.7


@dataclass(frozen=True, slots=True)
class Node:
    """What must be known of a node to place it: the texts it shows, its depth, and its parent's position."""

    node: int
    depth: int
    parent: int | None
    branch: str
    text: str
    leaf: bool


@dataclass(frozen=True, slots=True)
class Place:
    """A node on the picture: its left side, middle and width, and where the line from its parent turns."""

    what: Node
    x: float
    y: float
    width: float
    turn: float


@dataclass(frozen=True, slots=True)
class Layout:
    """All places, in the order given, and the size of the picture."""

    places: tuple[Place, ...]
    width: float
    height: float


def lay_out(nodes: Sequence[Node]) -> Layout:
    """Place nodes given in preorder; a parent stands halfway between its first and its last child."""
    turns, lefts = _columns(nodes)
    heights = list(_rows(nodes))
    places = tuple(
        Place(what, lefts[what.depth], y, _width(what), turns[what.depth])
        for what, y in zip(nodes, heights, strict=True)
    )
    right = max(place.x + place.width for place in places)
    leaves = sum(what.leaf for what in nodes)
    return Layout(places, right + MARGIN, leaves * ROW_HEIGHT + 2 * MARGIN)


def text_width(text: str, letter_width: float = LETTER_WIDTH) -> float:
    """About how wide a text is at 13 px; wide characters count twice."""
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return letter_width * (len(text) + wide)


def _width(what: Node) -> float:
    return text_width(what.text, BOLD_WIDTH) + (BAR_WIDTH + 12 if what.leaf else 20)


def _columns(nodes: Sequence[Node]) -> tuple[list[float], list[float]]:
    depths = range(max(what.depth for what in nodes) + 1)
    labels = [max((text_width(n.branch) for n in nodes if n.depth == d), default=0.0) for d in depths]
    boxes = [max((_width(n) for n in nodes if n.depth == d and not n.leaf), default=0.0) for d in depths]
    turns, lefts = [0.0], [MARGIN]
    for depth in depths[1:]:
        turns.append(lefts[-1] + boxes[depth - 1] + TRUNK)
        lefts.append(turns[-1] + labels[depth] + 2 * LABEL_GAP)
    return turns, lefts


def _rows(nodes: Sequence[Node]) -> Iterator[float]:
    first: dict[int, float] = {}
    last: dict[int, float] = {}
    row = sum(what.leaf for what in nodes)
    for position in reversed(range(len(nodes))):
        what = nodes[position]
        if what.leaf:
            row -= 1
            first[position] = last[position] = MARGIN + ROW_HEIGHT * (row + 0.5)
        middle = (first[position] + last[position]) / 2
        first[position] = middle
        if what.parent is not None:
            first[what.parent] = middle
            last.setdefault(what.parent, middle)
    return (first[position] for position in range(len(nodes)))
