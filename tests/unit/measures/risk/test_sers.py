from __future__ import annotations

from dataclasses import replace
from math import log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.demo.synthetic_tables import credit_risk
from hushwood.measures.protocol import Measurement, NotComputable
from hushwood.measures.risk.sers import Sers
from hushwood.random_streams import Streams
from hushwood.tables.table import Table
from oracles import sers as oracle
from support.mixed_tables import category, mixed_table, number, plain_rows, table_of, target
from support.rearranged_tables import (
    column_by_column_shuffled,
    in_another_unit,
    shuffled_columns,
    shuffled_rows,
)
from support.table_pairs import context_for, measuring

ROUNDING = 1e-5  # bits: logarithms are off by up to 2.3e-6, and sums are in single precision

NAN = np.nan
INPUTS = ["count", "price", "ratio", "constant", "void", "city", "job", "nothing"]
measured = measuring(Sers)


def small(x: list[float], c: list[int], k: list[int]) -> Table:
    """A number from 0 to 10, a category and a class."""
    return table_of(
        {"x": (number("x", 0, 10), x), "c": (category("c", "ab"), c), "k": (target("k", "no"), k)}
    )


def test_two_records_by_hand() -> None:
    """The first is like the released ones by 1 and 3/4, the second by 0 and 1/4; with the class, by 1 and 5/6."""
    found = measured(small([0, 10], [0, 1], [0, 1]), small([0, 5], [0, 0], [0, 0]))
    first = -(4 / 7) * log2(4 / 7) - (3 / 7) * log2(3 / 7)
    assert found.value == pytest.approx(first / 2, abs=ROUNDING)
    np.testing.assert_allclose(found.records["sers_bits"], [first, 0], atol=ROUNDING)
    assert found.records["partner_rank"].tolist() == [1, 1]
    with_class = -(6 / 11) * log2(6 / 11) - (5 / 11) * log2(5 / 11)
    details = dict(found.details)
    assert details.pop("with_class") == pytest.approx(with_class / 2, abs=ROUNDING)
    assert details.pop("shortfall") == pytest.approx(1 - first / 2, abs=ROUNDING)
    assert sum(details.pop("histogram")["counts"]) == 2
    assert details.pop("quantiles")["50"] == pytest.approx(first / 2, abs=ROUNDING)
    assert details.pop("partner")["first"] == 1
    assert details == {
        "records": 2,
        "released_records": 2,
        "attributes": 2,
        "bits_possible": 1.0,
        "estimated": False,
        "targets": 2,
        "interval": None,
    }


def test_numbers_outside_the_originals_range_are_no_more_than_wholly_different() -> None:
    """0 is like 5, -40 and 1000 by 3/4, 1/2 and 1/2 (the categories agree)."""
    found = measured(small([0, 10], [0, 0], [0, 0]), small([5, -40, 1000], [0] * 3, [0] * 3), paired=False)
    assert found.records["sers_bits"][0] == pytest.approx(oracle.entropy([3, 2, 2]), abs=ROUNDING)


def test_missing_values_are_like_each_other_only() -> None:
    original, released = small([NAN, 0, 10], [-1, 0, 0], [0] * 3), small([NAN, 4], [-1, -1], [0] * 2)
    bits = measured(original, released, paired=False).records["sers_bits"]
    np.testing.assert_allclose(bits, [oracle.entropy([2, 1]), 0, 0], atol=ROUNDING)


def test_who_is_like_nobody_is_as_unsure_as_can_be() -> None:
    found = measured(small([0, 10], [0, 0], [0, 0]), small([99] * 8, [1] * 8, [0] * 8), paired=False)
    assert found.value == 3.0
    assert found.details["shortfall"] == 0.0


def test_ranks_of_partners_by_hand() -> None:
    """Record 0's partner is its own copy; 1's is beaten by two; 2's shares the first place; 3 was dropped."""
    original = small([0, 4, 10, 5], [0, 0, 0, 0], [0] * 4)
    released = small([0, 9, 9, 3], [0, 0, 0, 0], [0] * 4)
    found = measured(original, released, partner=np.array([0, 0, 2, -1]))
    np.testing.assert_array_equal(found.records["partner_rank"], [1, 2, 1.5, NAN])
    partner = found.details["partner"]
    assert partner["quantiles"].pop("50") == partner.pop("median_rank") == 1.5
    assert sorted(partner.pop("quantiles")) == ["25", "5", "75", "95"]
    assert partner == {
        "records": 3,
        "blind_rank": 2.5,
        "blind": 0.25,
        "mean_rank": 1.5,
        "first": pytest.approx(1 / 3),
        "nearest": pytest.approx(1.5 / 3),
    }


def test_without_pairs_there_are_bits_but_no_ranks() -> None:
    table = mixed_table(1, 40)
    found = measured(table, mixed_table(2, 30), paired=False)
    assert found.details["partner"] is None
    assert set(found.records) == {"sers_bits"}
    nobody = measured(table, mixed_table(2, 30), partner=np.full(40, -1)).details["partner"]
    assert (nobody["records"], nobody["mean_rank"], nobody["nearest"]) == (0, None, None)


def test_only_the_value_if_only_that_is_wanted() -> None:
    table = mixed_table(1, 40)
    brief = measured(table, value_only=True)
    assert (brief.value, brief.details, brief.records) == (measured(table).value, {}, {})


def test_where_there_is_nothing_to_compare() -> None:
    table = mixed_table(1, 5)
    nobody, bare = table.take(np.array([], np.int64)), table_of({"k": (target("k", "no"), [0, 1])})
    for original, released in ((table, nobody), (nobody, table), (bare, bare)):
        context = context_for(original, released, paired=False)
        assert isinstance(Sers().compute(original, released, context), NotComputable)


def test_the_untouched_table_and_noise() -> None:
    """Everybody's own row is (among) the nearest in the one; in the other partners are anywhere."""
    table = credit_risk(500, bytes(32))
    untouched = measured(table).details["partner"]
    assert untouched["first"] > 0.99
    noise = measured(table, column_by_column_shuffled(table, 1)).details["partner"]
    assert noise["mean_rank"] == pytest.approx(noise["blind_rank"], rel=0.15)
    assert noise["nearest"] < 0.02
    assert measured(table).value < log2(500)


@given(st.integers(0, 100), st.integers(1, 25), st.integers(1, 25))
@settings(max_examples=50)
def test_it_is_the_oracles_entropy(seed: int, first: int, second: int) -> None:
    original, released = mixed_table(seed, first), mixed_table(seed + 1, second)
    found = measured(original, released, paired=False)
    for names, value in ((INPUTS, found.value), ([*INPUTS, "risk"], found.details["with_class"])):
        like = oracle.similarities(plain_rows(original), plain_rows(released), names)
        bits = [oracle.entropy(row) for row in like]
        assert value == pytest.approx(sum(bits) / first, abs=ROUNDING)
        assert value <= log2(second)


@given(st.integers(0, 100), st.integers(2, 60), st.sampled_from([(-1.0, 0.0), (8.0, 0.0), (0.5, 64.0)]))
@settings(max_examples=40)
def test_order_and_units_make_no_difference(seed: int, rows: int, unit: tuple[float, float]) -> None:
    original, released = mixed_table(seed, rows), mixed_table(seed + 1, rows)
    found = measured(original, released)
    other, others = (shuffled_columns(in_another_unit(t, *unit), 7) for t in (original, released))
    moved = measured(other, others)
    assert moved.value == pytest.approx(found.value, abs=ROUNDING)
    np.testing.assert_array_equal(moved.records["partner_rank"], found.records["partner_rank"])
    # The same seed shuffles both tables alike, so that partners stay partners.
    turned = measured(shuffled_rows(original, 5), shuffled_rows(released, 5))
    assert turned.value == pytest.approx(found.value, abs=ROUNDING)
    assert sorted(turned.records["partner_rank"]) == sorted(found.records["partner_rank"])


def test_a_binned_class_counts_by_its_bins() -> None:
    """The classes 1 and 2 are one bin, so that with the class all similarities are equal."""
    binned = replace(target("k", ("1", "2", "9")), bins=(5.0,))
    original = table_of({"x": (number("x", 0, 1), [0, 1]), "k": (binned, [0, 0])})
    released = table_of({"x": (number("x", 0, 1), [0, 0]), "k": (binned, [0, 1])})
    assert measured(original, released).details["with_class"] == pytest.approx(1.0, abs=ROUNDING)


def test_large_tables_are_judged_by_a_sample() -> None:
    table, released = mixed_table(1, 400), mixed_table(2, 300)
    sampled = measured(table, released, Sers(exact_up_to=300, targets=50), paired=False)
    assert sampled.details["estimated"] is True
    assert (sampled.details["targets"], sampled.details["records"]) == (50, 400)
    bits = sampled.records["sers_bits"]
    assert np.isfinite(bits).sum() == 50
    exact = measured(table, released, Sers(exact_up_to=350, targets=50), paired=False)
    assert exact.details["estimated"] is False
    np.testing.assert_array_equal(bits[np.isfinite(bits)], exact.records["sers_bits"][np.isfinite(bits)])
    few = measured(table, released, Sers(exact_up_to=1, targets=400), paired=False)
    assert (few.details["estimated"], few.value) == (False, exact.value)


def test_the_interval_covers_the_exact_value_as_often_as_it_says() -> None:
    """Of 300 keyed samples about 95 % cover; an interval of a third of the width would not, so it is not too wide."""
    original, released = mixed_table(1, 500), mixed_table(2, 300)
    exact = measured(original, released, paired=False).value
    measure, covers, narrow = Sers(exact_up_to=1, targets=60), 0, 0
    context = context_for(original, released, paired=False)
    for seed in range(300):
        keyed = Streams(seed.to_bytes(32, "big"))
        found = measure.compute(original, released, replace(context, streams=keyed))
        assert isinstance(found, Measurement)
        low, high = found.details["interval"]
        assert low <= found.value <= high
        covers += low <= exact <= high
        narrow += abs(exact - found.value) <= (high - low) / 6
    assert 0.91 <= covers / 300 <= 0.99
    assert narrow / 300 < 0.65
