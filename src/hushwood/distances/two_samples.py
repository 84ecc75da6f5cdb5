"""A classifier that tells the rows of several tables apart, and how well scores separate two groups.

It works on columns whose unit and sign make no difference. Scores separate by the area under the ROC curve, and by the
share that is recognised while few others are mistaken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Array, Flags, Floats, Integers, one_thread
from hushwood.tables.schema import Schema

MOST_CATEGORIES = (
    254  # with one more for missing ones, scikit-learn's limit; columns of more count as numbers
)
ROUNDS = 60
SMALLEST_LEAF = 20


@dataclass(frozen=True, slots=True)
class RankedColumns:
    """The rows of several tables under each other: ranks of numbers and codes of categories, as [row, column]."""

    matrix: Floats
    categorical: tuple[bool, ...]


def ranked_columns(parts: Sequence[Mapping[str, Array]], schema: Schema, higher: Flags) -> RankedColumns:
    """Numbers as their ranks among all rows, counted from the end that gives the rows in `higher` the higher ranks.

    A column and its negative therefore come out the same. A missing number ranks below all others; a missing category
    is a category.
    """
    names = list(parts[0])
    matrix = np.empty((len(higher), len(names)))
    for place, name in enumerate(names):
        values = np.concatenate([part[name] for part in parts])
        matrix[:, place] = _ranks(values, higher) if values.dtype.kind == "f" else values + 1
    categorical = (
        schema[name].kind == "categorical" and len(schema[name].categories) <= MOST_CATEGORIES
        for name in names
    )
    return RankedColumns(matrix, tuple(categorical))


def _ranks(values: Array, higher: Flags) -> Integers:
    known = ~np.isnan(values)
    distinct, place = np.unique(values[known], return_inverse=True)
    some, others = place[higher[known]], place[~higher[known]]
    # Whole numbers, so that a column and its negative differ in nothing but the sign.
    if int(some.sum()) * len(others) < int(others.sum()) * len(some):
        place = len(distinct) - 1 - place
    ranks = np.full(len(values), -1)
    ranks[known] = place
    return ranks


def boosted_scores(
    columns: RankedColumns,
    labels: Flags,
    learn: Integers,
    judge: Integers,
    *,
    balanced: bool = False,
) -> Floats:
    """How strongly boosted trees, grown on some rows, take others for labelled ones (log-odds).

    With `balanced` both labels weigh the same, however many rows have them. Without two labels nothing is learnt, and
    all scores are equal.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier

    if len(np.unique(labels[learn])) < 2:
        return np.zeros(len(judge))
    # Without early stopping and with all rows binned, nothing is drawn at random; the seed is only a formality.
    model = HistGradientBoostingClassifier(
        max_iter=ROUNDS,
        min_samples_leaf=SMALLEST_LEAF,
        early_stopping=False,
        categorical_features=list(columns.categorical),
        class_weight="balanced" if balanced else None,
        random_state=0,
    )
    # On tables of this size several threads only wait for each other.
    with one_thread():
        model.fit(columns.matrix[learn], labels[learn])
        return np.asarray(model.decision_function(columns.matrix[judge]), np.float64)


def area_under_curve(score: Floats, inside: Flags) -> float | None:
    """The chance that one of the group scores above one of the others, ties counting half; None if a group is empty.

    >>> area_under_curve(np.array([3.0, 1.0, 2.0]), np.array([True, True, False]))
    0.5
    """
    from scipy.stats import rankdata

    members = int(np.count_nonzero(inside))
    others = len(inside) - members
    if members == 0 or others == 0:
        return None
    above = float(rankdata(score)[inside].sum()) - members * (members + 1) / 2
    return above / (members * others)


def found_at(score: Floats, inside: Flags, mistaken: float) -> float | None:
    """The share of the group above the lowest limit that at most the share `mistaken` of the others reaches.

    Everybody with the same score is on the same side of the limit, so ties never help. None if a group is empty.

    >>> found_at(np.array([3.0, 2.0, 1.0, 1.0]), np.array([True, False, True, False]), 0.01)
    0.5
    """
    members, others = score[inside], np.sort(score[~inside])
    if len(members) == 0 or len(others) == 0:
        return None
    allowed = int(np.floor(mistaken * len(others) + 1e-9))
    if allowed == len(others):
        return 1.0
    # The best of those who must not be mistaken is excluded, and with it everybody who scores the same.
    return float((members > others[len(others) - allowed - 1]).mean())
