"""Which leaf a record reaches, the class weights it collects there, and one prediction from several trees' leaves.

A record without a value (or with a category the tree never saw) follows `missing_to` when it must be in *one* leaf, and
goes down every branch in shares when it is classified (docs/trees.md). All ways to vote read the class weights of the
leaves that a record reaches, as [tree, record, class].
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from hushwood.arrays import Array, Codes, Floats, Integers, check_indices
from hushwood.errors import unknown_name
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table, class_codes, label_names
from hushwood.trees.forest import LEAF, Forest, Tree

_BLOCK = 1 << 14  # rows looked at together: their tested columns stay in the processor's cache
TIE = 1e-10  # scores that differ by less are equal: rounding must not decide


def leaf_of_each(tree: Tree, forest: Forest, columns: Mapping[str, Array]) -> Codes:
    """The leaf (its node number) of every record; numeric columns as floats, categorical ones as codes."""
    from hushwood.trees.kernels.records import route

    tested = np.unique(tree.attribute[tree.attribute != LEAF])
    used = [np.asarray(columns[forest.attributes[a].name]) for a in tested.tolist()]
    rows = len(next(iter(columns.values())))
    column_of = np.where(tree.attribute == LEAF, LEAF, np.searchsorted(tested, tree.attribute))
    leaves = np.zeros(rows, np.int32)
    numeric = np.isfinite(tree.threshold)
    for begin in range(0, rows if used else 0, _BLOCK):
        part = leaves[begin : begin + _BLOCK]
        block = np.empty((len(used), len(part)))
        for row, column in zip(block, used, strict=True):
            row[:] = column[begin : begin + _BLOCK]
        route(
            block,
            column_of,
            numeric,
            tree.threshold,
            tree.branch_start,
            tree.branches,
            tree.missing_to,
            part,
        )
    return leaves


def class_weights(tree: Tree, columns: Sequence[Array]) -> Floats:
    """Class distribution that the tree gives every record, unknown values sent down all branches in shares.

    `columns` are in the order of the forest's attributes. A leaf without weight speaks for its parent.
    """
    from hushwood.trees.kernels.records import collect

    check_indices("Tested attributes", tree.attribute, len(columns), least=LEAF)
    matrix = _matrix(columns)
    numeric = np.isfinite(tree.threshold)
    weight = tree.counts.sum(axis=1)
    own = np.divide(tree.counts, weight[:, None], out=np.zeros_like(tree.counts), where=weight[:, None] > 0)
    for parent, child in tree.edges():
        if weight[child] <= 0:
            own[child] = own[parent]
    out = np.zeros((matrix.shape[0], tree.counts.shape[1]))
    share = branch_shares(tree, weight)
    collect(
        matrix, tree.attribute, numeric, tree.threshold, tree.branch_start, tree.branches, share, own, out
    )
    return out


def counts_reached(tree: Tree, columns: Sequence[Array]) -> Floats:
    """Class counts of the leaf that every record reaches; of several leaves, in shares, if a value is unknown.

    `class_weights` divides by the size of the leaf, so each class is given in parts of that size first, and one
    more class takes the rest.
    """
    weight = tree.counts.sum(axis=1, keepdims=True)
    whole = 2.0 ** np.ceil(np.log2(weight.max()))  # a power of two: whole counts come back exactly
    parts = tree.counts * (weight / whole)
    scaled = replace(tree, counts=np.hstack([parts, weight - parts.sum(axis=1, keepdims=True)]))
    return np.asarray(class_weights(scaled, columns)[:, :-1] * whole)


def branch_shares(tree: Tree, weight: Floats) -> Floats:
    """Share of its parent's weight that every branch leads to; categories that share a child count it once."""
    share = np.zeros(len(tree.branches))
    for node in np.flatnonzero(tree.attribute != LEAF).tolist():
        children, first = np.unique(tree.branches_of(node), return_index=True)
        share[tree.branch_start[node] + first] = weight[children] / max(weight[node], 1e-300)
    return share


def _matrix(columns: Sequence[Array]) -> Floats:
    matrix = np.empty((len(columns[0]) if columns else 0, len(columns)))
    for i, column in enumerate(columns):
        matrix[:, i] = column
    return matrix


def leaves_reached(forest: Forest, table: Table) -> list[Codes]:
    """The leaf of every record, tree by tree."""
    tested = {int(a) for tree in forest.trees for a in tree.attribute[tree.attribute != LEAF]}
    names = {a: forest.attributes[a].name for a in sorted(tested)}
    columns = {
        name: _coded(table.columns[name], table.schema[name], forest.attributes[a])
        for a, name in names.items()
    }
    if not columns:
        return [np.zeros(table.rows, np.int32) for _ in forest.trees]
    return [leaf_of_each(tree, forest, columns) for tree in forest.trees]


def recounted(forest: Forest, table: Table) -> Forest:
    """The forest with the classes of a table's records in its nodes; as it is if no column holds what it predicts."""
    names = {attribute.name: attribute for attribute in table.schema.classes}
    trees = []
    for tree, leaf, target in zip(forest.trees, leaves_reached(forest, table), forest.predicts, strict=True):
        attribute = names.get(target.name)
        if attribute is None or label_names(attribute) != target.classes:
            return forest
        codes = class_codes(attribute, np.asarray(table.columns[target.name]))
        counts, known = np.zeros_like(tree.counts), codes >= 0
        np.add.at(counts, (leaf[known], codes[known]), 1.0)
        for parent, child in reversed(list(tree.edges())):
            counts[parent] += counts[child]
        trees.append(replace(tree, counts=counts))
    return replace(forest, trees=tuple(trees))


def predictions(forest: Forest, table: Table) -> Array:
    """The class code, or the number, that the trees together give every record."""
    leaves = leaves_reached(forest, table)
    found = np.zeros((table.rows, max(len(forest.classes), 1)))
    for tree, leaf in zip(forest.trees, leaves, strict=True):
        found += (class_shares(tree.counts) if forest.classes else tree.counts)[leaf]
    return winners(found) if forest.classes else found[:, 0] / len(forest.trees)


def _coded(column: Array, here: Attribute, there: Attribute) -> Array:
    """A column in the forest's coding; values that the forest does not know count as missing."""
    if there.kind == "numeric" or here.categories == there.categories:
        return column
    place = {text: code for code, text in enumerate(there.categories)}
    codes = np.array([*(place.get(text, -1) for text in here.categories), -1], np.int32)
    return codes[column]


def depths(tree: Tree) -> Integers:
    """How many tests lie above every node."""
    found = np.zeros(len(tree), np.int64)
    for parent, child in tree.edges():
        found[child] = found[parent] + 1
    return found


def path_matrix(tree: Tree, leaves: Codes) -> Any:
    """A sparse matrix [record, node] with ones for the nodes on each record's way, the root first."""
    from scipy.sparse import csr_matrix

    parent = np.full(len(tree), LEAF)
    for above, below in tree.edges():
        parent[below] = above
    steps = [leaves.astype(np.int64)]
    while (steps[-1] >= 0).any():
        steps.append(np.where(steps[-1] >= 0, parent[steps[-1]], LEAF))
    ways: Array = np.stack(steps[::-1], axis=1)
    there = ways >= 0
    starts = np.concatenate([[0], np.cumsum(there.sum(axis=1))])
    return csr_matrix((np.ones(starts[-1], np.int64), ways[there], starts), shape=(len(leaves), len(tree)))


def vote(counts: Floats, method: str) -> Integers:
    """The class predicted for every record; ties go to the lowest class."""
    if method not in VOTINGS:
        raise unknown_name("voting", method, VOTINGS)
    return winners(scores(counts, method))


def winners(found: Floats, favourite: int | None = None) -> Integers:
    """The class with the highest score or share of every record, given as [record, class]; ties as in `vote`.

    With a `favourite`, ties go to that class where it is among them.

    >>> winners(np.array([[0.4, 0.4, 0.2]])).tolist(), winners(np.array([[0.4, 0.4, 0.2]]), 1).tolist()
    ([0], [1])
    """
    highest = found >= found.max(axis=1, keepdims=True) - TIE
    first = np.argmax(highest, axis=1)
    return np.asarray(first if favourite is None else np.where(highest[:, favourite], favourite, first))


def scores(counts: Floats, method: str) -> Floats:
    """The score of every class, as [record, class]."""
    return VOTINGS[method](np.asarray(counts, np.float64))


def maximum_entropy(counts: Floats, s: float = 1.0) -> Floats:
    """The maximum entropy distribution of the imprecise Dirichlet model: mass `s` goes to the smallest counts.

    >>> maximum_entropy(np.array([[3.0, 1.0, 0.0]])).tolist()
    [[0.6, 0.2, 0.2]]
    """
    ordered = np.sort(counts, axis=-1)
    width = counts.shape[-1]
    number = np.arange(1, width + 1)
    # Water level if the k smallest counts were filled up; the right k is the last whose level reaches its counts.
    level = (np.cumsum(ordered, axis=-1) + s) / number
    k = np.sum(level > ordered, axis=-1, keepdims=True)
    filled = np.maximum(counts, np.take_along_axis(level, np.maximum(k, 1) - 1, axis=-1))
    return np.asarray(filled / (counts.sum(axis=-1, keepdims=True) + s))


def class_shares(counts: Floats) -> Floats:
    """The share of every class at each leaf; all 0 where there are no records."""
    weight = counts.sum(axis=-1, keepdims=True)
    return np.asarray(np.divide(counts, weight, out=np.zeros_like(counts), where=weight > 0))


def _one_hot(winner: Integers, width: int) -> Floats:
    return np.eye(width)[winner]


def _package(counts: Floats) -> Floats:
    """A vote per tree; a tie is decided by the summed probabilities of the leaves that voted for the class."""
    shares = class_shares(counts)
    votes = _one_hot(np.argmax(counts, axis=-1), counts.shape[-1])
    confidence = (votes * shares).sum(axis=0)
    return np.asarray(votes.sum(axis=0) + confidence / (len(counts) + 1.0))


def _voting1(counts: Floats) -> Floats:
    """The class of the most confident leaf, of the larger one on ties."""
    confidence = class_shares(counts).max(axis=-1)
    size = counts.sum(axis=-1)
    surest = confidence >= confidence.max(axis=0) - TIE
    best = np.argmax(np.where(surest, size, -1.0), axis=0)
    chosen = np.take_along_axis(counts, best[None, :, None], axis=0)[0]
    return _one_hot(np.argmax(chosen, axis=-1), counts.shape[-1])


def _voting2(counts: Floats) -> Floats:
    """Votes weighted by the leaf's confidence."""
    votes = _one_hot(np.argmax(counts, axis=-1), counts.shape[-1])
    return np.asarray((votes * class_shares(counts)).sum(axis=0))


def _credal(counts: Floats) -> Floats:
    """The sum of the leaves' maximum entropy distributions."""
    return np.asarray(maximum_entropy(counts).sum(axis=0))


def _credal_majority(counts: Floats) -> Floats:
    return np.asarray(_one_hot(np.argmax(counts, axis=-1), counts.shape[-1]).sum(axis=0))


def _credal_dominance(counts: Floats, s: float = 1.0) -> Floats:
    """A tree's vote split equally over the classes that no other class dominates in its leaf."""
    open_classes = (counts + s >= counts.max(axis=-1, keepdims=True)).astype(np.float64)
    return np.asarray((open_classes / open_classes.sum(axis=-1, keepdims=True)).sum(axis=0))


VOTINGS: Mapping[str, Callable[[Floats], Floats]] = {
    "package": _package,
    "voting1": _voting1,
    "voting2": _voting2,
    "credal": _credal,
    "credal-majority": _credal_majority,
    "credal-dominance": _credal_dominance,
}
