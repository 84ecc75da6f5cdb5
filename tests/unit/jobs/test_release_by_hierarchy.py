"""Releases whose categories are generalised by a given hierarchy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import hushwood as hw
from hushwood.errors import InputError

pytestmark = pytest.mark.filterwarnings("ignore::hushwood.errors.HushwoodWarning")

GROUPS = {"Ulm": "south", "Bonn": "west", "Rom": "south", "Kiel": "north", "Jena": "east", "Oslo": "north"}
LOSS = "generalisation_loss"


def people(rows: int = 120) -> pl.DataFrame:
    chance = np.random.default_rng(3)
    town = chance.choice(list(GROUPS), rows)
    ill = np.isin(town, ["Ulm", "Rom"]) ^ (chance.random(rows) < 0.2)
    return pl.DataFrame(
        {"town": town, "age": chance.integers(20, 70, rows), "ill": np.where(ill, "yes", "no")}
    )


def hierarchy(folder: Path) -> Path:
    path = folder / "town.csv"
    path.write_text("".join(f"{town};{group};*\n" for town, group in GROUPS.items()), encoding="utf-8")
    return path


def released(table: pl.DataFrame, technique: str, path: Path, **more: Any) -> hw.Release:
    settings = {"mondrian": {"k": 12}} if technique == "mondrian" else {"tds": {"k": 12, "max_steps": 1}}
    options = {"evidence": "none", "settings": settings} | more
    return hw.release(table, target="ill", technique=technique, hierarchies={"town": path}, **options)


@pytest.mark.parametrize("technique", ["mondrian", "tds"])
def test_labels_are_groups_of_the_hierarchy(tmp_path: Path, technique: str) -> None:
    table = people()
    made = released(table, technique, hierarchy(tmp_path), output=tmp_path / "out")
    labels = set(made.frame["town"])
    assert labels <= {*GROUPS, *GROUPS.values(), "*"}
    assert labels & set(GROUPS.values())
    for before, after in zip(table["town"], made.frame["town"], strict=True):
        assert after in (before, GROUPS[before], "*")
    key = made.manifest["labels"]["town"]
    assert all(sorted(key[g]) == sorted(t for t in GROUPS if GROUPS[t] == g) for g in key)
    found = hw.audit(table, tmp_path / "out", target="ill", only=[LOSS])[LOSS].details["columns"]
    (town,) = [column for column in found if column["name"] == "town"]
    assert (town["taxonomy"], town["unknown"]) == ("given", 0)
    levels = [0 if a in GROUPS else 2 if a == "*" else 1 for a in made.frame["town"]]
    assert town["md"] == sum(levels)


def test_the_hierarchy_decides_where_mondrian_cuts(tmp_path: Path) -> None:
    """Ulm and Rom, which the class tells from all others, are in different groups and cannot be cut off together."""
    table = people()
    other = tmp_path / "other.csv"
    other.write_text(
        "".join(f"{t};{'uk' if t in ('Ulm', 'Kiel') else 'rest'};*\n" for t in GROUPS), encoding="utf-8"
    )
    made = released(table.select("town", "ill"), "mondrian", other)
    assert set(made.frame["town"]) <= {*GROUPS, "uk", "rest", "*"}
    free = hw.release(
        table.select("town", "ill"), target="ill", technique="mondrian", evidence="none",
        settings={"mondrian": {"k": 12, "max_parts": 2}},
    )  # fmt: skip
    assert "{Rom, Ulm}" in set(free.frame["town"])


@pytest.mark.parametrize(
    ("technique", "column", "said"),
    [
        (
            "mondrian",
            "age",
            "'age' holds numbers, which are cut into intervals; a hierarchy is for categories",
        ),
        ("tds", "towns", "There is no column to generalise by a hierarchy 'towns'. Did you mean 'town'?"),
        ("mdav", "town", "hierarchies is for mondrian and tds; mdav does not generalise by one. Omit it."),
    ],
)
def test_hierarchies_that_cannot_be_used_are_refused(
    tmp_path: Path, technique: str, column: str, said: str
) -> None:
    with pytest.raises(InputError) as refused:
        hw.release(
            people(),
            target="ill",
            technique=technique,
            evidence="none",
            hierarchies={column: hierarchy(tmp_path)},
        )
    assert said in str(refused.value)


def test_a_hierarchy_must_know_every_value(tmp_path: Path) -> None:
    path = tmp_path / "town.csv"
    path.write_text("Ulm;south;*\nBonn;west;*\n", encoding="utf-8")
    with pytest.raises(InputError, match="The hierarchy of 'town' has no line for"):
        released(people(), "tds", path)
