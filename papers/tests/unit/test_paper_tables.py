"""The tables of the papers: as many records and columns as their description says, wherever they come from."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from hushwood.errors import InputError
from hushwood_papers.paper_tables import GENERATED, PAPER_TABLES, PaperTables
from support.real_data import data_folder, existing

CUT_BY_EXPERIMENTS = "boston"


def described(name: str) -> dict[str, Any]:
    told = tomllib.loads(existing(data_folder() / "tables.toml").read_text(encoding="utf-8"))
    found: dict[str, Any] = told[name]
    return found


@pytest.mark.parametrize("name", PAPER_TABLES)
def test_a_file_has_the_records_and_the_class_that_its_description_says(name: str) -> None:
    told = described(name)
    frame = PaperTables(data_folder()).frame(name)

    assert frame.height == told["records"]
    assert frame.drop_nulls().height == told["complete"]
    assert PAPER_TABLES[name].target == told["class"]
    assert PAPER_TABLES[name].file == told["file"]
    assert set(PAPER_TABLES[name].identifiers) == set(told["identifiers"])


@pytest.mark.parametrize("name", [name for name in PAPER_TABLES if name != CUT_BY_EXPERIMENTS])
def test_a_table_has_complete_records_and_knows_what_names_something(name: str) -> None:
    told = described(name)
    table = PaperTables(data_folder()).table(name)
    kinds = {attribute.name: attribute.kind for attribute in table.schema.attributes}

    assert table.rows == told["complete"]
    assert kinds.pop(told["class"]) == "categorical"
    assert {key for key, kind in kinds.items() if kind == "numeric"} == set(told["numeric"])
    assert {key for key, kind in kinds.items() if kind == "categorical"} == set(told["categorical"])


def test_a_class_that_is_a_number_is_left_to_the_experiments() -> None:
    with pytest.raises(InputError, match="MEDV"):
        PaperTables(data_folder()).table(CUT_BY_EXPERIMENTS)
    assert set(PAPER_TABLES[CUT_BY_EXPERIMENTS].categories) == set(
        described(CUT_BY_EXPERIMENTS)["categorical"]
    )


def test_wine_of_scikit_learn_is_the_file() -> None:
    ours, file = PaperTables().frame("wine"), PaperTables(data_folder()).frame("wine")

    assert ours.schema == file.schema
    assert ours.equals(file)
    assert PaperTables().table("wine").schema == PaperTables(data_folder()).table("wine").schema


def test_wine_needs_no_folder() -> None:
    table = PaperTables().table("wine")

    assert table.rows == 178
    assert table.schema.class_attribute is not None
    assert table.schema.class_attribute.categories == ("1", "2", "3")


def test_what_can_be_had_is_known_before_it_is_read(tmp_path: Path) -> None:
    (tmp_path / "iris").mkdir()
    (tmp_path / "iris" / "iris.csv").write_text("a,class\n1,x\n", encoding="utf-8")
    tables = PaperTables(tmp_path)

    assert tables.has("iris")
    assert tables.path("iris") == tmp_path / "iris" / "iris.csv"
    assert not tables.has("adult")
    assert tables.path("adult") is None
    assert all(PaperTables().has(name) for name in (*GENERATED, "wine"))
    assert not PaperTables().has("iris")


def test_a_missing_table_says_where_it_was_looked_for_and_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no file .*adult\.csv.*--data.*--download"):
        PaperTables(tmp_path).frame("adult")
    with pytest.raises(InputError, match="no folder was named"):
        PaperTables().table("adult")


def test_an_unknown_table_is_told_with_those_that_there_are() -> None:
    with pytest.raises(InputError, match="wbd"):
        PaperTables().table("wbd")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a,class\n1,x\n", "it has no column 'sepal_length'"),
        ("sepal_length,sepal_width,petal_length,petal_width,class\n1,2,3,4,x\n", "1 records instead of 150"),
        (
            "sepal_length,sepal_width,petal_length,petal_width,class\n" + "1,2,3,4,\n" * 150,
            "0 of its records",
        ),
        ("a,b\n1,2,3,4\n", "cannot be read as a table"),
        ("", "cannot be read as a table"),
    ],
)
def test_another_file_under_that_name_is_refused(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "iris").mkdir()
    (tmp_path / "iris" / "iris.csv").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=says):
        PaperTables(tmp_path).frame("iris")
