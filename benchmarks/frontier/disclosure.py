"""Risk to people of the table: their record found again, and their values guessed better than those of strangers."""

from __future__ import annotations

import numpy as np

from frontier.models import Classifier, forest, regression_forest
from frontier.neighbours import own_is_nearest
from frontier.records import Flags, Floats, Records
from frontier.reference import Reference

GUESSED_COLUMNS = 4
# A number is guessed right within a twentieth of the span from the 5 % to the 95 % quantile.
CLOSE, MIDDLE = 0.05, (0.05, 0.95)


def linkage(reference: Reference, released: Records) -> tuple[float, float]:
    """Chance that the nearest released record, by all inputs, is a person's own, less 1/n; and for the outliers."""
    found = own_is_nearest(reference.places(reference.people), reference.places(released))
    blind = 1.0 / released.count
    return float(found.mean()) - blind, float(found[reference.outliers].mean()) - blind


def class_excess(reference: Reference, model: Classifier) -> float:
    """How much more often a forest trained on the release knows the class of its people than that of strangers."""
    right = [
        float(np.mean(np.argmax(model.shares(reference.features(r)), axis=1) == r.classes))
        for r in (reference.people.take(reference.members), reference.held_out)
    ]
    return right[0] - right[1]


def attribute_excess(reference: Reference, released: Records) -> float:
    """The same for up to four other columns, each guessed from all columns but itself; their mean."""
    return float(np.mean([_excess(reference, released, column) for column in guessed_columns(reference)]))


def guessed_columns(reference: Reference) -> list[int]:
    """Inputs that vary, drawn by the key; numbers are counted first."""
    people = reference.people
    both = np.hstack([people.numbers, people.codes[:, :-1]])
    varies = (both != both[:1]).any(axis=0)
    order = reference.streams.order("frontier", "guessed columns", range(both.shape[1]))
    return [int(column) for column in order if varies[column]][:GUESSED_COLUMNS]


def _excess(reference: Reference, released: Records, column: int) -> float:
    few = len(reference.columns.numbers)
    x = reference.features(released, target=True, but=column)
    groups = (reference.people.take(reference.members), reference.held_out)
    asked = [reference.features(records, target=True, but=column) for records in groups]
    if column < few:
        model = regression_forest(reference.seed).fit(x, released.numbers[:, column])
        near = tolerance(reference.people.numbers[:, column])
        right = [
            close(model.predict(a), r.numbers[:, column], near) for a, r in zip(asked, groups, strict=True)
        ]
    else:
        group = column - few
        known = Classifier(
            forest(reference.seed), x, released.codes[:, group], reference.columns.widths[group]
        )
        right = [
            np.argmax(known.shares(a), axis=1) == r.codes[:, group]
            for a, r in zip(asked, groups, strict=True)
        ]
    return float(np.mean(right[0])) - float(np.mean(right[1]))


def tolerance(values: Floats) -> float:
    """How far a guessed number may be off; a twentieth of the whole range where the middle is a single value."""
    low, high = np.quantile(values, MIDDLE)
    return CLOSE * float(high - low if high > low else values.max() - values.min())


def close(guessed: Floats, true: Floats, allowed: float) -> Flags:
    return np.asarray(np.abs(guessed - true) <= allowed * (1 + 1e-9))
