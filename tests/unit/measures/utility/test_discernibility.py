from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.measures.protocol import Measurement, NotComputable
from hushwood.measures.utility.discernibility import Discernibility
from hushwood.tables.recoding.cells import Generalised, numeric_cells
from hushwood.tables.table import Table
from oracles import anonymity
from support.anonymity_tables import QUASI, nobody, patients, random_people, rearranged_people
from support.mixed_tables import mixed_table, plain_rows
from support.table_pairs import context_for

CANCER = ["cancer"]


def measured(
    original: Table, released: Table | None = None, k: int | None = None, **more: Any
) -> Measurement:
    released = released or original
    found = Discernibility(k).compute(original, released, context_for(original, released, **more))
    assert isinstance(found, Measurement)
    return found


def test_groups_of_three_sizes_by_hand() -> None:
    """Errata S1: a group of n costs n squared."""
    found = measured(patients([CANCER * 2, CANCER * 3, CANCER * 5]))
    assert found.value == (4 + 9 + 25) / 100
    assert found.details == {
        "quasi_identifiers": ["zip"],
        "discernibility": 38,
        "original_discernibility": 38,
        "groups": 3,
        "suppressed_records": 0,
        "dropped_records": 0,
        "c_avg": pytest.approx(10 / 3 / 2),
    }


def test_one_group_costs_most_and_single_records_least() -> None:
    assert measured(patients([CANCER * 7])).value == 1
    assert measured(patients([CANCER] * 4)).value == 1 / 4


def test_the_average_is_taken_over_the_size_that_was_asked_for() -> None:
    assert measured(patients([CANCER * 2, CANCER * 6]), k=2).details["c_avg"] == 2
    assert measured(patients([CANCER * 2, CANCER * 6]), k=4).details["c_avg"] == 1


def withheld(texts: list[str]) -> tuple[Table, Table, dict[str, Generalised]]:
    original = patients([CANCER] * len(texts))
    cells = numeric_cells(pl.Series(texts), 0, len(texts))
    released = original.with_columns({"zip": cells.values})
    return original, released, {"zip": Generalised(cells.suppressed, cells.low, cells.high)}


def test_a_suppressed_record_costs_the_whole_table() -> None:
    """Two suppressed of five cost five each, the pair four and the single one one."""
    original, released, read = withheld(["*", "1-2", "1-2", "*", "4"])
    found = measured(original, released, generalised=read)
    assert found.details["discernibility"] == 2 * 5 + 4 + 1
    assert (found.details["groups"], found.details["suppressed_records"]) == (2, 2)
    assert found.value == 15 / 25


def test_a_table_of_suppressed_records() -> None:
    original, released, read = withheld(["*", "*"])
    found = measured(original, released, generalised=read)
    assert (found.value, found.details["c_avg"]) == (1, None)


def test_dropped_records_cost_the_whole_table() -> None:
    original = patients([CANCER] * 4)
    released = original.take(np.array([3, 1]))
    partner = np.array([-1, 1, -1, 0])
    for found in (measured(original, released, partner=partner), measured(original, released, paired=False)):
        assert found.details["discernibility"] == 1 + 1 + 2 * 4
        assert found.value == 10 / 16


def test_a_longer_release_is_judged_by_its_own_length() -> None:
    longer = patients([CANCER] * 4)
    assert measured(longer.take(np.array([0])), longer, paired=False).value == 1 / 4


def test_only_the_value_if_only_that_is_wanted() -> None:
    assert measured(patients([CANCER] * 2), value_only=True) == Measurement(0.5)


def test_no_quasi_identifiers_and_no_records() -> None:
    for table in (mixed_table(0, 5), nobody()):
        assert isinstance(Discernibility().compute(table, table, context_for(table, table)), NotComputable)


@given(st.integers(0, 50), st.integers(1, 80))
def test_it_is_the_oracles(seed: int, rows: int) -> None:
    table = random_people(seed, rows)
    found = measured(table)
    assert found.details["discernibility"] == anonymity.discernibility(plain_rows(table), QUASI)
    assert found.value == found.details["discernibility"] / rows**2


@given(rearranged_people())
def test_order_shift_scale_and_sign_do_not_matter(pair: tuple[Table, Table]) -> None:
    table, moved = pair
    assert measured(table).value == measured(moved).value
