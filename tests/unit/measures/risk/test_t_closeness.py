from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.measures.groups import counts_within
from hushwood.measures.protocol import Measurement, NotComputable
from hushwood.measures.risk.t_closeness import TCloseness, equal_distances, ordered_distances
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
from support.table_pairs import context_for, measuring

CANCER, HEART, VIRAL = DISEASES
measured = measuring(TCloseness)


def test_the_papers_salaries() -> None:
    """Li, Li and Venkatasubramanian 2007, section 4.2: 0.375 for the group of 3k, 4k, 5k, and 0.167 for the other."""
    groups = [[3, 4, 5], [6, 11, 8], [7, 9, 10]]
    found = measured(salaries(groups))
    assert found.value == pytest.approx(0.375)
    counts = counts_within(np.repeat(range(3), 3), np.array(groups).reshape(-1) - 3)
    assert ordered_distances(counts)[:2] == pytest.approx([0.375, 1 / 6])
    (row,) = found.details["attributes"]
    assert (row["name"], row["distance"], row["largest"]) == ("salary", "ordered", found.value)
    assert row["records_above"] == {"0.1": 9, "0.2": 6, "0.3": 3}


def test_two_diseases_by_hand() -> None:
    """Half of the table has cancer; a group without it is 1/2 away, and so is one with nothing else."""
    found = measured(patients([[CANCER, CANCER], [HEART, HEART]]))
    assert found.value == 0.5
    assert found.details["attributes"][0]["distance"] == "equal"
    assert found.details["attributes"][0]["mean"] == 0.5


def test_a_group_at_a_limit_is_not_above_it() -> None:
    """Of ten people in every group 2, 3 and 4 have cancer, in the table 3 of 10: two groups are at exactly 0.1, which
    sums of shares miss by a bit."""
    groups = [[CANCER] * ill + [HEART] * (10 - ill) for ill in (2, 3, 4)]
    (row,) = measured(patients(groups)).details["attributes"]
    assert row["largest"] == pytest.approx(0.1)
    assert row["records_above"] == {"0.1": 0, "0.2": 0, "0.3": 0}
    (row,) = measured(patients([*groups, [CANCER] * 7 + [HEART] * 3])).details["attributes"]
    assert row["records_above"] == {"0.1": 20, "0.2": 10, "0.3": 0}


def test_groups_like_the_whole_are_at_distance_nothing() -> None:
    assert measured(patients([[CANCER, HEART, VIRAL]] * 4)).value == pytest.approx(0, abs=1e-15)
    assert measured(salaries([[1, 5, 9]] * 4)).value == pytest.approx(0, abs=1e-15)
    assert measured(salaries([[5, 5], [5]])).value == 0


def test_the_ends_of_an_order_are_farther_apart_than_neighbours() -> None:
    assert measured(salaries([[1] * 9, [2, 9]])).value > measured(salaries([[1] * 9, [1, 2]])).value


def test_missing_numbers_have_no_place_and_missing_categories_are_a_value() -> None:
    table = salaries([[1, 2], [1, 2], [1, 2]])
    gaps = table.with_columns({"salary": np.array([1, 2, np.nan, np.nan, 1, 2])})
    found = measured(gaps)
    assert (found.value, found.details["attributes"][0]["missing"]) == (0, 2)
    nothing = table.with_columns({"salary": np.full(6, np.nan)})
    assert measured(nothing).value == 0
    codes = patients([[CANCER, CANCER], [CANCER, CANCER]])
    assert measured(codes.with_columns({"disease": np.array([-1, -1, 0, 0], np.int32)})).value == 0.5


def test_only_the_value_if_only_that_is_wanted() -> None:
    table = patients([[CANCER], [HEART]])
    assert measured(table, value_only=True) == Measurement(0.5)


def test_no_quasi_identifiers_and_no_records() -> None:
    for table in (mixed_table(0, 5), nobody()):
        assert isinstance(TCloseness().compute(table, table, context_for(table, table)), NotComputable)


@given(st.integers(0, 50), st.integers(1, 80), st.sampled_from(["risk", "price", "job"]))
def test_it_is_the_oracles(seed: int, rows: int, name: str) -> None:
    table = random_people(seed, rows, [] if name == "risk" else [name])
    records, quasi = plain_rows(table), [q for q in QUASI if q != name]
    known = [row for row in records if name != "price" or row[name] is not None]
    whole = [row[name] for row in known]
    groups = [[row[name] for row in group] for group in anonymity.groups(known, quasi)]
    if name == "price":
        expected = [
            anonymity.ordered_distance([float(str(v)) for v in g], [float(str(v)) for v in whole])
            for g in groups
        ]
    else:
        expected = [anonymity.equal_distance(g, whole) for g in groups]
    assert measured(table).value == pytest.approx(max(expected, default=0.0), abs=1e-12)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 9)), min_size=1))
def test_every_groups_distances_are_the_oracles(pairs: list[tuple[int, int]]) -> None:
    values = sorted({v for _, v in pairs})
    coded = [(g, values.index(v)) for g, v in pairs]
    counts = counts_within(np.array([g for g, _ in coded]), np.array([v for _, v in coded]))
    groups = [[v for g, v in coded if g == group] for group in sorted({g for g, _ in coded})]
    whole = [v for _, v in coded]
    ordered = [anonymity.ordered_distance(g, whole) for g in groups]
    equal = [anonymity.equal_distance(g, whole) for g in groups]
    assert ordered_distances(counts) == pytest.approx(ordered, abs=1e-12)
    assert equal_distances(counts) == pytest.approx(equal, abs=1e-12)


@given(rearranged_people(["price"]))
def test_order_shift_scale_and_sign_do_not_matter(pair: tuple[Table, Table]) -> None:
    table, moved = pair
    assert measured(table).value == pytest.approx(measured(moved).value, abs=1e-12)


def test_categories_in_order_are_as_far_apart_as_their_places() -> None:
    """Two groups at the ends of three levels: half as far as the whole, instead of all equal."""
    table = patients([[CANCER] * 2, [VIRAL] * 2, [HEART] * 2])
    plain = table.schema["disease"]
    ordered = table.with_columns({}, table.schema.with_attribute(replace(plain, ordered=True)))
    assert measured(table).value == pytest.approx(2 / 3)
    assert measured(ordered).value == pytest.approx(1 / 2)
    assert measured(ordered).details["attributes"][0]["distance"] == "ordered"
