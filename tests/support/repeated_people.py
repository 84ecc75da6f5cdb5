"""Made-up tables in which people have several rows, and tables that only look a little like it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from hushwood.arrays import Array, Integers


def persons(count: int, seed: int) -> dict[str, Array]:
    """Persons with a few numbers, some of which follow roughly from others, and categories."""
    draw = np.random.default_rng(seed)
    sex = draw.choice(["f", "m"], count)
    height = np.round(np.where(sex == "f", 166, 179) + draw.normal(0, 7, count))
    weight = np.round((height - 100) * 0.9 + draw.normal(0, 11, count))
    return {
        "age": draw.integers(18, 90, count),
        "sex": sex,
        "height": height,
        "weight": weight,
        "bmi": np.round(weight / (height / 100) ** 2, 1),
        "income": np.round(np.exp(draw.normal(10.3, 0.5, count)), -2),
        "region": draw.choice(list("abcdefgh"), count),
        "school": draw.choice(["low", "middle", "high"], count),
        "ill": draw.choice(["yes", "no"], count, p=[0.3, 0.7]),
    }


def visits(count: int, draw: np.random.Generator) -> dict[str, Array]:
    """What is another in each row of a person."""
    return {
        "days": draw.geometric(0.15, count),
        "cost": np.round(np.exp(draw.normal(8, 0.8, count))),
        "ward": draw.choice(list("ABCDEF"), count),
        "systolic": np.round(draw.normal(130, 15, count)),
        "sodium": np.round(draw.normal(140, 3, count), 1),
        "crp": np.round(draw.lognormal(2, 1, count), 2),
        "back": draw.choice(["yes", "no"], count),
    }


def repeated(rows: Integers, of_visits: int, seed: int, columns: Sequence[str] = ()) -> pl.DataFrame:
    """Persons with these numbers of rows, in random order, with some columns of their visits; `pat` says who it is."""
    draw = np.random.default_rng(seed)
    held: dict[str, Any] = persons(len(rows), seed)
    held = {name: held[name] for name in columns or held} | {"pat": draw.permutation(len(rows)) + 10_000}
    frame = {name: np.repeat(values, rows) for name, values in held.items()}
    frame |= dict(list(visits(int(rows.sum()), draw).items())[:of_visits])
    return pl.DataFrame(frame).sample(fraction=1, shuffle=True, seed=seed)


def one_with_many(people: int, rows: int, seed: int) -> pl.DataFrame:
    """People with one row each, except for one with many."""
    held = np.ones(people, np.int64)
    held[people // 2] = rows
    return repeated(held, 0, seed).drop("pat")


def households(count: int, seed: int) -> pl.DataFrame:
    """Families of one to four people with the same income and the same rent."""
    draw = np.random.default_rng(seed)
    members = draw.choice([1, 1, 2, 2, 3, 4], count)
    shared = {
        "income": np.round(np.exp(draw.normal(10.3, 0.5, count))),
        "rent": np.round(np.exp(draw.normal(6.3, 0.4, count))),
        "region": draw.choice(list("abcdefgh"), count),
    }
    frame = persons(int(members.sum()), seed)
    return pl.DataFrame(frame | {name: np.repeat(values, members) for name, values in shared.items()})
