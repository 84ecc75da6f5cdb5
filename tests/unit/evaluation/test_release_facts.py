"""Counts about a release, on tables that can be counted by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from hushwood.arrays import Array
from hushwood.evaluation import release_facts as facts
from hushwood.evaluation.plain_data import to_plain
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table
from support.mixed_tables import category, table_of, target

SCHEMA = Schema(
    (
        Attribute("id", "categorical", "identifier", "String"),
        Attribute("age", "numeric", storage="Int64", low=20, high=60, precision=0),
        Attribute("job", "categorical", storage="String", categories=("a", "b", "c")),
        Attribute("risk", "categorical", "class", "String", categories=("good", "bad")),
    )
)


def table(age: list[float], job: list[int], risk: list[int]) -> Table:
    columns: dict[str, Array] = {
        "age": np.array(age, np.float64),
        "job": np.array(job, np.int32),
        "risk": np.array(risk, np.int32),
    }
    carried = pl.DataFrame({"id": ["x", None] + ["y"] * (len(age) - 2)})
    return Table(SCHEMA, columns, carried, len(age))


ORIGINAL = table([20, 30, 30, 40, np.nan, 60], [0, 0, 0, 0, 0, 2], [0, 0, 1, 0, 1, 1])
RELEASED = table([20, 31, 30, 44, np.nan, 59], [0, 0, 0, 0, 2, 0], [0, 1, 0, 0, 1, 1])


def test_schema_says_what_each_column_is() -> None:
    columns = facts.column_facts(ORIGINAL)
    found = {column.name: column for column in columns}

    assert to_plain(found["id"]) == {
        "name": "id",
        "kind": "categorical",
        "role": "identifier",
        "storage": "String",
        "missing": 1,
    }
    assert (found["age"].domain, found["age"].missing) == (facts.NumericDomain(20, 60, 0), 1)
    assert list(to_plain(found["age"]))[4:] == ["missing", "low", "high", "precision"]
    assert found["job"].categories == 3


def test_segments_are_counted_by_size() -> None:
    ids = np.repeat([7, 3, 9, 4], [1, 4, 5, 12])

    found = facts.segment_facts(ids)

    assert (found.count, found.alone, found.below_small) == (4, 1, 5)
    assert (found.median, found.smallest, found.largest) == (4.5, 1, 12)
    assert [(b.low, b.high, b.segments, b.records) for b in found.sizes] == [
        (1, 1, 1, 1),
        (2, 4, 1, 4),
        (5, 9, 1, 5),
        (10, None, 1, 12),
    ]


def test_no_records_have_no_segments() -> None:
    assert facts.segment_facts(np.array([], np.int64)).count == 0


def test_rare_categories_and_whether_they_stayed() -> None:
    found = facts.rare_categories(ORIGINAL, RELEASED)

    assert (found.count, found.records, found.unchanged) == (3, 7, 4)
    job, risk = found.columns
    assert job.categories == (facts.RareCategory("c", 1, 0),)
    assert [c.category for c in risk.categories] == ["good", "bad"]


def test_unique_extremes_and_whether_they_stayed() -> None:
    found = facts.unique_extremes(ORIGINAL, RELEASED)

    lowest = facts.Extreme("age", "lowest", 20.0, unchanged=True)
    highest = facts.Extreme("age", "highest", 60.0, unchanged=False)
    assert found == facts.UniqueExtremes(2, 1, (lowest, highest))


def test_shared_extremes_are_not_unique() -> None:
    twins = table([20, 20, 60, 60], [0] * 4, [0] * 4)

    assert facts.unique_extremes(twins, twins).count == 0


def test_all_missing_column_has_no_extremes() -> None:
    empty = table([np.nan] * 3, [0] * 3, [0] * 3)

    assert facts.unique_extremes(empty, empty).count == 0


def test_categories_that_no_released_value_names() -> None:
    before = table_of(
        {"town": (category("town", "abcd"), [0, 1, 2, 3]), "y": (target("y", "uv"), [0, 1, 0, 1])}
    )
    town = replace(category("town", "abcd"), categories=("a", "b", "c", "d", "{b, c}"))
    after = table_of({"town": (town, [0, 4, 4, 0]), "y": (target("y", "uv"), [0, 0, 0, 0])})
    assert facts.unreleased_categories(before, after) == {"town": ("d",), "y": ("v",)}
    assert facts.unreleased_categories(before, before) == {}
