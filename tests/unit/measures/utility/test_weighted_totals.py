"""Sums of survey weights before and after."""

from __future__ import annotations

import polars as pl

from hushwood.measures.protocol import Measurement, NotComputable
from hushwood.measures.utility.weighted_totals import WeightedTotals
from hushwood.tables.reading import read_table
from hushwood.tables.table import Table
from support.table_pairs import context_for

TOWNS = ["a", "a", "b", "b"]


def people(weights: list[float], towns: list[str] = TOWNS, weight: str | None = "w") -> Table:
    return read_table(pl.DataFrame({"town": towns, "age": [1, 2, 3, 4], "w": weights}), weight=weight)


def measured(before: Table, after: Table) -> Measurement | NotComputable:
    return WeightedTotals().compute(before, after, context_for(before, after))


def test_a_release_of_the_same_weights_moves_nothing() -> None:
    found = measured(people([1.0, 2.0, 3.0, 4.0]), people([1.0, 2.0, 3.0, 4.0]))
    assert isinstance(found, Measurement)
    assert found.value == 0.0


def test_weights_that_change_places_keep_the_sum_and_move_the_towns() -> None:
    """Town a has 3 of 10 before and 7 after, town b 7 and 3."""
    found = measured(people([1.0, 2.0, 3.0, 4.0]), people([3.0, 4.0, 1.0, 2.0]))
    assert isinstance(found, Measurement)
    assert found.value == 4 / 3
    assert found.details["whole"]["change"] == 0.0
    assert [row["value"] for row in found.details["rows"]] == ["", "a", "b"]
    assert (
        WeightedTotals().remarks(found.details) == "The sum of all weights changed by 0\N{NO-BREAK SPACE}%."
    )
    assert WeightedTotals().publishable_details(found.details) == {"whole": {"change": 0.0}}
    (table,) = WeightedTotals().tables(found.details)
    assert len(table.rows) == 3


def test_a_weight_that_is_lost_counts() -> None:
    found = measured(people([1.0, 2.0, 3.0, 4.0]), people([1.0, 2.0, 3.0, 0.0]))
    assert isinstance(found, Measurement)
    assert found.details["whole"]["change"] == 0.4
    assert found.value == 4 / 7


def test_small_totals_are_not_asked() -> None:
    found = measured(people([0.1, 0.1, 3.0, 4.0]), people([0.2, 0.2, 3.0, 4.0]))
    assert isinstance(found, Measurement)
    assert [row["value"] for row in found.details["rows"]] == ["", "b"]


def test_without_a_weight_there_is_no_total() -> None:
    plain = people([1.0, 2.0, 3.0, 4.0], weight=None)
    assert isinstance(measured(plain, plain), NotComputable)
