"""A folder to hand out tells released values and what Hushwood says, and nothing else of its owner's."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

import hushwood as hw
from support.release_parts import files_in

SECRET = "Zxqv"
TOWNS = ["Oslo", f"{SECRET} town", "Bergen"]
JOBS = [f"{SECRET} job", "cook", "smith"]
ANSWERS = ["no", f"{SECRET} answer", "yes"]
ROLES: dict[str, Any] = {"remark": "ignored", "badge": "identifier"}


def people() -> dict[str, Any]:
    """Forty people; none has any of the categories that begin with the secret."""
    row = np.arange(40)
    return {
        "age": 20 + row * 7 % 40,
        "town": np.where(row % 3 == 0, "Oslo", "Bergen"),
        "job": np.where(row % 5 < 2, "smith", "cook"),
        "pay": 10.5 + row * 13 % 37,
        "remark": np.where(row % 2 == 0, "smith", "cook"),
        "badge": [f"{SECRET} {number}" for number in row],
        "ill": np.where(20 + row * 7 % 40 > 35, "yes", "no"),
    }


def pandas_frame() -> pd.DataFrame:
    frame = pd.DataFrame(people())
    lists = {"town": TOWNS, "job": JOBS, "remark": JOBS, "ill": ANSWERS}
    frame = frame.assign(**{name: pd.Categorical(frame[name], known) for name, known in lists.items()})
    frame.index = pd.Index([f"{SECRET} row {i}" for i in range(len(frame))], name=f"{SECRET} index")
    frame.columns.name = f"{SECRET} columns"
    frame.attrs["owner"] = f"{SECRET} owner"
    return frame


def polars_frame() -> pl.DataFrame:
    frame = pl.DataFrame(people())
    lists = {"town": TOWNS, "job": JOBS, "ill": ANSWERS}
    remarks = [[text] for text in frame["remark"]]
    return frame.with_columns(
        *(frame[name].cast(pl.Enum(known)) for name, known in lists.items()),
        pl.Series("remark", remarks, dtype=pl.List(pl.Enum(JOBS))),
    )


def arrow_table() -> pa.Table:
    table = pa.table(people())
    for name, known in {"town": TOWNS, "job": JOBS, "remark": JOBS, "ill": ANSWERS}.items():
        codes = pa.array([known.index(text) for text in table[name].to_pylist()], pa.int8())
        column = pa.DictionaryArray.from_arrays(codes, pa.array(known), ordered=name != "remark")
        field = pa.field(name, column.type, metadata={"note": f"{SECRET} field"})
        table = table.set_column(table.schema.get_field_index(name), field, column)
    return table.replace_schema_metadata({"note": f"{SECRET} schema"})


def _csv(path: Path) -> Path:
    pl.DataFrame(people()).write_csv(path)
    return path


def _by(write: Callable[[Path], Any], path: Path) -> Path:
    write(path)
    return path


SOURCES: dict[str, Callable[[Path], Any]] = {
    "pandas": lambda folder: pandas_frame(),
    "polars": lambda folder: polars_frame(),
    "lazy": lambda folder: polars_frame().lazy(),
    "pyarrow": lambda folder: arrow_table(),
    "csv": lambda folder: _csv(folder / f"{SECRET}.csv"),
    "gz": lambda folder: _by(
        lambda path: pd.DataFrame(people()).to_csv(path, index=False), folder / f"{SECRET}.csv.gz"
    ),
    "parquet by pandas": lambda folder: _by(
        pandas_frame().reset_index(drop=True).to_parquet, folder / f"{SECRET}.parquet"
    ),
    "parquet by polars": lambda folder: _by(polars_frame().write_parquet, folder / f"{SECRET}.parquet"),
    "parquet by pyarrow": lambda folder: _by(
        lambda path: pq.write_table(arrow_table(), path), folder / f"{SECRET}.parquet"
    ),
    "arrow by polars": lambda folder: _by(polars_frame().write_ipc, folder / f"{SECRET}.arrow"),
    "feather by pyarrow": lambda folder: _by(
        lambda path: pyarrow.feather.write_feather(arrow_table(), path), folder / f"{SECRET}.feather"
    ),
}


def told_by_frame(frame: Any, folder: Path) -> bytes:
    """What a released frame tells: itself, and what its library writes into a file."""
    if isinstance(frame, pa.Table):
        return arrow_bytes(frame)
    folder.mkdir()
    if isinstance(frame, pl.LazyFrame):
        frame = frame.collect()
    if isinstance(frame, pl.DataFrame):
        frame.write_parquet(folder / "frame.parquet", compression="uncompressed")
        return shared_bytes(folder) + repr(frame.schema).encode()
    frame.to_parquet(folder / "frame.parquet", compression=None)
    notes = (frame.attrs, frame.index, frame.columns.names, frame.dtypes.to_dict())
    return shared_bytes(folder) + repr(notes).encode()


@pytest.mark.parametrize("kind", SOURCES)
def test_a_release_tells_no_category_note_or_name_of_the_input(kind: str, tmp_path: Path) -> None:
    source, out = SOURCES[kind](tmp_path), tmp_path / "out"
    technique = "random-framework" if kind in {"pandas", "parquet by polars"} else "forest-framework"
    evidence = "quick" if kind in {"pandas", "polars", "csv"} else "none"
    done = hw.release(source, target="ill", roles=ROLES, technique=technique, output=out, evidence=evidence)
    told = shared_bytes(files_in(out)) + told_by_frame(done.frame, tmp_path / "frame")
    assert b"smith" in told
    assert SECRET.encode() not in told


@pytest.mark.parametrize("kind", SOURCES)
def test_a_published_tree_tells_no_category_note_or_name_of_the_input(kind: str, tmp_path: Path) -> None:
    source, out = SOURCES[kind](tmp_path), tmp_path / "out"
    done = hw.publish_tree(source, target="ill", roles=ROLES, sensitive=["job"], k=2, output=out)
    told = shared_bytes(out / "share") + told_by_frame(done.frame, tmp_path / "frame")
    assert b"smith" in told
    assert SECRET.encode() not in told
    assert SECRET.encode() not in done.to_html().encode()
    assert hw.verify_tree(out, out / "share" / "tree.json")


def shared_bytes(folder: Path) -> bytes:
    """The names of all files under a folder, what is in them, and what their readers find in them."""
    found = b""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        raw = path.read_bytes()
        found += path.name.encode() + b"\n" + raw
        if path.suffix == ".gz":
            found += gzip.decompress(raw)
        elif path.suffix == ".parquet":
            plain = [field.name for field in pq.read_schema(path) if not pa.types.is_nested(field.type)]
            file = pq.ParquetFile(path, read_dictionary=plain)
            found += repr((file.metadata.metadata, file.metadata.created_by)).encode()
            found += arrow_bytes(file.read())
        elif path.suffix in {".arrow", ".feather"}:
            found += arrow_bytes(pa.ipc.open_file(path).read_all())
    return found


def arrow_bytes(table: Any) -> bytes:
    """The notes, the values and the dictionaries of an Arrow table."""
    notes = [table.schema.metadata, *(field.metadata for field in table.schema)]
    dictionaries = [
        chunk.dictionary.to_pylist()
        for column in table.columns
        if pa.types.is_dictionary(column.type)
        for chunk in column.chunks
    ]
    return repr((notes, table.schema, table.to_pydict(), dictionaries)).encode()
