"""A list of candidates and a release in levels of their columns, and what a leaf's counts say about each candidate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Array, Codes, Floats, Integers, one_thread, spurious_flags_ignored
from hushwood.attacks.protocol import Knowledge
from hushwood.random_streams import group_order
from hushwood.tables.table import Table
from hushwood.trees.forest import Forest

MOST_LEVELS = 100  # of a column, the most frequent ones; the others are one level where counts are whitened
GROUPS = 10  # numbers are counted in tenths of the candidates
# What the released counts of a leaf may be over the candidates': outside of that, the leaf is not the same one.
_SIZES = (0.05, 50.0)
MOST_TREES = 3  # of a forest
FEWEST = 8  # candidates of a leaf whose counts are compared
FEWEST_RELEASED = 3
_EMPTY = (-1.0, -3.0)  # the scores of candidates in a leaf that hardly any released record is in


@dataclass(frozen=True, slots=True)
class Counted:
    """A column of the list and of the release in whole numbers: all its values, and its most frequent levels."""

    listed: Integers
    released: Integers
    levels: tuple[Integers, Integers]
    width: int


def counted(listed: Array, released: Array) -> Counted:
    """A column in whole numbers, 0 for a missing value; numbers in tenths of the candidates."""
    if listed.dtype.kind == "f":
        codes = tenths(listed, released)
        width = 1 + int(max(code.max(initial=0) for code in codes))
        return Counted(*codes, codes, width)
    codes = (listed.astype(np.int64) + 1, released.astype(np.int64) + 1)
    levels = 1 + int(max(code.max(initial=0) for code in codes))
    if levels <= MOST_LEVELS:
        return Counted(*codes, codes, levels)
    # The others, and those that only the release has, become the level after the last.
    frequent = np.argsort(-np.bincount(codes[0], minlength=levels), kind="stable")[:MOST_LEVELS]
    place = np.full(levels, MOST_LEVELS)
    place[frequent] = np.arange(MOST_LEVELS)
    return Counted(*codes, (place[codes[0]], place[codes[1]]), MOST_LEVELS + 1)


def tenths(listed: Floats, released: Floats) -> tuple[Integers, Integers]:
    """The tenth of the candidates that each number lies in, from 1 on, 0 for a missing one; few numbers stand alone.

    Counted from the end of the shorter tail, so that a column and its negative come out the same.
    """
    known = np.sort(listed[~np.isnan(listed)])
    if not len(known):
        return tuple(np.where(np.isnan(v), 0, 1) for v in (listed, released))  # type: ignore[return-value]
    middle = known[(len(known) - 1) // 2] / 4 + known[len(known) // 2] / 4
    if middle - known[0] / 2 > known[-1] / 2 - middle:
        return tenths_up(-listed, -released, -known[::-1])
    return tenths_up(listed, released, known)


def tenths_up(listed: Floats, released: Floats, known: Floats) -> tuple[Integers, Integers]:
    """The same, from below."""
    cuts = np.unique(known[np.arange(1, GROUPS) * len(known) // GROUPS])
    one, other = (np.where(np.isnan(v), 0, np.searchsorted(cuts, v, "right") + 1) for v in (listed, released))
    return one, other


def in_leaves(own: Codes, theirs: Codes, cells: tuple[Integers, Integers, int], targets: int) -> Floats:
    """Both scores of every target in its leaf of one tree, given the leaves of the list and of the release."""
    listed, released, width = cells
    scores = np.zeros((2, targets))
    nodes = int(max(own.max(initial=0), theirs.max(initial=0))) + 1
    sizes, released_sizes = (np.bincount(leaves, minlength=nodes) for leaves in (own, theirs))
    order, released_order = group_order(own), group_order(theirs)
    ends, released_ends = np.cumsum(sizes), np.cumsum(released_sizes)
    with one_thread("blas"), spurious_flags_ignored():
        for leaf in np.flatnonzero(sizes >= FEWEST).tolist():
            members = order[ends[leaf] - sizes[leaf] : ends[leaf]]
            scored = members[members < targets]
            size = int(released_sizes[leaf])
            if len(scored) and size < FEWEST_RELEASED:
                scores[:, scored] = np.array(_EMPTY)[:, None]
            elif len(scored):
                rows = released_order[released_ends[leaf] - size : released_ends[leaf]]
                counts = np.bincount(released[rows].ravel(), minlength=width)
                scores[:, scored] = in_leaf(listed[members], listed[scored], counts, size)
    return scores


def in_leaf(members: Integers, scored: Integers, counts: Integers, size: int) -> Floats:
    """Both scores of some candidates in a leaf, whose released records number `size` and have these counts.

    Cells are given as [candidate, column]. Where there are fewer candidates than cells, the same equations are solved
    among candidates.
    """
    width, count = len(counts), len(members)
    # Cells that no candidate of the leaf has say nothing about one.
    expected = np.bincount(members.ravel(), minlength=width)
    used = np.flatnonzero(expected)
    place = np.zeros(width, np.int64)
    place[used] = np.arange(len(used))
    mean = np.asarray(expected[used] / count, np.float64)
    centred = marked(place[members], len(used)) - mean
    total = float((centred**2).sum()) / count
    few = count < 3 * width
    rank = max(min(count - 1, len(used)), 1)
    ridge = (0.15 * total / rank if few else 0.03 * total / width) + 1e-6
    difference: Floats = counts[used] / size - mean
    if count < len(used):
        inner = np.linalg.solve(centred @ centred.T + count * ridge * np.eye(count), centred @ difference)
        pull = np.asarray((difference - centred.T @ inner) / ridge, np.float64)
    else:
        within = centred.T @ centred / count
        pull = np.asarray(np.linalg.solve(within + ridge * np.eye(len(used)), difference), np.float64)
    share = min(max((size + 0.5) / (count + 1), _SIZES[0]), _SIZES[1])
    ratio = np.log((counts + 0.5) / (expected * share + 0.5))
    return np.stack((pull[place[scored]].sum(axis=1) - mean @ pull, ratio[scored].sum(axis=1)))


def tree_to_use(knowledge: Knowledge, released: Table) -> Forest:
    """The first trees that were published; where there are none, or only stumps, one that is grown on the release."""
    given = knowledge.tree
    if given is not None:
        grown = tuple(tree for tree in given.trees if len(tree) > 1)[:MOST_TREES]
        tested = {given.attributes[a].name for tree in grown for a in tree.attribute if a >= 0}
        if grown and tested <= set(knowledge.columns):
            return Forest(given.class_name, given.classes, given.attributes, grown)
    return grown_on(released, knowledge.threads)


def grown_on(released: Table, threads: int) -> Forest:
    """A tree of C4.5 for the class of the release or, without one, for what stands in for it."""
    from hushwood.releasing.forest_for import one_label
    from hushwood.trees.grow import class_forest, learnt_forest
    from hushwood.trees.options import Builder, GrowOptions, default_min_leaf
    from hushwood.trees.training import TrainingSet, testable

    builder = Builder(GrowOptions(min_leaf=default_min_leaf(released.rows))).with_trees(1)
    label = one_label(released)
    if label is None:
        return learnt_forest(released, builder, threads=threads)
    inputs = testable(released.schema)
    columns = [np.asarray(released.columns[a.name]) for a in inputs]
    training = TrainingSet.from_columns(inputs, columns, label.codes, label.classes, threads)
    return class_forest(label.name, training, builder, threads)


def marked(cells: Integers, width: int) -> Floats:
    """A one in every cell that a candidate has, as [candidate, cell]."""
    marked = np.zeros((len(cells), width))
    np.put_along_axis(marked, cells, 1.0, axis=1)
    return marked
