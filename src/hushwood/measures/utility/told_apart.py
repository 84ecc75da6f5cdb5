"""Telling tables apart: how well a classifier recognises released records among original ones (propensity)."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, TypedDict

import numpy as np

from hushwood.arrays import Integers
from hushwood.distances.two_samples import area_under_curve, boosted_scores, ranked_columns
from hushwood.measures.protocol import Context, Details, Measure, Measurement, NotComputable
from hushwood.measures.publishing import TWO_DECIMALS
from hushwood.tables.pairs.common_coding import record_codes
from hushwood.tables.table import Table

FOLDS = 3
FEWEST = 10  # records of each table
_PURPOSE = "told_apart"


class ToldApartDetails(TypedDict):
    """The areas under the curve."""

    area_under_curve: Annotated[float, TWO_DECIMALS]
    by_fold: Annotated[list[float], TWO_DECIMALS]
    records: int
    released_records: int
    kept_together: str


@dataclass(frozen=True, slots=True)
class ToldApart(Measure):
    """The area under the ROC curve of boosted trees that were not grown on the records they judge.

    Of larger tables a keyed sample of `most_rows` records each is judged.
    """

    most_rows: int = 20_000
    name = "told_apart"
    title = "Distinguishable from the original"
    question = "Can a classifier tell released records from original ones?"
    meaning = (
        "Given a released and an original record, a classifier tells which is which this often. 50 % is guessing: "
        "the release then looks like the original in every pattern that boosted trees can find."
    )
    side = "utility"
    unit = "share"
    better = "lower"
    bounds = (0.5, 1.0)
    declared = ToldApartDetails
    best = 0.5
    quick_settings = MappingProxyType({"most_rows": 5_000})

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Learn from two thirds of the records and judge the last third, three times."""
        if not original.columns or min(original.rows, released.rows) < FEWEST:
            return NotComputable(
                f"Each table needs {FEWEST} records and a column, to learn from some and judge the others."
            )
        before, after, people = self._chosen(original, released, context)
        areas = _areas(before, after, people, context)
        if not areas:
            return NotComputable("No part of the records has both released and original ones.")
        area = float(np.mean(areas))
        details = {
            "area_under_curve": area,
            "by_fold": areas,
            "records": before.rows,
            "released_records": after.rows,
            "kept_together": "equal records" if context.partner is None else "partners",
        }
        return Measurement(max(area, 0.5), details)

    def _chosen(
        self, original: Table, released: Table, context: Context
    ) -> tuple[Table, Table, tuple[Integers, Integers]]:
        """The records to judge, and a number for each that a record and its copy share."""
        streams = context.streams
        rows = streams.sample(_PURPOSE, "original", original.rows, self.most_rows)
        if context.partner is None:
            others = streams.sample(_PURPOSE, "released", released.rows, self.most_rows)
            before, after = original.take(rows), released.take(others)
            # A copy of a record in another fold would teach the classifier the wrong answer.
            equal = record_codes([before.columns, after.columns])
            return before, after, (equal[0], equal[1])
        partner = context.partner[rows]
        extra = np.setdiff1d(np.arange(released.rows), context.partner)
        extra = extra[streams.sample(_PURPOSE, "released", len(extra), self.most_rows)]
        people = np.concatenate((rows[partner >= 0], original.rows + extra))
        after = released.take(np.concatenate((partner[partner >= 0], extra)))
        return original.take(rows), after, (rows, people)

    def remarks(self, details: Details) -> str:
        """That the classifier was worse than guessing, if it was."""
        if details.get("area_under_curve", 0.5) >= 0.5:
            return ""
        return "The classifier did worse than guessing, which counts as guessing."


def _areas(before: Table, after: Table, people: tuple[Integers, Integers], context: Context) -> list[float]:
    """The area in every fold in which there are records of both tables."""
    is_released = np.arange(before.rows + after.rows) >= before.rows
    columns = ranked_columns([before.columns, after.columns], before.schema, is_released)
    folds = _folds(np.concatenate(people), context)
    found = []
    for fold in range(FOLDS):
        learn, judge = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        scores = boosted_scores(columns, is_released, learn, judge)
        area = area_under_curve(scores, is_released[judge])
        found += [] if area is None else [area]
    return found


def _folds(people: Integers, context: Context) -> Integers:
    """The fold of every record; all records with the same number are in one."""
    numbers, place = np.unique(people, return_inverse=True)
    fold = np.empty(len(numbers), np.int64)
    fold[context.streams.order(_PURPOSE, "folds", range(len(numbers)))] = np.arange(len(numbers)) % FOLDS
    return fold[place]
