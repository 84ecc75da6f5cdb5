from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from hushwood.errors import InputError
from hushwood.jobs.inputs import LARGE, check_named, load_kernels_for, save_schema
from hushwood.kernels.keyed_numbers import normals_from_words
from hushwood.tables.formats.schema_file import read_schema_file
from hushwood.tables.reading import read
from hushwood.tables.schema import Attribute, Schema
from hushwood.trees.kernels.records import route
from hushwood.trees.routing import leaf_of_each
from support.people_files import contents
from support.small_trees import income_forest


def test_small_and_absent_files_are_not_worth_a_thread(tmp_path: Path) -> None:
    assert load_kernels_for(tmp_path / "nothing.csv") is None
    (tmp_path / "small.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    assert load_kernels_for(tmp_path / "small.csv") is None


def test_the_kernels_are_ready_for_the_types_that_a_release_uses(tmp_path: Path) -> None:
    (tmp_path / "large.csv").write_bytes(bytes(LARGE))
    thread = load_kernels_for(tmp_path / "large.csv")
    assert thread is not None
    thread.join()
    ready = len(normals_from_words.signatures), len(route.signatures)
    assert all(ready)
    normals_from_words(np.zeros(3, np.uint64), np.zeros(3))
    forest = income_forest()
    columns = {a.name: np.zeros(2, float if a.kind == "numeric" else np.int32) for a in forest.attributes}
    for tree in forest.trees:
        leaf_of_each(tree, forest, columns)
    assert (len(normals_from_words.signatures), len(route.signatures)) == ready


SCHEMA = Schema((Attribute("age", "numeric"), Attribute("name", "categorical", "identifier")))


def test_names_that_are_there() -> None:
    check_named(SCHEMA, ["name", "age"])


def test_names_that_are_not() -> None:
    with pytest.raises(InputError, match=r"no column 'namex'\. Did you mean 'name'"):
        check_named(SCHEMA, ["age", "namex"])


SAVED = read(pl.DataFrame({"age": [0, 4, 9]}))


def test_saved_and_replaced_when_asked(tmp_path: Path) -> None:
    table, path = tmp_path / "t.csv", tmp_path / "t.toml"
    table.touch()
    save_schema(SAVED, path, table, False)
    assert read_schema_file(path)["age"]["kind"] == "numeric"
    path.write_text("edited", "utf-8")
    with pytest.raises(InputError, match="--force"):
        save_schema(SAVED, path, table, False)
    assert path.read_text("utf-8") == "edited"
    save_schema(SAVED, path, table, True)
    assert set(contents(tmp_path)) == {"t.csv", "t.toml"}


def test_never_over_the_table(tmp_path: Path) -> None:
    table, link = tmp_path / "t.csv", tmp_path / "link"
    table.write_text("a\n1\n", "utf-8")
    link.symlink_to(table)
    for path in (table, link):
        with pytest.raises(InputError, match="is the table itself"):
            save_schema(SAVED, path, table, True)
    assert table.read_text("utf-8") == "a\n1\n"


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.touch()
    for path in (tmp_path / "nowhere" / "t.toml", table / "t.toml"):
        with pytest.raises(InputError, match=r"t\.toml could not be written") as raised:
            save_schema(SAVED, path, table, False)
        assert ".part" not in str(raised.value)
    assert set(contents(tmp_path)) == {"t.csv"}
