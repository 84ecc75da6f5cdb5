from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone

import hushwood as hw
from hushwood.errors import InputError
from hushwood.sklearn import Anonymizer

SEED = "5e" * 32
ROWS = 200
PLACES = np.arange(ROWS)
FRAME = pd.DataFrame(
    {
        "age": 20 + PLACES * 7 % 50,
        "sex": pd.Series(np.array(["f", "m", None], dtype=object)[PLACES % 3], dtype="category"),
        "pay": np.where(PLACES % 9 == 0, np.nan, PLACES * 11 % 60 + 0.25),
    },
    index=PLACES + 1000,
)
CLASSES = pd.Series(np.where(FRAME["age"] > 40, "high", "low"), index=FRAME.index, name="risk")


def test_the_release_is_the_jobs() -> None:
    features, classes = Anonymizer(seed=SEED).fit_resample(FRAME, CLASSES)
    done = hw.release(FRAME.assign(risk=CLASSES), target="risk", seed=SEED, evidence="none")
    pd.testing.assert_frame_equal(features.assign(risk=classes), done.frame)
    pd.testing.assert_series_equal(classes, done.frame["risk"])


@pytest.mark.parametrize("technique", ["segment-shuffle", "forest-framework"])
def test_rules_are_kept_and_values_are_not(technique: str) -> None:
    anonymizer = Anonymizer(technique=technique, seed=SEED)
    features, classes = anonymizer.fit_resample(FRAME, CLASSES)
    certificate = anonymizer.release_.certificate
    assert certificate["kept"] == certificate["records"] == ROWS
    assert (features["age"].to_numpy() != FRAME["age"].to_numpy()).mean() > 0.5
    assert sorted(classes) == sorted(CLASSES)
    assert features["pay"].isna().sum() == FRAME["pay"].isna().sum()
    in_place = features["pay"].isna().tolist() == FRAME["pay"].isna().tolist()
    assert in_place == (technique == "forest-framework")
    assert anonymizer.feature_names_in_.tolist() == ["age", "sex", "pay"]
    assert len(anonymizer.forest_.trees) == anonymizer.release_.manifest["parameters"]["trees"]


def test_the_default_is_that_of_a_release() -> None:
    anonymizer = Anonymizer(k=30)
    anonymizer.fit_resample(FRAME, CLASSES)
    manifest = anonymizer.release_.manifest
    assert (manifest["technique"], manifest["parameters"]["k"]) == ("segment-shuffle", 30)
    with pytest.raises(InputError, match="20 records or more"):
        Anonymizer().fit_resample(FRAME[:19], CLASSES[:19])


def test_without_a_seed_the_noise_is_fresh() -> None:
    one, _ = Anonymizer().fit_resample(FRAME, CLASSES)
    other, _ = Anonymizer().fit_resample(FRAME, CLASSES)
    assert not one["age"].equals(other["age"])


def test_arrays_of_whole_numbers_stay_whole() -> None:
    values = np.column_stack([PLACES * 7 % 50, PLACES * 13 % 31])
    released, classes = Anonymizer(seed=SEED, min_leaf=20, trees=1).fit_resample(values, PLACES % 2)
    assert released.shape == values.shape
    assert released.dtype == values.dtype
    assert np.bincount(classes).tolist() == [100, 100]


def test_parameters_are_stored_as_given() -> None:
    anonymizer = Anonymizer(
        technique="framework",
        k=None,
        noise=0.1,
        trees=1,
        min_leaf=12,
        variant="j48",
        seed=SEED,
        keep={"x": "y"},
        rows_are_people="z",
    )
    assert clone(anonymizer).get_params() == {
        "technique": "framework",
        "k": None,
        "noise": 0.1,
        "trees": 1,
        "min_leaf": 12,
        "variant": "j48",
        "seed": SEED,
        "keep": {"x": "y"},
        "rows_are_people": "z",
    }


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"technique": "forrest-framework"}, "Did you mean 'forest-framework'"),
        ({"noise": -1}, "-1 was given"),
        ({"variant": "see4"}, "variant must be .*'see4' was given"),
        ({"seed": "abc"}, "64 hexadecimal digits"),
        ({"trees": 0}, "1 or more"),
    ],
)
def test_wrong_parameters_are_refused_when_it_runs(parameters: dict[str, Any], sentence: str) -> None:
    anonymizer = Anonymizer(**parameters)
    with pytest.raises(InputError, match=sentence):
        anonymizer.fit_resample(FRAME, CLASSES)


def test_one_class_is_refused() -> None:
    with pytest.raises(ValueError, match="only one value"):
        Anonymizer().fit_resample(pl.DataFrame({"age": [1, 2]}), ["a", "a"])
