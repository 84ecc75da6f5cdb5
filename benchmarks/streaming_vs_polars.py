"""A release of 10,000 to 10,000,000 records from Parquet by streaming, against Polars' scan of the file and sink.

forest-framework without evidence; the certificate, which reads the release back, is included. Both are whole processes,
start included, so small tables measure the start. The limits hold for the largest table: time against Polars', memory,
and the exponent of the cost, fitted to the tables of a million records and more.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from generated import CLASS, make_table, new_seed
from lines import Limit, Line, memory, stated, within
from measuring import Measured, command, run_process
from release_commands import FOREST, NO_EVIDENCE, again, release

SIZES, QUICK_SIZES = (10_000, 100_000, 1_000_000, 3_000_000, 10_000_000), (10_000, 100_000, 1_000_000)
COLUMNS = 10
AT_MOST, GOAL, AT_MOST_EXPONENT = 6.0, 3.0, 1.05
FITTED_FROM = 1_000_000
ALLOWED_BYTES = 2_000_000_000
STREAMING = ("--engine", "streaming", "--memory", "2GB")


def compare() -> list[Line]:
    seed = new_seed()
    found = [beside(rows, seed) for rows in SIZES]
    *smaller, largest = [copy_line(rows, *both, seed) for rows, both in zip(SIZES, found, strict=True)]
    ours = [one for one, _ in found]
    what = f"forest-framework of {SIZES[-1]:,} × {COLUMNS} by streaming"
    return [
        *map(stated, smaller),
        largest,
        memory(f"{what}: peak memory against 2 GB", ours[-1], ALLOWED_BYTES),
        growth_line(f"{what}: growth of its cost from {FITTED_FROM:,} records, against linear", SIZES, ours),
    ]


def quick() -> list[Line]:
    seed = new_seed()
    return [stated(copy_line(rows, *beside(rows, seed), seed)) for rows in QUICK_SIZES]


def beside(rows: int, seed: int) -> tuple[Measured, Measured]:
    """Ours and Polars' on the table of so many records."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        table, out = folder / "table.parquet", folder / "out"
        make_table(table, rows, seed)
        copied = str(folder / "copy.parquet")
        peer = command(lambda _: [sys.executable, __file__, str(table), copied])
        warm_up(folder)
        ours = command(again(release(table, CLASS, out, *FOREST, *STREAMING, *NO_EVIDENCE), out), warm_ups=0)
    return ours, peer


def warm_up(folder: Path, *options: str, rows: int = 10_000) -> None:
    """A small release, so that loops are compiled; a large one need not be made once more for that."""
    small, out = folder / "small.parquet", folder / "small"
    make_table(small, rows, 0)
    run_process(release(small, CLASS, out, *(options or (*FOREST, *STREAMING, *NO_EVIDENCE))))


def copy_line(rows: int, ours: Measured, peer: Measured, seed: int) -> Line:
    what = (
        f"forest-framework of {rows:,} × {COLUMNS} by streaming, no evidence, against Polars' scan and sink"
    )
    return replace(within(what, ours, peer, AT_MOST, GOAL), facts={"rows": rows, "seed": seed})


def growth_line(what: str, sizes: Sequence[int], ours: Sequence[Measured]) -> Line:
    from hushwood_papers.published_trees.results import exponent

    kept = [(rows, one.seconds) for rows, one in zip(sizes, ours, strict=True) if rows >= FITTED_FROM]
    slope = exponent(*zip(*kept, strict=True))
    shown = " · ".join(f"{rows:,}: {seconds:.1f} s" for rows, seconds in kept)
    limit = Limit("at most", AT_MOST_EXPONENT)
    return Line(what, f"n^{slope:.2f}", "n^1", slope, limit, ours[-1].peak_bytes, shown)


if __name__ == "__main__":
    import polars as pl

    pl.scan_parquet(sys.argv[1]).sink_parquet(sys.argv[2])
