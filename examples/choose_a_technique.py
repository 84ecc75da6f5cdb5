"""Three techniques on the same table: what each keeps, and what each gives away.

`hw.tune` does this thoroughly, with a policy. Here are three releases and four numbers by hand.
"""

from __future__ import annotations

import warnings

import polars as pl

import hushwood as hw
from hushwood.demo.synthetic_tables import credit_risk

SEED = "3" * 64
ASKED = {
    "prediction_accuracy": "accuracy kept",
    "correlations": "largest change of a correlation",
    "unchanged_cells": "cells unchanged",
    "linkage": "people found",
}
warnings.simplefilter("ignore", hw.HushwoodWarning)

table = credit_risk(600, SEED)
rows = []
for technique in ("segment-shuffle", "forest-framework", "cart-synthesis"):
    done = hw.release(table, technique=technique, seed=SEED, evidence="none", reuse_key=True)
    answers = hw.audit(table, done, only=list(ASKED)).to_frame()
    worst = dict(answers.group_by("name").agg(pl.col("value").max()).iter_rows())
    rows.append({"technique": technique, **{words: worst[name] for name, words in ASKED.items()}})

for row in rows:
    print(row.pop("technique"))
    for words, value in row.items():
        print(f"  {words:34}" + ("no record stands for one person" if value is None else f"{value:.2f}"))
