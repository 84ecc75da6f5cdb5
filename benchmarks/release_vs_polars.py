"""`hushwood release` of a million records from Parquet against Polars reading and writing the same file.

Both are timed as whole processes, start included. The table's own size is that of its Arrow buffers; the
command's peak is the largest resident size of its process, interpreter and libraries included.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from measuring import Limit, Line, Measured, command, contender, hushwood_command, report, timed, within

from hushwood.arrays import Floats

if TYPE_CHECKING:
    import polars as pl

ROWS = 1_000_000
CLASS = "outcome"
MEMORY = 4.0


def compare() -> list[Line]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        table = folder / "table.parquet"
        contender(__file__, "make", str(table))
        inside = contender(__file__, "polars", str(table), str(folder / "copy.parquet"))
        peer = command(
            lambda n: [sys.executable, __file__, "polars-once", str(table), str(folder / f"copy-{n}.parquet")]
        )
        whole = command(lambda n: release(table, folder / f"whole-{n}"))
        forest = folder / "whole-0" / "private" / "forest.json"
        bare = command(
            lambda n: release(table, folder / f"bare-{n}", "--evidence", "none", "--forest", str(forest))
        )
    size = int(inside.facts["table_bytes"])
    return [
        within("release of 1 M × 15, forest given, no evidence, against Polars", bare, peer, 4),
        within("release of 1 M × 15, whole command, against Polars", whole, peer, 15),
        memory("peak memory, forest given, no evidence, against the table", bare, size),
        memory("peak memory, whole command, against the table", whole, size, alone(inside)),
    ]


def release(table: Path, folder: Path, *options: str) -> list[str]:
    recipe = ["--technique", "forest-framework", "--engine", "memory"]
    arguments = ["release", str(table), "--class", CLASS, *recipe, "--quiet", *options]
    return [
        hushwood_command(),
        *arguments,
        "-o",
        str(folder),
        "--ledger",
        str(folder.with_name("ledger.json")),
    ]


def memory(what: str, ours: Measured, table_bytes: int, note: str = "") -> Line:
    ratio = ours.peak_bytes / table_bytes
    shown = [f"{size / 2**20:,.0f} MiB" for size in (ours.peak_bytes, table_bytes)]
    return Line(what, shown[0], shown[1], ratio, Limit("at most", MEMORY), ours.peak_bytes, note)


def alone(inside: Measured) -> str:
    return f"Polars needs {inside.seconds:.3f} s to read and write once Python and it are loaded."


def make(file: str) -> None:
    """Ten numbers (whole, decimal, continuous), four categories and a class that depends on some of them."""
    import numpy as np
    import polars as pl

    generator = np.random.default_rng(15)
    numbers: dict[str, object] = {
        "age": generator.integers(17, 91, ROWS),
        "hours": generator.integers(1, 100, ROWS),
        "visits": generator.poisson(3, ROWS),
        "postcode": generator.integers(1000, 9999, ROWS),
        "income": np.round(generator.lognormal(10, 0.6, ROWS), 2),
        "rent": np.round(generator.normal(900, 250, ROWS), 2),
        "height": np.round(generator.normal(1.71, 0.1, ROWS), 2),
        "score": generator.normal(size=ROWS),
        "weight": generator.gamma(9.0, 8.0, ROWS),
        "share": generator.beta(2, 5, ROWS),
    }
    words = {"sex": 2, "region": 8, "job": 14, "education": 16}
    texts = {
        name: np.array([f"{name} {i}" for i in range(n)])[generator.integers(0, n, ROWS)]
        for name, n in words.items()
    }
    frame = pl.DataFrame({**numbers, **texts})
    frame.with_columns(_outcome(generator.random(ROWS)).alias(CLASS)).write_parquet(file)
    report([0.0])


def _outcome(u: Floats) -> pl.Expr:
    import polars as pl

    rich = (pl.col("income") > 26_000) & (pl.col("age") > 35)
    busy = (pl.col("hours") > 60) & pl.col("job").is_in(["job 1", "job 2", "job 3"])
    flipped = pl.lit(pl.Series(u)) < 0.1
    return pl.when((rich | busy) ^ flipped).then(pl.lit("good")).otherwise(pl.lit("poor"))


def copy(source: str, target: str) -> pl.DataFrame:
    import polars as pl

    frame = pl.read_parquet(source)
    frame.write_parquet(target)
    return frame


def polars(source: str, target: str) -> None:
    seconds = timed(lambda: copy(source, target))
    report(seconds, table_bytes=copy(source, target).to_arrow().nbytes)


if __name__ == "__main__":
    contenders: dict[str, Callable[..., object]] = {"make": make, "polars": polars, "polars-once": copy}
    contenders[sys.argv[1]](*sys.argv[2:])
