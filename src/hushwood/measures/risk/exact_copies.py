"""Exact copies: unique numbers, unique pairs of values and whole records of the original that stand in the release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

import numpy as np

from hushwood.arrays import Array, Floats, Integers
from hushwood.detail_tables import DetailTable
from hushwood.measures.protocol import Context, Details, Measure, Measurement, NotComputable
from hushwood.measures.publishing import PUBLIC, SAFE_COUNT, SMALL, TWO_DECIMALS, percent, share_of
from hushwood.parameters import AtLeast, Checked
from hushwood.random_streams import Streams
from hushwood.tables.pairs.common_coding import (
    column_pairs,
    occurrences,
    pair_codes,
    record_codes,
    value_codes,
)
from hushwood.tables.table import Table

# Fewer pairs of columns are looked at in tables of more than some 200,000 records, to bound the cost.
MOST_CELLS = 12_000_000


class CopiedColumn(TypedDict):
    """The unique numbers of one column."""

    column: Annotated[str, PUBLIC]
    numbers: Annotated[int, SAFE_COUNT]
    copied: Annotated[int, SAFE_COUNT]
    share: Annotated[float, share_of("numbers")]


class CopyDetails(TypedDict):
    """Unique numbers, whole records and unique pairs of values, and how many stand in the release."""

    numbers: Annotated[int, SAFE_COUNT]
    copied: Annotated[int, SAFE_COUNT]
    released_records: Annotated[int, SAFE_COUNT]
    copied_records: Annotated[int, SAFE_COUNT]
    pairs: Annotated[int, SAFE_COUNT]
    copied_pairs: Annotated[int, SAFE_COUNT]
    columns: Annotated[list[CopiedColumn], PUBLIC]
    records_share: Annotated[float, share_of("released_records")]
    pairs_share: Annotated[float, share_of("pairs")]
    pairs_by_chance: Annotated[float, TWO_DECIMALS]
    column_pairs: Annotated[int, PUBLIC]
    all_column_pairs: Annotated[int, PUBLIC]


@dataclass(frozen=True, slots=True)
class ExactCopies(Measure, Checked):
    """The share of the original's unique numbers that the release contains, in the same column and exactly.

    A number is unique if fewer than five records share it. Pairs of values are looked up in at most `most_pairs`
    pairs of columns.
    """

    most_pairs: Annotated[int, AtLeast(0)] = 60
    name = "exact_copies"
    title = "Unique numbers copied"
    question = "How many of the original's unique numbers does the release contain exactly?"
    meaning = (
        "Of the numbers that fewer than five people share, this share stands in the release, in the same column and to "
        "the last digit. An intruder who knows such a number can look the person up. Random draws hit some numbers, "
        "too: compare with pure noise."
    )
    side = "risk"
    unit = "share"
    better = "lower"
    bounds = (0.0, 1.0)
    declared = CopyDetails
    judged_on = "records"

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Look every unique number up in its column of the release; 0 if no number is unique."""
        if not original.rows or not released.rows or not original.columns:
            return NotComputable("There are no records to compare.")
        codes = {
            name: value_codes([values, released.columns[name]]) for name, values in original.columns.items()
        }
        columns = [
            {"column": name, **_numbers(values, *codes[name])}
            for name, values in original.columns.items()
            if values.dtype.kind == "f"
        ]
        numbers, copied = (sum(column[key] for column in columns) for key in ("numbers", "copied"))
        value = copied / numbers if numbers else 0.0
        if context.value_only:
            return Measurement(value)
        whole = _copied_records(original, released)
        details = {
            "numbers": numbers,
            "copied": copied,
            "columns": columns,
            "released_records": released.rows,
            "copied_records": whole,
            "records_share": whole / released.rows,
            **self._pairs(list(codes.values()), context.streams),
        }
        return Measurement(value, details)

    def _pairs(self, codes: list[list[Integers]], streams: Streams) -> dict[str, Any]:
        """How many pairs of values that one original record has stand in the release, and how many would by chance.

        By chance: if every released column kept its values but was shuffled on its own.
        """
        rows = len(codes[0][0])
        most = min(self.most_pairs, max(MOST_CELLS // max(rows, 1), 1))
        looked_at = column_pairs(len(codes), most, streams, "exact_copies")
        unique = copied = 0
        expected = 0.0
        for one, other in looked_at:
            before, after = pair_codes(codes[one], codes[other])
            alone = occurrences(before, before) == 1
            unique += int(alone.sum())
            copied += int((occurrences(before[alone], after) > 0).sum())
            counts = [occurrences(codes[c][0][alone], codes[c][1]) for c in (one, other)]
            expected += float(_meeting(counts[0], counts[1], len(after)).sum())
        return {
            "column_pairs": len(looked_at),
            "all_column_pairs": len(codes) * (len(codes) - 1) // 2,
            "pairs": unique,
            "copied_pairs": copied,
            "pairs_share": copied / unique if unique else 0.0,
            "pairs_by_chance": expected / unique if unique else 0.0,
        }

    def tables(self, details: Details) -> tuple[DetailTable, ...]:
        """Unique numbers by column, and what else was copied exactly."""
        if "columns" not in details:
            return ()
        rows = sorted(details["columns"], key=lambda column: -(column["share"] or 0.0))
        numbers = DetailTable.of(
            "Unique numbers copied, by column",
            f"Numbers that fewer than {SMALL} original records share, and how many of them the release contains.",
            {"Column": "text", "unique numbers": "count", "copied": "count", "share": "share"},
            ((row["column"], row["numbers"], row["copied"], row["share"]) for row in rows),
        )
        whole = (details["released_records"], details["copied_records"], details["records_share"], None)
        pairs = (
            details["pairs"],
            details["copied_pairs"],
            details["pairs_share"],
            details["pairs_by_chance"],
        )
        others = DetailTable.of(
            "Records and pairs of values copied",
            "Released records that equal an original one in all columns, and pairs of values in two columns that only "
            f"one original record has, in {details['column_pairs']} of {details['all_column_pairs']} pairs of columns. "
            "By chance is the share if every released column were shuffled on its own.",
            {"What": "text", "looked at": "count", "copied": "count", "share": "share", "by chance": "share"},
            (("whole records", *whole), ("unique pairs of values", *pairs)),
        )
        return (numbers, others) if rows else (others,)

    def remarks(self, details: Details) -> str:
        """Whole records and pairs of values, in a sentence."""
        if "records_share" not in details:
            return ""
        none = "" if details["numbers"] else f"No number is shared by fewer than {SMALL} original records. "
        return (
            f"{none}{percent(details['records_share'])} of the released records equal an original one in all "
            f"columns; {percent(details['pairs_share'])} of the pairs of values that only one record has stand in "
            f"the release, {percent(details['pairs_by_chance'])} would by chance."
        )


def _numbers(values: Array, before: Integers, after: Integers) -> dict[str, Any]:
    """The numbers of a column that few records share, and how many of them the release has."""
    numbers, first, counts = np.unique(before, return_index=True, return_counts=True)
    few = (counts < SMALL) & ~np.isnan(values[first])
    copied = int((occurrences(numbers[few], after) > 0).sum())
    unique = int(few.sum())
    return {"numbers": unique, "copied": copied, "share": copied / unique if unique else 0.0}


def _meeting(one: Integers, other: Integers, rows: int) -> Floats:
    """The chance that two values with these counts meet in some row if their columns are shuffled."""
    from scipy.special import gammaln

    apart = np.maximum(rows - one - other, 0) + 1
    never = gammaln(rows - one + 1) + gammaln(rows - other + 1) - gammaln(rows + 1) - gammaln(apart)
    return np.where(one + other > rows, 1.0, -np.expm1(np.minimum(never, 0.0)))


def _copied_records(original: Table, released: Table) -> int:
    before, after = record_codes([original.columns, released.columns])
    return int((occurrences(after, before) > 0).sum())
