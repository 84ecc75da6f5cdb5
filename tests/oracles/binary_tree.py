"""Binary trees grown best-first by the definition, one record at a time, every candidate worked out anew.

What may be published of them is in `tree_publishing`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count, pairwise
from math import fsum, log2
from typing import Any, NamedTuple

Value = Hashable
Score = float | Fraction

LEAST_GAIN = 1e-9
# Scores nearer than this are ties, and the first candidate wins: entropies are sums of rounded logarithms.
TIE = 1e-11


class Column(NamedTuple):
    """Values of the records: numbers, or words if it has categories, in the order that decides ties."""

    name: str
    values: tuple[Any, ...]
    categories: tuple[Value, ...] | None = None
    places: int | None = None


class Data(NamedTuple):
    """The columns that a tree may test, and the response: a class of `classes`, or a number if that is 0."""

    columns: tuple[Column, ...]
    response: tuple[Any, ...]
    classes: int


class Plan(NamedTuple):
    """How one tree is grown; with a fixed order its categories are in the same order at all nodes."""

    criterion: str = "information_gain"
    columns: tuple[int, ...] = ()
    min_leaf: int = 1
    max_leaves: int | None = None
    max_depth: int | None = None
    fixed_order: bool = False


class Cut(NamedTuple):
    """`column <= threshold`, or `column in left`; records for which it holds go left."""

    column: int
    threshold: Any = None
    left: frozenset[Value] = frozenset()

    def holds(self, value: Any) -> bool:
        return bool(value <= self.threshold) if self.threshold is not None else value in self.left


class Split(NamedTuple):
    """A test at a node with the gain it brings per record."""

    cut: Cut
    gain: Score
    left: list[int]
    right: list[int]


@dataclass
class Node:
    """The records at a node; if it was split, the test and the two nodes below. `found` are its best splits."""

    rows: list[int]
    depth: int = 0
    split: Split | None = None
    below: tuple[Node, ...] = ()
    closed: bool = False
    number: int = field(default_factory=count().__next__)
    found: list[Split] | None = None

    def expand(self, split: Split) -> None:
        self.split = split
        self.below = (Node(split.left, self.depth + 1), Node(split.right, self.depth + 1))

    def undo(self) -> None:
        self.split, self.below, self.closed = None, (), True


def preorder(node: Node) -> Iterator[Node]:
    yield node
    for child in node.below:
        yield from preorder(child)


def leaves(root: Node) -> list[Node]:
    """In the order they were made."""
    return sorted((node for node in preorder(root) if node.split is None), key=lambda node: node.number)


def grown(data: Data, plan: Plan) -> Node:
    """The whole tree, without any privacy asked."""
    root = Node(list(range(len(data.response))))
    while (chosen := next_expansion(data, plan, root)) is not None:
        leaf, split = chosen
        leaf.expand(split)
    return root


def next_expansion(data: Data, plan: Plan, root: Node) -> tuple[Node, Split] | None:
    """The open leaf that gains most over its records, with its best split; None if the tree is complete."""
    tied = tied_expansions(data, plan, [leaf for leaf in leaves(root) if not leaf.closed])
    full = plan.max_leaves is not None and len(leaves(root)) >= plan.max_leaves
    return None if full or not tied else tied[0]


def tied_expansions(data: Data, plan: Plan, open_leaves: Sequence[Node]) -> list[tuple[Node, Split]]:
    """The leaves whose best splits gain most over their records, in the order they were made."""
    offers = [(leaf, found[0]) for leaf in open_leaves if (found := tied_splits(data, plan, leaf))]
    most = max((_worth(plan, leaf, split) for leaf, split in offers), default=0.0)
    return [(leaf, split) for leaf, split in offers if _as_much(_worth(plan, leaf, split), most)]


def _worth(plan: Plan, leaf: Node, split: Split) -> float:
    """Of ratios it is the ratio that counts: a release, with fewer candidates, can only lower it."""
    return len(leaf.rows) * _score(plan, split)


def tied_splits(data: Data, plan: Plan, node: Node) -> list[Split]:
    """The candidates with the highest score over all columns at once; the first of them is the one to take."""
    if plan.max_depth is not None and node.depth >= plan.max_depth:
        return []
    if node.found is None:
        scored = [(_score(plan, split), split) for split in splits(data, plan, node)]
        most = max((score for score, _ in scored), default=0.0)
        node.found = [split for score, split in scored if _as_much(score, most)]
    return node.found


def _score(plan: Plan, split: Split) -> float:
    gain = float(split.gain)
    return gain / _split_information(split) if plan.criterion == "gain_ratio" else gain


def _as_much(one: float, most: float) -> bool:
    return one >= most - TIE * max(1.0, abs(most))


def has_ties(data: Data, plan: Plan, root: Node) -> bool:
    """Whether another partition or another leaf could have been taken with the same right anywhere."""
    nodes = list(preorder(root))
    weights = []
    for node in nodes:
        tied = tied_splits(data, plan, node)
        if len({frozenset((tuple(split.left), tuple(split.right))) for split in tied}) > 1:
            return True
        weights += [_worth(plan, node, split) for split in tied[:1]]
    weights.sort()
    return any(_as_much(low, high) for low, high in pairwise(weights))


def splits(data: Data, plan: Plan, node: Node) -> Iterator[Split]:
    """All splits that leave enough records on both sides and gain something, columns and cuts ascending."""
    least = LEAST_GAIN * _unit(data, plan)
    for cut in cuts(data, plan, node.rows):
        values = data.columns[cut.column].values
        left = [row for row in node.rows if cut.holds(values[row])]
        right = [row for row in node.rows if not cut.holds(values[row])]
        if min(len(left), len(right)) < plan.min_leaf:
            continue
        gain = _gain(data, plan, node.rows, left, right)
        if gain > least:
            yield Split(cut, gain, left, right)


def cuts(data: Data, plan: Plan, rows: Sequence[int]) -> Iterator[Cut]:
    """Midpoints of neighbouring numbers; categories cut in their order, those of equal rank never apart."""
    for place in plan.columns or range(len(data.columns)):
        column = data.columns[place]
        present = {column.values[row] for row in rows}
        if column.categories is None:
            numbers = sorted(present)
            for low, high in pairwise(numbers):
                yield Cut(place, threshold=(low + high) / 2)
        else:
            rank = ranks(data, plan, column, rows)
            for limit in sorted({rank[word] for word in present})[:-1]:
                yield Cut(place, left=frozenset(word for word in present if rank[word] <= limit))


def ranks(data: Data, plan: Plan, column: Column, rows: Sequence[int]) -> Mapping[Value, Fraction]:
    """What categories are sorted by: the mean response or the share of the last class at the node, and in a fixed
    order the mean response or the share of the most frequent class in the whole table."""
    measured = range(len(data.response)) if plan.fixed_order else rows
    if data.classes == 0:
        number = [Fraction(response) for response in data.response]
    else:
        often = Counter(data.response)
        usual = max(range(data.classes), key=lambda label: (often[label], -label))
        main = usual if plan.fixed_order else data.classes - 1
        number = [Fraction(label == main) for label in data.response]
    own: dict[Value, list[Fraction]] = {}
    for row in measured:
        own.setdefault(column.values[row], []).append(number[row])
    return {word: sum(numbers, Fraction(0)) / len(numbers) for word, numbers in own.items()}


def needs_fixed_order(criteria: Sequence[str], classes: int, min_leaf: int) -> bool:
    """A node's own order gives the best of all subsets only without ratios, for two classes or a number, and if
    both sides may be of any size; else merging categories could offer a better subset than there was."""
    return "gain_ratio" in criteria or classes > 2 or min_leaf > 1


def _unit(data: Data, plan: Plan) -> Fraction:
    """What a gain is measured in: bits and Gini as they are, variances in squared ranges of the response."""
    if plan.criterion != "variance":
        return Fraction(1)
    return (Fraction(max(data.response)) - Fraction(min(data.response))) ** 2


def _gain(data: Data, plan: Plan, rows: list[int], left: list[int], right: list[int]) -> Score:
    """How much purer the two sides are than the node, per record."""
    measure = {"variance": _variance, "gini": _gini}.get(plan.criterion, _entropy)
    inside: Score = 0
    for side in (left, right):
        inside += len(side) * measure([data.response[row] for row in side])
    return measure([data.response[row] for row in rows]) - inside / len(rows)


def _entropy(labels: Sequence[int]) -> float:
    return fsum(-many / len(labels) * log2(many / len(labels)) for many in Counter(labels).values())


def _gini(labels: Sequence[int]) -> Fraction:
    return 1 - sum((Fraction(many, len(labels)) ** 2 for many in Counter(labels).values()), Fraction(0))


def _variance(numbers: Sequence[float]) -> Fraction:
    exact = [Fraction(number) for number in numbers]
    mean = sum(exact, Fraction(0)) / len(exact)
    return sum(((number - mean) * (number - mean) for number in exact), Fraction(0)) / len(exact)


def _split_information(split: Split) -> float:
    return _entropy([0] * len(split.left) + [1] * len(split.right))


def first_difference(published: Node, released: Data, plan: Plan) -> str | None:
    """Grows the tree again from released records, closed leaves left alone, and names the first other node.

    Of splits or leaves that are as good as each other the published one is taken.
    """
    again = Node(list(published.rows))
    partner = {again.number: published}
    while plan.max_leaves is None or len(leaves(again)) < plan.max_leaves:
        ends = [leaf for leaf in leaves(again) if not partner[leaf.number].closed]
        tied = tied_expansions(released, plan, ends)
        if not tied:
            break
        leaf, best = next((one for one in tied if partner[one[0].number].split is not None), tied[0])
        theirs = partner[leaf.number]
        if theirs.split is None:
            return f"a published leaf of {len(leaf.rows)} records is split by {best.cut}"
        equals = [one for one in tied_splits(released, plan, leaf) if _same_test(one, theirs.split)]
        if not equals:
            return f"{best.cut} is better than the published {theirs.split.cut}"
        leaf.expand(equals[0])
        partner.update({mine.number: other for mine, other in zip(leaf.below, theirs.below, strict=True)})
    rest = [leaf for leaf in leaves(again) if partner[leaf.number].split is not None]
    return f"a published node of {len(rest[0].rows)} records is not split" if rest else None


def _same_test(mine: Split, theirs: Split) -> bool:
    """The same column and threshold, bit for bit; of categories, the same for all that are at the node."""
    if (mine.cut.column, mine.cut.threshold) != (theirs.cut.column, theirs.cut.threshold):
        return False
    return mine.left == theirs.left
