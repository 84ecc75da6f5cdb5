from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from hushwood.sklearn import Anonymizer
from hushwood.sklearn.anonymizer import join

COLUMNS = {"age": [31, 45, 28], "sex": ["f", None, "m"], "pay": [1.5, 2.0, None]}
CLASSES = ["no", "yes", "no"]
INDEX = [7, 8, 9]


def same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray):
        return bool(one.dtype == other.dtype and (one.astype(str) == other.astype(str)).all())
    return type(one) is type(other) and bool(one.equals(other))


@pytest.mark.parametrize(
    ("features", "classes"),
    [
        (pl.DataFrame(COLUMNS), pl.Series("risk", CLASSES)),
        (pl.DataFrame(COLUMNS), pl.Series("age", CLASSES, dtype=pl.Enum(["yes", "no"]))),
        (pd.DataFrame(COLUMNS), pd.Series(CLASSES, name="risk")),
        (pd.DataFrame(COLUMNS), pd.Series(CLASSES, dtype="category")),
        (pd.DataFrame({0: [1, 2, 3], 1: ["a", "b", "a"]}), pd.Series([1, 0, 1], name=5)),
        (pa.table(COLUMNS), pa.chunked_array([CLASSES])),
        (np.array([[1, 2], [3, 4], [5, 6]], dtype=np.int16), np.array([True, False, True])),
        (np.array([[1, np.nan], [3, 4.5], [5, 6]]), np.array([1.0, 0.0, np.nan])[[0, 1, 0]]),
        (np.array([[1.5], [2.5], [3.5]], dtype=np.float32), np.array(CLASSES, dtype=object)),
        (np.array([[1], [2], [3]]), np.array(CLASSES)),
    ],
)
def test_what_is_joined_comes_apart_as_it_was(features: Any, classes: Any) -> None:
    joined = join(Anonymizer(), features, classes)
    back, classes_back = joined.features_like(joined.frame), joined.classes_like(joined.frame)
    assert same(back, features)
    assert same(classes_back, classes)
    assert getattr(classes_back, "name", None) == getattr(classes, "name", None)


def test_a_class_that_is_not_a_number_among_objects_is_missing() -> None:
    joined = join(Anonymizer(), [[1], [2], [3]], np.array(["a", np.nan, "b"], dtype=object))
    assert joined.frame["class"].to_list() == ["a", None, "b"]


@pytest.mark.parametrize(
    ("classes", "sentence"), [(None, "requires y to be passed"), (CLASSES[1:], "inconsistent numbers")]
)
def test_classes_are_needed_for_every_record(classes: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Anonymizer().fit_resample(pl.DataFrame(COLUMNS), classes)
