"""Coarser tables by hand; twice is once, and neither the order of the rows nor how they are held matters."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.tables.frames.storage import frame_from_table
from hushwood.tables.reading import read
from hushwood.tables.recoding.preparation import CoarseColumns, coarse_columns_from_json
from hushwood.tables.recoding.rules import parsed_rules
from hushwood.tables.table import Table
from support.mixed_tables import category, number, table_of, target
from support.small_random_tables import plain_column

NAN = float("nan")


def people() -> Table:
    frame = pl.DataFrame(
        {
            "age": [17, 18, 22, 23, None, 94],
            "birth": [
                date(1980, 2, 3),
                date(1980, 5, 31),
                date(1969, 12, 31),
                None,
                date(2001, 1, 1),
                date(2001, 7, 1),
            ],
            "zip": ["13053", "13068", "14850", "14853", None, "13053"],
            "pay": [1499.5, 500.25, 10.0, 99_999.0, 20_000.0, NAN],
            "ill": ["no", "yes", "no", "yes", "no", "yes"],
        }
    )
    return read(frame, target="ill").table


RULES = parsed_rules(
    ["age=5", "birth=quarter", "zip=3digits", "pay=1000"], ["age=90", "pay=50000"], ["age=18"]
)


def test_a_small_table_by_hand() -> None:
    out = CoarseColumns.of(RULES, people()).on_table(people())
    assert plain_column(out, "age") == [18, 18, 20, 25, None, 90]
    assert plain_column(out, "zip") == ["130**", "130**", "148**", "148**", None, "130**"]
    assert plain_column(out, "pay") == [1000, 1000, 0, 50_000, 20_000, None]
    quarters = frame_from_table(out)["birth"].to_list()
    assert quarters == [
        date(1980, 1, 1),
        date(1980, 4, 1),
        date(1969, 10, 1),
        None,
        date(2001, 1, 1),
        date(2001, 7, 1),
    ]
    assert plain_column(out, "ill") == plain_column(people(), "ill")


def test_the_schema_says_what_is_left() -> None:
    schema = CoarseColumns.of(RULES, people()).on_schema(people().schema)
    assert schema["zip"].categories == ("130**", "148**")
    assert (schema["age"].low, schema["age"].high) == (18, 90)
    assert (schema["pay"].precision, people().schema["pay"].precision) == (0, 2)
    assert schema["birth"].storage == "Date"


def test_it_says_what_it_does() -> None:
    coarse = CoarseColumns.of(RULES, people())
    assert coarse.says("age") == "rounded to multiples of 5; 18 for everything below; 90 for everything above"
    assert coarse.says("birth") == "first day of the quarter"
    assert coarse.says("zip") == "first 3 characters of every text"


def test_it_is_the_same_from_a_plan() -> None:
    coarse = CoarseColumns.of(RULES, people())
    again = coarse_columns_from_json(coarse.to_json(), people().schema)
    assert again.to_json() == coarse.to_json()
    assert frame_from_table(again.on_table(people())).equals(frame_from_table(coarse.on_table(people())))


def test_a_frame_is_coarsened_like_its_table() -> None:
    """Also a category that the table does not have, which stays."""
    coarse, frame = CoarseColumns.of(RULES, people()), frame_from_table(people())
    wanted = frame_from_table(coarse.on_table(people()))
    assert coarse.on_frame(frame, people().schema).equals(wanted)
    other = frame.head(1).with_columns(zip=pl.lit("99999"))
    assert coarse.on_frame(other, people().schema)["zip"].to_list() == ["99999"]


def test_counts_are_those_of_the_groups() -> None:
    coarse = CoarseColumns.of(RULES, people())
    counts = coarse.on_counts({"zip": {"13053": 2, "13068": 1, "14850": 1, "14853": 1}}, people().schema)
    assert counts == {"zip": {"130**": 3, "148**": 2}}


@pytest.mark.parametrize(
    "text",
    [
        "13053;13*;NY;*\n13068;13*;NY;*\n14850;14*;NY;*\n14853;14*;MA;*\n",
        "13053,13*,NY\n13068,13*,NY\n14850,14*,NY\n14853,14*,MA",
    ],
)
def test_hierarchy_files_as_arx_writes_them(text: str, tmp_path: Path) -> None:
    path = tmp_path / "zips.csv"
    path.write_text(text.replace("14*;NY", "14*;MA").replace("14*,NY", "14*,MA"))
    for level, wanted in (
        (1, ["13*", "13*", "14*", "14*", None, "13*"]),
        (2, ["NY", "NY", "MA", "MA", None, "NY"]),
    ):
        coarse = CoarseColumns.of(parsed_rules([f"zip={path}:{level}"]), people())
        assert plain_column(coarse.on_table(people()), "zip") == wanted
        assert coarse.says("zip") == f"grouped by level {level} of a hierarchy"
    with pytest.raises(InputError, match="has the levels 1 to 3; 7 was given"):
        CoarseColumns.of(parsed_rules([f"zip={path}:7"]), people())
    path.write_text("13053;NY\n")
    with pytest.raises(InputError, match="has no line for '13068', '14850', '14853'"):
        CoarseColumns.of(parsed_rules([f"zip={path}:1"]), people())


def test_a_class_may_be_coarser_if_it_is_still_one() -> None:
    codes = table_of(
        {
            "x": (number("x", 0, 9), [1, 2, 3, 4]),
            "dx": (target("dx", ("A01", "A02", "B01")), [0, 1, 2, 2]),
        }
    )
    out = CoarseColumns.of(parsed_rules(["dx=1letter"]), codes).on_table(codes)
    assert plain_column(out, "dx") == ["A**", "A**", "B**", "B**"]
    with pytest.raises(InputError, match="Of the class 'dx' only one value would be left"):
        CoarseColumns.of(parsed_rules(["dx=0letters"]), codes)


def test_columns_that_do_not_go_out_changed_are_refused() -> None:
    frame = pl.DataFrame({"id": ["a", "b"], "note": ["x", "y"], "n": [1, 2], "c": ["u", "v"]})
    table = read(frame, target="c", roles={"id": "identifier", "note": "ignored"}).table
    with pytest.raises(InputError, match="Column 'id' is dropped as an identifier"):
        CoarseColumns.of(parsed_rules(["id=1"]), table)
    with pytest.raises(InputError, match="Column 'note' is ignored, which copies it unchanged"):
        CoarseColumns.of(parsed_rules(["note=1"]), table)
    with pytest.raises(InputError, match="There is no column to coarsen 'm'"):
        CoarseColumns.of(parsed_rules(["m=1"]), table)


NUMBERS = st.lists(
    st.one_of(st.integers(-500, 500).map(lambda n: n / 4), st.just(NAN)), min_size=1, max_size=30
)


@given(NUMBERS, st.sampled_from([0.25, 0.5, 3.0, 7.25, 40.0]), st.sampled_from([None, 13, 31.5]), st.data())
def test_twice_is_once_and_rows_may_stand_anywhere(
    values: list[float], step: float, top: float | None, data: st.DataObject
) -> None:
    known = [v for v in values if v == v] or [0.0]
    texts = st.lists(st.integers(-1, 2), min_size=len(values), max_size=len(values))
    table = table_of(
        {
            "x": (number("x", min(known), max(known), 2), values),
            "t": (category("t", ("ab", "ac", "b")), data.draw(texts)),
            "c": (target("c", ("n", "y")), [0] * len(values)),
        }
    )
    coarse = CoarseColumns.of(
        parsed_rules([f"x={step}", "t=1letter"], [] if top is None else [f"x={top}"]), table
    )
    once = coarse.on_table(table)
    again = coarse.recodings["x"].recode(once.columns["x"])
    assert np.array_equal(once.columns["x"], again, equal_nan=True)
    order = np.array(data.draw(st.permutations(range(len(values)))), np.int64)
    there, before = coarse.on_table(table.take(order)), once.take(order)
    assert all(np.array_equal(there.columns[n], before.columns[n], equal_nan=n == "x") for n in ("x", "t"))
    inside = once.columns["x"][~np.isnan(once.columns["x"])]
    assert ((inside >= once.schema["x"].low) & (inside <= once.schema["x"].high)).all()
