"""Extremes: whether the release gives away the largest and smallest numbers, of people who stand far out.

An intruder who has nothing but the release guesses the first, second, third and fifth number from either end of every
column. The original only says which of them stand out, and which guesses are right.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import floor
from typing import Any

import numpy as np

from hushwood.arrays import Codes, Floats
from hushwood.detail_tables import DetailTable
from hushwood.measures.columns.column_tallies import CLOSE, ENDS, PLACES, End, Outermost
from hushwood.measures.protocol import Context, Details, Mark, Measure, Measurement
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table

BEYOND = (5, 10, 20, 50, 100, 200, 500)  # numbers that may be even up to an end
KEPT = max(BEYOND) + max(PLACES)
LEAST_PEOPLE = 10  # above an advised top code


@dataclass(frozen=True, slots=True)
class Extremes(Measure):
    """The share of the numbers far out in a column that are found within a twentieth of their distance."""

    name = "extremes"
    title = "Largest and smallest numbers found"
    question = "Can the largest and smallest numbers be worked out from the release?"
    meaning = (
        "Of the numbers that stand far out in the worst column, this share is found within a twentieth of their "
        "distance from the others, by someone who has nothing but the release."
    )
    side = "risk"
    unit = "share"
    better = "lower"
    bounds = (0.0, 1.0)
    marked = False
    judged_on = "records"

    of_pairs = False

    def tally(self, schema: Schema) -> Ends:
        """The ends of all numeric columns."""
        numeric = [a for a in schema.kept if a.kind == "numeric"]
        before, after = ({a.name: Outermost.of(a, KEPT) for a in numeric} for _ in range(2))
        return Ends(before, after)

    def compute(self, original: Table, released: Table, context: Context) -> Measurement:
        """Look at the ends of all columns; 0 if no number stands out."""
        ends = self.tally(original.schema)
        ends.add(original, released)
        return ends.finish()

    def tone(self, details: Details) -> Mark | None:
        """One number found is one too many."""
        found = sum(column["found"] for column in details.get("columns", ()))
        return None if "columns" not in details else "bad" if found else "good"

    def advises(self, details: Details) -> Mapping[str, Mapping[str, str]]:
        """Top or bottom codes for the columns in which a number was found."""
        codes: dict[str, dict[str, str]] = {"top_code": {}, "bottom_code": {}}
        for column in details.get("columns", ()):
            if column["found"]:
                above = max(min(99, floor(100 * (1 - LEAST_PEOPLE / column["known"]))), 1)
                top = column["end"] == "largest"
                limit = above if top else 100 - above
                codes["top_code" if top else "bottom_code"][column["column"]] = f"{limit}%"
        return {option: limits for option, limits in codes.items() if limits}

    def tables(self, details: Details) -> tuple[DetailTable, ...]:
        """The ends in which a number stands out."""
        rows = [column for column in details.get("columns", ()) if column["standing_out"]]
        if not rows:
            return ()
        return (
            DetailTable.of(
                "Numbers far out",
                "Of the first, second, third and fifth number from an end, those that stand out and those found within "
                f"{CLOSE:.0%} of their distance from the others; the error of the best guess is a share of it, too.",
                {
                    "Column": "text",
                    "end": "text",
                    "stand out": "count",
                    "found": "count",
                    "best guess off by": "share",
                },
                ((c["column"], c["end"], c["standing_out"], c["found"], c["error"]) for c in rows),
            ),
        )


@dataclass(slots=True)
class Ends:
    """The outermost numbers of every column before and after, and how many there are."""

    before: dict[str, Outermost]
    after: dict[str, Outermost]

    def add(self, original: Table, released: Table, segment_ids: Codes | None = None) -> None:
        """Count more records."""
        for name, ends in self.before.items():
            ends.add(original.columns[name])
            self.after[name].add(released.columns[name])

    def merge(self, other: Ends) -> None:
        """Add the records of another tally."""
        for name, ends in self.before.items():
            ends.merge(other.before[name])
            self.after[name].merge(other.after[name])

    def finish(self) -> Measurement:
        """The share found in the worst column, with every end in the details."""
        columns = [self._end(name, end) for name in self.before for end in ENDS]
        shares = [
            sum(c["found"] for c in both) / sum(c["standing_out"] for c in both)
            for both in zip(columns[::2], columns[1::2], strict=True)
            if any(c["standing_out"] for c in both)
        ]
        return Measurement(max(shares, default=0.0), {"columns": columns})

    def _end(self, name: str, end: End) -> dict[str, Any]:
        # Of the smallest numbers, those with their signs changed are the largest.
        true, seen = self.before[name], self.after[name].from_end(end)
        far = list(true.standing_out(end))
        errors = [error_of(seen, place, number, distance) for place, number, distance in far]
        return {
            "column": name,
            "end": end,
            "known": true.known,
            "standing_out": len(far),
            "found": sum(error <= CLOSE for error in errors),
            "error": min(*errors, 1.0) if errors else None,
        }


def guesses(released: Floats, place: int) -> Floats:
    """What an intruder takes for the number at a place from the end, given released numbers in descending order.

    The released number at that place, as it is and carried on by its distance from the next; and for 5, 10, ... numbers
    that are even between the one below them and an end, that end: the maximum of m lies m / (m + 1) of the way.

    >>> guesses(np.arange(60.0, 0.0, -1.0), 1).tolist()
    [60.0, 61.0, 61.0, 61.0, 61.0, 61.0]
    """
    own = released[place - 1 : place]
    below = released[place : place + 1]
    beyond = np.array([m for m in BEYOND if place - 1 + m < len(released)], np.int64)
    base = released[place - 1 + beyond]
    even = base + (own - base) * (beyond + 1) / beyond if len(own) else np.empty(0)
    return np.concatenate([own, 2 * own - below if len(below) else below, even])


def error_of(released: Floats, place: int, true: float, distance: float) -> float:
    """The error of the best guess, as a share of the distance; infinite without any guess."""
    return float(np.min(np.abs(guesses(released, place) - true), initial=np.inf)) / distance
