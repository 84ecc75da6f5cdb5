"""The default release, segment-shuffle with its teacher: Adult, and from a hundred thousand to a million records.

Whole commands without evidence, start included, against the limits that the technique was built for: 12 s for Adult,
4 minutes for a million records of 15 columns, a cost per record that does not grow, and 4 times the table in memory.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from attacks_vs_anonymeter import adult_file
from evidence import limited
from measuring import Limit, Line, Measured, command, contender, hushwood_command, run_process
from release_vs_polars import CLASS, memory

ADULT_SECONDS, MILLION_SECONDS = 12.0, 240.0
SMALL, LARGE = 100_000, 1_000_000


def compare() -> list[Line]:
    lines = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if adult_file().exists():
            adult = command(lambda n: release(adult_file(), "income", folder / f"adult-{n}"))
            lines.append(limited("default release of Adult, no evidence", adult, ADULT_SECONDS))
        else:
            print("Adult is skipped: set HUSHWOOD_DATA to the folder of adult/adult.csv.", file=sys.stderr)
        table = folder / "table.parquet"
        contender(str(Path(__file__).with_name("release_vs_polars.py")), "make", str(table))
        size = head(table, LARGE, table)
        head(table, SMALL, folder / "small.parquet")
        small, large = (
            whole(release(path, CLASS, folder / path.stem)) for path in (folder / "small.parquet", table)
        )
    ratio = (large.seconds / LARGE) / (small.seconds / SMALL)
    per_record = f"{1e6 * large.seconds / LARGE:.0f} µs", f"{1e6 * small.seconds / SMALL:.0f} µs"
    growth = "cost per record of a million, against that of a hundred thousand"
    return [
        *lines,
        limited("default release of 1 M × 15, no evidence", large, MILLION_SECONDS),
        Line(growth, *per_record, ratio, Limit("at most", 1.2), large.peak_bytes),
        memory("peak memory of that release, against the table", large, size),
    ]


def release(table: Path, target: str, folder: Path) -> list[str]:
    ledger = ["--ledger", str(folder.with_name("ledger.json"))]
    asked = ["release", str(table), "--class", target, "--evidence", "none", "--quiet", "-o", str(folder)]
    return [hushwood_command(), *asked, *ledger]


def whole(arguments: list[str]) -> Measured:
    """One run: it takes most of a minute."""
    _, seconds, peak = run_process(arguments)
    return Measured(seconds, peak)


def head(table: Path, rows: int, into: Path) -> int:
    """The first rows of a table into another file; gives the size of its Arrow buffers."""
    import polars as pl

    frame = pl.read_parquet(table).head(rows)
    frame.write_parquet(into)
    return int(frame.to_arrow().nbytes)
