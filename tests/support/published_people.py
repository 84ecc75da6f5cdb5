"""Invented people with every kind of column, and the counts of K and L done again, for tests of published trees."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import date

import polars as pl

CITIES = ('Ulm, "old"', "Ulm; new", "Arm", "Bex", "Cuy")


def ugly_people(count: int = 300) -> pl.DataFrame:
    """Numbers, decimals, dates, booleans, an Enum, odd texts, gaps, a constant, a job to keep secret."""
    i = pl.int_range(count, eager=True)
    frame = pl.DataFrame({"i": i}).select(
        age=18 + pl.col("i") * 37 % 63,
        score=(pl.col("i") * 53 % 1000) / 10,
        born=pl.lit(date(1950, 1, 1)) + pl.duration(days=pl.col("i") * 101 % 9000),
        smoker=pl.col("i") * 7 % 5 < 2,
        city=(pl.col("i") * 11 % 6).cast(pl.String).replace({str(n): c for n, c in enumerate(CITIES)}),
        size=(pl.col("i") * 13 % 3).replace_strict(
            {0: "small", 1: "middle", 2: "large"}, return_dtype=pl.String
        ),
        same=pl.lit("one"),
        job=(pl.col("i") * 17 % 7).cast(pl.String),
    )
    sizes = pl.Enum(["small", "middle", "large", "huge"])
    return frame.with_columns(
        pl.col("born").cast(pl.Date),
        pl.col("size").cast(sizes),
        pl.when(pl.col("city") != "5").then(pl.col("city")).alias("city"),
        ill=pl.when(
            ((pl.col("age") > 50) ^ pl.col("smoker") | (pl.col("city") == "Arm"))
            ^ (pl.col("score") * 7 % 9 < 1)
        )
        .then(pl.lit("yes"))
        .otherwise(pl.lit("no")),
        pay=pl.col("age") * 10 + pl.col("score") + pl.col("smoker").cast(pl.Int64) * 300,
    )


def smallest_group(released: pl.DataFrame, by: Sequence[str]) -> int:
    """Records of the smallest group that is alike in these columns, counted record by record."""
    return min(Counter(released.select(by).rows()).values())


def smallest_diversity(released: pl.DataFrame, by: Sequence[str], secret: pl.Series) -> float:
    """The smallest size of a group over its most frequent sensitive value, counted record by record."""
    groups: dict[tuple[object, ...], Counter[object]] = defaultdict(Counter)
    for key, value in zip(released.select(by).rows(), secret.to_list(), strict=True):
        groups[key][value] += 1
    return min(found.total() / max(found.values()) for found in groups.values())
