"""Counts of all records: every class by itself, and nothing where it would not be the same number."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hushwood.evaluation.levels import FULL
from hushwood.evaluation.plain_data import from_plain, to_plain
from hushwood.evaluation.whole_table import LinkTally, Tallies
from hushwood.measures.columns import pair_associations
from hushwood.measures.protocol import Measurement
from hushwood.measures.registry import MEASURES
from hushwood.measures.utility import distribution_distances
from hushwood.tables.links.links import Order
from hushwood.tables.reading import read
from hushwood.tables.table import Table
from support.hospital import LINKS, hospital
from support.mixed_tables import mixed_table
from support.rearranged_tables import column_by_column_shuffled
from support.table_pairs import context_for


def pair() -> tuple[Table, Table]:
    table = mixed_table(3, 300)
    return table, column_by_column_shuffled(table, 4)


def counted(original: Table, released: Table, *, paired: bool = True) -> Tallies:
    tallies = Tallies.of(original.schema, FULL, paired=paired)
    for begin in range(0, original.rows, 70):
        rows = np.arange(begin, min(begin + 70, original.rows))
        tallies.add(original.take(rows), released.take(rows))
    return tallies


def test_answers_are_those_of_the_measures() -> None:
    original, released = pair()

    found = counted(original, released).finish()

    assert (found.records, found.released_records) == (300, 300)
    assert len(found.answers) == 6
    for name, answer in found.answers.items():
        whole = MEASURES[name]().compute(original, released, context_for(original, released))
        assert isinstance(answer, Measurement)
        assert isinstance(whole, Measurement)
        assert answer.value == pytest.approx(whole.value)


def test_of_several_classes_the_worst_counts() -> None:
    original, released = pair()
    city = replace(original.schema["city"], role="class")
    schema = original.schema.with_attribute(city)
    tables = (replace(table, schema=schema) for table in (original, released))

    answer = counted(*tables).finish().answers["changed_classes"]

    assert isinstance(answer, Measurement)
    changed = {
        a.name: float((original.columns[a.name] != released.columns[a.name]).mean()) for a in schema.classes
    }
    assert answer.details["by_class"] == pytest.approx(changed)
    assert answer.value == min(changed.values())


def test_rows_that_are_not_paired_are_not_compared() -> None:
    assert list(counted(*pair(), paired=False).finish().answers) == [
        "means_and_variances",
        "correlations",
        "distribution_distances",
        "extremes",
    ]


def test_another_coding_is_left_to_the_sample() -> None:
    original, released = pair()
    wider = replace(released.schema["city"], categories=(*released.schema["city"].categories, "elsewhere"))
    other = replace(released, schema=released.schema.with_attribute(wider))

    found = counted(original, other).finish()

    assert (found.records, dict(found.answers)) == (300, {})


def test_what_takes_too_much_room_is_left_to_the_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distribution_distances, "_MOST_IN_ALL", 10)
    monkeypatch.setattr(pair_associations.CategoryPairs, "__init__", _few_cells)

    found = counted(*pair()).finish()

    assert set(found.answers) == {"means_and_variances", "unchanged_cells", "changed_classes", "extremes"}


_MADE = pair_associations.CategoryPairs.__init__


def _few_cells(self: pair_associations.CategoryPairs, sizes: list[int]) -> None:
    _MADE(self, sizes, most=3)


TABLE = read(hospital(300), target="back").table
WORSE = TABLE.with_columns(
    {"discharged": TABLE.columns["discharged"] - 10.0, "state": TABLE.columns["state"][::-1].copy()}
)


def test_batches_count_like_the_whole() -> None:
    whole, parts = LinkTally(LINKS, LINKS[:1]), LinkTally(LINKS, LINKS[:1])
    whole.add(TABLE, WORSE)
    for rows in np.array_split(np.arange(300), 4):
        parts.add(TABLE.take(rows), WORSE.take(rows))
    assert whole.facts() == parts.facts()
    facts = {fact.columns: fact for fact in whole.facts()}
    early = int((WORSE.columns["discharged"] < TABLE.columns["admitted"]).sum())
    found = facts["admitted", "discharged"]
    assert (found.broken_before, found.broken_after, found.newly_broken, found.kept) == (
        0,
        early,
        early,
        False,
    )
    assert facts["sex", "pregnant"].kept
    assert facts["city", "state"].broken_after == facts["city", "state"].newly_broken
    for fact in whole.facts():
        assert from_plain(type(fact), to_plain(fact)) == fact


def test_coarse_columns_are_not_counted() -> None:
    tally = LinkTally((Order(("admitted", "discharged")),))
    tally.add(TABLE, WORSE, {"admitted"})
    (fact,) = tally.facts()
    assert (fact.broken_before, fact.broken_after, fact.newly_broken, fact.kept) == (0, None, None, None)


def test_nothing_to_count() -> None:
    assert LinkTally(()).facts() == ()
