"""The class: categories of any type, at least two of them, and bins for many numbers."""

from __future__ import annotations

from datetime import date
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.tables.columns.class_column import (
    MOST_CLASSES,
    Binning,
    class_attribute,
    for_class,
    stays_number,
)
from hushwood.tables.reading import read_table
from hushwood.tables.schema import Attribute
from hushwood.tables.table import class_labels


def described(values: Any, declared: dict[str, Any] | None = None, **cut: Any) -> Attribute:
    return class_attribute(pl.Series("y", values), declared or {}, Binning(**cut))


@pytest.mark.parametrize(
    ("values", "categories", "storage"),
    [
        (["yes", "no", None], ("no", "yes"), "String"),
        ([10, 9, 9, None], ("9", "10"), "Int64"),
        ([1.0, 0.5], ("0.5", "1"), "Float64"),
        ([True, False], ("false", "true"), "Boolean"),
        ([date(2020, 1, 2), date(2020, 1, 1)], ("2020-01-01", "2020-01-02"), "Date"),
    ],
)
def test_every_class_is_categories(values: list[Any], categories: tuple[str, ...], storage: str) -> None:
    assert described(values) == Attribute("y", "categorical", "class", storage, categories=categories)


def test_many_numbers_are_refused_or_cut() -> None:
    assert described(range(MOST_CLASSES)).bins == ()
    with pytest.raises(InputError, match=r"60 different numbers.*--class-bins N.*--class-threshold X"):
        described(range(60))
    binned = described(range(60), bins=3)
    assert binned.bins == (19.0, 39.0)
    assert binned.categories == tuple(map(str, range(60)))
    assert described(range(60), threshold=9.5).bins == (9.5,)
    assert described(range(60), {"kind": "categorical"}).bins == ()
    assert described([f"c{n}" for n in range(60)]).bins == ()


@pytest.mark.parametrize(
    ("values", "bins", "limits"),
    [
        ([1, 2, 3, 4], 2, (2.0,)),
        ([1, 2, 3, 4], 4, (1.0, 2.0, 3.0)),
        ([1, 2, 3, 4], 9, (1.0, 2.0, 3.0)),
        ([0] * 9 + [1], 4, (0.0,)),
        ([0] + [1] * 9, 4, (0.0,)),
        ([1, None, 2, 2, 3], 2, (2.0,)),
    ],
)
def test_bins_keep_equal_values_together(values: list[Any], bins: int, limits: tuple[float, ...]) -> None:
    assert described(values, bins=bins).bins == limits


@given(st.lists(st.integers(0, 30), min_size=2).filter(lambda v: len(set(v)) > 1), st.integers(2, 8))
def test_bins_are_few_ascending_and_leave_something_above(values: list[int], bins: int) -> None:
    limits = described(values, bins=bins).bins
    assert 1 <= len(limits) < bins
    assert list(limits) == sorted(set(limits))
    assert min(values) <= limits[0]
    assert limits[-1] < max(values)


@pytest.mark.parametrize(
    ("values", "declared", "cut", "words"),
    [
        ([None, None], {}, {}, "is empty"),
        (["x", "x", None], {}, {}, "only one value, 'x'"),
        ([7], {}, {}, "nothing to learn"),
        ([1, 2], {}, {"threshold": 2}, "fall into one bin"),
        (["x", "y"], {}, {"bins": 2}, "does not hold numbers"),
        ([[1], [2]], {}, {}, "neither numbers nor categories"),
        (["no", "yes"], {"categories": ("no",)}, {}, "declared categories: 'yes'"),
    ],
)
def test_bad_classes_are_refused(
    values: list[Any], declared: dict[str, Any], cut: dict[str, Any], words: str
) -> None:
    with pytest.raises(InputError, match=words):
        described(values, declared, **cut)


def test_a_cut_is_wanted_or_not() -> None:
    assert [Binning().wanted, Binning(2).wanted, Binning(threshold=0.0).wanted] == [False, True, True]


def test_declared_categories_keep_their_order_and_bins_take_new_values() -> None:
    assert described(["no", "yes"], {"categories": ("yes", "no", "?")}).categories == ("yes", "no", "?")
    binned = described([7, 99], {"categories": ("7", "8"), "bins": (50.0,)})
    assert (binned.bins, binned.categories) == ((50.0,), ("7", "8", "99"))


def test_bins_declared_for_texts_are_refused() -> None:
    with pytest.raises(InputError, match="does not hold numbers"):
        class_attribute(pl.Series("y", ["a", "b"]), {"bins": (1.0,)}, Binning())


def number(values: Any, response: Any, declared: dict[str, Any] | None = None, **cut: Any) -> bool:
    return stays_number(pl.Series("y", values), declared or {}, Binning(**cut), response)


def test_a_number_only_where_it_is_asked_for() -> None:
    assert not number(range(60), "class")
    assert number(range(60), "number")
    assert number(range(60), "auto")
    assert not number(range(MOST_CLASSES), "auto")
    assert number(range(2), "number")
    assert not number(range(60), "auto", bins=3)
    assert not number(range(60), "auto", threshold=3.5)
    assert not number(range(60), "auto", {"bins": (3.0,)})
    assert not number(range(60), "auto", {"kind": "categorical"})
    assert number(range(60), "auto", {"kind": "numeric"})
    assert number([str(n) for n in range(60)], "number", {"kind": "numeric"})
    assert not number([f"c{n}" for n in range(60)], "auto")
    assert not number([date(2020, 1, 1 + n % 28) for n in range(60)], "auto")


@pytest.mark.parametrize(
    ("values", "cut", "says"),
    [
        (["a", "b"], {}, "holds String values, but a regression tree predicts numbers"),
        ([True, False], {}, "holds Boolean values"),
        ([date(2020, 1, 1), date(2020, 1, 2)], {}, "holds dates or times"),
        ([1, 2, 3], {"bins": 2}, "cannot be both learnt as a number and cut"),
        ([5, 5, 5], {}, "has only one value, '5'"),
        (pl.Series("y", [None, None], dtype=pl.Float64), {}, "is empty"),
    ],
)
def test_numbers_that_are_none(values: Any, cut: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        number(values, "number", **cut)


def test_too_many_classes_look_like_names_or_texts() -> None:
    people = pl.DataFrame({"age": range(1_200), "who": [f"person {i}" for i in range(1_200)]})
    with pytest.raises(InputError, match="1,200 different values; at most 1,000 can be classes"):
        read_table(people, target="who")
    assert len(read_table(people.head(1_000), target="who").schema["who"].categories) == 1_000
    listed = people.head(2).with_columns(pl.col("who").cast(pl.Enum(people["who"])))
    with pytest.raises(InputError, match=r"identifier or free text\. Choose another class"):
        read_table(listed, target="who")
    numbers = read_table(people.with_columns(who=pl.col("age") * 2), target="who", class_bins=4)
    assert len(numbers.schema["who"].bins) == 3


FRAME = pl.DataFrame(
    {"a": ["x", "y", "x", "y"], "n": [1.0, 2.0, None, 9.0], "b": ["u", "u", "v", None], "k": [1, 2, 3, 4]}
)


def test_one_of_several_classes_is_looked_at() -> None:
    table = read_table(FRAME, target=["a", "b"])
    assert class_labels(table)[1] == ("x", "y")
    seen = for_class(table, "b")
    assert class_labels(seen)[1] == ("u", "v")
    assert class_labels(seen)[0].tolist() == [0, 0, 1, -1]
    assert [a.name for a in seen.schema.inputs] == ["n", "k"]


def test_any_column_can_be_seen_as_the_class_and_a_number_becomes_a_response() -> None:
    table = read_table(FRAME)
    assert table.schema.class_attribute is None
    seen = for_class(table, "n")
    target = seen.schema.class_attribute
    assert target is not None
    assert (target.response, target.bins) == (True, (1.0, 2.0))
    assert class_labels(seen)[0].tolist() == [0, 1, -1, 2]
    assert [a.name for a in seen.schema.inputs] == ["a", "b", "k"]
    assert table.schema.classes == ()
