from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from hushwood.measures.protocol import NotComputable
from hushwood.measures.risk.k_anonymity import KAnonymity
from hushwood.tables.recoding.cells import Generalised, numeric_cells
from hushwood.tables.table import Table
from oracles import anonymity
from support.anonymity_tables import QUASI, nobody, patients, random_people, rearranged_people
from support.mixed_tables import mixed_table, plain_rows
from support.table_pairs import context_for, measuring

CANCER = ["cancer"]
measured = measuring(KAnonymity)


def test_groups_of_three_sizes_by_hand() -> None:
    found = measured(patients([CANCER * 2, CANCER * 4, CANCER * 12]))
    assert found.value == 2
    assert found.details == {
        "quasi_identifiers": ["zip"],
        "groups": 3,
        "average_group": 6.0,
        "records_below": {"2": 0, "3": 2, "5": 6, "10": 6},
        "group_sizes": found.details["group_sizes"],
        "original_k": 2,
    }
    held = [row for row in found.details["group_sizes"] if row["groups"]]
    assert held == [
        {"from": 2, "to": 2, "groups": 1, "records": 2},
        {"from": 4, "to": 4, "groups": 1, "records": 4},
        {"from": 10, "to": 19, "groups": 1, "records": 12},
    ]


def test_the_last_row_of_sizes_has_no_end() -> None:
    rows = measured(patients([CANCER * 1000])).details["group_sizes"]
    assert rows[-1] == {"from": 1000, "to": None, "groups": 1, "records": 1000}
    assert sum(row["records"] for row in rows) == 1000


def test_the_release_is_judged_and_the_original_named() -> None:
    original = patients([CANCER, CANCER, CANCER * 2])
    released = original.with_columns({"zip": np.zeros(4)})
    found = measured(original, released)
    assert (found.value, found.details["original_k"]) == (4, 1)


def test_generalised_cells_make_groups() -> None:
    original = patients([CANCER, CANCER, CANCER, CANCER])
    cells = numeric_cells(pl.Series(["0-1", "0-1", "*", "0-4"]), 0, 4)
    released = original.with_columns({"zip": cells.values})
    read = {"zip": Generalised(cells.suppressed, cells.low, cells.high)}
    assert measured(original, released, generalised=read).value == 2


def test_every_record_gets_its_group_size() -> None:
    original = patients([CANCER, CANCER * 2])
    released = original.take(np.array([2, 1]))
    found = measured(original, released, partner=np.array([-1, 1, 0]))
    np.testing.assert_array_equal(found.records["group_size"], [np.nan, 2, 2])
    assert measured(original, paired=False).records == {}


def test_only_the_value_if_only_that_is_wanted() -> None:
    found = measured(patients([CANCER * 3]), value_only=True)
    assert (found.value, found.details, found.records) == (3, {}, {})


def test_without_quasi_identifiers_there_is_no_answer() -> None:
    table = mixed_table(0, 5)
    found = KAnonymity().compute(table, table, context_for(table, table))
    assert found == NotComputable("No quasi-identifiers are declared; name them with --quasi-identifier.")


def test_no_records_or_an_empty_original() -> None:
    table, empty = random_people(0, 5), nobody()
    assert isinstance(KAnonymity().compute(table, empty, context_for(table, empty)), NotComputable)
    assert measured(empty, table, paired=False).details["original_k"] is None


@given(st.integers(0, 50), st.integers(1, 80))
def test_it_is_the_oracles_k(seed: int, rows: int) -> None:
    table = random_people(seed, rows)
    found = measured(table)
    assert found.value == anonymity.k(plain_rows(table), QUASI)
    sizes = [len(group) for group in anonymity.groups(plain_rows(table), QUASI)]
    assert found.details["records_below"] == {str(k): sum(s for s in sizes if s < k) for k in (2, 3, 5, 10)}


@given(rearranged_people())
def test_order_shift_scale_and_sign_do_not_matter(pair: tuple[Table, Table]) -> None:
    table, moved = pair
    assert measured(table).value == measured(moved).value
