"""How well a published tree predicts: on its own table, and on held-out records, with and without privacy.

The published tree itself was grown on all records, so other trees are grown to answer the second question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from hushwood.arrays import Array, Integers
from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.tables.table import Table, class_labels
from hushwood.trees.forest import Forest
from hushwood.trees.routing import predictions

if TYPE_CHECKING:
    from hushwood.tree_publishing.options import PublishOptions

# Records are held out with a public key: that hides nothing, and the same table gives the same numbers.
_SECRET = b"hushwood publish-tree".ljust(32, b"\0")
FOLDS = 5
# Of a longer table only one part is held out, and at most MOST_RECORDS records are used.
MOST_FOLDED = 10_000
MOST_RECORDS = 50_000
FEWEST_UNSEEN = 5


def tree_accuracy(table: Table, forest: Forest, options: PublishOptions) -> dict[str, Any]:
    """The part of the publication document about accuracy.

    `unseen_leaves` and `unlimited_leaves` belong to the trees grown without a held-out part, one number per part.
    """
    found: dict[str, Any] = {
        "measure": "accuracy" if forest.classes else "r_squared",
        "on_the_table": score(responses(table), predictions(forest, table), bool(forest.classes)),
        "unseen": None,
        "unseen_records": 0,
        "unseen_leaves": [],
        "unlimited_leaves": [],
    }
    if table.rows < FOLDS * FEWEST_UNSEEN:
        sentence = "The table is too small to hold out records, so nothing is known about unseen ones."
        return found | {"sentence": sentence}
    try:
        return found | _unseen(table, options)
    except InputError as error:
        why = f"Nothing is known about unseen records: no such tree can be grown on a part of the table. {error}"
        return found | {"sentence": why}


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
    # Squares of very large or very small numbers have no place in a float64.
    unit = max(float(np.abs(truth).max()), float(np.abs(predicted).max())) or 1.0
    truth, predicted = truth / unit, predicted / unit
    spread = float(np.sum((truth - truth.mean()) ** 2))
    return 1.0 - float(np.sum((truth - predicted) ** 2)) / spread if spread > 0 else None


def held_out(rows: int) -> Iterator[tuple[Integers, Integers]]:
    """Training records and held-out records, part by part.

    In a table of at most 10,000 records each is held out once; of a longer one, one record in five, out of at most
    50,000.
    """
    chosen = Streams(_SECRET).order("unseen records", "", range(rows))[:MOST_RECORDS]
    parts = np.array_split(chosen, FOLDS)
    for place in range(FOLDS if rows <= MOST_FOLDED else 1):
        learnt = np.concatenate([part for other, part in enumerate(parts) if other != place])
        yield np.sort(learnt), np.sort(parts[place])


def naive_guess(learnt: Array, classes: bool, count: int) -> Array:
    """The most frequent class, or the mean, for every record."""
    guess = np.bincount(learnt).argmax() if classes else learnt.mean()
    return np.full(count, guess)


def _unseen(table: Table, options: PublishOptions) -> dict[str, Any]:
    """Scores over all held-out records; raises InputError where a part does not allow such a tree."""
    asked: list[Integers] = []
    guesses: list[Mapping[str, Array]] = []
    leaves: list[tuple[int, int]] = []
    for learnt, aside in held_out(table.rows):
        training, unseen = table.take(learnt), table.take(aside)
        published, unlimited = _with_and_without(training, options)
        classes = bool(published.classes)
        guesses.append(
            {
                "published": predictions(published, unseen),
                "unlimited": predictions(unlimited, unseen),
                "naive": naive_guess(responses(training), classes, unseen.rows),
            }
        )
        leaves.append((_leaves(published), _leaves(unlimited)))
        asked.append(aside)
    truth = responses(table)[np.concatenate(asked)]
    scores = {
        name: score(truth, np.concatenate([guess[name] for guess in guesses]), classes) for name in guesses[0]
    }
    return {
        "unseen": None if None in scores.values() else scores,
        "unseen_records": len(truth),
        "unseen_leaves": [with_privacy for with_privacy, _ in leaves],
        "unlimited_leaves": [without for _, without in leaves],
        "sentence": _sentence(table.rows, asked, classes, len(options.trees)),
    }


def _with_and_without(training: Table, options: PublishOptions) -> tuple[Forest, Forest]:
    """Trees grown like the published ones, and trees with at most as many leaves but without K and L."""
    from hushwood.tree_publishing.publish import publish

    published = publish(training, options).forest
    most = max(len(tree.leaves) for tree in published.trees)
    return published, publish(training, replace(options, k=1, l=1.0, max_leaves=most)).forest


def _leaves(forest: Forest) -> int:
    return sum(len(tree.leaves) for tree in forest.trees)


def _sentence(rows: int, asked: Sequence[Integers], classes: bool, trees: int) -> str:
    unseen, used = sum(map(len, asked)), min(rows, MOST_RECORDS)
    who, grown, published = ("trees", "were", "ones") if trees > 1 else ("a tree", "was", "one")
    way = f"in the same way as the published {published}"
    if len(asked) > 1:
        how = (
            f"The {unseen:,} records were split into {len(asked)} parts. For each part {who} {grown} grown on all "
            f"others, {way}, and tested on it"
        )
    else:
        sample = f" of a sample of {used:,}" if used < rows else ""
        how = (
            f"{who.capitalize()} {grown} grown {way} on {used - unseen:,} records{sample} and tested on "
            f"{unseen:,} others"
        )
    votes = f" The {trees} trees predict together, by their average." if trees > 1 else ""
    guess = "the most frequent class" if classes else "the mean"
    unlimited = f"so {grown} {who} with as many leaves but without K and L"
    return f"{how}; {unlimited}.{votes} The baseline always predicts {guess}."
