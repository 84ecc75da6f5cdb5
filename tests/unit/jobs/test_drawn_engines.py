"""Releases of drawn people are the same on every engine: values, order of the rows, and what the manifest says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import hushwood as hw
from hushwood.jobs.verify import verify
from support.people_files import SEED
from support.spark_runs import needs_spark

ROWS = 700
CASES: dict[str, dict[str, Any]] = {
    "a class with gaps": {"target": "ill"},
    "several classes": {"target": ["ill", "sex"]},
    "a number": {"target": "pay"},
    "no class": {},
    "a weight": {"target": "ill", "weight": "w"},
    "in parts": {"target": "ill", "part_rows": 200, "forest_rows": 300},
    "rare levels kept": {"target": "ill", "rare": "keep"},
    "coarse": {"target": "ill", "coarsen": {"age": 5}},
    "links": {"target": "ill", "links": "keep"},
}


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Gaps, towns of a few people, a state that follows from the town, and a weight."""
    rng = np.random.default_rng(8)
    age, sex = rng.integers(18, 90, ROWS), rng.choice(["f", "m"], ROWS)
    town = np.where(rng.random(ROWS) < 0.02, "Elm", rng.choice(["A", "B", "C"], ROWS))
    frame = pl.DataFrame(
        {
            "age": age,
            "sex": sex,
            "town": town.tolist(),
            "state": np.where(np.isin(town, ["A", "Elm"]), "north", "south").tolist(),
            "pay": (20 + age / 2 + np.where(sex == "m", 6.0, 0.0) + rng.normal(size=ROWS)).round(2),
            "ill": np.where(age + rng.normal(size=ROWS) * 5 > 60, "yes", "no").tolist(),
            "w": np.where(rng.random(ROWS) < 0.5, 40.5, 90.25),
        }
    )
    gaps = rng.random((ROWS, 3)) < 0.05
    frame = frame.with_columns(
        pl.when(pl.Series(gaps[:, i])).then(None).otherwise(pl.col(name)).alias(name)
        for i, name in enumerate(("age", "pay", "ill"))
    )
    path = tmp_path_factory.mktemp("people") / "people.parquet"
    frame.write_parquet(path)
    return path


def released(people: Path, out: Path, case: str, **how: Any) -> hw.Release:
    given = {"k": 60, "teacher": "tree", **CASES[case]}
    if given.pop("links", None) is None:
        given["links"] = "none"
    return hw.release(people, output=out, seed=SEED, reuse_key=True, evidence="none", **given, **how)


@pytest.mark.parametrize("case", CASES)
def test_streaming_releases_what_memory_does(people: Path, tmp_path: Path, case: str) -> None:
    wanted = released(people, tmp_path / "memory", case, engine="memory")
    assert wanted.manifest["output"]["records_have_partners"] is False
    found = released(people, tmp_path / "streaming", case, engine="streaming", chunk_rows=90)
    assert found.frame.equals(wanted.frame)
    assert found.certificate == wanted.certificate
    assert found.manifest["parameters"] == wanted.manifest["parameters"]
    assert verify(tmp_path / "streaming", people).holds


@needs_spark
@pytest.mark.parametrize("case", ["in parts", pytest.param("links", marks=pytest.mark.thorough)])
def test_spark_releases_what_memory_does(people: Path, tmp_path: Path, case: str) -> None:
    wanted = released(people, tmp_path / "memory", case, engine="memory")
    found = released(people, tmp_path / "spark", case, engine="spark", chunk_rows=130)
    assert found.frame.equals(wanted.frame)
    assert found.certificate == wanted.certificate
    assert not any("row_order" in path.name for path in (tmp_path / "spark").rglob("*"))
    assert verify(tmp_path / "spark", people).holds
