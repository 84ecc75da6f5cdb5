"""Reading a table and writing it again, against the library that reads the format alone: Polars, fastexcel, pyreadstat.

Ours is what `read_table` and a release do: it finds the encoding, the dialect, the types and what each column means,
hashes the bytes, and writes the file back as it was. The peer is given the way in which the file is written, and writes
in its own way. Both read from a file and write to one, on a warm disk cache; the tables have 200,000 records
(spreadsheets 20,000).
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from lines import Line, within
from measuring import contender, report, timed

AT_MOST = 1.5
ROWS, SHEET_ROWS = 200_000, 20_000
NAMES = {
    "plain": "CSV",
    "german": "CSV with decimal commas",
    "parquet": "Parquet",
    "xlsx": ".xlsx",
    "dta": "Stata",
}
ENDINGS = {"plain": ".csv", "german": ".csv", "parquet": ".parquet", "xlsx": ".xlsx", "dta": ".dta"}


def compare() -> list[Line]:
    return [_line(kind, ROWS) for kind in NAMES]


def quick() -> list[Line]:
    return [_line(kind, ROWS // 10) for kind in NAMES]


def _line(kind: str, rows: int) -> Line:
    rows = min(rows, SHEET_ROWS) if kind == "xlsx" else rows
    ours, peer = (contender(__file__, who, kind, str(rows)) for who in ("ours", "library"))
    return within(f"reading and writing {NAMES[kind]}, {rows:,} × 6", ours, peer, AT_MOST)


def written(kind: str, rows: int, folder: Path) -> Path:
    """A file of invented people."""
    import numpy as np
    import polars as pl

    from hushwood.tables.csv.dialect import Dialect
    from hushwood.tables.csv.ways import Way
    from hushwood.tables.formats.files import write_frame

    drawn = np.random.default_rng(18)
    days = pl.Series(drawn.integers(0, 20_000, rows)).cast(pl.Int32).cast(pl.Date)
    frame = pl.DataFrame(
        {
            "age": drawn.integers(18, 95, rows),
            "pay": np.round(drawn.lognormal(8, 1, rows), 2),
            "weight": np.round(drawn.normal(75, 15, rows), 1),
            "day": days,
            "city": pl.Series(["Bonn", "Kiel", "Ulm", "Jena"]).gather(drawn.integers(0, 4, rows)),
            "ill": pl.Series(["yes", "no"]).gather(drawn.integers(0, 2, rows)),
        }
    )
    path = folder / f"people{ENDINGS[kind]}"
    german = {
        "pay": Way("decimal", ",", places=2),
        "weight": Way("decimal", ",", places=1),
        "day": Way("date", pattern="%d.%m.%Y"),
    }
    dialect = Dialect(";", "cp1252", line_end="\r\n", ways=german) if kind == "german" else None
    write_frame(frame, path, dialect=dialect)
    return path


def ours(path: Path, out: Path) -> None:
    from hushwood.tables.formats.files import write_frame
    from hushwood.tables.frames.table_frames import released_frame
    from hushwood.tables.reading import read

    reading = read(path)
    write_frame(released_frame(reading.table), out, dialect=reading.dialect)


def library(kind: str) -> Callable[[Path, Path], None]:
    import polars as pl

    def text(path: Path, out: Path) -> None:
        german = kind == "german"
        how = {"separator": ";", "decimal_comma": True, "encoding": "cp1252"} if german else {}
        frame = pl.read_csv(path, try_parse_dates=not german, **how)  # type: ignore[arg-type]
        if german:
            frame = frame.with_columns(pl.col("day").str.to_date("%d.%m.%Y"))
            frame = frame.with_columns(pl.col("day").dt.to_string("%d.%m.%Y"))
            frame.write_csv(out, separator=";", decimal_comma=True, line_terminator="\r\n")
        else:
            frame.write_csv(out)

    def parquet(path: Path, out: Path) -> None:
        pl.read_parquet(path).write_parquet(out)

    def sheet(path: Path, out: Path) -> None:
        pl.read_excel(path).write_excel(out)

    def stata(path: Path, out: Path) -> None:
        import pyreadstat

        pyreadstat.write_dta(pyreadstat.read_dta(str(path), output_format="polars")[0], str(out))

    return {"parquet": parquet, "xlsx": sheet, "dta": stata}.get(kind, text)


def main(who: str, kind: str, rows: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path, out = written(kind, rows, folder), folder / f"out{ENDINGS[kind]}"
        work = ours if who == "ours" else library(kind)
        report(timed(lambda: work(path, out)), rows=rows)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
