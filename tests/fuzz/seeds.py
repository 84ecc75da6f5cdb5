"""Whole files of every kind that Hushwood reads, to be damaged: tables, schemas, and the folder of a release."""

from __future__ import annotations

import gzip
import io
import tempfile
from datetime import date, datetime, timedelta
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from random import Random

import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet

import hushwood
from hushwood.tables.formats.files import write_frame
from hushwood.tables.formats.schema_file import schema_to_toml
from hushwood.tables.reading import read

ROWS = 60
CLASS = "ill"
SECRET = "5" * 64
KEEP = {"born": "invented"}


@cache
def frame() -> pl.DataFrame:
    """Records of invented people in columns of many types, with a class that follows some of them."""
    chance = Random(7)  # noqa: S311 - no secret
    ages = [chance.randrange(18, 90) for _ in range(ROWS)]
    columns = {
        "age": ages,
        "score": [round(chance.gauss(50, 20), 1) for _ in range(ROWS)],
        "weight": [chance.gauss(70, 9) for _ in range(ROWS)],
        "group": [chance.choice(("x", "yy", "zé")) for _ in range(ROWS)],
        "born": [date(2024, 1, 1) - timedelta(days=365 * age) for age in ages],
        "seen": [datetime(2024, 1, 1) + timedelta(seconds=chance.randrange(10**7)) for _ in range(ROWS)],
        "town": [chance.choice(("Wien", "Graz", None)) for _ in range(ROWS)],
        "member": [chance.random() < 0.5 for _ in range(ROWS)],
        CLASS: ["yes" if age > 50 else "no" for age in ages],
    }
    return pl.DataFrame(columns)


@cache
def csv_text() -> str:
    return frame().write_csv()


@cache
def other_files() -> dict[str, bytes]:
    """The table as files of other programs, and packed text, by file name."""
    endings = ["csv.zst", "csv.zip", "jsonl"]
    if find_spec("pyreadstat") and find_spec("fastexcel") and find_spec("xlsxwriter"):
        endings += ["xlsx", "dta", "sav", "zsav", "xpt"]
    found = {}
    with tempfile.TemporaryDirectory() as name:
        for ending in endings:
            path = Path(name) / f"t.{ending}"
            write_frame(frame(), path)
            found[path.name] = path.read_bytes()
    return found


@cache
def binary_files() -> dict[str, bytes]:
    """The table as Parquet and Arrow files of several writers, encodings and packings, by file name."""
    rich = frame().with_columns(
        pl.col("group").cast(pl.Enum(["zé", "x", "yy"])),
        pl.col("town").cast(pl.Categorical),
        pl.col("score").cast(pl.Decimal(10, 2)),
        pl.col("weight").cast(pl.Float32),
    )
    plain: pa.Table = frame().to_arrow()
    found: dict[str, bytes] = {}
    for packing in ("zstd", "snappy", "uncompressed"):
        found[f"polars-{packing}.parquet"] = _written(
            lambda file, p=packing: rich.write_parquet(file, compression=p)
        )
    for number, options in enumerate(
        (
            {"compression": "snappy"},
            {"compression": "none", "data_page_version": "2.0"},
            {"compression": "gzip", "use_dictionary": False, "row_group_size": 25},
        )
    ):
        found[f"arrow-{number}.parquet"] = _written(
            lambda file, o=options: pyarrow.parquet.write_table(plain, file, **o)
        )
    for packing in ("uncompressed", "lz4", "zstd"):
        found[f"file-{packing}.arrow"] = _written(lambda file, p=packing: rich.write_ipc(file, compression=p))
        found[f"stream-{packing}.ipc"] = _written(
            lambda file, p=packing: rich.write_ipc_stream(file, compression=p)
        )
    found["arrow.feather"] = _written(
        lambda file: pyarrow.feather.write_feather(plain, file, compression="lz4")
    )
    return found


def rare_parquet() -> bytes:
    """A file of encodings that only a trial in another process shows to be sound."""
    numbers: pa.Table = frame().select("age", "born").to_arrow()
    encodings = dict.fromkeys(("age", "born"), "DELTA_BINARY_PACKED")
    return _written(
        lambda file: pyarrow.parquet.write_table(
            numbers, file, compression="none", use_dictionary=False, column_encoding=encodings
        )
    )


def _written(write: object) -> bytes:
    file = io.BytesIO()
    write(file)  # type: ignore[operator]
    return file.getvalue()


@cache
def schema_text() -> str:
    return schema_to_toml(read(frame(), target=CLASS).table.schema)


@cache
def policy_text() -> str:
    return (files("hushwood.policies") / "built_in" / "wp29.toml").read_text("utf-8")


HIERARCHY = "x;letters;*\nyy;letters;*\nzé;others;*\n"


def write_release(folder: Path) -> None:
    """A table, a release of it with shuffled rows, and a published tree."""
    table = folder / "people.csv"
    table.write_text(csv_text(), encoding="utf-8")
    given = {"target": CLASS, "shuffle_rows": True, "keep": KEEP}
    hushwood.release(table, seed=SECRET, evidence="none", redraw=0, output=folder / "release", **given)  # type: ignore[arg-type]
    hushwood.publish_tree(table, k=3, output=folder / "tree", **given)  # type: ignore[arg-type]


def packed(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)
