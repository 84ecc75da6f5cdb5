from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from hushwood.sklearn import C45Classifier, SysForClassifier
from hushwood.sklearn.inputs import free_name, read_training

ROWS = 60
PLACES = range(ROWS)
COLUMNS: dict[str, list[Any]] = {
    "age": [20 + place * 7 % 50 for place in PLACES],
    "sex": [["f", "m", None][place % 3] for place in PLACES],
    "member": [place % 4 == 0 for place in PLACES],
    "weight": [None if place % 9 == 0 else place * 11 % 60 + 0.25 for place in PLACES],
    "joined": [dt.date(2020, 1, 1) + dt.timedelta(days=place * 13 % 99) for place in PLACES],
    "seen": [dt.datetime(2020, 1, 1, 12, 0, place) for place in PLACES],
    "nothing": [None] * ROWS,
}
CLASSES = [
    "high" if (age > 40) != (sex == "m") else "low"
    for age, sex in zip(COLUMNS["age"], COLUMNS["sex"], strict=True)
]
POLARS = pl.DataFrame(COLUMNS)


def pandas_frame() -> Any:
    return pd.DataFrame(COLUMNS)


FRAMES: dict[str, tuple[Any, Any]] = {
    "polars": (POLARS, pl.Series("risk", CLASSES)),
    "polars lazy": (POLARS.lazy(), CLASSES),
    "polars categorical": (POLARS.cast({"sex": pl.Categorical}), np.array(CLASSES)),
    "polars enum": (
        POLARS.cast({"sex": pl.Enum(["f", "m"])}),
        pl.Series("risk", CLASSES, dtype=pl.Categorical),
    ),
    "pandas": (pandas_frame(), pd.Series(CLASSES, name="risk")),
    "pandas category": (pandas_frame().astype({"sex": "category"}), pd.Series(CLASSES, dtype="category")),
    "pandas object": (pandas_frame().astype({"sex": object, "member": object}), CLASSES),
    "arrow": (pa.table(COLUMNS), pa.chunked_array([CLASSES])),
    "arrow dictionary": (
        pa.table(COLUMNS).set_column(1, "sex", pa.array(COLUMNS["sex"]).dictionary_encode()),
        pa.array(CLASSES),
    ),
}


@pytest.mark.parametrize("make", [C45Classifier, SysForClassifier])
@pytest.mark.parametrize("kind", FRAMES)
def test_every_kind_of_frame_gives_the_same_trees(make: Any, kind: str) -> None:
    frame, classes = FRAMES[kind]
    model, expected = make().fit(frame, classes), make().fit(POLARS, CLASSES)
    np.testing.assert_array_equal(model.predict_proba(frame), expected.predict_proba(POLARS))
    assert model.feature_names_in_.tolist() == list(COLUMNS)
    assert model.n_features_in_ == len(COLUMNS)
    assert model.classes_.tolist() == ["high", "low"]


def test_columns_are_what_the_tables_room_takes_them_for() -> None:
    attributes = C45Classifier().fit(POLARS, CLASSES).forest_.attributes
    assert [a.kind for a in attributes] == ["numeric", *["categorical"] * 2, *["numeric"] * 3, "categorical"]
    assert [a.precision for a in attributes if a.kind == "numeric"] == [0, 2, 0, 0]
    assert attributes[2].categories == ("false", "true")


def test_a_given_order_of_categories_is_kept() -> None:
    frame = pd.DataFrame({"size": pd.Categorical(["m", "s", "m", "s"], categories=["s", "m", "l"])})
    tree = C45Classifier().fit(frame, [0, 1, 0, 1])
    assert tree.forest_.attributes[0].categories == ("s", "m", "l")
    assert tree.predict(frame).tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("classes", "name"),
    [
        (pl.Series("risk", [0, 1]), "risk"),
        (pl.Series([0, 1]), "class"),
        (pd.Series([0, 1], name=7), "class"),
        (pd.Series([0, 1], name="age"), "age_"),
        ([0, 1], "class"),
    ],
)
def test_the_class_is_called_as_its_series(classes: Any, name: str) -> None:
    assert C45Classifier().fit(pl.DataFrame({"age": [1, 2]}), classes).forest_.class_name == name


def test_a_name_is_lengthened_until_it_is_free() -> None:
    assert free_name(None, ["class", "class_"]) == "class__"


@pytest.mark.parametrize(
    ("classes", "texts"),
    [
        ([1.0, 2.0], ("1", "2")),
        ([True, False], ("false", "true")),
        ([10, 9], ("9", "10")),
        (["b", "a"], ("a", "b")),
    ],
)
def test_classes_keep_their_type_and_are_texts_in_the_forest(
    classes: list[Any], texts: tuple[str, ...]
) -> None:
    model = C45Classifier(min_leaf=1).fit([[1], [2]], classes)
    assert model.forest_.classes == texts
    assert model.predict([[1], [2]]).tolist() == classes


@pytest.mark.parametrize(
    ("low", "high", "kind"),
    [
        (-128, 127, "i1"),
        (0, 3, "u8"),
        (2**63 + 5, 2**63 + 9, "u8"),
        (-9, 1000, ">i4"),
        (-(2**63), 2**63 - 1, "i8"),
    ],
)
def test_whole_numbers_are_coded_as_numpy_does(low: int, high: int, kind: str) -> None:
    some = np.array([low, high, high - 1, low + 1, low, high - 2, high] * 50, np.dtype(kind))
    values = np.arange(len(some), dtype=np.float64)[:, None]
    classes, codes = np.unique(some, return_inverse=True)
    data = read_training(C45Classifier(), values, some)
    assert data.classes.dtype == classes.dtype
    np.testing.assert_array_equal(data.classes, classes)
    np.testing.assert_array_equal(data.codes, codes)


def test_the_order_of_an_array_in_memory_changes_nothing() -> None:
    values = np.random.default_rng(4).normal(size=(70_000, 2))
    values[::7, 1] = np.nan
    classes = np.nan_to_num(values.sum(axis=1)) > 0
    arrays = np.ascontiguousarray(values), np.asfortranarray(values)
    by_row, by_column = (read_training(C45Classifier(), array, classes, 2) for array in arrays)
    assert by_row.features == by_column.features
    for one, other, column in zip(by_row.columns, by_column.columns, values.T, strict=True):
        np.testing.assert_array_equal(one, column)
        np.testing.assert_array_equal(other, column)


def test_single_precision_is_not_rounded_to_the_decimals_of_the_training_data() -> None:
    values = pl.Series("x", [0.5, 0.5, 1.0, 1.0], dtype=pl.Float32)
    tree = C45Classifier().fit(values.to_frame(), [0, 0, 1, 1])
    assert tree.predict(pl.DataFrame({"x": pl.Series([0.5, 0.52], dtype=pl.Float32)})).tolist() == [0, 1]
    decimals = pl.DataFrame({"x": [Decimal("0.5"), Decimal("0.52")]})
    assert tree.predict(decimals).tolist() == [0, 1]


def test_arrays_and_frames_of_numbers_give_the_same_tree() -> None:
    values = np.arange(40.0).reshape(20, 2) % 7
    classes = np.arange(20) % 3
    array, frame = C45Classifier().fit(values, classes), C45Classifier().fit(pd.DataFrame(values), classes)
    assert not hasattr(frame, "feature_names_in_")
    np.testing.assert_array_equal(array.predict_proba(values), frame.predict_proba(values))


def test_all_missing_columns_may_come_in_any_type() -> None:
    tree = C45Classifier().fit(POLARS, CLASSES)
    none = POLARS.with_columns(age=pl.lit(None), sex=pl.lit(None, pl.Float64), nothing=pl.lit("new"))
    assert tree.predict_proba(none).shape == (ROWS, 2)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"age": "old"}, "'age' holds categories, but the tree was trained on numbers"),
        ({"sex": 1}, "'sex' holds numbers, but the tree was trained on categories"),
        (
            {"joined": dt.datetime(2020, 1, 1)},
            "'joined' holds Datetime values, but the tree was trained on Date values",
        ),
        ({"weight": float("inf")}, "'weight' contains infinite numbers"),
        ({"age": [[1]] * ROWS}, "'age' holds List"),
    ],
)
def test_other_kinds_of_values_are_refused(change: dict[str, Any], sentence: str) -> None:
    tree = C45Classifier().fit(POLARS, CLASSES)
    with pytest.raises(ValueError, match=sentence):
        tree.predict(
            POLARS.with_columns(
                **{k: pl.lit(v) if not isinstance(v, list) else pl.Series(v) for k, v in change.items()}
            )
        )


def test_names_and_order_must_be_those_of_the_training_data() -> None:
    tree = C45Classifier().fit(POLARS, CLASSES)
    with pytest.raises(ValueError, match="feature names should match"):
        tree.predict(POLARS.select(reversed(POLARS.columns)))


def test_an_array_cannot_stand_for_categories() -> None:
    tree = C45Classifier().fit(POLARS, CLASSES)
    with pytest.raises(ValueError, match="An array cannot hold the categories of column 'sex'"):
        tree.predict(np.zeros((2, len(COLUMNS))))


@pytest.mark.parametrize(
    ("frame", "classes", "sentence"),
    [
        (POLARS, None, "requires y"),
        (POLARS, CLASSES[1:], "inconsistent numbers of samples"),
        (POLARS, pl.Series([None, *CLASSES[1:]]), "have no class"),
        (pandas_frame(), pd.Series([None, *CLASSES[1:]]), "NaN"),
        (POLARS, [place / 7 for place in PLACES], "continuous"),
        (POLARS.head(0), [], r"0 sample\(s\)"),
        (POLARS.with_columns(weight=pl.lit(-np.inf)), CLASSES, "'weight' contains infinite numbers"),
    ],
)
def test_wrong_training_data_is_refused(frame: Any, classes: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        C45Classifier().fit(frame, classes)


def test_a_column_of_very_many_categories_is_left_out_with_a_warning() -> None:
    names = [f"n{place}" for place in range(1001)]
    frame = pl.DataFrame({"name": names, "size": range(1001)})
    classes = [place // 501 for place in range(1001)]
    with pytest.warns(UserWarning, match="'name' has 1001 categories"):
        tree = C45Classifier().fit(frame, classes)
    assert [a.name for a in tree.forest_.attributes] == ["size"]
    assert tree.predict(frame).tolist() == classes
    with (
        pytest.warns(UserWarning, match="categories"),
        pytest.raises(ValueError, match="Every column has more"),
    ):
        C45Classifier().fit(frame.select("name"), classes)
