"""One fold of the experiment on published trees: trees of one size, and the privacy of the releases they grow from.

Trees are grown by the same builder from the original training records, from TPP's release of them and from the
baseline's, and all are applied to the original test records (errata T16): the test fold is released by nobody.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hushwood.experiments.published_trees.baseline import mondrian_release, parts_of, predicted_by_parts
from hushwood.experiments.published_trees.terms import in_original_terms, same_tree
from hushwood.jobs.forest_routes import predictions
from hushwood.jobs.tree_accuracy import responses, score
from hushwood.tables.present_categories import with_present_categories
from hushwood.tables.table import Table
from hushwood.tree_publishing.anonymity import Groups, dense_values, groups_by, sensitive_codes
from hushwood.tree_publishing.options import PublishOptions, TreePlan
from hushwood.tree_publishing.publish import Published, publish
from hushwood.trees.forest import Forest

ORIGINAL, TPP, ASKED, MONDRIAN, PARTS = "original", "TPP", "TPP asked", "Mondrian", "Mondrian's parts"
ASKED_K = 5


@dataclass(frozen=True, slots=True)
class Run:
    """One tree: the table it was grown from, its leaves, and its accuracy (or R squared) on unseen records.

    `k` and `l` are the privacy of that table, the latter of the first sensitive attribute; `same` tells whether the
    tree is the one that the original gives. TPP and Mondrian are asked for nothing but a size; ASKED is TPP with K = 5
    and therefore sometimes another or a smaller tree; PARTS predicts by Mondrian's own cuts, without any tree.
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
    """A tree of at most so many leaves, and the table for it; K = 1 asks nothing of its privacy."""
    target = table.schema.class_attribute
    number = target is not None and target.kind == "numeric"
    plan = TreePlan("variance" if number else "information_gain")
    return publish(table, PublishOptions(k=k, min_leaf=1, max_leaves=leaves, trees=(plan,), threads=1))


def whole_k(table: Table, leaves: int) -> dict[str, int]:
    """K of the releases of all records, by the table they are grown from."""
    return {
        TPP: reached(grown(table, leaves).table, table).k,
        ASKED: reached(grown(table, leaves, ASKED_K).table, table).k,
        MONDRIAN: reached(mondrian_release(table, parts_of(table, leaves)), table).k,
    }


def reached(released: Table, original: Table) -> Groups:
    """Groups of records with the same released quasi-identifiers, counted from the table alone."""
    columns = [dense_values(released.columns[name]) for name in released.schema.quasi_identifiers]
    return groups_by(columns, sensitive_codes(original), released.rows)


def _regrown(released: Table, training: Table, leaves: int) -> Forest:
    """The tree that a receiver of the table builds, said in original values."""
    told = with_present_categories(
        released, released.schema.inputs
    )  # so that the tree has the table's own codes
    return in_original_terms(grown(told, leaves).forest, told, training)
