"""What a teacher proposes for a response: residuals of people nearby, and proposals that follow the predictors."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import hushwood as hw
from hushwood.techniques.sequential.taught_values import NEIGHBOURS, _residuals_near


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
def test_a_response_keeps_its_numbers_and_with_a_teacher_its_ties(teacher: str) -> None:
    rng = np.random.default_rng(2)
    x, z = rng.normal(size=(2, 300))
    y = np.where(rng.random(300) < 0.1, np.nan, 3 * x + z)
    frame = pl.DataFrame({"x": x, "z": z, "y": y}).with_columns(pl.col("y").fill_nan(None))
    done = hw.release(frame, target="y", teacher=teacher, blur=0, seed="ab" * 32, evidence="none")
    new = done.frame
    assert sorted(new["y"].drop_nulls()) == sorted(frame["y"].drop_nulls())
    assert done.certificate["kept"] == 300
    known = new.drop_nulls()
    tie = np.corrcoef(known["x"], known["y"])[0, 1]
    assert tie > (0.85 if teacher != "none" else 0.3)
