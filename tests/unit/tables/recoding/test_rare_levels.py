"""Rare levels are kept, put together or blanked, and codes with those that begin alike."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from hushwood.tables.recoding.rare_levels import RareLevels, rare_levels_from_json, without_rare_levels
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table
from support.mixed_tables import category, number, table_of, target

# a: 5 records, b: 4, c: 1, and one that is missing.
JOBS = [0, 0, 0, 0, 0, 1, 1, 1, 1, 2, -1]


def people(jobs: Attribute | None = None) -> Table:
    return table_of(
        {
            "job": (jobs or category("job", "abc"), JOBS),
            "age": (number("age", 0, 99), [float(i) for i in range(11)]),
            "ill": (target("ill", "ny"), [0] * 10 + [1]),
        }
    )


def texts(table: Table, name: str = "job") -> list[str | None]:
    categories = table.schema[name].categories
    return [None if code < 0 else categories[code] for code in table.columns[name]]


def test_levels_of_few_records_are_found_in_inputs_only() -> None:
    rare = RareLevels.of(people(), "keep", 5)
    assert rare.levels == {"job": ("b", "c")}
    assert rare.records == {"job": 5}
    assert rare.changed == ()
    assert RareLevels.of(people(), "keep", 4).levels == {"job": ("c",)}
    assert RareLevels.of(people(), "group", 1).levels == {}


def test_kept_levels_are_counted_in_one_sentence() -> None:
    rare = RareLevels.of(people(), "keep", 5)
    (said,) = rare.warnings()
    assert said == (
        "Levels that fewer than 5 records have are released as they are: 'job' (2 levels, 5 records). --rare group "
        "puts them together, --rare suppress blanks them."
    )
    assert texts(without_rare_levels(people(), rare)) == texts(people())
    assert list(RareLevels.of(people(), "keep", 1).warnings()) == []


def test_of_two_levels_none_is_put_together_with_another() -> None:
    """The rare one would only get another name, and a flag would not be one any more; it can be blanked."""
    flag = Attribute("job", "categorical", storage="Boolean", categories=("false", "true"))
    table = table_of({"job": (flag, [0] * 9 + [1, -1]), "ill": (target("ill", "ny"), [0] * 10 + [1])})
    rare = RareLevels.of(table, "group", 5)
    assert (rare.levels, rare.changed) == ({}, ())
    assert rare.telling == {"job": 1, "ill": 1}, "who has it is still to be seen"
    assert (
        texts(without_rare_levels(table, RareLevels.of(table, "suppress", 5))) == ["false"] * 9 + [None] * 2
    )


def test_rare_levels_become_one() -> None:
    rare = RareLevels.of(people(), "group", 5)
    table = without_rare_levels(people(), rare)
    assert texts(table) == ["a"] * 5 + ["other"] * 5 + [None]
    assert table.schema["job"].categories == ("a", "other")
    assert texts(table, "ill") == texts(people(), "ill")
    assert rare.says("job") == "Before that, levels that fewer than 5 records had were grouped as 'other'."
    assert rare.changed == ("job",)
    assert "were grouped before the rules were learnt: 'job' (2 levels, 5 records)" in rare.warnings()[0]


@pytest.mark.parametrize(
    ("names", "expected", "categories"),
    [
        (("other", "b", "c"), "other", ("other",)),  # a level of that name takes them in
        (("a", "b", "Other"), "Other", ("a", "Other")),  # also if it is rare itself
    ],
)
def test_a_level_of_that_name_is_used(
    names: tuple[str, ...], expected: str, categories: tuple[str, ...]
) -> None:
    table = people(Attribute("job", "categorical", categories=names))
    grouped = without_rare_levels(table, RareLevels.of(table, "group", 5))
    assert texts(grouped)[5:] == [expected] * 5 + [None]
    assert grouped.schema["job"].categories == categories


def test_rare_levels_become_missing() -> None:
    rare = RareLevels.of(people(), "suppress", 5)
    table = without_rare_levels(people(), rare)
    assert texts(table) == ["a"] * 5 + [None] * 6
    assert table.schema["job"].categories == ("a",)
    assert rare.says("job") == "Before that, levels that fewer than 5 records had were blanked."


def test_a_flag_that_gets_a_word_is_stored_as_text() -> None:
    flag = Attribute("job", "categorical", categories=("0", "1", "2"), storage="Int64")
    for rule, storage in (("group", "String"), ("suppress", "Int64")):
        table = people(flag)
        changed = without_rare_levels(table, RareLevels.of(table, rule, 5))
        assert changed.schema["job"].storage == storage


def test_the_plan_gives_the_same_table_again() -> None:
    for rule in ("group", "suppress"):
        rare = RareLevels.of(people(), rule, 5)
        again = rare_levels_from_json(rare.to_json())
        assert texts(without_rare_levels(people(), again)) == texts(without_rare_levels(people(), rare))


def test_another_table_may_lack_the_levels_or_the_column() -> None:
    rare = RareLevels.of(people(), "group", 5)
    other = table_of({"job": (category("job", "xb"), [0, 1]), "ill": (target("ill", "ny"), [0, 1])})
    assert texts(without_rare_levels(other, rare)) == ["x", "other"]
    none = table_of({"job": (number("job", 0, 9), [1.0, 2.0]), "ill": (target("ill", "ny"), [0, 1])})
    assert np.array_equal(without_rare_levels(none, rare).columns["job"], [1.0, 2.0])


def test_the_manifest_names_no_level() -> None:
    assert RareLevels.of(people(), "group", 5).announced() == {
        "rule": "group",
        "below": 5,
        "columns": {"job": "other"},
    }


def test_rare_codes_are_put_together_with_those_that_begin_alike() -> None:
    codes = ["10115", "10117", "10119", "10961", "80331", "99999"]
    counts = [9, 2, 3, 4, 2, 1]  # 1011* has 5 rare records, 10961 and 80331 and 99999 find no group
    zips = Attribute("zip", "categorical", storage="Int64", categories=tuple(codes), hierarchy="prefix")
    rows = np.repeat(np.arange(6), counts).astype(np.int32)
    table = Table(Schema((zips,)), {"zip": rows}, pl.DataFrame(), len(rows))
    rare = RareLevels.of(table, "group", 5)
    assert rare.groups == {"zip": {"10117": "1011*", "10119": "1011*"}}
    assert "begin alike, or as 'other'" in rare.says("zip")
    out = without_rare_levels(table, rare)
    assert out.schema["zip"].categories == ("10115", "1011*", "other")
    assert out.schema["zip"].storage == "String"
    assert np.bincount(out.columns["zip"]).tolist() == [9, 5, 7]
    again = rare_levels_from_json(rare.to_json())
    assert without_rare_levels(table, again).columns["zip"].tolist() == out.columns["zip"].tolist()
    assert "10117" not in str(rare.announced())


def test_rare_codes_that_need_it_go_into_wider_groups() -> None:
    codes = ("10115", "10961", "12047", "13353")
    zips = Attribute("zip", "categorical", storage="String", categories=codes, hierarchy="prefix")
    found = RareLevels.of_counts(Schema((zips,)), {"zip": np.array([2, 2, 1, 9])}, "group", 4)
    assert found.groups["zip"] == {"10115": "10***", "10961": "10***"}
    wider = RareLevels.of_counts(Schema((zips,)), {"zip": np.array([2, 2, 1, 9])}, "group", 5)
    assert set(wider.groups["zip"].values()) == {"1****"}
