"""A release of a million records from Parquet in memory, forest-framework, against Polars reading and writing the file.

Both are timed as whole processes, start of the interpreter and libraries included, which is most of Polars' time: the
note says what it needs once it is loaded. "The table" is the size of its Arrow buffers; the peak is that of the
process, interpreter and libraries included, about 180 MiB before any data.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from generated import CLASS, make_table, new_seed
from lines import Line, memory, stated, within
from measuring import command, contender, report, timed
from release_commands import FOREST, NO_EVIDENCE, again, release

if TYPE_CHECKING:
    import polars as pl

ROWS, QUICK_ROWS, COLUMNS = 1_000_000, 100_000, 15
FOREST_GIVEN, WHOLE = 4.0, 10.0
MEMORY = 4.0


def compare() -> list[Line]:
    return _lines(ROWS)


def quick() -> list[Line]:
    return [stated(line) for line in _lines(QUICK_ROWS)]


def _lines(rows: int) -> list[Line]:
    seed = new_seed()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        table, copied = folder / "table.parquet", folder / "copy.parquet"
        size = make_table(table, rows, seed, COLUMNS)
        inside = contender(__file__, "polars", str(table), str(copied))
        peer = command(lambda _: [sys.executable, __file__, "polars-once", str(table), str(copied)])
        whole, bare, judged = folder / "whole", folder / "bare", folder / "judged"
        recipe = (*FOREST, "--engine", "memory")
        alone = command(again(release(table, CLASS, whole, *recipe, *NO_EVIDENCE), whole))
        given = ("--forest", str(whole / "private" / "forest.json"))
        forest_given = command(again(release(table, CLASS, bare, *recipe, *NO_EVIDENCE, *given), bare))
        quickly = command(again(release(table, CLASS, judged, *recipe), judged))
    what = f"forest-framework of {rows:,} × {COLUMNS} in memory"
    lines = [
        within(f"{what}, forest given, no evidence, against Polars' copy", forest_given, peer, FOREST_GIVEN),
        within(f"{what}, whole command, no evidence, against Polars' copy", alone, peer, WHOLE),
        stated(within(f"{what}, whole command, quick evidence, against Polars' copy", quickly, peer, WHOLE)),
        memory(f"{what}, forest given: peak memory against the table", forest_given, size, MEMORY),
        memory(f"{what}, whole command: peak memory against the table", alone, size, MEMORY),
    ]
    loaded = f"Polars needs {inside.seconds:.3f} s to read and write once Python and it are loaded."
    noted = [replace(lines[0], note=loaded), *lines[1:]]
    return [replace(line, facts={**line.facts, "rows": rows, "seed": seed}) for line in noted]


def copy(source: str, target: str) -> pl.DataFrame:
    import polars as pl

    frame = pl.read_parquet(source)
    frame.write_parquet(target)
    return frame


def polars(source: str, target: str) -> None:
    report(timed(lambda: copy(source, target)))


if __name__ == "__main__":
    contenders: dict[str, Callable[..., object]] = {"polars": polars, "polars-once": copy}
    contenders[sys.argv[1]](*sys.argv[2:])
