"""Releases of a survey: the weight is used, changed or dropped, and said to be, in every engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import hushwood as hw
from hushwood.errors import InputError
from support.people_files import SEED

ROWS = 240


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    """People of whom those over fifty were drawn half as often."""
    draw = np.random.default_rng(5)
    age = draw.integers(20, 80, ROWS)
    ill = np.where((age > 50) ^ (draw.random(ROWS) < 0.1), "yes", "no")
    weight = np.where(draw.random(ROWS) < 0.5, 40.5, 90.25) * np.where(age > 50, 2, 1)
    frame = pl.DataFrame({"age": age, "town": draw.choice(["a", "b", "c"], ROWS), "ill": ill, "w": weight})
    frame.write_csv(tmp_path / "survey.csv")
    return tmp_path / "survey.csv"


@pytest.mark.parametrize("redraw", [0, 1])
def test_a_release_uses_and_changes_the_weight_in_every_engine(
    survey: Path, tmp_path: Path, redraw: float
) -> None:
    before = pl.read_csv(survey)["w"]
    made = {
        engine: hw.release(
            survey,
            target="ill",
            weight="w",
            redraw=redraw,
            seed=SEED,
            reuse_key=True,
            engine=engine,
            evidence="none",
            output=tmp_path / engine,
        )
        for engine in ("memory", "streaming")
    }
    done, after = made["memory"], made["memory"].frame["w"]
    assert (before != after).sum() > ROWS / 4
    assert done.forest.grown["counts"] == "weighted"
    if not redraw:
        assert after.sum() == pytest.approx(before.sum(), rel=1e-6)
        assert done.forest.trees[0].counts[0].sum() == pytest.approx(before.sum())
    # Drawing people and weights gives the total twice the variance of a sample's.
    assert abs(after.sum() - before.sum()) < 3 * np.sqrt(2 * ROWS) * before.to_numpy().std()
    assert "w" not in [a.name for a in done.forest.attributes]
    assert done.frame.equals(made["streaming"].frame)
    # An audit of the folder knows the weight from there.
    found = hw.audit(survey, tmp_path / "memory", only=["weighted_totals", "distribution_distances"])
    change = after.sum() / before.sum() - 1
    assert found["weighted_totals"].details["whole"]["change"] == pytest.approx(abs(change), abs=1e-6)


def test_a_dropped_weight_still_decides_the_rules(survey: Path) -> None:
    words: dict[str, Any] = {
        "target": "ill",
        "weight": "w",
        "seed": SEED,
        "reuse_key": True,
        "evidence": "none",
    }
    dropped = {"roles": {"w": "identifier"}, **words}
    kept, done = hw.release(survey, **words), hw.release(survey, **dropped)
    assert done.frame.columns == ["age", "town", "ill"]
    assert np.array_equal(done.forest.trees[0].counts, kept.forest.trees[0].counts)
    assert any("every released record counts the same in measures" in warning for warning in done.warnings)
    with pytest.raises(InputError, match=r"only engine=.memory. can learn rules with such a weight"):
        hw.release(survey, engine="streaming", **dropped)


def test_a_release_without_the_weight_is_judged_without_it(survey: Path) -> None:
    frame = pl.read_csv(survey)
    found = hw.audit(frame, frame.drop("w"), target="ill", weight="w", only=["distribution_distances"])
    assert any("has no weight 'w' to compare by" in note for note in found.evaluation.audit.notes)
    assert found["distribution_distances"].value == 0.0
