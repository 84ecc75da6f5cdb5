from __future__ import annotations

from pathlib import Path

import pytest

from hushwood.errors import InputError
from hushwood.jobs.schema_files import save_schema
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.schema_file import read_schema_file
from people_files import contents

SCHEMA = Schema((Attribute("age", "numeric", low=0.0, high=9.0, precision=0, storage="Int64"),))


def test_saved_and_replaced_when_asked(tmp_path: Path) -> None:
    table, path = tmp_path / "t.csv", tmp_path / "t.toml"
    table.touch()
    save_schema(SCHEMA, path, table, False)
    assert read_schema_file(path)["age"]["kind"] == "numeric"
    path.write_text("edited", "utf-8")
    with pytest.raises(InputError, match="--force"):
        save_schema(SCHEMA, path, table, False)
    assert path.read_text("utf-8") == "edited"
    save_schema(SCHEMA, path, table, True)
    assert set(contents(tmp_path)) == {"t.csv", "t.toml"}


def test_never_over_the_table(tmp_path: Path) -> None:
    table, link = tmp_path / "t.csv", tmp_path / "link"
    table.write_text("a\n1\n", "utf-8")
    link.symlink_to(table)
    for path in (table, link):
        with pytest.raises(InputError, match="is the table itself"):
            save_schema(SCHEMA, path, table, True)
    assert table.read_text("utf-8") == "a\n1\n"


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.touch()
    for path in (tmp_path / "nowhere" / "t.toml", table / "t.toml"):
        with pytest.raises(InputError, match=r"t\.toml could not be written") as raised:
            save_schema(SCHEMA, path, table, False)
        assert ".part" not in str(raised.value)
    assert set(contents(tmp_path)) == {"t.csv"}
