"""Numbers drawn together: EGADP and shuffling of 1,000,000 × 10, and shuffling of Adult against sdcMicro's.

EGADP may take three times as long as a regression of the same matrix on itself and the noise alone, shuffling three
times as long as the argsorts it needs: one of every column, and one of every column's scores in each of its deals. Ours
learns and draws in its time. sdcMicro's shuffle is asked for the shuffled columns only, without the EGADP ones that it
adds by default; HUSHWOOD_RSCRIPT names an Rscript that finds the package (R_LIBS may say where). Without it ours is
measured alone.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attacks_vs_anonymeter import adult_file
from lines import Limit, Line, faster, within, without_peer
from measuring import Measured, contender, report, run_process, timed

from hushwood.arrays import Floats

if TYPE_CHECKING:
    from hushwood.tables.table import Table

RECORDS, COLUMNS = 1_000_000, 10
SECRET = bytes(range(32))
AT_MOST, AT_LEAST = 3.0, 5.0
R_SCRIPT = Path(__file__).with_name("sdcmicro_shuffle.R")


def compare() -> list[Line]:
    size = f"{RECORDS:,} × {COLUMNS}"
    lines = [
        _beside(f"EGADP, {size}, against lstsq and the noise", "egadp", "lstsq"),
        _beside(f"shuffling, {size}, against its argsorts", "shuffle", "argsorts"),
    ]
    if not adult_file().exists():
        print(
            "Adult is left out: set HUSHWOOD_DATA to the folder that holds adult/adult.csv.", file=sys.stderr
        )
        return lines
    return [*lines, _adult()]


def _beside(what: str, ours: str, peer: str) -> Line:
    beside = contender(__file__, peer)
    line = within(what, contender(__file__, ours), beside, AT_MOST)
    return replace(line, note=_memory(beside))


def _adult() -> Line:
    what = "shuffling, Adult's six numeric columns, against sdcMicro"
    ours = contender(__file__, "adult")
    rscript = os.environ.get("HUSHWOOD_RSCRIPT")
    found = _sdcmicro(rscript) if rscript else None
    if found is None:
        why = "HUSHWOOD_RSCRIPT does not name an Rscript that has sdcMicro."
        return without_peer(what, ours, Limit("at least", AT_LEAST), why)
    peer, version = found
    return replace(
        faster(what, ours, peer, AT_LEAST),
        note=f"sdcMicro {version}, largest change of a correlation "
        f"{peer.facts['change']:.3f}, ours {ours.facts['change']:.3f}; {_memory(peer)}",
    )


def _memory(peer: Measured) -> str:
    return f"the peer's peak memory is {peer.peak_bytes / 2**20:,.0f} MiB"


def _sdcmicro(rscript: str) -> tuple[Measured, str] | None:
    """Median seconds of sdcMicro on the same records, and its version; None if R does not have it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "adult.csv"
        _adult_frame().write_csv(file)
        output, _, peak_bytes = run_process([rscript, str(R_SCRIPT), str(file)])
    found = json.loads(output.splitlines()[-1])
    if "seconds" not in found:
        return None
    return Measured(tuple(found["seconds"]), peak_bytes, found), found["version"]


def _adult_frame() -> Any:
    """The complete records of Adult: the six numeric columns and the class."""
    import polars as pl

    frame = pl.read_csv(adult_file()).drop_nulls()
    numeric = [name for name, kind in frame.schema.items() if kind.is_numeric()]
    return frame.select(*numeric, "income")


def matrix() -> Floats:
    """Correlated normal numbers, the same in every process."""
    import numpy as np

    from hushwood.random_streams import Streams

    drawn = [Streams(SECRET).normal("benchmark", str(j), 0, range(RECORDS)) for j in range(COLUMNS)]
    return np.stack(drawn, axis=1) @ (np.eye(COLUMNS) + 0.3)


def table() -> Table:
    """The matrix as a table whose domains are the ranges of its columns."""
    import polars as pl

    from hushwood.tables.reading import read

    return read(pl.DataFrame({f"x{j}": column for j, column in enumerate(matrix().T)})).table


def technique(name: str) -> None:
    """Learn and draw anew."""
    import numpy as np

    from hushwood.random_streams import Streams
    from hushwood.segments.partition import whole_table
    from hushwood.techniques.registry import TECHNIQUES

    original = _read_adult() if name == "adult" else table()
    chosen = TECHNIQUES["SHUFFLE" if name == "adult" else name.upper()]()
    names = [attribute.name for attribute in original.schema.inputs]
    segments = whole_table(original)

    def work() -> Any:
        perturber = chosen.prepare(original, names, segments)
        return perturber.perturb(original.columns, segments.ids, range(original.rows), Streams(SECRET))

    before, after = (np.corrcoef([columns[name] for name in names]) for columns in (original.columns, work()))
    report(timed(work), change=float(np.abs(before - after).max()))


def _read_adult() -> Table:
    from hushwood.tables.reading import read

    return read(_adult_frame(), target="income").table


def lstsq() -> None:
    import numpy as np

    from hushwood.random_streams import Streams

    numbers = matrix()
    streams = Streams(SECRET)

    def work() -> None:
        np.linalg.lstsq(numbers, numbers, rcond=None)
        for j in range(COLUMNS):
            streams.normal("EGADP", str(j), 0, range(RECORDS))

    report(timed(work))


def argsorts() -> None:
    import numpy as np

    from hushwood.techniques.together.shuffling import CORRECTIONS

    columns = np.ascontiguousarray(matrix().T)

    def work() -> None:
        for _ in range(1 + 1 + CORRECTIONS):  # the column itself, the first deal, those that correct it
            for column in columns:
                np.argsort(column)

    report(timed(work))


if __name__ == "__main__":
    contenders = {"lstsq": lstsq, "argsorts": argsorts}
    if sys.argv[1] in contenders:
        contenders[sys.argv[1]]()
    else:
        technique(sys.argv[1])
