"""Counts about a release, on tables that can be counted by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from hushwood.arrays import Array
from hushwood.evaluation import release_facts as facts
from hushwood.evaluation.plain_data import to_plain
from hushwood.evaluation.release_facts import DrawnWay, ErrorSummary, coarsening_facts, drawn_together
from hushwood.releasing.fitted import PreparedStep
from hushwood.segments.segments import Segments
from hushwood.tables.domains import Intervals
from hushwood.tables.reading import read
from hushwood.tables.recoding.preparation import CoarseColumns
from hushwood.tables.recoding.rules import parsed_rules
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table
from hushwood.techniques.class_permutations import Rpt
from hushwood.techniques.shuffle import Rotation
from support.mixed_tables import category, number, table_of, target

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


IDS = np.array([0, 0, 0, 0, 1, 1, 2], np.int32)


def table_segment_moments(x: list[float], y: list[float]) -> Table:
    return table_of(
        {
            "x": (number("x", 0, 9), x),
            "y": (number("y", 0, 9), y),
            "k": (target("k", "ab"), [0, 1, 0, 1, 0, 1, 0]),
        }
    )


def steps(original: Table) -> list[PreparedStep]:
    wide = {name: Intervals(np.zeros(3), np.full(3, 9.0), 0) for name in ("x", "y")}
    nothing = {name: np.zeros(3, bool) for name in ("x", "y")}
    segments = Segments(IDS, 3, wide, {}, nothing)
    return [
        PreparedStep(Rpt().prepare(original, ["k"], segments), IDS),
        PreparedStep(Rotation(within="segment").prepare(original, ["x", "y"], segments), IDS),
    ]


def test_errors_are_in_deviations_of_the_segment() -> None:
    original = table_segment_moments([1, 2, 3, 4, 5, 7, 8], [1, 1, 2, 2, 3, 3, 3])
    released = table_segment_moments([1, 2, 3, 5, 7, 5, 0], [1, 2, 1, 2, 3, 3, 9])
    found = drawn_together(original, released, steps(original), {"own": (1, 4), "noise": (1, 1)})
    assert found is not None
    assert found.columns == ("x", "y")
    assert found.technique == "rotation"
    assert found.ways == (DrawnWay("own", 1, 4), DrawnWay("noise", 1, 1))
    assert found.mean_error is not None
    assert found.covariance_error is not None
    before, after = np.array([1, 2, 3, 4.0]), np.array([1, 2, 3, 5.0])
    mean = (after.mean() - before.mean()) / before.std(ddof=1)
    assert (found.mean_error.largest, found.mean_error.mean) == pytest.approx((mean, mean * 4 / 6))
    variance = after.var(ddof=1) / before.var(ddof=1) - 1
    assert (found.covariance_error.largest or 0.0) >= variance - 1e-12


def test_an_untouched_table_has_no_error() -> None:
    original = table_segment_moments([1, 2, 3, 4, 5, 7, 8], [1, 1, 2, 2, 3, 3, 3])
    found = drawn_together(original, original, steps(original), {})
    assert found is not None
    assert found.mean_error == found.covariance_error == ErrorSummary(0.0, 0.0)


def test_without_a_group_there_are_no_errors() -> None:
    original = table_segment_moments([1, 2, 3, 4, 5, 7, 8], [1, 1, 2, 2, 3, 3, 3])
    assert drawn_together(original, original, steps(original)[:1], {}) is None


def test_constant_segments_have_no_deviation() -> None:
    original = table_segment_moments([5.0] * 7, [5.0] * 7)
    found = drawn_together(original, original, steps(original), {})
    assert found is not None
    assert found.mean_error is None


AGES = [20, 21, 23, 25, 30]


def people() -> Table:
    towns = ["Bonn", "Bern", "Kiel", "Kiel", None]
    return read(pl.DataFrame({"age": AGES, "town": towns})).table


def test_numbers_that_were_rounded() -> None:
    table = people()
    (found,) = coarsening_facts(CoarseColumns.of(parsed_rules(["age=5"]), table), table)
    assert (found.column, found.says) == ("age", "rounded to multiples of 5")
    assert found.changed == pytest.approx(2 / 5)  # 21 became 20, 23 became 25
    distance = np.sqrt((1 + 4) / 5) / np.std(AGES)
    assert found.moved == pytest.approx(distance)
    assert 0 < found.loss < 1


def test_texts_that_were_cut_and_gaps_that_do_not_count() -> None:
    table = people()
    (found,) = coarsening_facts(CoarseColumns.of(parsed_rules(["town=1letter"]), table), table)
    assert found.changed == 1.0
    assert found.moved is None
    # B* stands for two of three towns in two records, K* for one in two: LM is (1/2 + 1/2 + 0 + 0) / 4.
    assert found.loss == pytest.approx(0.25)


def test_nothing_was_coarsened() -> None:
    assert coarsening_facts(CoarseColumns(), people()) == ()
