"""Where a tree begins to differ from another: the topmost tests that are not the same, and the records below them.

How whole rules answer to each other is in `measures.utility.rule_matching`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hushwood.trees.forest import LEAF, Forest
from hushwood.trees.rules import categories_by_child


@dataclass(frozen=True, slots=True)
class Difference:
    """A place where the two trees part: how deep, what the first one tests there, the share of records below.

    `moved` says that both test the same attribute there, and cut it elsewhere.
    """

    depth: int
    attribute: str
    moved: bool
    share: float


def first_differences(original: Forest, released: Forest) -> list[Difference]:
    """The topmost differing tests of two single trees, left to right; shares are of the second one's records."""
    before, after = original.trees[0], released.trees[0]
    total = float(after.counts[0].sum())
    found: list[Difference] = []
    waiting = [(0, 0, 0)]
    while waiting:
        one, other, depth = waiting.pop()
        pairs = list(_paired_children(original, released, one, other))
        if pairs:
            waiting += [(*pair, depth + 1) for pair in reversed(pairs)]
        elif before.attribute[one] != LEAF or after.attribute[other] != LEAF:
            name = _tested(original, one) or _tested(released, other)
            moved = before.attribute[one] == after.attribute[other]
            found.append(Difference(depth, name, bool(moved), float(after.counts[other].sum()) / total))
    return found


def _tested(forest: Forest, node: int) -> str:
    position = int(forest.trees[0].attribute[node])
    return "" if position == LEAF else forest.attributes[position].name


def _paired_children(original: Forest, released: Forest, one: int, other: int) -> Iterator[tuple[int, int]]:
    """Children that stand for the same answer, if both nodes ask the same."""
    before, after = original.trees[0], released.trees[0]
    if before.attribute[one] == LEAF or before.attribute[one] != after.attribute[other]:
        return
    attribute = original.attributes[before.attribute[one]]
    if attribute.kind == "numeric":
        if before.threshold[one] == after.threshold[other]:
            yield from zip(before.branches_of(one).tolist(), after.branches_of(other).tolist(), strict=True)
        return
    here, there = (
        {tuple(values): child for child, values in categories_by_child(tree, node, attribute).items()}
        for tree, node in ((before, one), (after, other))
    )
    if here.keys() == there.keys():
        yield from ((here[values], there[values]) for values in here)
