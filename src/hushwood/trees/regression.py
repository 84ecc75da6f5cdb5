"""Regression trees: the test that lowers the variance of a number most, and forests of such trees as in SysFor.

As in CART and rpart: a number is cut in two, and so is a category, whose values are sorted by the mean response first,
which is the best of all ways to cut it in two. A test must explain a hundredth of the table's variance. A record
without a value goes where most records go, so that every record is in one leaf.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from hushwood.arrays import Array, Flags, Floats, Integers
from hushwood.errors import InputError
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table, missing_values
from hushwood.trees.forest import LEAF, Tree, same_tests
from hushwood.trees.options import GrowOptions, SysForOptions
from hushwood.trees.training import testable

LEAST_SHARE = 0.01  # of the table's variance that a test must explain: rpart's complexity parameter
TIE = 1e-10  # shares that differ by less are equal: rounding must not decide


@dataclass(frozen=True, slots=True)
class RegressionSet:
    """Records with a response: columns as in a table, and the response of each record, centred on its `mean`.

    `orders[a]` are the records that have a number a, by that number, and `values[a]` its different values. `weights`
    are 1 unless the table has survey weights; least sizes count records.
    """

    attributes: tuple[Attribute, ...]
    columns: tuple[Array, ...]
    response: Floats
    mean: float
    orders: Mapping[int, Integers]
    values: Mapping[int, Floats]
    weights: Floats
    weighted: bool = False

    @classmethod
    def from_table(cls, table: Table, rows: Array | None = None) -> RegressionSet:
        """The inputs and the response of a table, or of some rows; columns with too many categories are dropped."""
        target = table.schema.class_attribute
        if target is None or not target.response:
            raise InputError("A regression tree needs a class that is a number; name it with --class.")
        inputs, weights = testable(table.schema), table.weights
        response = np.asarray(table.columns[target.name], np.float64)
        kept = np.arange(table.rows) if rows is None else np.asarray(rows)
        kept = kept[~np.isnan(response[kept])]
        kept = kept if weights is None else kept[weights[kept] > 0]
        own = np.ones(len(kept)) if weights is None else weights[kept]
        mean = float((own * response[kept]).sum() / own.sum()) if len(kept) else 0.0
        columns = tuple(np.asarray(table.columns[a.name])[kept] for a in inputs)
        orders = {i: _order(columns[i]) for i, a in enumerate(inputs) if a.kind == "numeric"}
        values = {i: _distinct(columns[i][order]) for i, order in orders.items()}
        return cls(inputs, columns, response[kept] - mean, mean, orders, values, own, weights is not None)

    @property
    def records(self) -> int:
        """Number of records."""
        return len(self.response)

    @property
    def spread(self) -> float:
        """Sum of the squared distances from the mean."""
        return float((self.weights * self.response) @ self.response)


class Cut(NamedTuple):
    """A test: the attribute, the threshold or the categories that go left, and the share of variance it explains."""

    attribute: int
    threshold: float
    left: Flags | None
    share: float


def grow_regression_tree(training: RegressionSet, options: GrowOptions, first: Cut | None = None) -> Tree:
    """A tree on all records; `first` is a test that the root must have."""
    growth = _Growth(training, options.min_leaf)
    growth.grow(np.ones(training.records, bool), training.orders, first)
    return growth.finished()


def grow_regression_forest(
    training: RegressionSet, options: GrowOptions, sysfor: SysForOptions
) -> tuple[Tree, ...]:
    """Trees that start from different good tests, the best first; as many as asked for, or as there are tests."""
    trees: list[Tree] = []
    for first in good_cuts(training, options, sysfor):
        tree = grow_regression_tree(training, options, first)
        if not any(same_tests(tree, other) for other in trees):
            trees.append(tree)
        if len(trees) == sysfor.trees:
            break
    return tuple(trees)


def good_cuts(training: RegressionSet, options: GrowOptions, sysfor: SysForOptions) -> list[Cut]:
    """First tests by the share of variance they explain; cuts of one number lie well apart, as in SysFor."""
    found: list[Cut] = []
    everything = np.ones(training.records, bool)
    for a in range(len(training.attributes)):
        apart: float | None = None
        if a in training.orders and len(training.values[a]) > 1:
            apart = sysfor.separation * float(training.values[a][-1] - training.values[a][0])
        found += _cuts(training, a, everything, training.orders.get(a), options.min_leaf, apart)
    found = [cut for cut in found if cut.share >= max(sysfor.minimum_gain_ratio, LEAST_SHARE)]
    found.sort(key=lambda cut: -round(cut.share, 10))
    return [cut for cut in found if found[0].share - cut.share <= sysfor.goodness + TIE]


class _RegressionNode(NamedTuple):
    """A finished node: its mean, its test and its children, left and right."""

    mean: float
    cut: Cut | None
    children: tuple[int, int]
    missing_left: bool


class _Growth:
    """Nodes in preorder, while a tree grows."""

    def __init__(self, training: RegressionSet, min_leaf: float) -> None:
        self.training, self.min_leaf = training, min_leaf
        self.nodes: list[_RegressionNode] = []

    def grow(self, inside: Flags, orders: Mapping[int, Integers], first: Cut | None = None) -> int:
        """Grow the node of these records and everything below it; return its number.

        There are at most a hundred tests, because each explains a hundredth of the variance.
        """
        training, number = self.training, len(self.nodes)
        records = int(inside.sum())
        here = training.weights[inside]
        away = float((here * training.response[inside]).sum() / here.sum()) if records else 0.0
        mean = training.mean + away
        cut = first or self._best(inside, orders)
        if cut is None:
            self.nodes.append(_RegressionNode(mean, None, (LEAF, LEAF), True))
            return number
        goes_left, known = _sides(training, cut)
        weight = training.weights
        missing_left = 2 * weight[goes_left & known & inside].sum() >= weight[known & inside].sum()
        left = inside & np.where(known, goes_left, missing_left)
        self.nodes.append(_RegressionNode(mean, cut, (LEAF, LEAF), missing_left))
        children = []
        for side in (left, inside & ~left):
            own = {a: order[side[order]] for a, order in orders.items()}
            children.append(self.grow(side, own))
        self.nodes[number] = self.nodes[number]._replace(children=(children[0], children[1]))
        return number

    def _best(self, inside: Flags, orders: Mapping[int, Integers]) -> Cut | None:
        """The test that explains most; of equal ones that of the first attribute and the lowest cut."""
        best: Cut | None = None
        if int(inside.sum()) < 2 * self.min_leaf:
            return None
        for a in range(len(self.training.attributes)):
            for cut in _cuts(self.training, a, inside, orders.get(a), self.min_leaf):
                if cut.share > (best.share if best else LEAST_SHARE) + TIE:
                    best = cut
        return best

    def finished(self) -> Tree:
        """The nodes as arrays."""
        branches = [self._branches(node) for node in self.nodes]
        cuts = [node.cut for node in self.nodes]
        return Tree(
            attribute=np.array([LEAF if cut is None else cut.attribute for cut in cuts], np.int32),
            threshold=np.array([np.nan if cut is None else cut.threshold for cut in cuts]),
            branch_start=np.cumsum([0, *map(len, branches)], dtype=np.int64),
            branches=np.array([child for own in branches for child in own], np.int32),
            missing_to=np.array(
                [node.children[0 if node.missing_left else 1] for node in self.nodes], np.int32
            ),
            counts=np.array([[node.mean] for node in self.nodes]),
            label=np.zeros(len(self.nodes), np.int32),
        )

    def _branches(self, node: _RegressionNode) -> list[int]:
        if node.cut is None:
            return []
        left, right = node.children
        if node.cut.left is None:
            return [left, right]
        return [left if one else right for one in node.cut.left.tolist()]


def _order(column: Array) -> Integers:
    """The records that have a number, by that number."""
    order = np.argsort(column, kind="stable")
    return np.asarray(order[: int((~np.isnan(column)).sum())])


def _distinct(ordered: Floats) -> Floats:
    """The different values of sorted numbers."""
    return np.asarray(ordered[np.append(True, ordered[1:] > ordered[:-1])[: len(ordered)]], np.float64)


def _sides(training: RegressionSet, cut: Cut) -> tuple[Flags, Flags]:
    """Which records a test sends left, and which it knows at all."""
    column = training.columns[cut.attribute]
    known = ~missing_values(column)
    return (column <= cut.threshold if cut.left is None else np.append(cut.left, False)[column]), known


def _cuts(
    training: RegressionSet,
    attribute: int,
    inside: Flags,
    order: Integers | None,
    min_leaf: float,
    apart: float | None = None,
) -> Iterator[Cut]:
    """The best cut of one attribute that leaves enough records on both sides.

    With `apart`, the best cut of a number that lies further than this from those taken comes next, and so on.
    """
    if training.spread <= 0:
        return
    if order is None:
        yield from _category_cut(training, attribute, inside, min_leaf)
        return
    values, everyone = training.columns[attribute][order], training.values[attribute]
    weight, size = np.cumsum(training.weights[order]), np.arange(1, len(order))
    total = np.cumsum(training.weights[order] * training.response[order])
    allowed = (values[1:] > values[:-1]) & (size >= min_leaf) & (len(order) - size >= min_leaf)
    at = np.flatnonzero(allowed)
    if not len(at):
        return
    share = _explained(total[:-1], weight[:-1], total[-1], float(weight[-1]))[at] / training.spread
    middle = values[at] / 2 + values[at + 1] / 2
    while len(share):
        best = int(np.argmax(share >= share.max() - TIE))
        # As in C4.5: the largest value of the whole column that is not above the middle.
        threshold = everyone[np.searchsorted(everyone, middle[best], side="right") - 1]
        yield Cut(attribute, float(threshold), None, float(share[best]))
        if apart is None:
            return
        far = np.abs(middle - middle[best]) > apart * (1 + TIE)
        share, middle = share[far], middle[far]


def _category_cut(training: RegressionSet, attribute: int, inside: Flags, min_leaf: float) -> Iterator[Cut]:
    """The best cut of the categories in the order of their means; absent ones go with the larger side."""
    width = len(training.attributes[attribute].categories)
    codes = training.columns[attribute][inside]
    known = codes >= 0
    size, own = np.bincount(codes[known], minlength=width), training.weights[inside][known]
    weight, total = (
        np.bincount(codes[known], each, minlength=width).astype(np.float64)
        for each in (own, own * training.response[inside][known])
    )
    held = np.flatnonzero(size)
    if len(held) < 2:
        return
    held = held[np.argsort(total[held] / weight[held], kind="stable")]
    sizes, weights, totals = np.cumsum(size[held]), np.cumsum(weight[held]), np.cumsum(total[held])
    at = np.flatnonzero((sizes[:-1] >= min_leaf) & (sizes[-1] - sizes[:-1] >= min_leaf))
    if not len(at):
        return
    share = _explained(totals[:-1], weights[:-1], totals[-1], float(weights[-1]))[at] / training.spread
    best = int(at[np.argmax(share >= share.max() - TIE)])
    left = np.full(width, 2 * weights[best] >= weights[-1])
    left[held[: best + 1]] = True
    left[held[best + 1 :]] = False
    yield Cut(attribute, np.nan, left, float(share.max()))


def _explained(left: Floats, weight: Floats, total: float, whole: float) -> Floats:
    """By how much the sum of squares falls when records of that weight, with this sum, go left."""
    right = total - left
    return np.asarray(left**2 / weight + right**2 / (whole - weight) - total**2 / whole)
