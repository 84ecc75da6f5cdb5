"""pandas frames into Polars and back: labels, categories and the way of writing "missing" are kept."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from hushwood.errors import InputError
from hushwood.tables.pandas_frames import like, to_polars

DAYS = pd.to_datetime(["2020-01-01", None, "2020-01-03"])


def objects(*values: Any) -> Any:
    return pd.Series(values, dtype=object)


COLUMNS: dict[str, Any] = {
    "int64": [1, 2, 3],
    "int8": np.array([1, 2, 3], dtype=np.int8),
    "Int64": pd.array([1, None, 3], dtype="Int64"),
    "float": [1.5, np.nan, 2.0],
    "float32": np.array([0.1, 0.2, np.nan], dtype=np.float32),
    "Float64": pd.array([1.5, None, 2.0], dtype="Float64"),
    "bool": [True, False, True],
    "boolean": pd.array([True, None, False], dtype="boolean"),
    "category": pd.Categorical(["x", "y", None], categories=["y", "x", "z"]),
    "ordered": pd.Categorical(["m", "s", None], categories=["s", "m", "l"], ordered=True),
    "numbers": pd.Categorical([30, 4, 30]),
    "intervals": pd.cut([1, 5, 9], [0, 4, 10]),
    "no categories": pd.Categorical([None, None, None]),
    "str": ["a", None, "c"],
    "string": pd.array(["a", None, "c"], dtype="string"),
    "object": objects("a", None, "c"),
    "object nan": objects("a", np.nan, "c"),
    "dates": objects(date(2020, 1, 1), None, date(2020, 1, 3)),
    "decimals": objects(Decimal("1.10"), None, Decimal("2.25")),
    "truths": objects(True, None, False),
    "datetime": DAYS,
    "nanoseconds": DAYS.astype("datetime64[ns]"),
    "zoned": DAYS.tz_localize("Europe/Berlin"),
    "timedelta": pd.to_timedelta([1, 2, None], unit="s"),
    "arrow": pd.array([1, None, 2], dtype="int64[pyarrow]"),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_come_back_the_same(name: str) -> None:
    native = pd.DataFrame({name: COLUMNS[name]})
    pd.testing.assert_frame_equal(like(native, to_polars(native)), native)


def test_categories_become_enums_in_their_order() -> None:
    frame = to_polars(pd.DataFrame({name: COLUMNS[name] for name in ("category", "numbers", "intervals")}))
    assert frame.dtypes == [pl.Enum(["y", "x", "z"]), pl.Enum(["4", "30"]), pl.Enum(["(0, 4]", "(4, 10]"])]
    assert frame["category"].to_list() == ["x", "y", None]


def test_labels_that_are_no_texts_come_back() -> None:
    native = pd.DataFrame({5: [1], ("a", 1): ["x"]})
    assert to_polars(native).columns == ["5", "('a', 1)"]
    assert like(native, to_polars(native)).columns.tolist() == [5, ("a", 1)]


def test_columns_and_rows_can_be_dropped_and_the_index_stays_out() -> None:
    native = pd.DataFrame({"a": [1, 2, 3], "b": ["x", "y", "z"]}, index=["Ann", "Bob", "Cy"])
    back = like(native, pl.DataFrame({"b": ["z", "x"]}))
    pd.testing.assert_frame_equal(back, pd.DataFrame({"b": ["z", "x"]}))


@pytest.mark.parametrize(
    ("native", "words"),
    [
        (pd.DataFrame({"m": objects(1, "a")}), "'m' mixes kinds"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "twice: a"),
        (pd.DataFrame([[1, 2]], columns=[1, "1"]), "twice: 1"),
        (pd.DataFrame({"a": pd.Categorical([1, "1"])}), "read the same"),
    ],
)
def test_frames_that_cannot_be_used(native: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        to_polars(native)


def test_periods_can_be_read_but_not_given_back() -> None:
    native = pd.DataFrame({"p": pd.period_range("2020-01", periods=2, freq="M")})
    assert to_polars(native)["p"].to_list() == ["2020-01", "2020-02"]
    with pytest.raises(InputError, match="convert it to texts or dates"):
        like(native, to_polars(native))


def test_names_of_groups_need_other_types() -> None:
    native = pd.DataFrame(
        {
            "truth": [True, False, True],
            "number": [1, 2, 3],
            "boolean": pd.array([True, None, False], dtype="boolean"),
            "text": ["a", "b", "c"],
            "category": pd.Categorical(["x", "y", None], categories=["y", "x", "z"]),
            "numbers": pd.Categorical([30, 4, 30]),
        }
    )
    released = pl.DataFrame(
        {
            "truth": ["ALL"] * 3,
            "number": ["{1, 2}", "{1, 2}", "3"],
            "boolean": ["true", None, "ALL"],
            "text": ["{a, b}", "{a, b}", "c"],
            "category": ["{x, y}", "{x, y}", None],
            "numbers": ["ALL", "4", "ALL"],
        }
    )
    back = like(native, released)
    for name in released.columns:
        texts = [None if pd.isna(value) else value for value in back[name].tolist()]
        assert texts == released[name].to_list()
    assert back["category"].cat.categories.tolist() == ["{x, y}"]
    assert back["numbers"].cat.categories.tolist() == ["4", "ALL"]
    assert back["truth"].dtype == back["text"].dtype


def test_an_enum_says_which_categories_there_are() -> None:
    native = pd.DataFrame({name: COLUMNS[name] for name in ("ordered", "numbers", "intervals")})
    fewer = pl.DataFrame(
        [
            pl.Series("ordered", ["l", "s", None], dtype=pl.Enum(["s", "l"])),
            pl.Series("numbers", ["30", "30", "30"], dtype=pl.Enum(["30"])),
            pl.Series("intervals", [None, None, None], dtype=pl.Enum([])),
        ]
    )
    back = like(native, fewer)
    assert back["ordered"].tolist()[:2] == ["l", "s"]
    assert back["ordered"].cat.categories.tolist() == ["s", "l"]
    assert back["ordered"].cat.ordered
    assert back["numbers"].tolist() == back["numbers"].cat.categories.tolist() * 3 == [30] * 3
    assert back["intervals"].isna().all()
    assert len(back["intervals"].cat.categories) == 0
