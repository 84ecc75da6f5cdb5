from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.measures.protocol import Measurement, NotComputable
from hushwood.measures.risk.l_diversity import LDiversity
from hushwood.tables.table import Table
from oracles import anonymity
from support.anonymity_tables import (
    DISEASES,
    QUASI,
    nobody,
    patients,
    random_people,
    rearranged_people,
    salaries,
)
from support.mixed_tables import mixed_table, plain_rows
from support.table_pairs import context_for

CANCER, HEART, VIRAL = DISEASES


def measured(table: Table, c: float = 3.0, **more: Any) -> Measurement:
    found = LDiversity(c).compute(table, table, context_for(table, table, **more))
    assert isinstance(found, Measurement)
    return found


def test_the_papers_three_diverse_patients() -> None:
    """Machanavajjhala et al. 2007, figure 3: each group holds two of one disease and one of each other."""
    table = patients(
        [[HEART, VIRAL, CANCER, CANCER], [CANCER, HEART, VIRAL, VIRAL], [HEART, VIRAL, CANCER, CANCER]]
    )
    found = measured(table)
    assert found.value == 2
    (row,) = found.details["attributes"]
    assert row == {
        "name": "disease",
        "distinct": 3,
        "entropy": pytest.approx(2**1.5),
        "recursive": 3,
        "strong": 2.0,
        "groups_with_one_value": 0,
        "records_with_one_value": 0,
    }


@pytest.mark.parametrize(("c", "expected"), [(3.0, 3), (2.0, 2), (1.0, 1), (0.5, 0)])
def test_recursive_diversity_by_hand(c: float, expected: int) -> None:
    """Counts 2, 1, 1: the tails from L = 1, 2, 3 on are 4, 2, 1, and 2 must be less than c times the tail."""
    found = measured(patients([[HEART, VIRAL, CANCER, CANCER]]), c)
    assert found.details["attributes"][0]["recursive"] == expected
    assert found.details["c"] == c


def test_the_papers_four_anonymous_patients_are_not_diverse() -> None:
    """The same paper, figure 2: all of the third group have cancer."""
    table = patients([[HEART, HEART, VIRAL, VIRAL], [CANCER, HEART, VIRAL, VIRAL], [CANCER] * 4])
    found = measured(table)
    assert found.value == 1
    row = found.details["attributes"][0]
    assert (row["distinct"], row["entropy"], row["recursive"], row["strong"]) == (1, 1.0, 1, 1.0)
    assert (row["groups_with_one_value"], row["records_with_one_value"]) == (1, 4)


def test_confidential_numbers_are_told_apart_as_released() -> None:
    found = measured(salaries([[3, 4, 5], [6, 6, 8]]))
    assert found.value == 1.5
    assert [row["name"] for row in found.details["attributes"]] == ["salary"]


def test_several_sensitive_attributes_give_the_worst() -> None:
    table = random_people(3, 60, ["price", "void", "nothing"])
    found = measured(table)
    assert found.value == min(row["strong"] for row in found.details["attributes"]) == 1


def test_missing_is_a_value() -> None:
    table = patients([[CANCER, CANCER, HEART]])
    gap = table.with_columns({"disease": np.array([-1, 0, 0], np.int32)})
    assert measured(gap).details["attributes"][0]["distinct"] == 2


def test_only_the_value_if_only_that_is_wanted() -> None:
    table = patients([[CANCER, HEART]])
    assert measured(table, value_only=True) == Measurement(2.0)


def test_no_quasi_identifiers_and_no_records() -> None:
    for table in (mixed_table(0, 5), nobody()):
        assert isinstance(LDiversity().compute(table, table, context_for(table, table)), NotComputable)


@given(st.integers(0, 50), st.integers(1, 80), st.sampled_from(["risk", "price", "job"]))
def test_it_is_the_oracles(seed: int, rows: int, name: str) -> None:
    confidential = [] if name == "risk" else [name]
    table = random_people(seed, rows, confidential)
    quasi = [q for q in QUASI if q != name]
    groups = [[row[name] for row in group] for group in anonymity.groups(plain_rows(table), quasi)]
    for c in (1.0, 3.0):
        row = measured(table, c).details["attributes"][0]
        assert row["distinct"] == min(map(anonymity.distinct, groups))
        assert row["entropy"] == pytest.approx(min(map(anonymity.entropy, groups)))
        assert row["strong"] == pytest.approx(min(map(anonymity.strong, groups)))
        assert row["recursive"] == min(anonymity.recursive(group, c) for group in groups)


@given(st.integers(0, 50))
def test_the_readings_are_in_their_known_order(seed: int) -> None:
    """Strong L is at most entropy L, which is at most distinct L."""
    row = measured(random_people(seed, 60)).details["attributes"][0]
    assert 1 <= row["strong"] <= row["entropy"] + 1e-9
    assert row["entropy"] <= row["distinct"] + 1e-9


@given(rearranged_people(["price"]))
def test_order_shift_scale_and_sign_do_not_matter(pair: tuple[Table, Table]) -> None:
    table, moved = pair
    assert measured(table).value == measured(moved).value
