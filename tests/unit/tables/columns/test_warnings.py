"""Doubts about columns, and the columns that raise none."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
import polars as pl
import pytest

from hushwood.errors import InputError
from hushwood.tables.columns.inference import infer_schema
from hushwood.tables.columns.warnings import ColumnWarning, column_warnings, odd_numbers
from hushwood.tables.read_options import ReadOptions
from hushwood.tables.reading import read, read_table
from hushwood.tables.schema import Attribute, Role
from support.real_data import data_folder


def doubts(values: Any, name: str = "a", role: Role = "ordinary") -> list[ColumnWarning]:
    column = pl.Series(name, values)
    attribute = infer_schema(column.to_frame(), ReadOptions(roles={name: role}))[0][name]
    return list(column_warnings(attribute, column))


def codes(values: Any, name: str = "a", role: Role = "ordinary") -> list[str]:
    return [doubt.code for doubt in doubts(values, name, role)]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["a", "b"] * 20, []),
        ([f"{n}x" for n in range(40)], ["identifier"]),
        ([f"{n}x" for n in range(19)], []),
        (list(range(40)), ["identifier"]),
        ([*range(39), 1], []),
        ([n / 3 for n in range(40)], []),
        ([f"The patient said that nothing hurt on day {n}" for n in range(40)], ["free-text"]),
        (["x"] * 5, ["constant"]),
        ([1, 1, None], ["constant"]),
        ([None, None], ["all-missing"]),
        ([f"c{n // 2}" for n in range(40)], ["many-categories"]),
        ([f"c{n % 101}" for n in range(1000)], ["many-categories"]),
        ([*map(str, range(10)), "NA"], ["almost-numeric"]),
        (["1,5", "2", "1,5", "2"], ["decimal-comma"]),
    ],
)
def test_values_that_raise_doubts(values: list[Any], expected: list[str]) -> None:
    assert codes(values) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("PatientID", ["identifier"]),
        ("Sample_code_number", ["identifier"]),
        ("key1", ["identifier"]),
        ("paid", []),
    ],
)
def test_whole_numbers_that_name_records(name: str, expected: list[str]) -> None:
    assert codes([*range(39), 1], name) == expected


@pytest.mark.parametrize(
    "name", ["name", "LastName", "SURNAME", "e-mail", "home_phone", "Address 2", "user.email", "SSN", "iban"]
)
def test_texts_called_like_people_are_doubted_unless_many_share_each(name: str) -> None:
    for values in (["x 12345"], ["x12345", "y34567", None], [f"word{n % 100} 12345" for n in range(300)]):
        assert codes(values, name) == ["identifier"]
    assert codes(["x", "y"] * 50, name) == []


@pytest.mark.parametrize("name", ["renamed", "tenement", "phoneme", "addressee", "females", "unnamed"])
def test_other_words_do_not_name_people(name: str) -> None:
    assert codes(["x", "y", "x"], name) == []


def test_a_role_that_drops_or_declares_a_column_ends_the_doubt() -> None:
    assert codes([1, 2, 1], "phone") == []
    assert codes([True, False], "phone") == []
    assert codes([None, None], "name") == ["all-missing"]
    assert codes(["x", "y"], "name", "class") == ["identifier"]
    assert codes(["x", "y"], "name", "identifier") == []
    assert codes(["x", "y"], "name", "quasi-identifier") == []
    assert codes(["x", "y"], "name", "ignored") == ["ignored", "identifier"]


def test_categories_that_nobody_has_do_not_make_records_different() -> None:
    dtype = pl.Enum([f"c{n}" for n in range(20)])
    assert "identifier" not in codes(pl.Series(["c0", "c1"] * 10, dtype=dtype))
    assert codes(pl.Series([f"c{n}" for n in range(20)], dtype=dtype)) == ["identifier"]


def test_a_class_is_not_doubted_for_its_many_values() -> None:
    assert codes([f"{n}x" for n in range(40)], role="class") == []


def test_sentences_name_the_column_and_the_way_out() -> None:
    missing = doubts([*map(str, range(10)), "NA"])[0]
    assert missing.sentence.startswith("Column 'a' contains numbers except for 'NA'")
    assert '--missing "NA"' in missing.sentence
    person = doubts(["x", "y"], "surname")[0]
    assert person == ColumnWarning(
        "surname",
        "identifier",
        "Column 'surname' looks like names of persons, judging by its name. Drop it from the release with "
        '--identifier surname, or say why it must stay with --keep surname="reason".',
        "names of persons",
    )


def test_numbers_read_as_texts_have_no_doubts_of_texts() -> None:
    attribute = Attribute("a", "numeric", storage="String", low=1.0, high=2.0, precision=0)
    assert list(column_warnings(attribute, pl.Series("a", ["1", "2"]))) == []


def test_codes_have_groups_of_their_own() -> None:
    codes = pl.Series("zip", [f"{10000 + 7 * n}" for n in range(150)] * 4)
    schema, found = infer_schema(codes.to_frame())
    assert schema["zip"].hierarchy == "prefix"
    assert [each.code for each in found] == ["many-categories"]
    assert "Group them with --coarsen zip=3digits, or" in found[0].sentence


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


ROWS_WEIGHT_COLUMN = 60


def survey(weights: Sequence[float | None], **more: object) -> pl.DataFrame:
    """Sixty people in three regions."""
    region = ["north", "south", "west"] * (ROWS_WEIGHT_COLUMN // 3)
    return pl.DataFrame(
        {
            "region": region,
            "age": list(range(ROWS_WEIGHT_COLUMN)),
            "w": weights,
            "ill": ["no", "yes"] * 30,
            **more,
        }
    )


def sentences(frame: pl.DataFrame, **options: object) -> list[str]:
    found = read(frame, target="ill", weight="w", **options).warnings
    return [warning.sentence for warning in found if warning.code == "weight"]


def test_weights_that_nobody_shares_are_pointed_out() -> None:
    (says,) = sentences(survey([1 + i / 7 for i in range(ROWS_WEIGHT_COLUMN)]))
    assert "gives 100% of the records a weight that no other record has" in says
    assert "--drop-weight" in says


def test_weights_that_tell_a_stratum_are_pointed_out() -> None:
    (says,) = sentences(survey([10.0, 20.0, 30.0] * (ROWS_WEIGHT_COLUMN // 3)))
    assert "tells the value of 'region'" in says


def test_weights_that_several_strata_share_are_fine() -> None:
    assert sentences(survey([10.0] * 31 + [20.0] * 29)) == []


def test_records_without_weight_are_counted() -> None:
    (says,) = sentences(survey([None, 0.0] + [10.0] * 29 + [20.0] * 29))
    assert says.startswith("Column 'w' has 2 records that are without a weight or with weight 0")


def test_a_dropped_weight_tells_nobody_anything() -> None:
    (says,) = sentences(survey([1 + i / 7 for i in range(ROWS_WEIGHT_COLUMN)]), roles={"w": "identifier"})
    assert (
        says
        == "Column 'w' is dropped from the release, so every released record counts the same in measures."
    )


def test_a_table_has_the_weights_of_its_column_kept_or_dropped() -> None:
    frame = survey([None, 0.5] + [2.0] * 58)
    for roles in ({}, {"w": "identifier"}, {"w": "ignored"}):
        table = read_table(frame, target="ill", weight="w", roles=roles)
        assert table.weights is not None
        np.testing.assert_array_equal(table.weights[:3], [0.0, 0.5, 2.0])
        np.testing.assert_array_equal(table.take(np.array([2, 1])).weights, [2.0, 0.5])
    assert read_table(frame, target="ill").weights is None


def test_a_flag_of_two_numbers_is_still_a_weight() -> None:
    table = read_table(survey([1.0, 2.0] * 30).cast({"w": pl.Int64}), weight="w")
    assert table.schema["w"].kind == "numeric"


def test_trees_and_intruders_leave_the_weight_alone() -> None:
    schema = read_table(survey([10.0] * 31 + [20.0] * 29), target="ill", weight="w").schema
    assert [a.name for a in schema.inputs] == ["region", "age", "w"]
    assert [a.name for a in schema.tested] == ["region", "age"]
    assert schema.quasi_identifiers == ("region", "age")
    assert [a.name for a in schema.measured] == ["region", "age", "ill"]


def test_the_weight_is_no_class_and_there_is_one() -> None:
    frame = survey([10.0] * 60)
    with pytest.raises(InputError, match="'w' cannot be both the class and the weight"):
        read_table(frame, target="w", weight="w")
    declared = read_table(frame, target="ill", weight="w")
    assert read_table(declared, target="region").schema.weight is not None
    moved = read_table(declared, weight="age").schema
    assert [a.name for a in moved.attributes if a.weight] == ["age"]
    with pytest.raises(InputError, match="There is no weight column 'v'"):
        read_table(frame, weight="v")
