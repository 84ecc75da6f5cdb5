"""The default release, segment-shuffle with its teacher: Adult, and from a hundred thousand to a million records.

Whole commands without evidence, start included, against the limits that the technique was built for: 12 s for Adult,
4 minutes for a million records of 15 columns, a cost per record that does not grow, and 4 times the table in memory.
scikit-learn is loaded for the teacher: interpreter and libraries alone take about 250 MiB.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from attacks_vs_anonymeter import adult_file
from generated import CLASS, make_table, new_seed
from lines import Limit, Line, limited, memory
from measuring import Measured, command, run_process
from release_commands import NO_EVIDENCE, again, release

ADULT_SECONDS, MILLION_SECONDS = 12.0, 240.0
SMALL, LARGE, COLUMNS = 100_000, 1_000_000, 15
MEMORY = 4.0


def compare() -> list[Line]:
    lines, seed = [], new_seed()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if adult_file().exists():
            out = folder / "adult"
            adult = command(again(release(adult_file(), "income", out, *NO_EVIDENCE), out))
            lines.append(limited("default release of Adult, no evidence", adult, ADULT_SECONDS))
        else:
            print("Adult is skipped: set HUSHWOOD_DATA to the folder of adult/adult.csv.", file=sys.stderr)
        small, _ = _whole(SMALL, seed, folder)
        large, size = _whole(LARGE, seed, folder)
    ratio = (large.seconds / LARGE) / (small.seconds / SMALL)
    per_record = f"{1e6 * large.seconds / LARGE:.0f} µs", f"{1e6 * small.seconds / SMALL:.0f} µs"
    growth = "cost per record of a million, against that of a hundred thousand"
    return [
        *lines,
        limited("default release of 1 M × 15, no evidence", large, MILLION_SECONDS),
        Line(growth, *per_record, ratio, Limit("at most", 1.2), large.peak_bytes),
        memory("peak memory of that release, against the table", large, size, MEMORY),
    ]


def _whole(rows: int, seed: int, folder: Path) -> tuple[Measured, int]:
    """One run, as it takes most of a minute, and the size of the table's Arrow buffers."""
    table = folder / f"{rows}.parquet"
    size = make_table(table, rows, seed, COLUMNS)
    options = ("--engine", "memory", *NO_EVIDENCE)
    _, seconds, peak = run_process(release(table, CLASS, folder / str(rows), *options))
    return Measured((seconds,), peak), size
