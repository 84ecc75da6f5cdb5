"""A tree as an SVG picture: root on the left, one row per leaf, one column per depth.

Rules as sentences are in `forest`; lines of text in `as_text`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from hushwood.errors import visible
from hushwood.tables.columns.value_texts import limit_text
from hushwood.trees.forest import (
    LEAF,
    Forest,
    Tree,
    categories_by_child,
    describe,
    label_of,
    rules_of,
    short_list,
    values_left,
)

ROW_HEIGHT = 44.0
BAR_WIDTH = 72
MARGIN = 10.0
TRUNK = 10.0
LABEL_GAP = 7.0
# Wide enough for the usual system fonts at 13 px; names of tests and classes are bold.
LETTER_WIDTH = 7.9
BOLD_WIDTH = 8.7
# A count that is not a number was withheld; readers only learn that it is small.
WITHHELD = "few"
LABEL_VALUES = 3
# Okabe and Ito's order of hues, darkened or lightened by the page; the first is the page's accent.
CLASS_COLOURS = ("#2f6f4f", "#c9822b", "#3b6ea8", "#a3476b", "#7a6a2f", "#5b5f97", "#6b7280", "#8c4a2f")


@dataclass(frozen=True, slots=True)
class DrawnNode:
    """What must be known of a node to place it: the texts it shows, its depth, and its parent's position."""

    node: int
    depth: int
    parent: int | None
    branch: str
    text: str
    leaf: bool


@dataclass(frozen=True, slots=True)
class DrawnPlace:
    """A node on the picture: its left side, middle and width, and where the line from its parent turns."""

    what: DrawnNode
    x: float
    y: float
    width: float
    turn: float


@dataclass(frozen=True, slots=True)
class TreeLayout:
    """All places, in the order given, and the size of the picture."""

    places: tuple[DrawnPlace, ...]
    width: float
    height: float


def lay_out(nodes: Sequence[DrawnNode]) -> TreeLayout:
    """Place nodes given in preorder; a parent stands halfway between its first and its last child."""
    turns, lefts = _columns(nodes)
    heights = list(_rows(nodes))
    places = tuple(
        DrawnPlace(what, lefts[what.depth], y, _width(what), turns[what.depth])
        for what, y in zip(nodes, heights, strict=True)
    )
    right = max(place.x + place.width for place in places)
    leaves = sum(what.leaf for what in nodes)
    return TreeLayout(places, right + MARGIN, leaves * ROW_HEIGHT + 2 * MARGIN)


def text_width(text: str, letter_width: float = LETTER_WIDTH) -> float:
    """About how wide a text is at 13 px; wide characters count twice."""
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return letter_width * (len(text) + wide)


def _width(what: DrawnNode) -> float:
    return text_width(what.text, BOLD_WIDTH) + (BAR_WIDTH + 12 if what.leaf else 20)


def _columns(nodes: Sequence[DrawnNode]) -> tuple[list[float], list[float]]:
    depths = range(max(what.depth for what in nodes) + 1)
    labels = [max((text_width(n.branch) for n in nodes if n.depth == d), default=0.0) for d in depths]
    boxes = [max((_width(n) for n in nodes if n.depth == d and not n.leaf), default=0.0) for d in depths]
    turns, lefts = [0.0], [MARGIN]
    for depth in depths[1:]:
        turns.append(lefts[-1] + boxes[depth - 1] + TRUNK)
        lefts.append(turns[-1] + labels[depth] + 2 * LABEL_GAP)
    return turns, lefts


def _rows(nodes: Sequence[DrawnNode]) -> Iterator[float]:
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


@dataclass(frozen=True, slots=True)
class LeafMark:
    """A mark of a leaf in the picture: a letter in a box, a word next to it, and a sentence shown on hover."""

    kind: str
    letter: str
    word: str
    sentence: str


def branch_labels(
    tree: Tree, node: int, forest: Forest, left: Mapping[int, frozenset[str]] | None = None
) -> list[tuple[int, str]]:
    """The children of a node as drawn, each with the text of its branch.

    Values that share a child are joined, and so are sibling leaves that no record reached. Of attributes in `left`
    only those values are named: earlier tests sent the others elsewhere.
    """
    attribute = forest.attributes[tree.attribute[node]]
    if attribute.kind == "numeric":
        limit = limit_text(float(tree.threshold[node]), attribute.storage)
        below, above = tree.branches_of(node).tolist()
        return [(below, f"≤ {limit}"), (above, f"> {limit}")]
    drawn: dict[int, list[str]] = {}
    empty: dict[str, int] = {}
    possible = (left or {}).get(int(tree.attribute[node]), frozenset(attribute.categories))
    for child, values in categories_by_child(tree, node, attribute).items():
        values = [value for value in values if value in possible] or values
        unreached = bool(forest.classes) and tree.attribute[child] == LEAF and not tree.counts[child].any()
        shown = empty.setdefault(label_of(tree, child, forest), child) if unreached else child
        drawn.setdefault(shown, []).extend(values)
    return [(child, short_list(values, LABEL_VALUES)) for child, values in drawn.items()]


def leaf_counts(tree: Tree, node: int, forest: Forest) -> str:
    """Records per class in a leaf, in class order; empty for a regression tree."""
    return " · ".join(count_text(c) for c in tree.counts[node].tolist()) if forest.classes else ""


def count_text(count: float) -> str:
    """A number of records; a fraction keeps one decimal, a withheld one is only called few.

    >>> count_text(1200.0), count_text(2.25), count_text(float("nan"))
    ('1,200', '2.2', 'few')
    """
    if count != count:
        return WITHHELD
    return f"{count:,.0f}" if count.is_integer() else f"{count:,.1f}"


def draw_svg(
    tree: Tree, forest: Forest, title: str = "Decision tree", marks: Mapping[int, LeafMark] | None = None
) -> str:
    """The tree as a self-contained SVG, root on the left; colours follow the page through CSS variables.

    `marks` are those of leaves, by their node.
    """
    layout = lay_out(drawn_nodes(tree, forest))
    sentences = dict(zip(tree.leaves.tolist(), map(describe, rules_of(tree, forest)), strict=True))
    parts = [_edge(layout.places[p.what.parent], p) for p in layout.places if p.what.parent is not None]
    for place in layout.places:
        node, mark = place.what.node, (marks or {}).get(place.what.node)
        is_leaf = place.what.leaf
        parts.append(_leaf(tree, forest, place, sentences[node], mark) if is_leaf else _test(place))
    leaves = len(tree.leaves)
    about = f"{title}, for class {forest.class_name}: {leaves} {'leaf' if leaves == 1 else 'leaves'}."
    shown = "Bars show the share of each class." if forest.classes else "Numbers at the leaves are means."
    size = f'width="{layout.width:.0f}" height="{layout.height:.0f}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="hw-tree" role="img" {size} '
        f'viewBox="0 0 {layout.width:.0f} {layout.height:.0f}">'
        f"<title>{_shown(title)}</title><desc>{_shown(about)} {shown}</desc>"
        f"<style>{_style()}</style>{''.join(parts)}</svg>"
    )


def drawn_leaves(tree: Tree, forest: Forest) -> list[int]:
    """The leaves as the picture has them, from top to bottom; those that share a row with another come last."""
    drawn = [what.node for what in drawn_nodes(tree, forest) if what.leaf]
    return [*drawn, *sorted(set(tree.leaves.tolist()) - set(drawn))]


def drawn_nodes(tree: Tree, forest: Forest) -> list[DrawnNode]:
    """The nodes that the picture has, in preorder, to be laid out."""
    drawn: list[DrawnNode] = []
    left = values_left(tree, forest)
    waiting: list[tuple[int, int, int | None, str]] = [(0, 0, None, "")]
    while waiting:
        node, depth, parent, branch = waiting.pop()
        leaf = bool(tree.attribute[node] == LEAF)
        if leaf:
            text = max(label_of(tree, node, forest), leaf_counts(tree, node, forest), key=text_width)
        else:
            text = forest.attributes[tree.attribute[node]].name
            branches = branch_labels(tree, node, forest, left[node])
            waiting.extend((child, depth + 1, len(drawn), label) for child, label in reversed(branches))
        drawn.append(DrawnNode(node, depth, parent, branch, text, leaf))
    return drawn


def _style() -> str:
    colours = "".join(f".hw-tree .c{i}{{fill:var(--class-{i},{c})}}" for i, c in enumerate(CLASS_COLOURS))
    return (
        ".hw-tree{font:13px system-ui,sans-serif;fill:currentColor}"
        ".hw-tree .edge{fill:none;stroke:currentColor;stroke-opacity:.35;stroke-width:1.25}"
        ".hw-tree .test{fill:currentColor;fill-opacity:.07;stroke:currentColor;stroke-opacity:.3}"
        ".hw-tree .name,.hw-tree .label{font-weight:600}.hw-tree .branch,.hw-tree .counts{fill-opacity:.78}"
        f".hw-tree .counts{{font-variant-numeric:tabular-nums}}.hw-tree .bar{{fill-opacity:.12}}{colours}"
    )


def _edge(parent: DrawnPlace, place: DrawnPlace) -> str:
    start = parent.x + parent.width
    return (
        f'<path class="edge" d="M{start:.1f} {parent.y:.1f}H{place.turn:.1f}V{place.y:.1f}H{place.x:.1f}"/>'
        f'<text class="branch" x="{place.turn + LABEL_GAP:.1f}" y="{place.y - 5:.1f}">'
        f"{_shown(place.what.branch)}</text>"
    )


def _test(place: DrawnPlace) -> str:
    return (
        f'<rect class="test" x="{place.x:.1f}" y="{place.y - 13:.1f}" width="{place.width:.1f}" '
        'height="26" rx="6"/>'
        f'<text class="name" x="{place.x + 10:.1f}" y="{place.y + 4.5:.1f}">{_shown(place.what.text)}</text>'
    )


def _leaf(tree: Tree, forest: Forest, place: DrawnPlace, sentence: str, mark: LeafMark | None) -> str:
    node = place.what.node
    counts = leaf_counts(tree, node, forest)
    bar = _bar(tree.counts[node].tolist(), place.x, place.y) if forest.classes else ""
    x = place.x + (BAR_WIDTH + 10 if forest.classes else 8)
    label = _shown(label_of(tree, node, forest))
    group = f'<g class="rule rule-{mark.kind}">' if mark else "<g>"
    said = f"{mark.letter}, {mark.sentence}: {sentence}" if mark else sentence
    return (
        f"{group}<title>{_shown(said)}{_shown(f' ({counts})' if counts else '')}</title>{bar}"
        f'<text class="label" x="{x:.1f}" y="{place.y - 3 if counts else place.y + 4:.1f}">{label}</text>'
        f'<text class="counts" x="{x:.1f}" y="{place.y + 13:.1f}">{_shown(counts)}</text>'
        f"{_mark(mark, place.x, place.y, BAR_WIDTH if bar else place.width - BAR_WIDTH) if mark else ''}</g>"
    )


def _mark(mark: LeafMark, x: float, y: float, width: float) -> str:
    """A box with the letter and the word above the bar or the mean, and an outline around it."""
    return (
        f'<rect class="rule-box" x="{x:.1f}" y="{y - 21:.1f}" width="14" height="13" rx="2"/>'
        f'<text class="rule-letter" x="{x + 7:.1f}" y="{y - 11:.1f}" text-anchor="middle">{mark.letter}</text>'
        f'<text class="rule-word" x="{x + 18:.1f}" y="{y - 11:.1f}">{_shown(mark.word)}</text>'
        f'<rect class="rule-line" x="{x - 2:.1f}" y="{y - 8:.1f}" width="{width + 4:.0f}" height="16" rx="3"/>'
    )


def _bar(counts: Sequence[float], x: float, y: float) -> str:
    known = [c if c == c else 0.0 for c in counts]
    total = sum(known)
    parts = [f'<rect class="bar" x="{x:.1f}" y="{y - 6:.1f}" width="{BAR_WIDTH}" height="12" rx="2"/>']
    left = x
    for place, count in enumerate(known):
        width = BAR_WIDTH * count / total if total else 0.0
        if width:
            colour = place % len(CLASS_COLOURS)
            parts.append(
                f'<rect class="c{colour}" x="{left:.1f}" y="{y - 6:.1f}" width="{width:.1f}" height="12"/>'
            )
        left += width
    return "".join(parts)


def _shown(text: str) -> str:
    return escape(visible(text))
