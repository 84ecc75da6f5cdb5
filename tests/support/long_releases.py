"""Small tables in files, released by every recipe in memory and by streaming, with few or many parts."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl

from hushwood.arrays import Array
from hushwood.random_streams import Streams
from hushwood.releasing.engines.streaming.engine import Streaming
from hushwood.releasing.fitted import joined
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.perturbed import Perturbed
from hushwood.tables.frames.storage import frame_from_table
from hushwood.tables.long.table import LongTable, read_long
from hushwood.tables.reading import read
from hushwood.tables.table import Table
from support.mixed_tables import mixed_table, with_smoker

STREAMS = Streams(bytes(range(32)))
# Many parts, learnt on some of the records; and one part, learnt on all of them.
SIZES: Mapping[str, Mapping[str, int]] = {"parts": {"part_rows": 60, "forest_rows": 150}, "whole": {}}
# What some techniques have to be told, and less work for others.
TOLD: Mapping[str, Mapping[str, Any]] = {
    "suppress": {"suppress": ("{number} > {middle}",)},
    "coarsen": {"coarsen": ("{number}: 5",)},
    "segment-shuffle": {"teacher": "tree", "k": 20},
}


@dataclass(frozen=True)
class Example:
    """A table in a file, as both engines read it; `number` is a column of numbers, `middle` one of its values."""

    table: Table
    long: LongTable
    path: Path
    target: str
    number: str
    middle: float

    def options(self, recipe: str, **more: Any) -> PerturbOptions:
        """How a recipe treats it; its trees have several leaves."""
        told = {
            name: tuple(text.format(number=self.number, middle=self.middle) for text in given)
            if isinstance(given, tuple)
            else given
            for name, given in TOLD.get(recipe, {}).items()
        }
        usual = {} if recipe == "segment-shuffle" else {"min_leaf": 12}
        return PerturbOptions(technique=recipe, threads=2, **{**usual, **told, **more})


def mixed_frame(rows: int = 260) -> pl.DataFrame:
    """Numbers, categories, missing values, and a column that is only carried along; the class has clear rules."""
    frame = frame_from_table(with_smoker(mixed_table(8, rows))).drop("nothing", "void")
    high, low = pl.col("count") > 13, (pl.col("price") < 2.5) & (pl.col("city") != "Syd")
    risk = pl.when(high).then(pl.lit("high")).when(low).then(pl.lit("low")).otherwise("risk")
    return frame.with_columns(risk=risk, note=pl.Series([f"n{row}" for row in range(rows)]))


def numeric_frame(rows: int = 220) -> pl.DataFrame:
    """Numbers alone, and a class that follows from them."""
    chance = np.random.default_rng(12)
    size, weight = chance.integers(0, 40, rows), np.round(chance.normal(50, 9, rows), 1)
    price = np.round(2 * weight + chance.normal(0, 4, rows), 2)
    grade = np.select([size < 12, weight < 47, price > 110], ["a", "b", "c"], "d")
    wrong = chance.random(rows) < 0.08
    return pl.DataFrame(
        {"size": size, "weight": weight, "price": price, "grade": np.where(wrong, "a", grade).tolist()}
    )


def example(folder: Path, frame: pl.DataFrame, target: str, number: str, middle: float) -> Example:
    """The frame in a file of a folder."""
    path = folder / f"{target}.parquet"
    frame.write_parquet(path)
    arguments: dict[str, Any] = {"target": target}
    if "note" in frame.columns:
        arguments["roles"] = {"note": "ignored"}
    table = read(path, **arguments).of_present_categories().table
    return Example(table, read_long(path, folder, arguments).records, path, target, number, middle)


def examples(folder: Path) -> dict[str, Example]:
    """One with missing values and categories, one of numbers with several segments."""
    return {
        "mixed": example(folder, mixed_frame(), "risk", "count", 10),
        "numeric": example(folder, numeric_frame(), "grade", "size", 20),
    }


def streamed(long: LongTable, options: PerturbOptions, rows: int) -> tuple[Table, Perturbed]:
    """The release in batches of that many rows, put together."""
    how = replace(options, chunk_rows=rows)
    with (
        TemporaryDirectory() as scratch,
        closing(Streaming(long, how, STREAMS, Path(scratch), memory=1 << 30)) as made,
    ):
        made.learn()
        batches = list(made.batches())
        return joined([batch.released for batch in batches]), made.perturbed()


def cells(table: Table, name: str) -> Array:
    """A column as people read it: numbers, or texts with None for missing."""
    attribute = table.schema[name]
    values = table.columns[name]
    return values if attribute.kind == "numeric" else np.array([*attribute.categories, None], object)[values]


def differing(one: Table, other: Table) -> list[str]:
    """The columns in which two releases differ."""
    assert one.columns.keys() == other.columns.keys()
    found = []
    for name in one.columns:
        a, b = cells(one, name), cells(other, name)
        same = np.array_equal(a, b, equal_nan=True) if a.dtype.kind == "f" else np.array_equal(a, b)
        if not same:
            found.append(name)
    return found
