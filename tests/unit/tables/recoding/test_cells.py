"""Released cells that stand for several original values."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.tables.recoding.cells import (
    CategoryReader,
    category_cells,
    labels_to_explain,
    numeric_cells,
)
from hushwood.tables.recoding.taxonomies import Taxonomy

numbers = st.integers(-1000, 1000).map(float)

STATES = ("Divorced", "Married-AF", "Married-civ", "Never", "13053", "13068", "1305")
WAYS = Taxonomy(
    "state",
    {
        "Divorced": ("Divorced", "alone", "*"),
        "Never": ("Never", "alone", "*"),
        "Married-AF": ("Married-AF", "pair", "*"),
        "Widowed": ("Widowed", "alone", "*"),
    },
)


def texts(*values: str | None) -> pl.Series:
    return pl.Series("age", values, dtype=pl.String)


def test_cells_become_intervals_and_one_value_inside() -> None:
    cells = numeric_cells(texts("20-30", "<20", ">= 50", "*", None, "", " 23.5 ", "20-30"), 10, 90)
    np.testing.assert_array_equal(cells.low, [20, 10, 50, 10, math.nan, math.nan, 23.5, 20])
    np.testing.assert_array_equal(cells.high, [30, 20, 90, 90, math.nan, math.nan, 23.5, 30])
    np.testing.assert_array_equal(cells.values, [25, 15, 70, 50, math.nan, math.nan, 23.5, 25])
    assert cells.suppressed.tolist() == [False, False, False, True, False, False, False, False]
    assert cells.strange is None


def test_intervals_that_leave_the_domain_keep_their_ends_and_give_a_value_inside() -> None:
    cells = numeric_cells(texts("80-200", "<5", ">95", "95-99", "200"), 10, 90)
    assert cells.low.tolist() == [80, 5, 95, 95, 200]
    assert cells.high.tolist() == [200, 5, 95, 99, 200]
    assert cells.values.tolist() == [85, 5, 95, 97, 200]


def test_the_first_strange_text_is_named_and_missing() -> None:
    cells = numeric_cells(texts("1", "old", "older"), 0, 9)
    assert cells.strange == "old"
    assert np.isnan(cells.values).tolist() == [False, True, True]


def test_no_texts_at_all() -> None:
    assert np.isnan(numeric_cells(texts(None, ""), 0, 9).values).all()
    assert len(numeric_cells(texts(), 0, 9).values) == 0


def test_names_of_groups_are_looked_up_in_the_taxonomy() -> None:
    ages = Taxonomy("age", {"3": ("3", "young", "*"), "20": ("20", "old", "*"), "35": ("35", "old", "*")})
    cells = numeric_cells(texts("old", "*", "young"), 0, 90, ages)
    assert (cells.low.tolist(), cells.high.tolist()) == ([20, 0, 3], [35, 90, 3])
    assert cells.suppressed.tolist() == [False, True, False]


@given(st.lists(st.tuples(numbers, numbers).map(sorted), min_size=1), st.tuples(numbers, numbers).map(sorted))
def test_values_lie_in_their_cell_and_in_the_domain_if_that_is_possible(
    cells: list[list[float]], domain: list[float]
) -> None:
    low, high = domain
    read = numeric_cells(pl.Series([f"[{a}, {b}]" for a, b in cells]), low, high)
    np.testing.assert_array_equal(np.column_stack([read.low, read.high]), cells)
    assert (read.low <= read.values).all() and (read.values <= read.high).all()
    meets = (read.high >= low) & (read.low <= high) & (read.high > read.low)
    assert ((read.values >= low) & (read.values <= high))[meets].all()


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_plain_numbers_stay_as_they_are(values: list[float]) -> None:
    read = numeric_cells(pl.Series([repr(value) for value in values]), -1.0, 1.0)
    assert read.values.tolist() == read.low.tolist() == read.high.tolist() == values


def test_texts_of_categories() -> None:
    cells = category_cells(["a", "b", "c", "{a, b}", "*", "d"], ["a", "b", "c"], None)
    assert cells.covers.astype(int).tolist() == [
        [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1], [0, 0, 0],
    ]  # fmt: skip
    assert cells.generalises.tolist() == [False, False, False, True, True, False]
    assert cells.unknown.tolist() == [False, False, False, False, False, True]


def test_a_series_of_texts_is_as_good_as_a_list() -> None:
    assert category_cells(pl.Series(["a", "a*"]), ["a", "ab"]).covers.sum(axis=1).tolist() == [1, 2]


@pytest.mark.parametrize("categories", [[], ["a"]])
def test_few_categories(categories: list[str]) -> None:
    cells = category_cells(["*", "x"], categories)
    assert cells.covers.shape == (2, len(categories))
    assert cells.generalises.tolist() == [True, False]
    assert cells.unknown.tolist() == [False, True]


@given(st.lists(st.text(min_size=1, max_size=6), unique=True, min_size=1, max_size=8), st.data())
def test_sets_come_back(categories: list[str], data: st.DataObject) -> None:
    plain = [c for c in categories if not set(c) & set("{}[]()|;,*") and c.strip() == c]
    if len(plain) < 2:
        return
    chosen = data.draw(st.lists(st.sampled_from(plain), min_size=2, unique=True))
    form = data.draw(st.sampled_from([lambda c: f"{{{', '.join(c)}}}", "|".join, "; ".join]))
    text = form(chosen)
    covers = category_cells([text], categories).covers[0]
    assert [c for c, covered in zip(categories, covers, strict=True) if covered] == [
        c for c in categories if c in chosen
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Never", ["Never"]),
        (" Never ", ["Never"]),
        ("*", list(STATES)),
        ("Any", list(STATES)),
        ("{Never, Divorced}", ["Divorced", "Never"]),
        ("[Never;Divorced]", ["Divorced", "Never"]),
        ("Never|Divorced", ["Divorced", "Never"]),
        ("Never; Divorced", ["Divorced", "Never"]),
        ("{Never}", ["Never"]),
        ("Married*", ["Married-AF", "Married-civ"]),
        ("130**", ["13053", "13068"]),
        ("13***", ["13053", "13068"]),
        ("1305*", ["13053", "1305"]),
        ("130*", ["13053", "13068", "1305"]),
        ("13**", ["1305"]),
        ("Ma**", ["Married-AF", "Married-civ"]),
        ("alone", ["Divorced", "Never"]),
        ("{alone, Married-civ}", ["Divorced", "Married-civ", "Never"]),
        ("{Never, missing}", ["Never"]),
        ("{missing; Divorced; Never}", ["Divorced", "Never"]),
    ],
)
def test_texts_stand_for_categories(text: str, expected: list[str]) -> None:
    read = CategoryReader.of(STATES, WAYS).read(text)
    assert sorted(STATES[i] for i in read) == sorted(expected)


@pytest.mark.parametrize(
    "text",
    ["", "Separated", "{Never, Separated}", "X*", "Never, Divorced", "Never|", "{}", "N*r", "{missing}"],
)
def test_unknown_texts_stand_for_nothing(text: str) -> None:
    assert list(CategoryReader.of(STATES, WAYS).read(text)) == []


def test_a_category_is_itself_however_it_looks() -> None:
    names = ("a", "b", "a|b", "*", "{a, b}", "all")
    reader = CategoryReader.of(names, None)
    assert [list(reader.read(name)) for name in names] == [[i] for i in range(len(names))]


def test_the_key_of_a_release_is_read_before_the_text() -> None:
    names = ["a", "b", "c", "d"]
    key = {"{a and 2 more}": ("a", "c", "d", "missing"), "group": ("b",)}
    cells = category_cells(["{a and 2 more}", "group", "{a and 1 more}"], names, None, key)
    assert cells.covers.tolist() == [[True, False, True, True], [False, True, False, False], [False] * 4]
    assert cells.unknown.tolist() == [False, False, True]


def test_only_labels_that_do_not_explain_themselves_need_a_key() -> None:
    sets = {
        "{a, b}": ["a", "b"],
        "{a and 1 more}": ["a", "c"],
        "ALL": ["a"],
        "{a, missing}": ["a", "missing"],
    }
    assert labels_to_explain(sets, ["a", "b", "c"]) == {"{a and 1 more}": ("a", "c")}
