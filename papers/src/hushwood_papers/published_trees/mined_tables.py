"""The tables that mining methods learn from, and held-out people generalised like each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Array, Flags, Floats
from hushwood.tables.table import Table
from hushwood.techniques.partitions.mondrian_parts import Limits, mondrian_parts
from hushwood.tree_publishing.document import responses
from hushwood.tree_publishing.options import PublishOptions
from hushwood.tree_publishing.publish import publish
from hushwood.trees.routing import predictions
from hushwood_papers.published_trees.fold_runs import ASKED_K, in_original_terms, mondrian_release

ORIGINAL, TPP, TPP_PLAIN = "original", "TPP", "TPP, plain numbers"
SAME_SIZE, SAME_K, BY_CUTS = "Mondrian of the same size", "Mondrian of the same K", ", by its cuts"
Columns = Mapping[str, Array]


@dataclass(frozen=True, slots=True)
class Learnt:
    """What a method learns from, and the unseen people, by the way in which they were generalised."""

    training: Floats
    classes: Array
    unseen: Mapping[str, Floats]
    categories: Flags


@dataclass(frozen=True, slots=True)
class Made:
    """All tables made of the training records, and the published tree's leaves and share right."""

    tables: tuple[Learnt, ...]
    leaves: int
    tree_right: float


def learnt_from(training: Table, unseen: Table) -> Made:
    """The original, what TPP publishes, and two releases of InfoGain Mondrian, all with K = 5."""
    published = publish(training, PublishOptions(k=ASKED_K, threads=1))
    tree = in_original_terms(published.forest, published.table, training)
    leaves = len(published.forest.trees[0].leaves)
    right = float(np.mean(predictions(tree, unseen) == responses(unseen)))
    known, plain = training.schema.quasi_identifiers, dict(unseen.columns)
    alone = generalised(published.table, training, unseen)
    numbers = {name: plain[name] for name in known if training.schema[name].kind == "numeric"}
    found = [
        _learnt({ORIGINAL: plain}, training, training, tuple(a.name for a in training.schema.inputs)),
        _learnt({TPP: alone, TPP_PLAIN: alone | numbers}, training, published.table, known),
    ]
    for way, most in ((SAME_SIZE, leaves), (SAME_K, None)):
        parts = mondrian_parts(training, known, Limits(k=ASKED_K, max_parts=most))
        released = mondrian_release(training, parts)
        like = np.unique(parts.ids, return_index=True)[1][parts.of(unseen.columns)]
        by_cuts = {name: released.columns[name][like] for name in known}
        people = {way: generalised(released, training, unseen), way + BY_CUTS: by_cuts}
        found.append(_learnt(people, training, released, known))
    return Made(tuple(found), leaves, right)


def generalised(released: Table, training: Table, unseen: Table) -> dict[str, Array]:
    """Unseen people in the values of a release, column by column, without the cuts behind it.

    A number becomes the nearest released one; a category the set that most training records with it have, -1 if there
    are no such records. In TPP all of them have the same set.
    """
    found: dict[str, Array] = {}
    for name in released.schema.quasi_identifiers:
        column, own = released.columns[name], unseen.columns[name]
        if training.schema[name].kind == "categorical":
            records = np.zeros((len(training.schema[name].categories), int(column.max()) + 1))
            np.add.at(records, (training.columns[name], column), 1)
            found[name] = np.where(records.any(axis=1), records.argmax(axis=1), -1)[own]
        else:
            values = np.unique(column)
            found[name] = values[np.searchsorted((values[:-1] + values[1:]) / 2, own)]
    return found


def _learnt(people: Mapping[str, Columns], training: Table, released: Table, names: Sequence[str]) -> Learnt:
    def matrix(columns: Columns) -> Floats:
        return np.column_stack([columns[name] for name in names]).astype(np.float64)

    categories = np.array([training.schema[name].kind == "categorical" for name in names])
    unseen = {way: matrix(columns) for way, columns in people.items()}
    return Learnt(matrix(released.columns), responses(training), unseen, categories)
