"""What a teacher proposes for a response: residuals of people nearby, and proposals that follow the predictors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest

import hushwood as hw
from hushwood.random_streams import Streams
from hushwood.techniques.sequential.coded_columns import CodedColumn
from hushwood.techniques.sequential.taught_values import NEIGHBOURS, _residuals_near
from hushwood.techniques.sequential.teacher import (
    FOLDS,
    Ensemble,
    Lesson,
    TaughtTree,
    folds_of_people,
    kinds_of_models,
)

CHANCE = np.random.default_rng(8)
ROWS = 600
X = CHANCE.normal(size=ROWS)
JOB = CHANCE.integers(0, 300, ROWS)
SEX = CHANCE.integers(0, 2, ROWS)
LABEL = ((X + (SEX == 1)) > 0.5).astype(int)
NUMBER = CodedColumn.of_numbers("x", np.where(CHANCE.random(ROWS) < 0.1, np.nan, X))
INPUTS = (NUMBER, CodedColumn.of_categories("job", JOB, 300), CodedColumn.of_categories("sex", SEX, 2))
CODES = {column.name: column for column in INPUTS}
KINDS = kinds_of_models("ensemble", 2)


def lesson(label: np.ndarray = LABEL, inputs: Sequence[CodedColumn] = INPUTS, threads: int = 1) -> Lesson:
    target = CodedColumn.of_categories("y", label, int(label.max()) + 1)
    rows = np.arange(ROWS)
    return Lesson(inputs, target, rows, Streams(bytes(32)), "test", threads)


def released(rows: np.ndarray) -> list[CodedColumn]:
    return [column.take(rows) for column in INPUTS]


def asked(threads: int = 1, kinds: Sequence[str] = KINDS) -> np.ndarray:
    folds = np.arange(ROWS) % FOLDS
    return Ensemble.of(lesson(threads=threads), kinds).chances(released, folds, threads)(np.arange(ROWS))


@pytest.mark.parametrize("kind", KINDS)
def test_every_model_finds_the_rule(kind: str) -> None:
    chances = asked(kinds=(kind,))
    assert chances.sum(axis=1) == pytest.approx(np.ones(ROWS))
    assert ((chances[:, 1] > 0.5) == LABEL).mean() > 0.8


def test_the_ensemble_is_the_mean_of_its_models_whatever_the_threads() -> None:
    apart = np.mean([asked(kinds=(kind,)) for kind in KINDS], axis=0)
    assert asked() == pytest.approx(apart, abs=1e-12)
    assert np.array_equal(asked(threads=3), asked())


def test_people_are_not_taught_their_own_class() -> None:
    """Labels that are pure chance: models that know all but a third of the people cannot repeat that third's."""
    label = CHANCE.integers(0, 2, ROWS)
    task = lesson(label)
    fold = folds_of_people(task)
    taught = Ensemble.of(task, ("forest",))
    own = taught.chances(released, fold, 1)(np.arange(ROWS))
    others = taught.chances(released, (fold + 1) % FOLDS, 1)(np.arange(ROWS))
    assert abs(((own[:, 1] > 0.5) == label).mean() - 0.5) < 0.08
    assert ((others[:, 1] > 0.5) == label).mean() > 0.75


def test_a_tree_gives_the_shares_of_its_leaves() -> None:
    chances = TaughtTree.of(lesson(), 20).chances(CODES, ROWS, 1)(np.arange(ROWS))
    assert chances.shape == (ROWS, 2)
    assert ((chances[:, 1] > 0.5) == LABEL).mean() > 0.8


def test_a_class_that_a_fold_lacks_has_no_chance_there() -> None:
    label = LABEL.copy()
    label[0] = 2
    folds = np.arange(ROWS) % FOLDS
    chances = Ensemble.of(lesson(label), KINDS).chances(released, folds, 1)(np.arange(ROWS))
    assert chances.shape == (ROWS, 3)
    assert chances.sum(axis=1) == pytest.approx(np.ones(ROWS))


def test_one_class_needs_no_model() -> None:
    taught = Ensemble.of(lesson(np.zeros(ROWS, int)), KINDS)
    chances = taught.chances(released, np.zeros(ROWS, int), 1)
    assert chances(np.arange(5)).tolist() == [[1.0]] * 5


def test_many_classes_are_not_boosted() -> None:
    assert kinds_of_models("ensemble", 51) == ("regression", "forest")
    assert kinds_of_models("boosting", 2) == ("boosting",)
    assert kinds_of_models("boosting", 51) == ("forest",)


def test_residuals_come_from_people_with_about_the_same_prediction() -> None:
    predicted = np.arange(1000.0)
    true = predicted + np.where(predicted < 500, 1.0, -1.0)
    asked = np.array([10.0, 250.0, 750.0, 990.0])
    for u in (0.0, 0.5, 0.999):
        found = _residuals_near(asked, predicted, true, np.full(4, u))
        assert found.tolist() == [1.0, 1.0, -1.0, -1.0]
    wide = _residuals_near(np.full(200, 500.0), predicted, true, np.linspace(0, 0.999, 200))
    assert {1.0, -1.0} == set(wide.tolist())
    few = _residuals_near(np.zeros(3), np.zeros(2), np.array([1.0, 2.0]), np.array([0.0, 0.5, 0.9]))
    assert set(few.tolist()) <= {1.0, 2.0}
    assert NEIGHBOURS == 50


@pytest.mark.parametrize("teacher", ["boosting", "tree", "none"])
@pytest.mark.parametrize("redraw", [0, 1])
def test_a_response_keeps_its_numbers_and_with_a_teacher_its_ties(teacher: str, redraw: float) -> None:
    rng = np.random.default_rng(2)
    x, z = rng.normal(size=(2, 300))
    y = np.where(rng.random(300) < 0.1, np.nan, 3 * x + z)
    frame = pl.DataFrame({"x": x, "z": z, "y": y}).with_columns(pl.col("y").fill_nan(None))
    done = hw.release(
        frame, target="y", teacher=teacher, blur=0, k=30, redraw=redraw, seed="ab" * 32, evidence="none"
    )
    new = done.frame
    if redraw:
        assert set(new["y"]) < set(frame["y"])
    else:
        assert sorted(new["y"].drop_nulls()) == sorted(frame["y"].drop_nulls())
    assert done.certificate["kept"] == 300
    known = new.drop_nulls()
    tie = np.corrcoef(known["x"], known["y"])[0, 1]
    assert tie > (0.85 if teacher != "none" else 0.3)
