"""The one door: files, frames and tables."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

from hushwood.errors import InputError
from hushwood.tables.csv.dialect import Dialect
from hushwood.tables.formats.files import read_frame, write_frame
from hushwood.tables.formats.schema_file import schema_from_toml, schema_to_toml, write_schema_file
from hushwood.tables.frames.storage import frame_from_table
from hushwood.tables.reading import read, read_table
from hushwood.tables.table import class_labels

TEXT = "id;age;sex;ill\n007;31;f;no\n008;45;m;yes\n009;?;f;yes\n"


@pytest.fixture
def csv(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text(TEXT)
    return path


def test_a_file_becomes_a_table(csv: Path) -> None:
    reading = read(str(csv), target="ill", missing=["?"], roles={"id": "ignored"})
    table = reading.table
    assert table.rows == 3
    assert table.schema.names == ("id", "age", "sex", "ill")
    assert [a.kind for a in table.schema.inputs] == ["numeric", "categorical"]
    assert class_labels(table)[0].tolist() == [0, 1, 1]
    assert (reading.path, reading.separator) == (csv, ";")
    assert [warning.code for warning in reading.warnings] == ["ignored", "identifier"]


def test_ignored_columns_are_copied_letter_by_letter(csv: Path, tmp_path: Path) -> None:
    reading = read(csv, target="ill", missing=["?"], roles={"id": "ignored"})
    write_frame(frame_from_table(reading.table), tmp_path / "out.csv", dialect=reading.dialect)
    assert (tmp_path / "out.csv").read_text() == TEXT.replace("?", "")
    assert csv.read_text() == TEXT


def test_the_same_schema_reads_the_release(csv: Path, tmp_path: Path) -> None:
    table = read_table(csv, target="ill", missing=["?"], roles={"id": "identifier"})
    write_frame(frame_from_table(table), tmp_path / "out.csv")
    again = read_table(tmp_path / "out.csv", schema=table.schema)
    assert again.schema.names == ("age", "sex", "ill")
    assert again.schema["age"] == table.schema["age"]
    assert again.columns["sex"].tolist() == table.columns["sex"].tolist()


def test_texts_of_digits_survive_a_csv(tmp_path: Path) -> None:
    table = read_table(pl.DataFrame({"zip": ["01", "02", ""], "n": [1, 2, 3]}))
    write_frame(frame_from_table(table), tmp_path / "out.csv")
    again = read_table(tmp_path / "out.csv", schema=table.schema)
    assert again.schema == table.schema
    assert again.columns["zip"].tolist() == table.columns["zip"].tolist()


def test_a_schema_file_declares(csv: Path, tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text(
        '[[attribute]]\nname = "age"\nlow = 0\nhigh = 120\n'
        '[[attribute]]\nname = "id"\nkind = "categorical"\nrole = "quasi-identifier"\n'
        '[[attribute]]\nname = "ill"\nrole = "class"\n'
    )
    schema = read_table(csv, schema=path, missing=["?"]).schema
    assert (schema["age"].low, schema["age"].high) == (0, 120)
    assert schema["id"].categories == ("007", "008", "009")
    assert schema.class_attribute == schema["ill"]


def test_a_saved_schema_gives_the_same_table(csv: Path, tmp_path: Path) -> None:
    table = read_table(csv, target="ill", missing=["?"], roles={"id": "identifier"})
    write_schema_file(table.schema, tmp_path / "my.toml")
    assert read_table(csv, schema=tmp_path / "my.toml", missing=["?"]).schema == table.schema


def test_frames(csv: Path) -> None:
    native: Any = pd.DataFrame({"x": [1, 2], "s": ["?", "b"]})
    reading = read(native, missing=["?"])
    assert reading.table.columns["s"].tolist() == [-1, 0]
    assert reading.table.source is native
    assert isinstance(reading.frame_like(frame_from_table(reading.table)), pd.DataFrame)
    assert isinstance(read(csv).frame_like(pl.DataFrame({"x": [1]})), pl.DataFrame)


def test_tables_can_be_read_again(csv: Path) -> None:
    table = read_table(csv, missing=["?"], roles={"id": "identifier"})
    assert read_table(table) is table
    again = read_table(table, target="ill", roles={"age": "confidential"})
    assert [a.role for a in again.schema.attributes] == ["identifier", "confidential", "ordinary", "class"]
    assert again.carried.equals(table.carried)


def test_a_table_with_a_class_of_numbers_can_be_cut_later() -> None:
    table = read_table(pl.DataFrame({"y": range(60), "x": range(60)}))
    cut = read_table(table, target="y", class_threshold=9)
    assert class_labels(cut)[0].tolist() == [0] * 10 + [1] * 50
    assert frame_from_table(cut).equals(frame_from_table(table))


def test_two_records_and_constants() -> None:
    reading = read(pl.DataFrame({"a": [1, 1], "b": ["x", "y"]}), target="b")
    assert reading.table.rows == 2
    assert [warning.code for warning in reading.warnings] == ["constant"]


def test_one_record_is_refused() -> None:
    with pytest.raises(InputError, match="nothing to learn"):
        read(pl.DataFrame({"a": [1], "b": ["x"]}), target="b")


DATA = Path(os.environ.get("HUSHWOOD_DATA", "no such folder"))
CLASSES = {
    "abalone": "Rings",
    "adult": "income",
    "bupa": "selector",
    "cmc": "contraceptive_method",
    "crx": "A16",
    "iris": "class",
    "mushroom": "poisonous",
    "wbc": "Class",
    "wine": "class",
}


@pytest.mark.skipif(not DATA.exists(), reason="HUSHWOOD_DATA names no folder")
@pytest.mark.parametrize("name", CLASSES)
def test_public_tables_come_back_the_same(name: str) -> None:
    path = DATA / name / f"{name}.csv"
    table = read_table(path, target=CLASSES[name])
    frame = read_frame(path)
    back = frame_from_table(table)
    assert back.schema == frame.schema
    assert back.equals(frame)


def test_a_numeric_response_goes_out_and_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "pay.csv"
    pl.DataFrame({"age": [n % 30 for n in range(60)], "pay": [n / 4 for n in range(60)]}).write_csv(path)
    found = read(path, target="pay", response="auto")
    target = found.table.schema.class_attribute
    assert target is not None
    assert (target.kind, target.role, target.precision, target.low, target.high) == (
        *("numeric", "class", 2),
        *(0.0, 14.75),
    )
    assert found.table.columns["pay"].tolist() == [n / 4 for n in range(60)]
    assert frame_from_table(found.table).equals(pl.read_csv(path))
    assert schema_from_toml(schema_to_toml(found.table.schema)) == found.table.schema
    assert target.bins == (4.75, 9.75)
    again = read(path, schema=found.table.schema, **found.form)
    assert again.table.schema == found.table.schema
    assert found.warnings == ()
    assert "response" not in read(path, target="age", response="auto", class_bins=2).form
    assert read(path, target="age", response="number").form["response"] == "number"
    with pytest.raises(InputError, match="60 different numbers"):
        read(path, target="pay", response="class")


def test_several_classes_and_none(tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": ["x", "y"] * 30, "b": [n / 4 for n in range(60)], "c": [1, 2, 3] * 20})
    both = read_table(frame, target=["c", "a"]).schema
    assert [a.name for a in both.classes] == ["a", "c"]
    assert [a.name for a in read_table(frame, target=("a", "b")).schema.classes if a.response] == ["b"]
    assert read_table(frame).schema.classes == ()
    again = read_table(both_table := read_table(frame, target=["c", "a"]), target="b").schema
    assert [a.role for a in again.attributes] == ["ordinary", "class", "ordinary"]
    assert both_table.schema == both
    with pytest.raises(InputError, match="'d'"):
        read_table(frame, target=["a", "d"])


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".parquet", ".arrow"])
def test_what_is_parsed_is_what_is_hashed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    """A file that becomes another one as soon as it has been read."""
    path, original = tmp_path / f"t{suffix}", pl.DataFrame({"a": [1, 2, 3], "ill": ["no", "yes", "no"]})
    write_frame(original, path)
    before = path.read_bytes()
    read_bytes = Path.read_bytes

    def read_and_changed(self: Path) -> bytes:
        data = read_bytes(self)
        write_frame(original.reverse().rename({"a": "b"}), self, dialect=Dialect(";"))
        return data

    monkeypatch.setattr(Path, "read_bytes", read_and_changed)
    found = read(path)
    assert frame_from_table(found.table).equals(original)
    assert found.separator == ("," if ".csv" in suffix else None)
    assert found.sha256 == hashlib.sha256(before).digest()
    assert read_bytes(path) != before
    assert found.sha256.hex() not in repr(found)
