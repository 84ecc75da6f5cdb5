"""Distances of whole tables, column by column, against plain counting."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.measures.columns.distributions import CELLS
from hushwood.measures.protocol import NotComputable
from hushwood.measures.utility.distribution_distances import DistributionDistances
from hushwood.tables.recoding.cells import Generalised
from oracles import distributions as oracle
from support.mixed_tables import category, mixed_table, number, plain_rows, table_of, target
from support.rearranged_tables import (
    column_by_column_shuffled,
    in_another_unit,
    shuffled_columns,
    shuffled_rows,
)
from support.table_pairs import context_for, measuring

measured = measuring(DistributionDistances, paired=False)


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(1, 60), st.integers(1, 60))
def test_equals_plain_counting(seed: int, rows: int, others: int) -> None:
    original, released = mixed_table(seed, rows), mixed_table(seed + 1, others)
    before, after = plain_rows(original), plain_rows(released)
    distances = []
    for attribute in original.schema.attributes:
        name = attribute.name
        if attribute.kind == "categorical":
            columns = (original.columns[name].tolist(), released.columns[name].tolist())
            counts = [oracle.category_counts(codes, len(attribute.categories)) for codes in columns]
        else:
            numbers = [
                [v if isinstance(v := row[name], float) else None for row in side] for side in (before, after)
            ]
            counts = [oracle.numeric_counts(values, numbers[0], CELLS) for values in numbers]
        distances.append(oracle.total_variation(*counts))

    found = measured(original, released)

    assert found.value == pytest.approx(np.mean(distances))
    assert [c["total_variation"] for c in found.details["columns"]] == pytest.approx(distances)


def test_half_of_a_column_moved_by_hand() -> None:
    """Of job and class, job moved half its records; on average a quarter."""
    job, risk = category("job", "abc"), (target("k", "no"), [0, 1, 0, 1])
    original = table_of({"job": (job, [0, 0, 1, 1]), "k": risk})
    released = table_of({"job": (job, [0, 0, 2, -1]), "k": risk})

    found = measured(original, released)

    assert found.value == 0.25
    assert found.details["worst_column"] == "job"
    assert found.details["columns"][0]["missing_after"] == 0.25
    assert found.details["means"]["total_variation"] == 0.25
    assert found.details["means"]["ks"] is None


def test_a_shuffle_of_every_column_is_at_distance_exactly_zero() -> None:
    table = mixed_table(2, 300)

    found = measured(table, column_by_column_shuffled(table, 1))

    assert found.value == 0.0
    for column in found.details["columns"]:
        assert column["hellinger"] == column["kl"] == 0.0
        assert column["ks"] in (None, 0.0)
        assert column["wasserstein"] in (None, 0.0)


def test_numbers_out_of_the_original_s_range_are_as_far_as_can_be() -> None:
    age, classes = number("age", 20, 60), (target("k", "no"), [0, 1])
    original = table_of({"age": (age, [20, 60]), "k": classes})

    found = measured(original, table_of({"age": (age, [19, 61]), "k": classes}))

    assert found.details["columns"][0]["total_variation"] == 1.0
    assert found.details["columns"][0]["outside"] == 1.0


def test_generalised_values_are_spread_over_what_they_stand_for() -> None:
    age, classes = number("age", 1, 4), (target("k", "no"), [0, 1, 0, 1])
    original = table_of({"age": (age, [1, 2, 3, 4]), "k": classes})
    released = table_of({"age": (age, [2.5] * 4), "k": classes})
    wide = Generalised(np.zeros(4, bool), np.full(4, 1.0), np.full(4, 4.0))

    bare = measured(original, released).details["columns"][0]["total_variation"]
    spread = measured(original, released, generalised={"age": wide}).details["columns"][0]["total_variation"]

    # On a cut, the middle value counts half in either cell; spread, the inner cells hold a third each.
    assert (bare, spread) == pytest.approx((0.5, 2 * (1 / 3 - 1 / 4)))


def test_a_class_in_bins_is_compared_by_its_bins() -> None:
    bins = replace(target("price", ("1", "2", "30")), bins=(10.0,))
    original = table_of({"c": (category("c", "a"), [0, 0]), "price": (bins, [0, 2])})
    released = table_of({"c": (category("c", "a"), [0, 0]), "price": (bins, [1, 2])})

    assert measured(original, released).value == 0.0


def test_order_units_and_signs_change_nothing() -> None:
    original, released = mixed_table(7, 120), mixed_table(8, 90)
    value = measured(original, released).value

    assert measured(shuffled_rows(original, 1), shuffled_rows(released, 2)).value == pytest.approx(value)
    assert measured(shuffled_columns(original, 1), shuffled_columns(released, 1)).value == pytest.approx(
        value
    )
    for factor in (-1.0, 8.0):
        pair = [in_another_unit(table, factor, 0.0) for table in (original, released)]
        assert measured(*pair).value == pytest.approx(value)
    # A decimal number half-way between two others may lie a bit beside the cut once 64 is added.
    moved = [in_another_unit(table, 1.0, 64.0) for table in (original, released)]
    assert measured(*moved).value == pytest.approx(value, abs=0.003)


def test_a_table_without_records_has_no_distribution() -> None:
    table = mixed_table(1, 5)
    empty = table.take(np.array([], np.int64))

    assert isinstance(
        DistributionDistances().compute(table, empty, context_for(table, empty, paired=False)), NotComputable
    )
