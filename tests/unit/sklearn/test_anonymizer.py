from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

import hushwood as hw
from hushwood.errors import InputError
from hushwood.policies.advice import Change, Changes
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.recipes import RECIPES
from hushwood.sklearn import Anonymizer
from hushwood.sklearn.anonymizer import join

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
    anonymizer = Anonymizer(technique=technique, redraw=0, seed=SEED)
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
    released, classes = Anonymizer(seed=SEED, min_leaf=20, trees=1, redraw=0).fit_resample(values, PLACES % 2)
    assert released.shape == values.shape
    assert released.dtype == values.dtype
    assert np.bincount(classes).tolist() == [100, 100]


def test_parameters_are_stored_as_given_and_are_those_of_a_release() -> None:
    given = {
        "technique": "framework",
        "noise": 0.1,
        "trees": 1,
        "min_leaf": 12,
        "seed": SEED,
        "keep": {"x": "y"},
        "rows_are_people": "z",
    }
    found = clone(Anonymizer(**given)).get_params()  # type: ignore[arg-type]  # of several types
    assert {name: found[name] for name in given} == given
    defaults = inspect.signature(hw.release).parameters
    own = Anonymizer().get_params()
    assert own.pop("evidence") == "none"
    assert own.pop("settings") is None
    assert own == {name: defaults[name].default for name in own}


def test_every_setting_reaches_the_release() -> None:
    given: dict[str, Any] = {
        "k": 40,
        "blur": 7,
        "rare": "suppress",
        "rare_below": 70,
        "coarsen": {"age": 5},
        "top_code": {"age": 60},
        "suppress": ["pay > 60"],
        "evidence": "quick",
    }
    anonymizer = Anonymizer(seed=SEED, **given)
    features, classes = anonymizer.fit_resample(FRAME, CLASSES)
    done = hw.release(FRAME.assign(risk=CLASSES), target="risk", seed=SEED, reuse_key=True, **given)
    pd.testing.assert_frame_equal(features.assign(risk=classes), done.frame)
    assert anonymizer.release_.verdict.status == done.verdict.status


@pytest.mark.parametrize("name", [name for name, recipe in RECIPES.items() if recipe.dial])
def test_what_advice_changes_can_be_set(name: str) -> None:
    dial = RECIPES[name].dial
    assert dial is not None
    followers = dial.followers(PerturbOptions(name, redraw=0), 9)
    assert bool(followers) == (name == "segment-shuffle")
    assert dial.followers(PerturbOptions(name), 9) == {}, "the blur of drawn people follows the table"
    changes = Changes([Change(dial.setting, 9, ""), *(Change(one, 9, "") for one in followers)])
    anonymizer = Anonymizer(technique=name).set_params(**changes.keywords, evidence="full")
    assert (
        dial.now(
            PerturbOptions(settings=anonymizer.settings or {}, k=anonymizer.k, noise=anonymizer.noise), 200
        )
        == 9
    )


def test_fit_checks_and_changes_nothing() -> None:
    anonymizer = Anonymizer()
    assert anonymizer.fit(FRAME, CLASSES) is anonymizer
    assert anonymizer.feature_names_in_.tolist() == ["age", "sex", "pay"]
    assert not hasattr(anonymizer, "release_")
    with pytest.raises(InputError, match=r"drop it with roles="):
        anonymizer.fit(FRAME.assign(mail=[f"a{n}@b.example" for n in PLACES]), CLASSES)
    with pytest.raises(InputError, match=r"^k must be 2 or more; 1 was given"):
        Anonymizer(k=1).fit(FRAME, CLASSES)


EXPECTED = {
    "check_fit2d_1sample": "one record is refused because its class has one value, and the sentence says that"
}


@parametrize_with_checks(  # type: ignore[untyped-decorator]
    [Anonymizer(seed=SEED), Anonymizer(technique="forest-framework", seed=SEED)],
    expected_failed_checks=lambda _: EXPECTED,
)
def test_scikit_learns_own_checks(estimator: Any, check: Callable[[Any], None]) -> None:
    check(estimator)


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


COLUMNS = {"age": [31, 45, 28], "sex": ["f", None, "m"], "pay": [1.5, 2.0, None]}
CLASSES_CONTAINERS = ["no", "yes", "no"]
INDEX = [7, 8, 9]


def same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray):
        return bool(one.dtype == other.dtype and (one.astype(str) == other.astype(str)).all())
    return type(one) is type(other) and bool(one.equals(other))


@pytest.mark.parametrize(
    ("features", "classes"),
    [
        (pl.DataFrame(COLUMNS), pl.Series("risk", CLASSES_CONTAINERS)),
        (pl.DataFrame(COLUMNS), pl.Series("age", CLASSES_CONTAINERS, dtype=pl.Enum(["yes", "no"]))),
        (pd.DataFrame(COLUMNS), pd.Series(CLASSES_CONTAINERS, name="risk")),
        (pd.DataFrame(COLUMNS), pd.Series(CLASSES_CONTAINERS, dtype="category")),
        (pd.DataFrame({0: [1, 2, 3], 1: ["a", "b", "a"]}), pd.Series([1, 0, 1], name=5)),
        (pa.table(COLUMNS), pa.chunked_array([CLASSES_CONTAINERS])),
        (np.array([[1, 2], [3, 4], [5, 6]], dtype=np.int16), np.array([True, False, True])),
        (np.array([[1, np.nan], [3, 4.5], [5, 6]]), np.array([1.0, 0.0, np.nan])[[0, 1, 0]]),
        (np.array([[1.5], [2.5], [3.5]], dtype=np.float32), np.array(CLASSES_CONTAINERS, dtype=object)),
        (np.array([[1], [2], [3]]), np.array(CLASSES_CONTAINERS)),
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
    ("classes", "sentence"),
    [(None, "requires y to be passed"), (CLASSES_CONTAINERS[1:], "inconsistent numbers")],
)
def test_classes_are_needed_for_every_record(classes: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Anonymizer().fit_resample(pl.DataFrame(COLUMNS), classes)
