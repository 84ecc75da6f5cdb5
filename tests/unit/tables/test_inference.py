"""Schemas guessed from data, declarations that win, and contradictions that are refused."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.tables.inference import infer_schema
from hushwood.tables.precision import decimals
from hushwood.tables.schema import Attribute, Schema

CLASS = ["no", "yes"]


def guess(values: Any, dtype: Any = None, **options: Any) -> Attribute:
    return infer_schema(pl.DataFrame({"a": pl.Series(values, dtype=dtype)}), **options)[0]["a"]


def codes(values: Any, name: str = "a", **options: Any) -> list[str]:
    frame = pl.DataFrame({name: values})
    return [warning.code for warning in infer_schema(frame, **options)[1] if warning.column == name]


def refusal(frame: pl.DataFrame, **options: Any) -> str:
    with pytest.raises(InputError) as caught:
        infer_schema(frame, **options)
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


def test_float32_is_judged_in_float32() -> None:
    assert guess([0.1, 0.25], pl.Float32).precision == 2
    assert guess(np.random.default_rng(1).normal(size=100), pl.Float32).precision is None


def test_pandas_nanoseconds_of_whole_seconds() -> None:
    assert guess([datetime(2020, 1, 1)], pl.Datetime("ns")).precision == 0


@given(st.lists(st.integers(-(10**6), 10**6), min_size=1), st.integers(0, 8))
def test_decimals_of_grid_values(whole: list[int], places: int) -> None:
    values = np.array([float(f"{number}e-{places}") for number in whole])
    found = decimals(values)
    assert found is not None
    assert found <= places
    assert (np.rint(values * 10**found) / 10**found == values).all()


@pytest.mark.parametrize(
    ("values", "dtype", "categories"),
    [
        (["b", "a", None], None, ("a", "b")),
        (["10", "9", "-1.5"], None, ("-1.5", "9", "10")),
        (["10", "9", "x"], None, ("10", "9", "x")),
        (["é", "z", "A", "a"], None, ("A", "a", "z", "é")),
        ([True, None], None, ("false", "true")),
        (["m", "s"], pl.Enum(["s", "m", "l"]), ("s", "m", "l")),
        (["z", "a"], pl.Categorical, ("a", "z")),
        ([None, None], pl.String, ()),
        ([None, None], pl.Null, ()),
    ],
)
def test_categories(values: list[Any], dtype: Any, categories: tuple[str, ...]) -> None:
    found = guess(values, dtype)
    assert (found.kind, found.categories) == ("categorical", categories)


def test_a_column_of_missing_numbers_has_a_domain() -> None:
    found = guess([None, None], pl.Float64)
    assert (found.kind, found.low, found.high, found.precision) == ("numeric", 0, 0, 0)


def test_class_of_few_numbers() -> None:
    found = guess([10, 9, 9, None], target="a")
    assert (found.kind, found.role, found.categories) == ("categorical", "class", ("9", "10"))
    assert guess([1.0, 0.5, float("nan")], target="a").categories == ("0.5", "1")
    assert guess([date(2020, 1, 2), date(2020, 1, 1)], target="a").categories == ("2020-01-01", "2020-01-02")


def test_class_of_many_numbers_is_refused_or_cut() -> None:
    frame = pl.DataFrame({"a": range(60)})
    message = refusal(frame, target="a")
    assert "--class-bins N" in message
    assert "--class-threshold X" in message
    binned = infer_schema(frame, target="a", class_bins=3)[0]["a"]
    assert binned.bins == (19.0, 39.0)
    assert binned.categories == tuple(map(str, range(60)))
    assert infer_schema(frame, target="a", class_threshold=9.5)[0]["a"].bins == (9.5,)
    declared = {"a": {"kind": "categorical"}}
    assert infer_schema(frame, target="a", given=declared)[0]["a"].bins == ()


def test_bins_keep_equal_values_together() -> None:
    assert guess([0] * 9 + [1], target="a", class_bins=4).bins == (0.0,)
    assert guess([0] + [1] * 9, target="a", class_bins=4).bins == (0.0,)


@pytest.mark.parametrize(
    ("frame", "options", "words"),
    [
        ({"a": [1, 2]}, {"target": "b"}, "no class column 'b'"),
        ({"a": [None, None]}, {"target": "a"}, "no values at all"),
        ({"a": ["x", "x", None]}, {"target": "a"}, "nothing to learn"),
        ({"a": [7]}, {"target": "a"}, "nothing to learn"),
        ({"a": [1, 2]}, {"target": "a", "class_threshold": 2}, "one bin only"),
        ({"a": ["x", "y"]}, {"target": "a", "class_bins": 2}, "does not hold numbers"),
        ({"a": [1, 2]}, {"target": "a", "class_bins": 1}, "2 bins or more"),
        ({"a": [1, 2]}, {"target": "a", "class_bins": 2, "class_threshold": 1}, "not both"),
        ({"a": [1, 2]}, {"target": "a", "class_threshold": float("nan")}, "finite"),
        ({"a": [1, 2]}, {"class_bins": 2}, "need a class"),
        ({"a": [1, 2]}, {"target": "a", "roles": {"a": "identifier"}}, "both the class and identifier"),
        ({"a": [1, 2]}, {"roles": {"b": "ignored"}}, "no column 'b'"),
        ({"a": [1, 2]}, {"roles": {"a": "boss"}}, "no role 'boss'"),
        ({"a": [1.0, float("inf")]}, {}, "--infinite missing"),
        ({"a": [2**53 + 2]}, {}, "beyond 2^53"),
        ({"a": [-(2**53) - 2]}, {}, "beyond 2^53"),
        ({"a": [[1], [2]]}, {}, "neither numbers nor categories"),
        ({"a": [{"x": 1}]}, {}, "neither numbers nor categories"),
        ({"a": [b"x"]}, {}, "neither numbers nor categories"),
        ({"a": []}, {}, "no records"),
    ],
)
def test_bad_tables_are_refused(frame: dict[str, Any], options: dict[str, Any], words: str) -> None:
    assert words in refusal(pl.DataFrame(frame), **options)


def test_decimals_with_too_many_digits_are_refused() -> None:
    values = pl.Series([Decimal("12345678901234567.89")], dtype=pl.Decimal(30, 2))
    assert "beyond 2^53" in refusal(pl.DataFrame({"a": values}))


@given(st.integers(0, 2**51 - 1), st.integers(1, 9))
def test_steps_are_found_again(step: int, places: int) -> None:
    assert np.rint(step / 10.0**places * 10.0**places) == step


def test_nanoseconds_are_refused() -> None:
    series = pl.Series([1_700_000_000_000_000_001]).cast(pl.Datetime("ns"))
    assert "milliseconds" in refusal(pl.DataFrame({"a": series}))


def test_infinities_as_missing() -> None:
    found = guess([1.0, float("-inf"), 3.0], infinite="missing")
    assert (found.low, found.high, found.precision) == (1, 3, 0)


def test_carried_columns_may_hold_anything() -> None:
    frame = pl.DataFrame({"n": [[1], [2]], "big": [2**60, 1], "f": [float("inf"), 0.0], "c": CLASS})
    roles: Any = {"n": "ignored", "big": "identifier", "f": "ignored"}
    schema, warnings = infer_schema(frame, target="c", roles=roles)
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
    schema = infer_schema(frame, given=declared)[0]
    assert schema["edu"] == Attribute("edu", "categorical", storage="Int64", categories=("1", "2", "3", "4"))
    assert schema["age"] == Attribute("age", "numeric", "quasi-identifier", "Int64", 0, 120, 0)
    assert schema["w"].precision == 3
    assert schema["t"] == Attribute("t", "numeric", "ordinary", "String", 1, 2, 0)
    assert infer_schema(frame, given={"w": {"precision": None}})[0]["w"].precision is None


def test_roles_win_over_a_schema() -> None:
    frame = pl.DataFrame({"a": [1, 2], "b": ["x", "y"], "c": CLASS})
    schema, _ = infer_schema(frame, target="c")
    again, _ = infer_schema(frame, target="b", given=schema, roles={"a": "confidential"})
    assert [a.role for a in again.attributes] == ["confidential", "class", "ordinary"]
    assert infer_schema(frame, given=schema)[0] == schema


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"low": 2}, "declared to lie in 2 to 3"),
        ({"high": 2}, "its values lie in 1 to 3"),
        ({"low": 5, "high": 0}, "declared to lie"),
        ({"high": 1e30}, "only holds"),
        ({"precision": 1}, "declared with 1 decimals"),
        ({"kind": "categorical", "categories": ("1", "2")}, "'3'"),
        ({"kind": "categorical", "categories": ("1", "2", "3", "3")}, "twice"),
    ],
)
def test_declarations_that_contradict_the_data(fields: dict[str, Any], words: str) -> None:
    assert words in refusal(pl.DataFrame({"a": [1, 2, 3]}), given={"a": fields})


def test_precision_too_coarse_and_texts_declared_numeric() -> None:
    assert "2 decimals" in refusal(pl.DataFrame({"a": [0.25]}), given={"a": {"precision": 1}})
    assert "continuous" in refusal(pl.DataFrame({"a": [1 / 3]}), given={"a": {"precision": 1}})
    assert "'x'" in refusal(pl.DataFrame({"a": ["1", "x"]}), given={"a": {"kind": "numeric"}})
    assert "Boolean" in refusal(pl.DataFrame({"a": [True]}), given={"a": {"kind": "numeric"}})
    declared = {"a": {"role": "class", "categories": ("no",)}}
    assert "'yes'" in refusal(pl.DataFrame({"a": CLASS}), given=declared)


def test_a_schema_may_name_identifiers_that_are_gone() -> None:
    schema = Schema((Attribute("id", "numeric", "identifier"), Attribute("a", "numeric", low=0.0, high=9.0)))
    assert infer_schema(pl.DataFrame({"a": [1.5]}), given=schema)[0].names == ("a",)


def test_binned_class_with_new_values_keeps_its_bins() -> None:
    schema, _ = infer_schema(pl.DataFrame({"a": range(60)}), target="a", class_bins=2)
    again = infer_schema(pl.DataFrame({"a": [7, 99]}), given=schema)[0]["a"]
    assert again.bins == schema["a"].bins
    assert again.categories[-1] == "99"


def test_warnings() -> None:
    some = ["a", "b"] * 20
    assert codes(some) == []
    assert codes([str(n) + "x" for n in range(40)]) == ["identifier"]
    assert codes(list(range(40))) == ["identifier"]
    assert codes([*range(39), 1]) == []
    assert codes([*range(39), 1], "PatientID") == ["identifier"]
    assert codes([*range(39), 1], "Sample_code_number") == ["identifier"]
    assert codes([*range(39), 1], "paid") == []
    assert codes([n / 3 for n in range(40)]) == []
    assert codes([f"The patient said that nothing hurt on day {n}" for n in range(40)]) == ["free-text"]
    assert codes(["x"] * 5) == ["constant"]
    assert codes([1, 1, None]) == ["constant"]
    assert codes([None, None]) == ["all-missing"]
    assert codes([f"c{n // 2}" for n in range(40)]) == ["many-categories"]
    assert codes([f"c{n % 101}" for n in range(1000)]) == ["many-categories"]
    assert codes([*map(str, range(10)), "NA"]) == ["almost-numeric"]
    assert codes(["1,5", "2", "1,5", "2"]) == ["decimal-comma"]
    assert codes([str(n) + "x" for n in range(40)], target="a") == []


def test_warnings_name_the_column_and_the_way_out() -> None:
    warning = infer_schema(pl.DataFrame({"a": [*map(str, range(10)), "NA"]}))[1][0]
    assert "Column 'a'" in warning.sentence
    assert '--missing "NA"' in warning.sentence
