"""A made-up clinical table: skewed laboratory values, a rare flag, whole numbers, and a class that depends on them."""

from __future__ import annotations

import numpy as np
import polars as pl


def clinical(records: int, seed: int = 0) -> pl.DataFrame:
    """Invented patients; the class is whether they come back within a month."""
    draw = np.random.default_rng(seed)
    age = np.clip(draw.normal(62, 15, records).round(), 18, 97)
    sex = draw.choice(["f", "m"], records)
    creatinine = np.exp(draw.normal(-0.05 + 0.004 * (age - 60) + 0.12 * (sex == "m"), 0.35)).round(2)
    pressure = (draw.normal(118 + 0.35 * age, 14, records) / 2).round() * 2
    diabetes = np.where(draw.random(records) < 0.06 + 0.002 * (age - 18), "yes", "no")
    dialysis = np.where((creatinine > 2) & (draw.random(records) < 0.5), "yes", "no")
    stays = draw.poisson(0.4 + 0.5 * (diabetes == "yes") + 0.01 * (age - 18))
    ward = draw.choice(["cardiology", "medicine", "surgery", "urology"], records, p=[0.2, 0.4, 0.3, 0.1])
    score = 0.03 * (age - 62) + 0.9 * (creatinine - 1) + 0.5 * stays + 0.7 * (ward == "medicine") - 1.6
    returns = np.where(draw.random(records) < 1 / (1 + np.exp(-score)), "yes", "no")
    return pl.DataFrame(
        {
            "age": age.astype(int),
            "sex": sex,
            "ward": ward,
            "creatinine": creatinine,
            "pressure": pressure.astype(int),
            "diabetes": diabetes,
            "dialysis": dialysis,
            "stays": stays,
            "returns": returns,
        }
    )
