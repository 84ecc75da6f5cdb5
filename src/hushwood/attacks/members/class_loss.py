"""A model of the class that was learnt from the release knows the classes of its own people best."""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Codes, Floats
from hushwood.attacks.protocol import Knowledge
from hushwood.distances.two_samples import ranked_columns
from hushwood.random_streams import Streams
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table, class_codes, class_labels

TREES = 50  # grown to the end: each remembers single records, and together they smooth
MOST_RELEASED = 50_000  # released records to learn from, by keyed choice
LARGE = 5_000  # with fewer records, threads cost more than they save


def class_certainty(knowledge: Knowledge, released: Table, streams: Streams) -> Floats:
    """The logarithm of the probability that the model gives to a target's own class: minus the loss.

    A target without a class is judged as the average one.
    """
    attribute, inputs = _class_and_inputs(knowledge)
    own = class_codes(attribute, knowledge.columns[attribute.name])
    learnt = class_labels(released)[0]
    rows = np.flatnonzero(learnt >= 0)
    rows = rows[streams.sample("membership", "class model", len(rows), MOST_RELEASED)]
    parts = [
        {column: released.columns[column][rows] for column in inputs},
        {column: knowledge.columns[column] for column in inputs},
    ]
    classes = learnt[rows]
    common = np.bincount(classes).argmax()
    columns = ranked_columns(parts, released.schema, np.append(classes, own) == common)
    return _log_chances(
        columns.matrix[: len(rows)], classes, columns.matrix[len(rows) :], own, knowledge, streams
    )


def why_not(knowledge: Knowledge, released: Table) -> str | None:
    """Why there is no such model, or None."""
    attribute = released.schema.class_attribute
    if attribute is None or attribute.name not in knowledge.columns or len(knowledge.columns) < 2:
        return "The intruder knows no class, or nothing else."
    codes = class_labels(released)[0]
    return None if len(np.unique(codes[codes >= 0])) > 1 else "The release has fewer than two classes."


def _class_and_inputs(knowledge: Knowledge) -> tuple[Attribute, list[str]]:
    attribute = knowledge.schema.class_attribute
    if attribute is None:
        raise LookupError("A model of the class needs one.")
    return attribute, [name for name in knowledge.columns if name != attribute.name]


def _log_chances(
    matrix: Floats, classes: Codes, targets: Floats, own: Codes, knowledge: Knowledge, streams: Streams
) -> Floats:
    from sklearn.ensemble import ExtraTreesClassifier

    seed = int(streams.words("membership", "class model", 0, range(1))[0] >> np.uint64(33))
    threads = knowledge.threads if len(matrix) >= LARGE else 1
    model = ExtraTreesClassifier(TREES, random_state=seed, n_jobs=threads)
    model.fit(matrix, classes)
    chances = model.predict_proba(targets)
    place = np.searchsorted(model.classes_, own)
    known = (own >= 0) & (place < len(model.classes_))
    known &= model.classes_[np.where(known, place, 0)] == own
    found = np.where(known, chances[np.arange(len(own)), np.where(known, place, 0)], 0.0)
    # As if half a tree more had voted either way: a chance of 0 would cost infinitely much.
    certainty = np.log((found * TREES + 0.5) / (TREES + 1.0))
    return np.where(own < 0, certainty[own >= 0].mean() if (own >= 0).any() else 0.0, certainty)
