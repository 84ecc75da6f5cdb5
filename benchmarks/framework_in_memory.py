"""`framework` of three million records, three columns categorical, in memory: the whole command, without evidence."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from generated import CLASS, make_table, new_seed
from lines import Line, limited, stated
from measuring import command
from release_commands import NO_EVIDENCE, again, release

ROWS, QUICK_ROWS, COLUMNS = 3_000_000, 300_000, 10
SECONDS = 15.0
OPTIONS = ("--technique", "framework", "--engine", "memory", *NO_EVIDENCE)


def compare() -> list[Line]:
    return [_line(ROWS)]


def quick() -> list[Line]:
    return [stated(_line(QUICK_ROWS))]


def _line(rows: int) -> Line:
    seed = new_seed()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        table, out = folder / "table.parquet", folder / "out"
        make_table(table, rows, seed)
        ours = command(again(release(table, CLASS, out, *OPTIONS), out))
    line = limited(f"framework of {rows:,} × {COLUMNS} in memory, no evidence", ours, SECONDS)
    return replace(line, facts={"rows": rows, "seed": seed})
