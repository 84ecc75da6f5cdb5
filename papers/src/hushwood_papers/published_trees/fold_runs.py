"""One fold of the experiment on published trees: tables, releases, the trees grown from them, and their privacy.

The paper has 30,717 records of Adult with 5 numerical and 7 categorical attributes. Without `fnlwgt` and
`native-country`, and not counting the class, Adult has 5 and 7, and 30,718 of its records are complete. The paper's
second table, of cancer patients, is not public; Abalone, which also needs a regression tree, replaces it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from hushwood.arrays import Array, Codes, Flags, Floats, Integers
from hushwood.tables.read_options import Response
from hushwood.tables.reading import read
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table, with_present_categories
from hushwood.techniques.partitions.generalised_groups import group_labels, group_numbers
from hushwood.techniques.partitions.mondrian_parts import Limits, MondrianParts, mondrian_parts
from hushwood.tree_publishing.document import responses, score
from hushwood.tree_publishing.options import PublishOptions, TreePlan
from hushwood.tree_publishing.publish import Published, publish
from hushwood.tree_publishing.records import ReleasedGroups, dense_values, groups_by, sensitive_codes
from hushwood.trees.forest import LEAF, Forest, Tree
from hushwood.trees.routing import leaf_of_each, predictions
from hushwood_papers.paper_tables import PaperTables, paper_table
from hushwood_papers.protocol import public_streams


@dataclass(frozen=True, slots=True)
class Used:
    """The columns of a table that are not used, the sensitive ones, and what is predicted."""

    unused: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()
    response: Response = "class"


USED = {"adult": Used(("fnlwgt", "native-country"), ("occupation",)), "abalone": Used(response="number")}


def used_table(name: str, tables: PaperTables) -> Table:
    """The records without missing values in the columns used."""
    used = USED[name]
    return read(
        tables.frame(name).drop(used.unused).drop_nulls(),
        target=paper_table(name).target,
        roles=dict.fromkeys(used.sensitive, "confidential"),
        response=used.response,
    ).table


def counts_of(table: Table) -> dict[str, int]:
    """Numbers of records and of attributes without the class, as the paper counts them."""
    kinds = [attribute.kind for attribute in table.schema.inputs]
    return {
        "records": table.rows,
        "numerical attributes": kinds.count("numeric"),
        "categorical attributes": kinds.count("categorical"),
    }


def fold_of_each(name: str, rows: int, folds: int) -> Integers:
    """The fold of every record: random, of equal size, the same in every run."""
    fold = np.empty(rows, np.int64)
    order = public_streams("tree-publishing-adult", name, "folds").order("folds", "", range(rows))
    fold[order] = np.arange(rows) % folds
    return fold


def parts_of(original: Table, parts: int) -> MondrianParts:
    """The table cut into at most this many parts, without further limits."""
    return mondrian_parts(original, original.schema.quasi_identifiers, Limits(k=1, max_parts=parts))


def mondrian_release(original: Table, parts: MondrianParts) -> Table:
    """The baseline's release: quasi-identifiers generalised within the parts, numbers as means, categories as sets.

    Means are not rounded to the column's decimals, so that different parts stay different.
    """
    schema, columns = original.schema, {}
    for name in schema.quasi_identifiers:
        attribute, columns[name] = _generalised(original.schema[name], original.columns[name], parts)
        schema = schema.with_attribute(attribute)
    return original.with_columns(columns, schema)


def predicted_by_parts(training: Table, parts: MondrianParts, test: Table) -> Array:
    """What the parts themselves predict for unseen records, if one knows where they were cut."""
    learnt, part = responses(training), parts.of(test.columns)
    sizes = np.bincount(parts.ids)
    if training.schema.class_attribute and training.schema.class_attribute.kind == "numeric":
        return np.asarray((np.bincount(parts.ids, learnt) / sizes)[part])
    counts = np.zeros((parts.count, int(learnt.max()) + 1))
    np.add.at(counts, (parts.ids, learnt), 1)
    return np.asarray(counts.argmax(axis=1)[part])


def _generalised(attribute: Attribute, column: Array, parts: MondrianParts) -> tuple[Attribute, Array]:
    if attribute.kind == "numeric":
        real = replace(attribute, precision=None, storage="Float64")
        return real, group_numbers(column, parts.ids, parts.count, real, "mean")[parts.ids]
    codes, categories, _ = group_labels(column, parts.ids, parts.count, attribute)
    return replace(attribute, categories=categories), codes[parts.ids]


def in_original_terms(forest: Forest, released: Table, original: Table) -> Forest:
    """A tree grown from a release, in terms of original values, so that original records can be routed through it.

    Both tables hold the training records in the same order. Numbers are compared with the threshold as they are. A
    category goes where most training records with that original category went; one that none of them has goes with the
    larger part. In TPP all records of a category go the same way; for the baseline this is kinder than what a receiver
    of the release could do.
    """
    tree = forest.trees[0]
    leaf = leaf_of_each(tree, forest, released.columns)
    ends = _ends(tree)
    branches, missing_to = [], tree.missing_to.copy()
    for node in range(len(tree)):
        if tree.attribute[node] == LEAF:
            branches.append(np.empty(0, np.int32))
            continue
        left, right = node + 1, int(tree.branches_of(node).max())
        here = (leaf >= node) & (leaf < ends[node])
        goes_right = leaf[here] >= right
        larger = right if 2 * int(goes_right.sum()) > len(goes_right) else left
        missing_to[node] = larger
        attribute = original.schema[forest.attributes[tree.attribute[node]].name]
        if attribute.kind == "numeric":
            branches.append(np.array([left, right], np.int32))
        else:
            balance = _balance(original.columns[attribute.name][here], goes_right, len(attribute.categories))
            children = np.where(balance > 0, right, np.where(balance < 0, left, larger))
            branches.append(children.astype(np.int32))
    start = np.cumsum([0, *(len(own) for own in branches)], dtype=np.int64)
    translated = replace(tree, branch_start=start, branches=np.concatenate(branches), missing_to=missing_to)
    attributes = tuple(original.schema[a.name] for a in forest.attributes)
    return replace(forest, attributes=attributes, trees=(translated,))


def same_tree(one: Forest, other: Forest) -> bool:
    """Whether two trees have the same tests in the same places, to the last bit of every threshold."""
    a, b = one.trees[0], other.trees[0]
    return (
        np.array_equal(a.attribute, b.attribute)
        and np.array_equal(a.threshold, b.threshold, equal_nan=True)
        and np.array_equal(a.branches, b.branches)
    )


def _ends(tree: Tree) -> Integers:
    """For every node, the number after the last node of its subtree; nodes are in preorder."""
    ends = np.arange(1, len(tree) + 1)
    for node in np.flatnonzero(tree.attribute != LEAF)[::-1].tolist():
        ends[node] = ends[tree.branches_of(node).max()]
    return ends


def _balance(codes: Codes, goes_right: Flags, categories: int) -> Floats:
    """For every category, the records that go right minus those that go left."""
    balance = np.bincount(codes, np.where(goes_right, 1.0, -1.0), minlength=categories)
    return np.asarray(balance, np.float64)


ORIGINAL, TPP, ASKED, MONDRIAN, PARTS = "original", "TPP", "TPP asked", "Mondrian", "Mondrian's parts"
ASKED_K = 5


@dataclass(frozen=True, slots=True)
class Run:
    """One tree: the table it was grown from, its leaves, and its accuracy (or R squared) on held-out records.

    All trees are tried on the original records of the test fold, which no technique releases (errata T16). `k` and `l`
    are the privacy of the table, `l` that of the first sensitive attribute; `same` says whether the tree equals the
    original's. TPP and Mondrian only limit the size; ASKED is TPP with K = 5, hence sometimes another or a smaller
    tree; PARTS predicts by Mondrian's own cuts, without a tree.
    """

    grown_from: str
    leaves: int
    fold: int
    score: float
    same: bool
    k: int
    l: float | None


def runs_of_fold(training: Table, test: Table, leaves: int, fold: int) -> Iterator[Run]:
    """All runs of one size."""
    published, asked = grown(training, leaves), grown(training, leaves, ASKED_K)
    parts = parts_of(training, leaves)
    baseline = mondrian_release(training, parts)
    expected = in_original_terms(published.forest, published.table, training)
    limited = in_original_terms(asked.forest, asked.table, training)
    by_parts = predicted_by_parts(training, parts, test)
    for name, released, forest in (
        (ORIGINAL, training, expected),
        (TPP, published.table, _regrown(published.table, training, leaves)),
        (ASKED, asked.table, limited),
        (MONDRIAN, baseline, _regrown(baseline, training, leaves)),
        (PARTS, baseline, None),
    ):
        predicted = predictions(forest, test) if forest else by_parts
        right = score(responses(test), predicted, bool(expected.classes))
        found = reached(released, training)
        diverse = min((float(own.min()) for own in found.l.values()), default=None)
        same = forest is not None and same_tree(forest, expected)
        yield Run(name, leaves, fold, float("nan") if right is None else right, same, found.k, diverse)


def grown(table: Table, leaves: int, k: int = 1) -> Published:
    """A tree with at most this many leaves, and the table published for it; K = 1 sets no privacy limit."""
    target = table.schema.class_attribute
    number = target is not None and target.kind == "numeric"
    plan = TreePlan("variance" if number else "information_gain")
    return publish(table, PublishOptions(k=k, min_leaf=1, max_leaves=leaves, trees=(plan,), threads=1))


def whole_k(table: Table, leaves: int) -> dict[str, int]:
    """K of the releases of all records, by kind of release."""
    return {
        TPP: reached(grown(table, leaves).table, table).k,
        ASKED: reached(grown(table, leaves, ASKED_K).table, table).k,
        MONDRIAN: reached(mondrian_release(table, parts_of(table, leaves)), table).k,
    }


def reached(released: Table, original: Table) -> ReleasedGroups:
    """Groups of records with the same released quasi-identifiers, counted from the table alone."""
    columns = [dense_values(released.columns[name]) for name in released.schema.quasi_identifiers]
    return groups_by(columns, sensitive_codes(original), released.rows)


def _regrown(released: Table, training: Table, leaves: int) -> Forest:
    """The tree that a receiver of the table grows, in original terms."""
    # So that the tree uses the table's own codes.
    received = with_present_categories(released, released.schema.inputs)
    return in_original_terms(grown(received, leaves).forest, received, training)
