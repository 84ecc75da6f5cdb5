"""The tables on which lists of candidates are tried: public ones, and made-up ones with what real tables have.

HUSHWOOD_DATA names the folder of the public tables, HUSHWOOD_HELD_OUT a folder of CSV files made from statsmodels' and
lifelines' own data sets: `python -c "import statsmodels.api as sm;
sm.datasets.fair.load_pandas().data.to_csv('fair.csv', index=False)"`.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import polars as pl

HELD_OUT: Mapping[str, str] = {
    "fair": "affair",
    "randhie": "hlthg",
    "anes96": "vote",
    "gbsg2": "cens",
    "rossi": "arrest",
    "kidney_transplant": "death",
}
OTHERS = ("wbc", "boston", "bupa", "wine")
MADE = {"made 1,000 × 6": (1_000, 6), "made 10,000 × 40": (10_000, 40), "made 50,000 × 15": (50_000, 15)}
DEVELOPMENT = ("cmc", "adult 4,000")
FACTORS, NUMBERS_EVERY, TAIL_EVERY, RARE_EVERY = 3, 3, 2, 4
SEED = 2026


def table_named(name: str) -> tuple[pl.DataFrame, str]:
    """A frame without missing values, and its class."""
    if name in MADE:
        return made_up(*MADE[name]), "y"
    if name in HELD_OUT:
        return _held_out(name), HELD_OUT[name]
    rows = 4_000 if name.endswith("4,000") else None
    folder = Path(os.environ["HUSHWOOD_DATA"])
    about = tomllib.loads((folder / "tables.toml").read_text("utf-8"))[name.split(maxsplit=1)[0]]
    frame = pl.read_csv(folder / about["file"], infer_schema_length=None).drop(about["identifiers"])
    frame = frame.drop("fnlwgt", strict=False).drop_nulls()
    if rows:
        frame = frame[np.sort(np.random.default_rng(0).permutation(frame.height)[:rows])]
    return frame, about["class"]


def _held_out(name: str) -> pl.DataFrame:
    frame = pl.read_csv(Path(os.environ["HUSHWOOD_HELD_OUT"]) / f"{name}.csv", infer_schema_length=None)
    if name == "fair":
        frame = frame.with_columns(affair=pl.col("affairs") > 0).drop("affairs")
    if name == "anes96":
        frame = frame.drop("logpopul")
    labels = pl.col(HELD_OUT[name]).cast(pl.Int64, strict=False).cast(pl.String)
    return frame.drop_nulls().with_columns(pl.concat_str(pl.lit("class "), labels).alias(HELD_OUT[name]))


def made_up(rows: int, columns: int) -> pl.DataFrame:
    """Correlated columns: numbers, every second with a heavy tail, and categories, some with levels of few people."""
    chance = np.random.default_rng([SEED, rows, columns])
    hidden = chance.normal(size=(rows, FACTORS))
    drawn: dict[str, list[float] | list[str]] = {}
    for place in range(columns - 1):
        value = 0.6 * hidden @ chance.normal(size=FACTORS) + chance.normal(size=rows)
        if place % NUMBERS_EVERY:
            cuts = np.sort(chance.normal(size=2 + place % 5))
            if place % RARE_EVERY == 0:
                cuts = np.append(cuts, np.quantile(value, [0.99, 0.997]))
            drawn[f"c{place}"] = np.array(list("abcdefghij"))[np.searchsorted(np.sort(cuts), value)].tolist()
        elif place % (NUMBERS_EVERY * TAIL_EVERY):
            drawn[f"n{place}"] = np.round(1_000 * np.exp(1.2 * value)).tolist()
        else:
            drawn[f"n{place}"] = np.round(50 + 12 * value, 1).tolist()
    label = hidden[:, 0] + 0.5 * chance.normal(size=rows) > 0
    drawn["y"] = np.where(label, "yes", "no").tolist()
    return pl.DataFrame(drawn)
