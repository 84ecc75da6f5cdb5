"""How well a published tree predicts: on its own table, and on records set aside, with and without privacy.

The published tree itself saw all records, so trees are grown anew for the second question.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hushwood.errors import InputError
from hushwood.jobs.forest_routes import predictions
from hushwood.random_streams import Streams
from hushwood.tables.table import Array, Table, class_labels
from hushwood.trees.forest import Forest

if TYPE_CHECKING:
    from hushwood.tree_publishing.options import PublishOptions

# Records are set aside with a public key: that hides nothing, and the same table gives the same numbers.
_SECRET = b"hushwood publish-tree".ljust(32, b"\0")
MOST_RECORDS = 50_000
UNSEEN_SHARE = 0.2
FEWEST_UNSEEN = 5


def tree_accuracy(table: Table, forest: Forest, options: PublishOptions) -> dict[str, Any]:
    """The part of the publication document that says what the tree is worth."""
    measure = "accuracy" if forest.classes else "r_squared"
    found: dict[str, Any] = {
        "measure": measure,
        "on_the_table": score(responses(table), predictions(forest, table), bool(forest.classes)),
        "unseen": None,
        "unseen_records": 0,
        "unlimited_leaves": None,
    }
    training, unseen = set_aside(table)
    try:
        return found | _unseen(training, unseen, options)
    except InputError:
        sentence = "The table is too small to set records aside, so nothing is known about unseen ones."
        return found | {"sentence": sentence}


def responses(table: Table) -> Array:
    """Class codes of all records, or their numbers in regression."""
    attribute = table.schema.class_attribute
    if attribute is not None and attribute.kind == "numeric":
        return np.asarray(table.columns[attribute.name])
    return class_labels(table)[0]


def score(truth: Array, predicted: Array, classes: bool) -> float | None:
    """Share of records predicted right, or R²; None where all numbers are the same."""
    if classes:
        return float(np.mean(truth == predicted))
    spread = float(np.sum((truth - truth.mean()) ** 2))
    return 1.0 - float(np.sum((truth - predicted) ** 2)) / spread if spread > 0 else None


def set_aside(table: Table) -> tuple[Table, Table]:
    """Records to learn from and records to be asked about, at most 50,000 together."""
    chosen = Streams(_SECRET).order("unseen records", "", range(table.rows))[:MOST_RECORDS]
    unseen = int(UNSEEN_SHARE * len(chosen))
    return table.take(np.sort(chosen[unseen:])), table.take(np.sort(chosen[:unseen]))


def _unseen(training: Table, unseen: Table, options: PublishOptions) -> dict[str, Any]:
    """Scores on the records set aside; raises InputError where there are too few records."""
    from hushwood.tree_publishing.publish import publish

    if unseen.rows < FEWEST_UNSEEN:
        raise InputError("Too few records.")
    published = publish(training, options).forest
    leaves = max(len(tree.leaves) for tree in published.trees)
    free = replace(options, k=1, l=1.0, max_leaves=leaves)
    unlimited = publish(training, free).forest
    truth, classes = responses(unseen), bool(published.classes)
    guesses = {
        "published": predictions(published, unseen),
        "unlimited": predictions(unlimited, unseen),
        "naive": naive_guess(responses(training), classes, unseen.rows),
    }
    scores = {name: score(truth, guess, classes) for name, guess in guesses.items()}
    return {
        "unseen": None if None in scores.values() else scores,
        "unseen_records": unseen.rows,
        "unlimited_leaves": sum(len(tree.leaves) for tree in unlimited.trees),
        "sentence": _sentence(training.rows, unseen.rows, classes),
    }


def naive_guess(learnt: Array, classes: bool, count: int) -> NDArray[Any]:
    """The most frequent class, or the mean, for every record."""
    guess = np.bincount(learnt).argmax() if classes else learnt.mean()
    return np.full(count, guess)


def _sentence(training: int, unseen: int, classes: bool) -> str:
    guess = "the most frequent class" if classes else "the mean"
    sample = f" of a sample of {MOST_RECORDS:,}" if training + unseen == MOST_RECORDS else ""
    return (
        f"Trees were grown on {training:,} records{sample} and asked about {unseen:,} others: once as they are "
        f"published, once with as many leaves but without K and L. The naive guess is always {guess}."
    )
