"""Codes for "missing", totals and slips are asked about; ordinary numbers are not."""

from __future__ import annotations

import tomllib
from random import Random
from typing import Any

import polars as pl
import pytest

from hushwood.tables.columns.odd_numbers import odd_numbers
from hushwood.tables.reading import read
from support.real_data import data_folder

CHANCE = Random(5)  # noqa: S311 - test tables, not secrets
ROWS = 300


def asked(columns: dict[str, Any], **options: Any) -> list[str]:
    return [each.sentence for each in odd_numbers(read(pl.DataFrame(columns), **options).table)]


def drawn(*values: float) -> list[float]:
    return [CHANCE.choice(values) for _ in range(ROWS)]


AGES = [CHANCE.randrange(18, 99) for _ in range(ROWS)]


@pytest.mark.parametrize(
    ("values", "codes"),
    [
        (drawn(1, 2, 3, 4, 5, -99), "-99"),
        (drawn(1, 2, 3, 4, 5, 9), "9"),
        (drawn(1, 2, 3, 4, 8, 9), "8,9"),
        (drawn(1, 2, 3, 4, 5, 6, 7, 99), "99"),
        (drawn(0, 1, 2, 3, -1), "-1"),
        (drawn(0, 1, 2, 3, -7, -8, -9), "-9,-8,-7"),
        ([*AGES[:-9], *[999] * 9], "999"),
        ([*AGES[:-1], -99], "-99"),
        ([12.5 + age for age in AGES[:-2]] + [-99.0, 9999.0], "-99,9999"),
    ],
)
def test_codes_for_missing_are_asked_about(values: list[float], codes: str) -> None:
    (sentence,) = asked({"item": values})
    assert sentence.endswith(f"use --missing={codes}.")


@pytest.mark.parametrize(
    "values",
    [
        AGES,
        [*AGES[:-3], 99, 99, 99],
        drawn(1, 2, 3, 4, 5),
        drawn(*range(10)),
        drawn(7, 8, 9),
        drawn(-3, -2, -1, 0, 1, 2),
        [CHANCE.gauss(0, 5) for _ in range(ROWS)],
        [*[min(4, abs(round(CHANCE.gauss(0, 1)))) for _ in range(ROWS)], 9],  # one large family
        [round(CHANCE.lognormvariate(10, 0.6)) for _ in range(ROWS)],
        drawn(0.0, 0.0, 0.0),
    ],
)
def test_ordinary_numbers_are_not_asked_about(values: list[float]) -> None:
    assert asked({"item": values}) == []


def test_a_code_that_is_an_ordinary_number_elsewhere_is_not_proposed_for_the_whole_table() -> None:
    (sentence,) = asked({"item": drawn(1, 2, 3, 4, 5, 9), "visits": drawn(*range(12))})
    assert "--missing" not in sentence and "ordinary number of column 'visits'" in sentence


def test_following_the_proposal_leaves_the_scale_in_files_with_types_too() -> None:
    table = read(pl.DataFrame({"item": drawn(1, 2, 3, 4, 5, -99)}), missing=("-99",)).table
    assert (table.schema["item"].low, table.schema["item"].high) == (1, 5)
    assert list(odd_numbers(table)) == []


def test_a_total_in_the_last_row_is_asked_about_once() -> None:
    costs, days = [CHANCE.randrange(100, 900) for _ in range(ROWS)], drawn(1, 2, 3)
    name = [f"ward {place % 7}" for place in range(ROWS)]
    columns = {"ward": [*name, "total"], "costs": [*costs, sum(costs)], "days": [*days, sum(days)]}
    sentence = next(said for said in asked(columns) if "sum" in said)
    assert "column 'costs' and of 1 more" in sentence
    assert not any("sum" in said for said in asked({"costs": [*costs, sum(costs) + 1]}))


@pytest.mark.parametrize(("sign", "option"), [(1, "--top-code pay=99%"), (-1, "--bottom-code pay=1%")])
def test_a_number_far_from_the_next_is_asked_about(sign: int, option: str) -> None:
    pay = [sign * CHANCE.randrange(20_000, 40_000) for _ in range(ROWS)]
    (sentence,) = asked({"pay": [*pay, sign * 2_345_600]})
    assert option in sentence and "59 times the next" in sentence.replace("58", "59")
    assert "2,345,600" not in sentence and "2345600" not in sentence
    assert asked({"pay": [*pay, sign * 90_000]}) == []


def test_dates_weights_and_columns_that_do_not_go_out_are_left_alone() -> None:
    columns = {"item": drawn(1, 2, 3, 4, 5, -99), "w": [*[1.5] * (ROWS - 1), 999.0]}
    assert asked(columns, roles={"item": "identifier"}, weight="w") == []


def test_the_tables_of_the_papers_raise_no_question() -> None:
    folder = data_folder()
    for name, described in tomllib.loads((folder / "tables.toml").read_text("utf-8")).items():
        table = read(folder / described["file"], target=described["class"], response="auto").table
        assert list(odd_numbers(table)) == [], name
