"""People with several rows: visits of patients, whose age, sex and diagnosis are the same in all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from hushwood.random_streams import Streams
from hushwood.tables.reading import read
from hushwood.tables.table import Table

PERSON: Any = {"patient": "person"}
CONSTANT, VARYING = ("age", "sex", "ill"), ("pressure", "ward")
STREAMS = Streams(bytes(32))


def visits(patients: int = 120, seed: int = 1) -> pl.DataFrame:
    """One row a visit, those of a patient anywhere; some ages and pressures are missing."""
    chance = np.random.default_rng(seed)
    age = chance.integers(20, 90, patients).astype(float)
    sex = chance.choice(["f", "m"], patients)
    ill = np.where(chance.random(patients) < 1 / (1 + np.exp(-(age - 55) / 6)), "yes", "no")
    level = 120 + 0.5 * (age - 55) + chance.normal(0, 8, patients)
    age[chance.choice(patients, patients // 20, replace=False)] = np.nan
    of = chance.permutation(np.repeat(np.arange(patients), 1 + chance.poisson(2, patients)))
    pressure = np.round(level[of] + chance.normal(0, 3, len(of)), 1)
    pressure[chance.choice(len(of), len(of) // 25, replace=False)] = np.nan
    ward = np.where(chance.random(len(of)) < 0.7, np.array(["A", "B", "C"])[of % 3], "A")
    return pl.DataFrame(
        {
            "patient": [f"P{number:05d}" for number in of],
            "age": age[of],
            "sex": sex[of],
            "pressure": pressure,
            "ward": ward,
            "ill": ill[of],
        }
    ).with_columns(pl.col("age", "pressure").fill_nan(None))


def table_of_visits(
    frame: pl.DataFrame | None = None, roles: Any = PERSON, target: str | None = "ill"
) -> Table:
    """The visits as a table."""
    return read(visits() if frame is None else frame, target=target, roles=roles).table
