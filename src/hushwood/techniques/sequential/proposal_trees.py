"""Proposal trees with donors: what a value might be, given the columns that were released before it.

A tree is grown on original records. A slot falls into a leaf by its released values and draws one of the leaf's
records: the donor, whose value is the proposal. The column that says most about the class comes first; without a class,
the one that says most about all others does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Array, Bytes, Codes, Floats, Integers, check_indices
from hushwood.tables.frames.storage import dense_codes
from hushwood.techniques.sequential.coded_columns import (
    CodedColumn,
    binned,
    frequent_levels,
    level_bins,
    level_scores,
    mid_ranks,
    number_bins,
)

MOST_GROWING_ROWS = 100_000
ROUTED_AT_ONCE = 1 << 16
ASSOCIATION_LEAVES = 8
MOST_PREDICTORS = 20
FEWEST_PER_LEVEL = 5  # on average, or columns of unique values would all be linked


@dataclass(frozen=True, slots=True)
class ProposalTree:
    """The nodes of a tree, the bins of its predictors, and the targets of the donors in the order of the leaves."""

    predictors: tuple[str, ...]
    maps: tuple[Bytes, ...]
    predictor: Codes
    cut: Bytes
    child: Codes
    begin: Integers
    end: Integers
    donors: Codes
    gain: float

    def leaves(self, released: Mapping[str, CodedColumn], rows: int, threads: int = 1) -> Codes:
        """The leaf of every released record."""
        from hushwood.techniques.kernels.sequential import leaves_of

        out = np.zeros(rows, np.int32)
        columns = [released[name] for name in self.predictors]

        def route(begin: int) -> None:
            part = np.arange(begin, min(begin + ROUTED_AT_ONCE, rows))
            bins = binned(columns, self.maps, part)
            leaves_of(bins, self.predictor, self.cut, self.child, out[part[0] : part[-1] + 1])

        if len(self.predictor) > 1:
            with ThreadPoolExecutor(max(threads, 1)) as pool:
                list(pool.map(route, range(0, rows, ROUTED_AT_ONCE)))
        return out

    def draw(self, leaves: Array, u: Floats) -> Codes:
        """The target of one donor of every leaf, drawn evenly."""
        begin, size = self.begin[leaves], (self.end - self.begin)[leaves]
        return np.asarray(self.donors[begin + np.minimum((u * size).astype(np.int64), size - 1)])

    def shares(self, classes: int) -> Floats:
        """The share of every class among the donors of every node [node, class]."""
        running = np.zeros((len(self.donors) + 1, classes))
        running[np.arange(1, len(self.donors) + 1), self.donors] = 1.0
        running = np.cumsum(running, axis=0)
        return np.asarray((running[self.end] - running[self.begin]) / (self.end - self.begin)[:, None])


def grow_proposal_tree(
    target: CodedColumn,
    predictors: Sequence[CodedColumn],
    rows: Array,
    min_leaf: int,
    most_leaves: int = 0,
) -> ProposalTree:
    """Grow a tree on some rows: for a number by the variance of its mid-ranks, for a category by the Gini index.

    Rows without a number must not be among those of a numeric target.
    """
    from hushwood.techniques.kernels.sequential import grow

    codes = target.codes[rows]
    if target.numeric:
        goal, classes = mid_ranks(codes, target.levels), 0
    else:
        frequent, classes = frequent_levels(codes, target.levels)
        goal = frequent.astype(np.int64)
        check_indices("Classes of a proposal tree", goal, classes)
    maps = tuple(_bins(column, rows, goal, classes) for column in predictors)
    bins = binned(predictors, maps, rows) if predictors else np.zeros((0, len(rows)), np.uint8)
    order = np.arange(len(rows), dtype=np.int32)
    predictor, cut, child, begin, end, gain = grow(bins, goal, classes, order, max(min_leaf, 1), most_leaves)
    names = tuple(column.name for column in predictors)
    return ProposalTree(names, maps, predictor, cut, child, begin, end, codes[order], float(gain))


def _bins(column: CodedColumn, rows: Array, goal: Integers, classes: int) -> Bytes:
    codes = column.codes[rows]
    counts = np.bincount(codes, minlength=column.levels)
    if column.numeric:
        return number_bins(counts)
    return level_bins(level_scores(codes, column.levels, goal, classes), counts)


def association(target: CodedColumn, predictor: CodedColumn, rows: Array, min_leaf: int) -> float:
    """How much a tree of at most eight leaves gains for the target from one column alone."""
    if target.numeric:
        rows = rows[target.codes[rows] > 0]
    if len(rows) == 0:
        return 0.0
    return grow_proposal_tree(target, [predictor], rows, min_leaf, ASSOCIATION_LEAVES).gain


def column_order(
    columns: Sequence[CodedColumn], target: CodedColumn | None, rows: Array, min_leaf: int, threads: int = 1
) -> list[CodedColumn]:
    """The columns, the one with the closest tie to the class first; ties keep the order of the table."""
    least = max(min_leaf, 5)

    def tie(column: CodedColumn) -> float:
        if target is not None:
            return association(target, column, rows, least)
        others = (other for other in columns if other is not column)
        return sum(_share(other, column, rows, least) for other in others)

    with ThreadPoolExecutor(max(threads, 1)) as pool:
        ties = list(pool.map(tie, columns))
    return [columns[i] for i in np.argsort(-np.array(ties), kind="stable")]


def _share(target: CodedColumn, column: CodedColumn, rows: Array, least: int) -> float:
    """The gain as a share of what could be gained, so that targets of different kinds can be added up."""
    most = association(target, target, rows, 1)
    return association(target, column, rows, least) / most if most > 0 else 0.0


def predictors_of(
    column: CodedColumn, before: Sequence[CodedColumn], rows: Array, min_leaf: int
) -> list[CodedColumn]:
    """The released columns that a column is proposed from: at most twenty, those with the closest ties."""
    if len(before) <= MOST_PREDICTORS:
        return list(before)
    ties = [association(column, other, rows, max(min_leaf, 5)) for other in before]
    chosen = np.sort(np.argsort(-np.array(ties), kind="stable")[:MOST_PREDICTORS])
    return [before[i] for i in chosen.tolist()]


@dataclass(frozen=True, slots=True)
class Linked:
    """A column that says the same as an earlier one: `own` is its code for every code of that one."""

    name: str
    first: str
    own: Codes
    levels: int
    numbers: Floats | None


def linked_columns(columns: Sequence[CodedColumn]) -> list[Linked]:
    """Columns that say the same as an earlier one, such as a category and its number: one released code gives both."""
    linked: dict[str, Linked] = {}
    levels = {column.name: int(np.count_nonzero(column.counts)) for column in columns}
    for place, column in enumerate(columns):
        size = levels[column.name]
        if size < 2 or size * FEWEST_PER_LEVEL > len(column.codes):
            continue
        for first in columns[:place]:
            if first.name in linked or levels[first.name] != size:
                continue
            pairs = dense_codes(first.codes.astype(np.int64) * column.levels + column.codes)[0]
            if len(pairs) == size:
                own = np.zeros(first.levels, np.int32)
                own[pairs // column.levels] = pairs % column.levels
                linked[column.name] = Linked(column.name, first.name, own, column.levels, column.numbers)
                break
    return list(linked.values())


def with_linked(released: Mapping[str, CodedColumn], linked: Sequence[Linked]) -> dict[str, CodedColumn]:
    """The released columns and those that follow from them."""
    new = {
        link.name: CodedColumn(link.name, link.own[released[link.first].codes], link.levels, link.numbers)
        for link in linked
    }
    return {**released, **new}


def smallest_leaf(k: int, records: int) -> int:
    """The smallest leaf of a proposal tree: half a segment, at least five records, and less in a tiny table.

    >>> [smallest_leaf(k, n) for k, n in ((50, 1000), (10, 1000), (10, 12))]
    [25, 5, 3]
    """
    return max(2, min(max(5, k // 2), records // 4))
