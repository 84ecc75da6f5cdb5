"""Measures that can be taken in batches: any division of the records, in any order, gives the answer of the whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hushwood.measures.protocol import Measurement, Mergeable, NotComputable, Tally, of_all_records
from hushwood.measures.registry import MEASURES
from hushwood.tables.table import Table
from support.mixed_tables import mixed_table, number, table_of, target
from support.rearranged_tables import column_by_column_shuffled
from support.table_pairs import context_for

MERGEABLE = tuple(name for name, make in MEASURES.items() if isinstance(make(), Mergeable))
each_measure = pytest.mark.parametrize("name", MERGEABLE)


def shuffled() -> tuple[Table, Table]:
    table = mixed_table(3, 230)
    return table, column_by_column_shuffled(table, 4)


def gaps_everywhere() -> tuple[Table, Table]:
    table, draw = mixed_table(5, 90), np.random.default_rng(6)
    gaps = {
        name: np.where(draw.random(90) < 0.6, np.nan if values.dtype.kind == "f" else -1, values).astype(
            values.dtype
        )
        for name, values in table.columns.items()
    }
    return table.with_columns(gaps), table


def large_and_far_from_zero() -> tuple[Table, Table]:
    draw = np.random.default_rng(7)
    wild = np.array([1e69, -1e68, 3e50, *draw.normal(1e9, 10.0, 57)])
    near = draw.normal(1e9, 10.0, 60)
    original = table_of(
        {
            "wild": (number("wild", -1e70, 1e70, None), wild.tolist()),
            "near": (number("near", 0, 2e9, None), near.tolist()),
            "same": (number("same", 5, 5), np.full(60, 5.0).tolist()),
            "k": (target("k", "no"), draw.integers(0, 2, 60).tolist()),
        }
    )
    return original, original.with_columns({"near": near + 20.0, "wild": wild[::-1].copy()})


def one_record() -> tuple[Table, Table]:
    return mixed_table(8, 1), mixed_table(9, 1)


PAIRS: Mapping[str, Callable[[], tuple[Table, Table]]] = {
    "shuffled": shuffled,
    "gaps": gaps_everywhere,
    "large": large_and_far_from_zero,
    "one record": one_record,
    "itself": lambda: (mixed_table(10, 80), mixed_table(10, 80)),
}
each_pair = pytest.mark.parametrize("pair", PAIRS)


def tallied(measure: Mergeable, pair: tuple[Table, Table], cuts: list[int], ids: Any) -> list[Tally]:
    """One tally for every part between the cuts, some of them empty."""
    found = []
    for begin, end in zip([0, *cuts], [*cuts, pair[0].rows], strict=True):
        rows = np.arange(begin, end)
        tally = measure.tally(pair[0].schema)
        tally.add(pair[0].take(rows), pair[1].take(rows), None if ids is None else ids[rows])
        found.append(tally)
    return found


def same(found: Any, expected: Any) -> None:
    """Details that are there equal those of the whole, up to rounding."""
    if isinstance(found, Mapping):
        for key, value in found.items():
            same(value, expected[key])
    elif isinstance(found, list):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            same(one, other)
    elif isinstance(found, float):
        assert found == pytest.approx(expected, rel=1e-6, abs=1e-9)
    else:
        assert found == expected


def test_the_measures_that_can() -> None:
    assert MERGEABLE == (
        "means_and_variances",
        "correlations",
        "distribution_distances",
        "unchanged_cells",
        "changed_classes",
        "extremes",
    )


@each_pair
@each_measure
@pytest.mark.parametrize("seed", range(4))
def test_any_division_in_any_order_gives_the_answer_of_the_whole(name: str, pair: str, seed: int) -> None:
    measure, (original, released) = MEASURES[name](), PAIRS[pair]()
    assert isinstance(measure, Mergeable)
    draw = np.random.default_rng(seed)
    ids = draw.integers(0, 5, original.rows) if seed % 2 else None
    whole = measure.compute(original, released, context_for(original, released, segment_ids=ids))
    cuts = np.sort(draw.integers(0, original.rows + 1, seed * 3)).tolist()

    tallies = tallied(measure, (original, released), cuts, ids)
    order = draw.permutation(len(tallies))
    total = tallies[order[0]]
    for place in order[1:]:
        total.merge(tallies[place])
    found = total.finish()

    if isinstance(whole, NotComputable):
        assert found == whole
        return
    assert isinstance(found, Measurement)
    assert found.value == pytest.approx(whole.value, rel=1e-6, abs=1e-9)
    same(_steady(found.details), whole.details)


def _steady(details: Mapping[str, Any]) -> dict[str, Any]:
    """Without what names the first of equals, which rounding decides."""
    return {key: value for key, value in details.items() if key not in {"largest", "worst_column"}}


@each_measure
def test_batches_may_come_one_after_the_other(name: str) -> None:
    measure, (original, released) = MEASURES[name](), shuffled()
    assert isinstance(measure, Mergeable)
    tally = measure.tally(original.schema)
    for begin in range(0, original.rows, 37):
        rows = np.arange(begin, min(begin + 37, original.rows))
        tally.add(original.take(rows), released.take(rows))

    found, whole = tally.finish(), measure.compute(original, released, context_for(original, released))

    assert isinstance(found, Measurement)
    assert isinstance(whole, Measurement)
    assert found.value == pytest.approx(whole.value, rel=1e-9)
    same(_steady(of_all_records(whole, found).details), whole.details)


@pytest.mark.parametrize("name", ["means_and_variances", "correlations", "distribution_distances"])
def test_unpaired_tables_may_have_different_lengths(name: str) -> None:
    measure, original, released = MEASURES[name](), mixed_table(11, 50), mixed_table(12, 31)
    assert isinstance(measure, Mergeable)
    tally = measure.tally(original.schema)
    tally.add(original.take(np.arange(20)), released.take(np.arange(31)))
    tally.add(original.take(np.arange(20, 50)), released.take(np.arange(0)))

    found, whole = (
        tally.finish(),
        measure.compute(original, released, context_for(original, released, paired=False)),
    )

    assert isinstance(found, Measurement)
    assert isinstance(whole, Measurement)
    assert found.value == pytest.approx(whole.value, rel=1e-9)


def test_counts_replace_those_of_a_sample_and_the_rest_stays() -> None:
    sampled = Measurement(0.5, {"columns": [{"column": "a", "share": 0.5, "near": 0.1}], "by_chance": 0.2})
    exact = Measurement(0.4, {"columns": [{"column": "a", "share": 0.4}]})

    found = of_all_records(sampled, exact)

    assert found == replace(
        sampled,
        value=0.4,
        details={"columns": [{"column": "a", "share": 0.4, "near": 0.1}], "by_chance": 0.2},
    )
