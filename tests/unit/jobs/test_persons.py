from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import hushwood as hw
from hushwood.errors import InputError
from hushwood.jobs.persons import MAP, read_map
from hushwood.jobs.requests import InputOptions, with_units
from hushwood.jobs.resolve import check_in_memory, declared_units
from hushwood.tables.formats.schema_file import schema_to_toml
from oracles.persons import rows_of
from support.visits import table_of_visits, visits


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("visits")
    visits().write_csv(folder / "visits.csv")
    with pytest.warns(hw.HushwoodWarning):
        hw.release(
            folder / "visits.csv",
            target="ill",
            person="patient",
            technique="forest-framework",
            output=folder / "out",
            evidence="none",
            seed="ab" * 32,
        )
    return folder


def released_in(folder: Path) -> Path:
    return next(folder.glob("*/released.csv"))


def test_a_folder_says_which_person_became_which(made: Path) -> None:
    before, after = visits(), pl.read_csv(released_in(made / "out"))
    people = rows_of(before["patient"].to_list())
    table = table_of_visits()
    numbers = read_map(made / "out" / "private" / MAP, hw_units(table))
    for number, rows in zip(numbers.tolist(), people, strict=True):
        assert set(after["patient"].gather(rows)) == {number}


def hw_units(table: Any) -> Any:
    from hushwood.tables.persons.units import outermost

    return outermost(table)


def test_a_damaged_map_is_refused(made: Path, tmp_path: Path) -> None:
    (tmp_path / MAP).write_text("row,number\n1,1\n2,1\n")
    with pytest.raises(InputError, match="does not say which number each person got"):
        read_map(tmp_path / MAP, hw_units(table_of_visits()))


def test_a_release_verifies(made: Path) -> None:
    found = hw.verify(made / "out", made / "visits.csv")
    assert found.holds
    assert found.certificate is not None
    people = visits()["patient"].n_unique()
    assert found.certificate["together"] == {"patient": {"units": people, "whole": people}}


def test_the_dictionary_explains_the_numbers(made: Path) -> None:
    page = (released_in(made / "out").parent / "dictionary.md").read_text()
    assert "| patient | person | Replaced by fresh numbers" in page
    assert "P000" not in page
    assert "P000" not in released_in(made / "out").read_text()


@pytest.mark.parametrize("engine", ["streaming", "spark"])
def test_other_engines_are_refused(made: Path, engine: str) -> None:
    with pytest.raises(InputError, match="need the whole table in memory"):
        hw.release(made / "visits.csv", target="ill", person="patient", engine=engine, evidence="none")


def test_a_schema_names_the_person_too(tmp_path: Path) -> None:
    path = tmp_path / "visits.toml"
    path.write_text(schema_to_toml(table_of_visits().schema))
    assert declared_units({"schema": path}) == {"patient": "person"}
    assert declared_units({}, table_of_visits()) == {"patient": "person"}
    assert declared_units({"schema": path, "roles": {"patient": "identifier"}}) == {}
    with pytest.raises(InputError, match="need the whole table in memory"):
        check_in_memory({"patient": "person"})


def test_the_class_cannot_be_the_person() -> None:
    with pytest.raises(InputError, match="cannot be both the class and person"):
        hw.release(visits(), target="patient", person="patient", evidence="none")


def test_an_identifier_may_name_the_person() -> None:
    assert InputOptions(identifier=("patient", "name"), person="patient").roles() == {
        "patient": "person",
        "name": "identifier",
    }
    with pytest.raises(InputError, match="cannot be both"):
        InputOptions(person="patient", household="patient").roles()
    with pytest.raises(InputError, match="cannot be both"):
        with_units({"person": "x", "household": "x"})


def test_a_published_tree_counts_rows() -> None:
    with pytest.raises(InputError, match=r"every row of a person .* give a table with one row each"):
        hw.publish_tree(visits(), target="ill", k=5, roles={"patient": "person"})


def test_the_search_says_what_to_do_instead() -> None:
    with pytest.raises(
        InputError, match=r"every row of a person .'patient'.* release without the search"
    ) as refused:
        hw.tune(visits(), target="ill", person="patient")
    assert "--identifier" not in str(refused.value)


def test_a_level_of_one_person_is_rare_in_however_many_rows() -> None:
    frame = visits()
    first = pl.col("patient") == frame["patient"].value_counts(sort=True)["patient"][0]
    frame = frame.with_columns(ward=pl.when(first).then(pl.lit("Z")).otherwise("ward"))
    options: Any = {"target": "ill", "person": "patient", "technique": "framework", "evidence": "none"}
    with pytest.warns(hw.HushwoodWarning):
        done = hw.release(frame, rare="suppress", rare_below=2, **options)
    assert int(frame.filter(first).height) > 2
    assert "Z" not in set(done.frame["ward"])


def test_a_frame_is_released_with_whole_numbers() -> None:
    frame = visits().with_columns(patient=pl.col("patient").str.slice(1).cast(pl.Int8))
    with pytest.warns(hw.HushwoodWarning):
        done = hw.release(frame, target="ill", person="patient", technique="framework", evidence="none")
    assert np.unique(done.frame["patient"].to_numpy()).tolist() == list(
        range(1, frame["patient"].n_unique() + 1)
    )
    assert done.manifest["people"] == {"patient": "person"}
