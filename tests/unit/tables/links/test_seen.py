"""What is noted of linked columns does not depend on the batches it is noted from."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.errors import InternalFault
from hushwood.random_streams import Streams
from hushwood.tables.links.links import Condition, Determines, Order, Sum
from hushwood.tables.links.numbers import AllowedValues, StreamRows
from hushwood.tables.links.seen import Combined, Filling, distinct_rows, rows_of, see
from hushwood.tables.links.structure import After, JoinedColumns, Looked, structure_of
from hushwood.tables.schema import Attribute, Schema

NAN = np.nan
SCHEMA = Schema(
    (
        Attribute("start", "numeric", low=0.0, high=9.0, precision=0),
        Attribute("end", "numeric", low=0.0, high=9.0, precision=1),
        Attribute("grade", "numeric", low=1.0, high=3.0, precision=0),
        Attribute("word", "categorical", categories=("bad", "good")),
        Attribute("total", "numeric", low=0.0, high=99.0, precision=0),
        Attribute("more", "numeric", low=0.0, high=99.0, precision=0),
    ),
    links=(Order(("start", "end")), Determines("grade", ("word",)), Sum("total", ("start", "more"))),
)
COLUMNS = {
    "start": np.array([1.0, 2.0, NAN, 4.0]),
    "end": np.array([1.5, 4.0, 5.0, NAN]),
    "grade": np.array([1.0, 3.0, NAN, 1.0]),
    "word": np.array([1, 0, -1, 1], np.int32),
    "total": np.array([2.0, 4.0, NAN, 8.0]),
    "more": np.array([1.0, 2.0, 3.0, 4.0]),
}


def test_facts_worked_out_by_hand_in_one_batch_and_in_four() -> None:
    structure = structure_of(SCHEMA)
    single = [{name: values[row : row + 1] for name, values in COLUMNS.items()} for row in range(4)]
    for batches in ([COLUMNS], single):
        seen = see(SCHEMA, structure, batches, COLUMNS)
        assert seen.distances == {After("end", ("start",)): (0.5, 2.0)}
        assert seen.on_their_own == {"end"}, "an end is known where no start is"
        known, values = seen.looked[Looked("word", "grade")]
        assert known.tolist() == [1, 3] and values.tolist() == [1, 0, -1]


def test_a_total_that_is_missing_for_other_reasons_leads_too() -> None:
    columns = {**COLUMNS, "total": np.array([NAN, 4.0, NAN, 8.0])}
    assert "total" in see(SCHEMA, structure_of(SCHEMA), [columns], columns).on_their_own


def test_gaps_are_filled_from_the_distribution_inside_what_the_rules_allow() -> None:
    schema = Schema(
        (
            Attribute("smoker", "categorical", categories=("no", "yes")),
            Attribute("packs", "numeric", low=0.0, high=100.0, precision=0),
            Attribute("brand", "categorical", categories=("a", "b", "c")),
        ),
        links=(
            Condition("smoker", ("no",), "packs", (None,)),
            Condition("smoker", ("no",), "brand", (None,)),
        ),
    )
    packs = np.where(np.arange(400) % 2, np.arange(400) / 4, NAN)
    columns = {
        "smoker": (np.arange(400) % 2).astype(np.int32),
        "packs": np.where(np.arange(400) % 4 == 1, packs, NAN),
        "brand": np.where(np.arange(400) % 2, np.arange(400) // 2 % 2, -1).astype(np.int32),
    }
    structure = structure_of(schema)
    fillings = see(schema, structure, [columns], columns).fillings
    packs_filling, brand_filling = (fillings[condition] for condition in structure.known_if)
    assert packs_filling.known == 0.5 and brand_filling.known == 1.0
    place = StreamRows(Streams(bytes(32)), range(1000))
    drawn = packs_filling.drawn("packs", schema["packs"], AllowedValues(), place)
    assert drawn is not None and 0 <= drawn.min() < 10 and 90 < drawn.max() <= 100
    assert np.array_equal(drawn, np.rint(drawn))
    inside = AllowedValues({"packs": (np.full(1000, 20.0), np.full(1000, 30.0))})
    drawn = packs_filling.drawn("packs", schema["packs"], inside, place)
    assert drawn is not None and drawn.min() >= 20 and drawn.max() <= 30
    free = brand_filling.drawn("brand", schema["brand"], AllowedValues(), place)
    assert free is not None and set(free.tolist()) == {0, 1}, "no one has brand c"
    only = AllowedValues(allowed={"brand": np.tile([False, True, True, False], (1000, 1))})
    bound = brand_filling.drawn("brand", schema["brand"], only, place)
    assert bound is not None and set(bound.tolist()) == {1}


def test_nothing_is_drawn_where_nothing_is_known() -> None:
    number, category = Attribute("n", "numeric"), Attribute("c", "categorical", categories=("a",))
    nothing = Filling(0.0, {"n": np.zeros(0)}, {"c": np.zeros(1)})
    place = StreamRows(Streams(bytes(32)), range(3))
    assert nothing.drawn("n", number, AllowedValues(), place) is None
    assert nothing.drawn("c", category, AllowedValues(), place) is None


OF = JoinedColumns(("city", "state"), ("tax",))
COLUMNS_COMBINATIONS = {
    "city": np.array([0, 1, 2, 0, -1], np.int32),
    "state": np.array([1, 1, 0, 1, -1], np.int32),
    "tax": np.array([3.0, 4.0, np.nan, 3.0, 9.0]),
}
SCHEMA_COMBINATIONS = Schema(
    (
        Attribute("city", "categorical", "quasi-identifier", categories=("Bern", "Biel", "Chur")),
        Attribute("state", "categorical", categories=("A", "B")),
        Attribute("tax", "numeric"),
    )
)


def combined() -> Combined:
    return Combined.from_rows(OF, rows_of(OF, COLUMNS_COMBINATIONS))


def test_every_combination_is_a_category() -> None:
    found = combined().attribute("city & state", SCHEMA_COMBINATIONS)
    assert found.categories == ("? & ?", "Bern & B", "Biel & B", "Chur & A")
    assert found.role == "quasi-identifier"


def test_records_come_back_with_their_numbers() -> None:
    codes = combined().encoded(COLUMNS_COMBINATIONS)
    assert codes.tolist() == [1, 2, 3, 1, 0]
    back = combined().decoded(codes)
    for name, values in COLUMNS_COMBINATIONS.items():
        np.testing.assert_array_equal(back[name], values)
        assert back[name].dtype == values.dtype


def test_names_that_run_into_each_other_are_told_apart() -> None:
    clash = Schema(
        (
            Attribute("a", "categorical", categories=("x", "x & y")),
            Attribute("b", "categorical", categories=("y & z", "z")),
        )
    )
    of = JoinedColumns(("a", "b"))
    columns = {"a": np.array([0, 1], np.int32), "b": np.array([0, 1], np.int32)}
    found = Combined.from_rows(of, rows_of(of, columns)).attribute("a & b", clash)
    assert len(set(found.categories)) == 2


def test_a_combination_that_was_never_seen_is_a_fault() -> None:
    for strange in ({"city": 0, "state": 0}, {"city": 2, "state": 1}, {"city": 3, "state": 1}):
        columns = {name: np.array([code], np.int32) for name, code in strange.items()}
        with pytest.raises(InternalFault, match="never seen"):
            combined().encoded(columns)


def test_many_wide_columns_do_not_overflow() -> None:
    chance = np.random.default_rng(1)
    names = tuple("abcdefghijklmnop")
    columns = {name: chance.integers(-1, 30_000, 200).astype(np.int32) for name in names}
    whole = Combined.from_rows(JoinedColumns(names), rows_of(JoinedColumns(names), columns))
    back = whole.decoded(whole.encoded(columns))
    for name in names:
        np.testing.assert_array_equal(back[name], columns[name])


def test_distinct_rows_count_missing_numbers_as_equal() -> None:
    rows = np.array([[1.0, np.nan], [1.0, np.nan], [1.0, 2.0]])
    assert len(distinct_rows(rows)) == 2
    assert len(distinct_rows(rows[:0])) == 0
