"""Files in every format, the usual ugly ones and the damaged ones."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from hushwood.errors import InputError
from hushwood.tables.csv.dialect import Dialect
from hushwood.tables.formats.files import BatchesOnDisk, read_frame, write_frame


def frame_of(folder: Path, data: bytes | str, name: str = "t.csv", **options: Any) -> pl.DataFrame:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return read_frame(path, **options)


def refusal(folder: Path, data: bytes | str, name: str = "t.csv", **options: Any) -> str:
    with pytest.raises(InputError) as caught:
        frame_of(folder, data, name, **options)
    return str(caught.value)


def test_missing_texts_in_parquet(tmp_path: Path) -> None:
    pl.DataFrame({"a": ["?", "x"], "n": [1, 2]}).write_parquet(tmp_path / "t.parquet")
    assert read_frame(tmp_path / "t.parquet", missing=["?"])["a"].to_list() == [None, "x"]


@pytest.mark.parametrize("name", ["t.parquet", "t.arrow", "t.feather", "t.ipc"])
def test_damaged_binary_files_are_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    write_frame(pl.DataFrame({"a": [1, 2, 3]}), path)
    whole = path.read_bytes()
    for data in (whole[: len(whole) // 2], whole[:9], b"nonsense"):
        assert "is a damaged" in refusal(tmp_path, data, name)


def test_files_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no file"):
        read_frame(tmp_path / "nothing.csv")
    with pytest.raises(InputError, match="is a folder"):
        read_frame(tmp_path)
    assert ".parquet" in refusal(tmp_path, b"a", "t.docx")
    assert ".parquet" in refusal(tmp_path, b"a", "t.gz")
    pl.DataFrame({"a": []}).write_parquet(tmp_path / "none.parquet")
    with pytest.raises(InputError, match="no records"):
        read_frame(tmp_path / "none.parquet")


def test_arrow_streams(tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": [1, 2]})
    frame.write_ipc_stream(tmp_path / "t.arrow")
    assert read_frame(tmp_path / "t.arrow").equals(frame)


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.txt", "t.csv.gz", "t.parquet", "t.arrow", "t.feather"])
def test_written_files_read_the_same(tmp_path: Path, name: str) -> None:
    frame = pl.DataFrame(
        {
            "i": [1, None, 3],
            "f, g": [0.1, None, 2.25],
            "b": [True, None, False],
            'é "q"': ["x\ny", None, 'a,"b'],
            "d": [date(2020, 1, 1), None, date(1900, 12, 31)],
            "t": [datetime(2020, 1, 1, 1, 2, 3), None, datetime(2020, 1, 1, 0, 0, 0, 500000)],
        }
    ).with_columns(z=pl.col("t").dt.replace_time_zone("UTC"))
    write_frame(frame, tmp_path / name)
    first = (tmp_path / name).read_bytes()
    assert read_frame(tmp_path / name).equals(frame)
    write_frame(frame, tmp_path / name)
    assert (tmp_path / name).read_bytes() == first
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_what_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="could not be written"):
        write_frame(pl.DataFrame({"a": [1]}), tmp_path / "no folder" / "t.csv")
    with pytest.raises(InputError, match="Write Parquet instead"):
        write_frame(pl.DataFrame({"a": [[1]]}), tmp_path / "t.csv")
    with pytest.raises(InputError, match=r"is unknown\. File names must end in"):
        write_frame(pl.DataFrame({"a": [1]}), tmp_path / "t.xls")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.parquet", "t.arrow"])
def test_disk_full(tmp_path: Path, name: str) -> None:
    (tmp_path / name).symlink_to("/dev/full")
    with pytest.raises(InputError, match="No space left"):
        write_frame(pl.DataFrame({"a": [1]}), tmp_path / name)


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "a*.parquet", "a=b.parquet", "a[1].arrow"])
def test_files_of_our_own_in_batches(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "x=1"
    folder.mkdir()
    row = pl.int_range(1000, eager=True)
    frame = pl.DataFrame({"*": row, "^a.*$": row.cast(pl.String), "c": (row % 7).cast(pl.Float64) / 3})
    write_frame(frame, folder / name, dialect=Dialect("\t" if name.endswith("tsv") else ","))
    on_disk = BatchesOnDisk(folder / name, as_text=["^a.*$"])
    batches = list(on_disk.batches(300))
    assert pl.concat(batches).equals(frame)
    assert max(batch.height for batch in batches) <= 300
    assert on_disk.typed == name.endswith(("parquet", "arrow"))


def test_a_file_of_our_own_keeps_its_types(tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": ["x", "y", None], "b": [date(2020, 1, 1)] * 3}).cast(
        {"a": pl.Enum(["y", "x"])}
    )
    write_frame(frame, tmp_path / "t.parquet")
    assert pl.concat(BatchesOnDisk(tmp_path / "t.parquet").batches(2)).equals(frame)
