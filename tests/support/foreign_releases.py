"""Releases as other programs make them, of one table of invented people."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl

ROWS = 400
TOWNS = ("Arden", "Brook", "Corby", "Dale", "Elmswell")


def people(rows: int = ROWS, seed: int = 4) -> pl.DataFrame:
    """Invented people with names, some missing values, negative numbers, and a class that the others explain."""
    chance = np.random.default_rng(seed)
    age = chance.integers(18, 90, rows)
    income = np.round(chance.lognormal(10, 0.6, rows), 2)
    balance = np.round(chance.normal(-200, 900, rows), 1)
    town = chance.choice(TOWNS, rows, p=[0.4, 0.3, 0.2, 0.07, 0.03])
    sex = chance.choice(["f", "m"], rows)
    odds = (age - 50) / 12 + (income > 25_000) - (town == "Dale") + chance.normal(0, 0.7, rows)
    frame = pl.DataFrame(
        {
            "name": [f"person {i}" for i in range(rows)],
            "age": age,
            "income": income,
            "balance": balance,
            "town": town,
            "sex": sex,
            "ill": np.where(odds > 0, "yes", "no"),
        }
    )
    gone = chance.random(rows) < 0.05
    return frame.with_columns(town=pl.when(~pl.Series(gone)).then(pl.col("town")))


def with_noise(frame: pl.DataFrame) -> pl.DataFrame:
    """Correlated normal noise on numbers, as sdcMicro adds it; whole numbers become real, categories stay."""
    chance = np.random.default_rng(8)
    numbers = ["age", "income", "balance"]
    values = frame.select(numbers).to_numpy()
    noise = chance.multivariate_normal(np.zeros(3), 0.1 * np.cov(values.T), frame.height)
    noisy = pl.DataFrame(values + noise, schema=numbers)
    return frame.drop("name").with_columns(noisy)


def shuffled_columns(frame: pl.DataFrame) -> pl.DataFrame:
    """Every column in an order of its own."""
    bare = frame.drop("name")
    return bare.select(pl.col(name).shuffle(seed=i) for i, name in enumerate(bare.columns))


def generalised(frame: pl.DataFrame) -> pl.DataFrame:
    """K-anonymous in the manner of ARX: ages in ranges, incomes suppressed, towns in groups or "*"."""
    low = pl.col("age") // 20 * 20
    group = (
        pl.when(pl.col("town").is_in(["Arden", "Brook"]))
        .then(pl.lit("{Arden, Brook}"))
        .otherwise(pl.lit("*"))
    )
    return frame.drop("name").with_columns(
        age=pl.concat_str([low, (low + 19)], separator="-"), income=pl.lit("*"), town=group
    )


def fewer_rows(frame: pl.DataFrame) -> pl.DataFrame:
    """A quarter of the records suppressed, the others as they were."""
    return frame.drop("name").filter(pl.int_range(pl.len()) % 4 != 1)


def reordered(frame: pl.DataFrame) -> pl.DataFrame:
    """The same records in another order."""
    return frame.drop("name").sample(fraction=1, shuffle=True, seed=11)


def synthetic(frame: pl.DataFrame) -> pl.DataFrame:
    """People who do not exist: another number of them, with columns in another order."""
    return people(frame.height + 37, seed=99).select("ill", "sex", "town", "balance", "income", "age")


def texts_only(frame: pl.DataFrame) -> pl.DataFrame:
    """All columns as text, as a careless export gives them."""
    return frame.drop("name").select(pl.all().cast(pl.String))


FOREIGN: dict[str, Callable[[pl.DataFrame], pl.DataFrame]] = {
    "with_noise": with_noise,
    "shuffled_columns": shuffled_columns,
    "generalised": generalised,
    "fewer_rows": fewer_rows,
    "reordered": reordered,
    "synthetic": synthetic,
    "texts_only": texts_only,
}
