"""What takes many minutes and is measured only when asked for: 50,000,000 records, and segment-shuffle of 10,000,000.

Both by streaming with 2 GB, without evidence, certificate included. The memory of forest-framework must stay what it is
for 10,000,000 records and its time grow in proportion; segment-shuffle is stated, within the same memory.
"""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from generated import CLASS, make_table, new_seed
from lines import Line, memory, shown_bytes, shown_seconds, stated
from measuring import Measured, run_process
from release_commands import NO_EVIDENCE, release
from streaming_vs_polars import ALLOWED_BYTES, COLUMNS, STREAMING, beside, copy_line, growth_line, warm_up

SIZES = (10_000_000, 50_000_000)
SHUFFLED = 10_000_000


def compare() -> list[Line]:
    seed = new_seed()
    found = [beside(rows, seed) for rows in SIZES]
    ours = [one for one, _ in found]
    smaller = f"{SIZES[0]:,} records took {shown_bytes(ours[0].peak_bytes)}."
    what = f"forest-framework of {SIZES[-1]:,} × {COLUMNS} by streaming"
    return [
        stated(copy_line(SIZES[-1], *found[-1], seed)),
        memory(f"{what}: peak memory against 2 GB", ours[-1], ALLOWED_BYTES, note=smaller),
        growth_line(f"{what}: growth of its cost from {SIZES[0]:,} records, against linear", SIZES, ours),
        _shuffled(SHUFFLED, seed),
    ]


def _shuffled(rows: int, seed: int) -> Line:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        table = folder / "table.parquet"
        make_table(table, rows, seed)
        options = (*STREAMING, *NO_EVIDENCE)
        warm_up(folder, *options)
        _, seconds, peak = run_process(release(table, CLASS, folder / "out", *options))
    ours = Measured((seconds,), peak)
    what = f"segment-shuffle of {rows:,} × {COLUMNS} by streaming: peak memory against 2 GB"
    took = f"It took {shown_seconds(ours)}."
    facts = {"rows": rows, "seed": seed}
    return replace(memory(what, ours, ALLOWED_BYTES, note=took), runs=ours.runs, facts=facts)
