"""Schemas guessed from data, declarations that win, and contradictions that are refused."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, Literal

import polars as pl
import pytest

from hushwood.errors import InputError
from hushwood.tables.columns.inference import declared_by_schema, infer_schema, with_roles
from hushwood.tables.read_options import ReadOptions
from hushwood.tables.schema import Attribute, Schema

CLASS = ["no", "yes"]


def guess(values: Any, dtype: Any = None, asked: ReadOptions | None = None) -> Attribute:
    return infer_schema(pl.DataFrame({"a": pl.Series(values, dtype=dtype)}), asked)[0]["a"]


def refusal(frame: pl.DataFrame, asked: ReadOptions | None = None, **declared: Any) -> str:
    with pytest.raises(InputError) as caught:
        infer_schema(frame, asked, **declared)
    return str(caught.value)


@pytest.mark.parametrize(
    ("values", "precision", "low", "high"),
    [
        ([3, 1, 2], 0, 1, 3),
        ([0.5, 1.25, None], 2, 0.5, 1.25),
        ([0.1, 0.2, float("nan")], 1, 0.1, 0.2),
        ([296.0, 300.0], 0, 296, 300),
        ([0.12345678, 1.0], 8, 0.12345678, 1),
        ([1 / 3, 1.0], None, 1 / 3, 1),
        ([0.1 + 0.2], None, 0.1 + 0.2, 0.1 + 0.2),
        ([1e17, 1.0], None, 1, 1e17),
        ([Decimal("1.10"), Decimal("2.25")], 2, 1.1, 2.25),
        ([Decimal("1.10"), Decimal("2.50")], 1, 1.1, 2.5),
        ([date(1970, 1, 2), date(1971, 1, 1)], 0, 1, 365),
        ([datetime(1970, 1, 1, 0, 1), None], 0, 60, 60),
        ([datetime(1970, 1, 1, 0, 0, 0, 250000)], 2, 0.25, 0.25),
        ([time(0, 0, 1), time(0, 1)], 0, 1, 60),
        ([timedelta(seconds=-1), timedelta(milliseconds=1500)], 1, -1, 1.5),
    ],
)
def test_numbers(values: list[Any], precision: int | None, low: float, high: float) -> None:
    found = guess(values)
    assert (found.kind, found.precision, found.low, found.high) == ("numeric", precision, low, high)


@pytest.mark.parametrize("values", [["b", "a"], ["10", "9"], [True, None], [None, None]])
def test_texts_and_truths_are_categories(values: list[Any]) -> None:
    assert guess(values).kind == "categorical"


def test_a_column_of_missing_numbers_has_a_domain() -> None:
    found = guess([None, None], pl.Float64)
    assert (found.kind, found.low, found.high, found.precision) == ("numeric", 0, 0, 0)


@pytest.mark.parametrize(
    ("frame", "options", "words"),
    [
        ({"a": [1, 2]}, {"class_bins": 2}, "need a class"),
        ({"a": [1.0, float("inf")]}, {}, "--infinite missing"),
        ({"a": [[1], [2]]}, {}, "neither numbers nor categories"),
        ({"a": [{"x": 1}]}, {}, "neither numbers nor categories"),
        ({"a": [b"x"]}, {}, "neither numbers nor categories"),
        ({"a": []}, {}, "no records"),
    ],
)
def test_bad_tables_are_refused(frame: dict[str, Any], options: dict[str, Any], words: str) -> None:
    assert words in refusal(pl.DataFrame(frame), ReadOptions(**options))


def test_infinities_as_missing() -> None:
    found = guess([1.0, float("-inf"), 3.0], asked=ReadOptions(infinite="missing"))
    assert (found.low, found.high, found.precision) == (1, 3, 0)


def test_carried_columns_may_hold_anything() -> None:
    frame = pl.DataFrame({"n": [[1], [2]], "big": [2**60, 1], "f": [float("inf"), 0.0], "c": CLASS})
    roles: Any = {"n": "ignored", "big": "identifier", "f": "ignored"}
    schema, warnings = infer_schema(frame, ReadOptions(target="c", roles=roles))
    assert [a.role for a in schema.attributes] == ["ignored", "identifier", "ignored", "class"]
    assert [(w.column, w.code) for w in warnings] == [("n", "ignored"), ("f", "ignored")]


def test_declarations_win() -> None:
    frame = pl.DataFrame({"edu": [1, 3, 2], "age": [20, 30, 40], "w": [0.5, 1.0, 2.0], "t": ["1", "2", None]})
    declared: dict[str, dict[str, Any]] = {
        "edu": {"kind": "categorical", "categories": ("1", "2", "3", "4")},
        "age": {"low": 0, "high": 120, "role": "quasi-identifier"},
        "w": {"precision": 3},
        "t": {"kind": "numeric"},
    }
    schema = infer_schema(frame, declared=declared)[0]
    assert schema["edu"] == Attribute("edu", "categorical", storage="Int64", categories=("1", "2", "3", "4"))
    assert schema["age"] == Attribute("age", "numeric", "quasi-identifier", "Int64", 0, 120, 0)
    assert schema["w"].precision == 3
    assert schema["t"] == Attribute("t", "numeric", "ordinary", "String", 1, 2, 0)
    assert infer_schema(frame, declared={"w": {"precision": None}})[0]["w"].precision is None


def test_roles_win_over_a_schema() -> None:
    frame = pl.DataFrame({"a": [1, 2], "b": ["x", "y"], "c": CLASS})
    schema, _ = infer_schema(frame, ReadOptions(target="c"))
    again, _ = infer_schema(frame, ReadOptions(target="b", roles={"a": "confidential"}), declared=schema)
    assert [a.role for a in again.attributes] == ["confidential", "class", "ordinary"]
    assert infer_schema(frame, declared=schema)[0] == schema


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"low": 2}, "declared to lie between 2 and 3"),
        ({"high": 2}, "its values range from 1 to 3"),
        ({"low": 5, "high": 0}, "declared to lie"),
        ({"high": 1e30}, "only holds"),
        ({"precision": 1}, "declared with 1 decimals"),
        ({"kind": "categorical", "categories": ("1", "2")}, "'3'"),
        ({"kind": "categorical", "categories": ("1", "2", "3", "3")}, "twice"),
    ],
)
def test_declarations_that_contradict_the_data(fields: dict[str, Any], words: str) -> None:
    assert words in refusal(pl.DataFrame({"a": [1, 2, 3]}), declared={"a": fields})


def test_precision_too_coarse_and_texts_declared_numeric() -> None:
    assert "values have 2" in refusal(pl.DataFrame({"a": [0.25]}), declared={"a": {"precision": 1}})
    assert "continuous" in refusal(pl.DataFrame({"a": [1 / 3]}), declared={"a": {"precision": 1}})
    assert "'x'" in refusal(pl.DataFrame({"a": ["1", "x"]}), declared={"a": {"kind": "numeric"}})
    assert "Boolean" in refusal(pl.DataFrame({"a": [True]}), declared={"a": {"kind": "numeric"}})
    declared = {"a": {"role": "class", "categories": ("no",)}}
    assert "'yes'" in refusal(pl.DataFrame({"a": CLASS}), declared=declared)


def test_a_schema_may_name_identifiers_that_are_gone() -> None:
    schema = Schema((Attribute("id", "numeric", "identifier"), Attribute("a", "numeric", low=0.0, high=9.0)))
    assert infer_schema(pl.DataFrame({"a": [1.5]}), declared=schema)[0].names == ("a",)


def test_binned_class_with_new_values_keeps_its_bins() -> None:
    schema, _ = infer_schema(pl.DataFrame({"a": range(60)}), ReadOptions(target="a", class_bins=2))
    again = infer_schema(pl.DataFrame({"a": [7, 99]}), declared=schema)[0]["a"]
    assert again.bins == schema["a"].bins
    assert again.categories[-1] == "99"


@pytest.mark.parametrize(
    ("column", "declared"),
    [
        (pl.Series([1.5e308, 1.7e308]), {}),
        (pl.Series([-1e100, 0.0, None]), {}),
        (pl.Series(["1e400", "2"]), {"kind": "numeric"}),
        (pl.Series([1.0, 2.0]), {"high": 1e300}),
        (pl.Series([1.0, 2.0]), {"low": -1e300}),
    ],
)
def test_numbers_too_large_to_compute_with(column: pl.Series, declared: dict[str, Any]) -> None:
    frame = pl.DataFrame({"a": column})
    assert "Column 'a' has numbers as large as" in refusal(frame, declared={"a": declared})
    ignored = infer_schema(frame, declared={"a": {**declared, "role": "ignored"}})[0]
    assert ignored["a"].carried


def test_single_precision_is_never_too_large() -> None:
    assert guess([3.4e38, -3.4e38], pl.Float32).high == pytest.approx(3.4e38)


@pytest.mark.parametrize("unit", ["ms", "us"])
def test_dates_that_no_calendar_has_are_refused(unit: Literal["ms", "us"]) -> None:
    last = pl.Series("d", [date(1, 1, 1), date(9999, 12, 31), None])
    assert (
        infer_schema(pl.DataFrame([last, last.cast(pl.Datetime(unit)).alias("t")]))[0]["d"].high == 2_932_896
    )
    for days in (2_932_897, -719_163, 2**31 - 1):
        strange = pl.Series("d", [0, days], dtype=pl.Int64)
        moments = (strange * 86_400_000 * (1 if unit == "ms" else 1_000)).cast(pl.Datetime(unit))
        for column in (strange.cast(pl.Int32).cast(pl.Date), moments):
            with pytest.raises(InputError, match=r"'d' holds impossible Date.* values"):
                infer_schema(column.to_frame())


def test_moments_elsewhere_and_durations_that_python_cannot_hold() -> None:
    last = (
        pl.Series("d", [datetime(9999, 12, 31, 23)])
        .dt.replace_time_zone("UTC")
        .dt.convert_time_zone("Asia/Tokyo")
    )
    longest = pl.Series("d", [-(2**63), 2**62], dtype=pl.Int64).cast(pl.Duration("ms"))
    for column in (last, longest):
        with pytest.raises(InputError, match="holds impossible"):
            infer_schema(column.to_frame())
    infer_schema(
        pl.DataFrame({"l": [timedelta(days=40_000), timedelta(0)], "k": [time(23, 59, 59, 999_999), time(0)]})
    )


@pytest.mark.parametrize(
    ("attribute", "fields"),
    [
        (
            Attribute("a", "numeric", storage="Int64", low=0.0, high=9.0, precision=0),
            {"kind": "numeric", "role": "ordinary", "storage": "Int64"}
            | {"low": 0.0, "high": 9.0, "precision": 0},
        ),
        (
            Attribute("a", "numeric", "confidential", high=9.0),
            {"kind": "numeric", "role": "confidential", "storage": "Float64", "high": 9.0, "precision": None},
        ),
        (
            Attribute("a", "categorical", "class", "Int64", categories=("1", "2"), bins=(1.0,)),
            {"kind": "categorical", "role": "class", "storage": "Int64"}
            | {"categories": ("1", "2"), "bins": (1.0,), "ordered": False, "hierarchy": ""},
        ),
        (
            Attribute("a", "categorical", storage="String"),
            {
                "kind": "categorical",
                "role": "ordinary",
                "storage": "String",
                "ordered": False,
                "hierarchy": "",
            },
        ),
        (
            Attribute("a", "numeric", "identifier", "Int64", low=1.0, high=2.0, precision=0),
            {"kind": "numeric", "role": "identifier", "storage": "Int64"},
        ),
    ],
)
def test_what_a_schema_declares(attribute: Attribute, fields: dict[str, Any]) -> None:
    assert declared_by_schema(Schema((attribute,))) == {"a": fields}


def test_roles_and_the_class_win_and_the_declarations_are_not_changed() -> None:
    given: dict[str, dict[str, Any]] = {
        "a": {"role": "ordinary", "low": 0},
        "b": {"role": "class", "kind": "categorical"},
    }
    found = with_roles(given, roles={"a": "confidential"}, targets=("c",), columns=["a", "b", "c", "d"])
    assert found == {
        "a": {"role": "confidential", "low": 0},
        "b": {"kind": "categorical"},
        "c": {"role": "class"},
    }
    assert given == {"a": {"role": "ordinary", "low": 0}, "b": {"role": "class", "kind": "categorical"}}


def test_without_a_target_the_declared_class_stays() -> None:
    assert with_roles({"b": {"role": "class"}}, roles={}, targets=(), columns=["b"]) == {
        "b": {"role": "class"}
    }
    assert with_roles({}, roles={"b": "class"}, targets=("b",), columns=["b"]) == {"b": {"role": "class"}}


def test_identifiers_may_be_gone_already() -> None:
    assert with_roles({"id": {"role": "identifier"}}, roles={}, targets=(), columns=["a"]) == {}
    with pytest.raises(InputError, match=r"no column 'ag'\. Did you mean 'age'"):
        with_roles({"ag": {"low": 0}}, roles={}, targets=(), columns=["age"])


@pytest.mark.parametrize(
    ("roles", "target", "words"),
    [
        ({"b": "ignored"}, None, "no column 'b'"),
        ({"a": "boss"}, None, "no role 'boss'"),
        ({}, "b", "no class column 'b'"),
        ({"a": "identifier"}, "a", "both the class and identifier"),
    ],
)
def test_wrong_roles_are_refused(roles: Any, target: str | None, words: str) -> None:
    with pytest.raises(InputError, match=words):
        with_roles({}, roles=roles, targets=(target,) if target else (), columns=["a"])
