"""Tables from different hands in one coding."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.tables.pairs.common_coding import (
    Common,
    column_pairs,
    in_common,
    occurrences,
    pair_codes,
    record_codes,
    value_codes,
    without_carried,
)
from hushwood.tables.reading import read_table
from hushwood.tables.table import Table
from support.mixed_tables import mixed_table, plain_rows

PEOPLE = pl.DataFrame(
    {
        "name": ["Ann", "Bo", "Cy", "Di"],
        "age": [20, 30, 40, 50],
        "job": ["a", "b", "a", None],
        "smokes": [True, False, None, True],
        "ill": ["no", "yes", "no", "yes"],
    }
)


def people() -> Table:
    return read_table(PEOPLE, target="ill", roles={"name": "identifier"})


def common(released: pl.DataFrame, holdout: pl.DataFrame | None = None) -> Common:
    return in_common(people(), released, {}, holdout)


def test_the_same_table_has_the_same_codes() -> None:
    found = common(PEOPLE.drop("name"))

    assert found.original.schema == found.others[0].schema
    assert found.original.schema.names == ("age", "job", "smokes", "ill")
    assert found.left_out == {"name": "It names people and is gone."}
    for name, values in found.original.columns.items():
        assert np.array_equal(values, found.others[0].columns[name], equal_nan=True)
    assert not found.generalised
    assert not found.notes


def test_an_identifier_that_is_still_there_is_called_out() -> None:
    assert "STILL" in common(PEOPLE).left_out["name"]


def test_new_categories_come_after_the_originals() -> None:
    released = PEOPLE.with_columns(job=pl.Series(["z", "b", "c", "a"]))

    found = common(released)

    assert found.original.schema["job"].categories == ("a", "b", "c", "z")
    assert found.original.columns["job"].tolist() == [0, 1, 0, -1]
    assert found.others[0].columns["job"].tolist() == [3, 1, 2, 0]


def test_other_data_types_are_no_obstacle() -> None:
    released = pl.DataFrame(
        {
            "ill": pl.Series(["yes", "no"], dtype=pl.Categorical),
            "smokes": ["TRUE", "0"],
            "age": [20.5, None],
            "more": [1, 2],
        }
    )

    found = common(released)

    assert found.others[0].columns["age"].tolist()[:1] == [20.5]
    assert found.others[0].columns["smokes"].tolist() == [1, 0]
    assert found.others[0].columns["ill"].tolist() == [1, 0]
    assert found.left_out["job"] == "The release does not have it."
    assert found.left_out["more"] == "The original does not have it."


def test_ranges_and_stars_are_read() -> None:
    released = PEOPLE.with_columns(
        age=pl.Series(["20-30", "20-30", "*", "50"]), job=pl.Series(["{a, b}", "*", "a", None])
    )

    found = common(released)

    age, job = found.generalised["age"], found.generalised["job"]
    assert found.others[0].columns["age"].tolist() == [25, 25, 35, 50]
    assert age.low is not None
    assert age.low.tolist() == [20, 20, 20, 50]
    assert age.suppressed.tolist() == [False, False, True, False]
    codes = found.others[0].columns["job"]
    assert job.covers is not None
    assert job.covers[codes[0]].tolist() == [True, True]
    assert job.suppressed.tolist()[1:] == [True, False, False]


def test_a_numeric_column_left_empty_is_missing_not_general() -> None:
    found = common(PEOPLE.with_columns(age=pl.lit(None, pl.String)))

    assert np.isnan(found.others[0].columns["age"]).all()
    assert "age" not in found.generalised


def test_a_column_that_cannot_be_read_says_why() -> None:
    released = PEOPLE.with_columns(age=pl.Series(["young", "old", "old", "old"]))

    assert "'old'" in common(released).left_out["age"] or "'young'" in common(released).left_out["age"]


def test_dates_against_numbers_are_left_out() -> None:
    dated = PEOPLE.with_columns(age=pl.date_range(pl.date(2020, 1, 1), pl.date(2020, 1, 4), eager=True))

    assert "times" in common(dated).left_out["age"]


def test_values_written_otherwise_are_noted() -> None:
    found = common(PEOPLE.with_columns(job=pl.Series(["A", "B", "A", "B"])))

    assert "'job'" in found.notes[0]


@pytest.mark.parametrize(
    ("released", "says"),
    [
        (pl.DataFrame({"x": [1]}), "have no column in common"),
        (PEOPLE.drop("ill"), "The class 'ill' cannot be compared"),
        (PEOPLE.select("ill"), "have only the class"),
    ],
)
def test_nothing_to_compare_is_an_error(released: pl.DataFrame, says: str) -> None:
    with pytest.raises(InputError, match=says):
        common(released)


def test_the_holdout_shares_the_coding() -> None:
    holdout = PEOPLE.head(1).with_columns(job=pl.lit("new"))

    found = common(PEOPLE, holdout)

    assert found.others[1].columns["job"].tolist() == [2]
    assert found.others[1].rows == 1
    short = common(PEOPLE, PEOPLE.drop("age"))
    assert len(short.others) == 1
    assert "has no column 'age'" in short.notes[0]


def test_a_binned_class_stays_binned() -> None:
    table = read_table(PEOPLE.drop("name"), target="age", class_threshold=35)

    found = in_common(table, PEOPLE.with_columns(age=pl.Series([20.0, 33, 50, 50])), {}, None)

    assert found.original.schema["age"].categories == ("20", "30", "40", "50", "33")
    with pytest.raises(InputError, match="'20-30', which is not a number"):
        in_common(table, PEOPLE.with_columns(age=pl.lit("20-30")), {}, None)


def test_carried_columns_stay_behind() -> None:
    assert without_carried(people()).schema.names == ("age", "job", "smokes", "ill")


NAN = float("nan")


def test_equal_values_share_a_code() -> None:
    first, second = value_codes([np.array([2.5, NAN, -1.0, 2.5]), np.array([NAN, 7.0, -1.0, -0.0])])
    assert first[0] == first[3]
    assert (first[1], first[2]) == (second[0], second[2])
    assert len({*first.tolist(), *second.tolist()}) == 5
    codes = value_codes([np.array([-1, 3], np.int32), np.array([3, 0], np.int32)])
    assert [c.tolist() for c in codes] == [[0, 4], [4, 1]]


@given(st.lists(st.integers(0, 10**6), max_size=40), st.lists(st.integers(0, 30), max_size=40))
def test_occurrences_are_counted(sparse: list[int], dense: list[int]) -> None:
    for codes, among in ((sparse, dense), (dense, sparse), (dense, dense), (sparse, sparse)):
        found = occurrences(np.array(codes, np.int64), np.array(among, np.int64))
        counts = Counter(among)
        assert found.tolist() == [counts[code] for code in codes]


def test_pairs_are_equal_where_both_values_are() -> None:
    first = [np.array([0, 1, 1]), np.array([1])]
    second = [np.array([4, 0, 4]), np.array([4])]
    one, other = pair_codes(first, second)
    assert len(set(one.tolist())) == 3
    assert other[0] == one[2]


@given(st.integers(0, 50), st.integers(1, 25))
def test_records_share_a_number_if_they_are_equal(seed: int, rows: int) -> None:
    table = mixed_table(seed, rows)
    chosen = np.random.default_rng(seed).integers(0, rows, 2 * rows)
    again = table.take(chosen)
    one, other = record_codes([table.columns, again.columns])
    texts = [repr(row) for row in plain_rows(table)]
    assert np.array_equal(one[chosen], other)
    assert len(set(one.tolist())) == len(set(texts))


def test_column_pairs_are_all_or_some_by_key() -> None:
    streams = Streams(bytes(32))
    assert len(column_pairs(12, 100, streams, "x")) == 66
    some = column_pairs(12, 60, streams, "x")
    assert len(set(some)) == 60
    assert all(0 <= one < other < 12 for one, other in some)
    assert some == column_pairs(12, 60, streams, "x")
    assert some != column_pairs(12, 60, Streams(bytes(range(32))), "x")
    assert column_pairs(1, 60, streams, "x") == []
