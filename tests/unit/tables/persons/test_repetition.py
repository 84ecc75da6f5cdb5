"""Rows that repeat people are told from people who happen to share numbers."""

from __future__ import annotations

import tomllib
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest

from hushwood.tables.persons.repetition import FEWEST_ROWS, constant_of, repetition
from hushwood.tables.persons.units import units_of
from hushwood.tables.reading import read
from support.real_data import data_folder
from support.repeated_people import households, one_with_many, persons, repeated

SIXTY = np.full(40, 60)
STAYS = np.random.default_rng(1).integers(1, 6, 800)
PERSON = ("age", "sex", "region", "school", "income", "ill")


def found(frame: pl.DataFrame, target: str | None = "ill") -> Any:
    roles: Any = {"pat": "identifier"} if "pat" in frame.columns else {}
    return repetition(read(frame, target=target, roles=roles).table)


@pytest.mark.parametrize("rows", [SIXTY, STAYS, np.full(200, 3)], ids=["60", "1 to 5", "3"])
@pytest.mark.parametrize("of_visits", [0, 2, 6])
def test_several_rows_of_a_person_are_noticed(rows: Any, of_visits: int) -> None:
    for seed in range(3):
        one = found(repeated(rows, of_visits, seed))
        assert one is not None
        assert {*one.columns} <= {"age", "height", "weight", "bmi", "income"}
        assert one.rows == pytest.approx((rows**2).sum() / rows.sum(), rel=0.1)


def test_the_class_is_enough_where_groups_are_larger_than_families() -> None:
    columns = ("income", "bmi", "ill")
    assert found(repeated(SIXTY, 6, 3, columns)) is not None
    assert found(repeated(SIXTY, 7, 3, columns[:2]), "back") is None  # a town looks like this, too
    assert found(repeated(STAYS, 6, 3, columns)) is None


def test_one_person_with_many_rows_is_noticed() -> None:
    noticed = [found(one_with_many(860, 368, seed)) for seed in range(4)]
    assert [one is not None and one.rows >= 368 for one in noticed] == [True] * 4
    assert found(one_with_many(860, 5, 0)) is None


@pytest.mark.parametrize("people", [200, 2_000, 100_000])
def test_people_with_one_row_pass(people: int) -> None:
    for seed in range(2):
        frame = pl.DataFrame(persons(people, seed))
        for dropped in ([], ["bmi"], ["income"], ["bmi", "income"]):
            assert found(frame.drop(dropped)) is None


@pytest.mark.parametrize("count", [100, 2_000])
def test_families_that_share_an_income_pass(count: int) -> None:
    assert [found(households(count, seed)) for seed in range(3)] == [None] * 3


def test_what_repeats_for_another_reason_passes() -> None:
    draw, people = np.random.default_rng(5), 2_000
    frame = pl.DataFrame(persons(people, 1))
    age, idle = frame["age"].to_numpy(), draw.uniform(size=people) < 0.4
    functions = frame.with_columns(pl.Series("born", 2020 - age), pl.Series("months", age * 12))
    zeros = frame.with_columns(
        *(
            pl.Series(f"earned {i}", np.where(idle, 0.0, np.round(draw.lognormal(8, 1, people))))
            for i in range(6)
        )
    )
    blank = frame.with_columns(pl.when(pl.Series(~idle)).then(pl.col("height", "weight", "bmi", "income")))
    assert [found(one) for one in (functions, zeros, blank)] == [None] * 3


def test_tables_too_short_to_tell_and_tables_without_numbers_pass() -> None:
    frame = repeated(np.full(9, FEWEST_ROWS // 9), 0, 1)
    assert frame.height < FEWEST_ROWS
    assert found(frame) is None
    assert found(repeated(SIXTY, 0, 1, ("sex", "region", "school", "ill"))) is None


@pytest.mark.parametrize(
    "name", ["abalone", "adult", "boston", "bupa", "cmc", "crx", "iris", "mushroom", "wbc", "wine"]
)
def test_the_tables_of_the_papers_pass(name: str) -> None:
    folder = data_folder()
    described = tomllib.loads((folder / "tables.toml").read_text("utf-8"))[name]
    roles: Any = dict.fromkeys(described["identifiers"], "identifier")
    for target in (described["class"], None):
        assert repetition(read(folder / described["file"], target=target, roles=roles).table) is None


def test_columns_that_persons_share_are_counted() -> None:
    table = read(repeated(STAYS, 3, 2, PERSON), target="ill", roles={"pat": "identifier"}).table
    names = [a.name for a in table.schema.kept]
    ids = table.carried["pat"].to_list()
    pairs = [(i, j) for i, j in combinations(range(300), 2) if ids[i] == ids[j]]
    same = [n for n in names if all(table.columns[n][i] == table.columns[n][j] for i, j in pairs)]
    assert pairs
    assert constant_of(table, units_of(table.carried["pat"])) == (len(same), len(names))
    assert set(same) == set(PERSON)
