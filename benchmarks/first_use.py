"""What a first release waits for: the seconds that compiling adds to a default release when nothing is compiled yet.

The same release of a small table is made in an empty cache of numba's and once more when the cache is filled; the
difference is compiling. A release with quick evidence, as it is without options.
"""

from __future__ import annotations

import statistics
import tempfile
from dataclasses import replace
from pathlib import Path

from generated import CLASS, make_table, new_seed
from lines import Line, limited, stated
from measuring import Measured, run_process
from release_commands import release

ROWS = 10_000
SECONDS = 25.0
REPEATS, WARM_REPEATS = 3, 2


def compare() -> list[Line]:
    return [_line(REPEATS)]


def quick() -> list[Line]:
    return [stated(_line(1))]


def _line(repeats: int) -> Line:
    seed = new_seed()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        table = folder / "table.parquet"
        make_table(table, ROWS, seed)
        found = [_first_and_later(table, folder / str(number)) for number in range(repeats)]
    compiling = tuple(first - later for first, later, _ in found)
    ours = Measured(compiling, max(peak for _, _, peak in found))
    line = limited(f"compiling in a first default release ({ROWS:,} × 10, quick evidence)", ours, SECONDS)
    first, later = (statistics.median(one[which] for one in found) for which in (0, 1))
    return replace(line, note=f"{first:.1f} s the first time, {later:.1f} s later.", facts={"seed": seed})


def _first_and_later(table: Path, folder: Path) -> tuple[float, float, int]:
    """Seconds of the first release and the median of later ones, and the first one's peak bytes."""
    folder.mkdir()
    cache = {"NUMBA_CACHE_DIR": str(folder / "cache")}
    _, first, peak = run_process(release(table, CLASS, folder / "first"), environment=cache)
    later = [
        run_process(release(table, CLASS, folder / f"later-{number}"), environment=cache)[1]
        for number in range(WARM_REPEATS)
    ]
    return first, statistics.median(later), peak
