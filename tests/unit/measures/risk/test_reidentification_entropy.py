from __future__ import annotations

import json
from dataclasses import replace
from math import log2
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.arrays import Array
from hushwood.demo.synthetic_tables import credit_risk
from hushwood.errors import InputError
from hushwood.measures.posterior.uncertainty import keyed_orders
from hushwood.measures.protocol import NOT_PAIRED, Measurement, NotComputable
from hushwood.measures.risk.reidentification_entropy import ReidentificationEntropy
from hushwood.random_streams import Streams
from hushwood.tables.recoding.cells import Generalised
from hushwood.tables.table import Table
from oracles import reidentification as oracle
from support.fitted_chances import INPUTS, chances
from support.mixed_tables import category, mixed_table, number, table_of, target
from support.noisy_tables import cells, noisy, some_left
from support.rearranged_tables import column_by_column_shuffled, in_another_unit, shuffled_columns
from support.table_pairs import STREAMS, context_for, measuring

measured = measuring(ReidentificationEntropy)


def bits_of(original: Table, released: Table, **more: Any) -> Array:
    return measured(original, released, **more).records["reidentification_bits"]


def small(c: list[int], x: list[float] | None = None) -> Table:
    return table_of(
        {
            "c": (category("c", "ab"), c),
            "x": (number("x", 0, 10), x or [0.0] * len(c)),
            "k": (target("k", "no"), [0] * len(c)),
        }
    )


@pytest.mark.parametrize("seed", range(4))
def test_as_the_oracle_says(seed: int) -> None:
    original = mixed_table(seed, 45)
    released, partner = some_left(noisy(original, seed, gaps=seed % 2 == 1), seed, 38)
    found = bits_of(original, released, partner=partner)
    rows = np.flatnonzero(partner >= 0)
    shares = oracle.posteriors(
        cells(original, rows), cells(released), chances(original, released, partner), INPUTS
    )
    np.testing.assert_allclose(found[rows], [oracle.entropy(each) for each in shares], atol=2e-5)
    assert np.isnan(found[partner < 0]).all()


def test_what_known_attributes_say_is_as_the_oracle_says() -> None:
    original = mixed_table(8, 40)
    released, partner = some_left(noisy(original, 8, gaps=True), 8, 40)
    details = measured(original, released, partner=partner).details
    kernels, x, y = chances(original, released, partner), cells(original), cells(released)
    for entry in details["by_attribute"]:
        shares = oracle.posteriors(x, y, kernels, [entry["attribute"]])
        bits = np.array([oracle.entropy(each) for each in shares])
        assert entry["mean_bits"] == pytest.approx(bits.mean(), abs=2e-5)
        assert entry["deviation"] == pytest.approx(bits.std(), abs=2e-5)
    orders = keyed_orders(INPUTS, np.arange(40), STREAMS, "reidentification_entropy")
    for size in (0, 1, 3, 8):
        wanted = []
        for row, order in enumerate(orders):
            one = {name: values[row : row + 1] for name, values in x.items()}
            known = [INPUTS[j] for j in order[:size]]
            wanted.append(oracle.entropy(oracle.posteriors(one, y, kernels, known)[0]))
        entry = details["by_size"][size]
        assert entry["known"] == size
        assert entry["mean_bits"] == pytest.approx(np.mean(wanted), abs=2e-5)


def test_four_records_by_hand() -> None:
    """Three of four stay (7/10 with half a case more); a change leads to a by 1/4, to b by 3/4."""
    found = bits_of(small([0, 0, 1, 1]), small([0, 1, 1, 1]))
    to_a, to_b = oracle.entropy([7 / 16, 3 / 16, 3 / 16, 3 / 16]), oracle.entropy([3 / 24, *[7 / 24] * 3])
    np.testing.assert_allclose(found, [to_a, to_a, to_b, to_b], atol=2e-5)


def test_a_normal_kernel_by_hand() -> None:
    """Changes of 1, -1, 1, -1: spread 1; 0 is 1 and 4 away from the released ones, in squares 1 and 16."""
    found = bits_of(small([0] * 4, [0, 5, 0, 5]), small([0] * 4, [1, 4, 1, 4]))
    near, far = 1.0, np.exp(-(16 - 1) / 2)
    np.testing.assert_allclose(
        found, oracle.entropy(np.array([near, far, near, far]) / 2 / (near + far)), atol=2e-5
    )


def test_an_untouched_table_hides_nobody_but_twins() -> None:
    table = small([0, 0, 1, 1, 1], [1, 2, 3, 3, 3])
    assert bits_of(table, table).tolist() == pytest.approx([0, 0, log2(3), log2(3), log2(3)], abs=2e-5)
    mixed = mixed_table(3, 80)
    assert measured(mixed, mixed).value < 0.05


def test_a_table_without_connection_hides_nearly_everybody() -> None:
    table = credit_risk(1500, bytes(32))
    found = measured(table, column_by_column_shuffled(table, 1))
    assert 0.9 * log2(1500) < found.value < log2(1500)
    assert found.details["secure"] is True


def test_who_could_be_nobody_is_everybody() -> None:
    """The third record's cell stands for 8 to 9, and no other cell holds its 3 (errata E2)."""
    original = small([0, 0, 0], [1, 2, 3])
    released = small([0, 0, 0], [1, 2, 8])
    ranges = Generalised(np.zeros(3, bool), np.array([1.0, 1.0, 8.0]), np.array([2.0, 2.0, 9.0]))
    found = measured(original, released, generalised={"x": ranges})
    np.testing.assert_allclose(found.records["reidentification_bits"], [1, 1, log2(3)], atol=1e-6)
    assert found.details["impossible"] == pytest.approx(1 / 3)


@settings(max_examples=30)
@given(seed=st.integers(0, 10_000), rows=st.integers(1, 40), changed=st.floats(0, 1), gaps=st.booleans())
def test_entropy_is_never_more_than_possible(seed: int, rows: int, changed: float, gaps: bool) -> None:
    original = mixed_table(seed, rows)
    released = noisy(original, seed, gaps=gaps, changed=changed)
    found = measured(original, released)
    bits = found.records["reidentification_bits"]
    assert ((bits >= 0) & (bits <= log2(rows))).all()
    assert found.value == pytest.approx(bits.mean())
    json.dumps(found.details, allow_nan=False)


@settings(max_examples=15)
@given(
    seed=st.integers(0, 10_000), factor=st.sampled_from([-1.0, 2.5, 1e-3, -40.0]), offset=st.floats(-1e3, 1e3)
)
def test_order_and_unit_change_nothing(seed: int, factor: float, offset: float) -> None:
    original = mixed_table(seed, 40)
    released = noisy(original, seed, gaps=True)
    bits = bits_of(original, released)
    order = np.random.default_rng(seed).permutation(40)
    np.testing.assert_allclose(bits_of(original.take(order), released.take(order)), bits[order], atol=1e-4)
    columns = [shuffled_columns(table, seed) for table in (original, released)]
    np.testing.assert_allclose(bits_of(*columns), bits, atol=1e-4)
    whole = [replace_grids(table) for table in (original, released)]
    moved = [in_another_unit(table, factor, offset) for table in whole]
    np.testing.assert_allclose(bits_of(*moved), bits_of(*whole), atol=1e-3)


def replace_grids(table: Table) -> Table:
    """The same table with continuous numbers, whose unit may be changed at will."""
    schema = table.schema
    for attribute in schema.attributes:
        schema = schema.with_attribute(replace(attribute, precision=None))
    return replace(table, schema=schema)


def test_threads_change_nothing() -> None:
    original = mixed_table(5, 600)
    released = noisy(original, 5)
    np.testing.assert_array_equal(bits_of(original, released), bits_of(original, released, threads=3))


def test_thresholds_say_who_is_exposed() -> None:
    table = small([0, 0, 1, 1], [1, 2, 3, 3])
    found = measured(table, table, ReidentificationEntropy(threshold_bits=1.0, allowed_share=0.4)).details
    assert (found["below_threshold"], found["secure"], found["threshold_bits"]) == (0.5, False, 1.0)
    found = measured(table, table, ReidentificationEntropy(threshold_bits=0.5, allowed_share=0.5)).details
    assert (found["below_threshold"], found["secure"]) == (0.5, True)
    assert measured(table, table).details["threshold_bits"] == 1.0
    assert found["bits_possible"] == 2.0
    assert sum(found["histogram"]["counts"]) == 4


def test_the_value_alone_is_the_same() -> None:
    original = mixed_table(5, 60)
    released = noisy(original, 5)
    brief = measured(original, released, value_only=True)
    assert brief.value == measured(original, released).value
    assert not brief.details


def test_estimates_cover_the_truth() -> None:
    """Sixty of four hundred records, under fifty keys: the interval of 95 % holds the mean of all nearly always."""
    original = mixed_table(2, 400)
    released = noisy(original, 2)
    truth = measured(original, released).value
    sampled = ReidentificationEntropy(exact_up_to=100, targets=60)
    hits = 0
    for key in range(50):
        context = replace(context_for(original, released), streams=Streams(bytes([key]) * 32))
        found = sampled.compute(original, released, context)
        assert isinstance(found, Measurement)
        low, high = found.details["interval"]
        assert found.details["estimated"] is True
        assert found.details["targets"] == 60
        assert int((~np.isnan(found.records["reidentification_bits"])).sum()) == 60
        hits += low <= truth <= high
    assert hits >= 43
    assert high - low < 1.5


def test_what_cannot_be_judged() -> None:
    table = mixed_table(1, 10)
    measure = ReidentificationEntropy()
    assert measure.compute(table, table, context_for(table, table, paired=False)) == NOT_PAIRED
    nobody = measure.compute(table, table, context_for(table, table, partner=np.full(10, -1)))
    assert isinstance(nobody, NotComputable)
    assert "No record" in nobody.reason


@pytest.mark.parametrize("rows", [1, 2])
def test_odd_tables_give_numbers(rows: int) -> None:
    bare = table_of({"k": (target("k", "no"), [0] * rows)})
    assert measured(bare, bare).value == log2(rows)
    empty = table_of(
        {
            "x": (number("x", 0, 0), [np.nan] * rows),
            "c": (category("c", ()), [-1] * rows),
            "same": (number("same", 7, 7), [7] * rows),
            "k": (target("k", "no"), [0] * rows),
        }
    )
    assert measured(empty, empty).value == pytest.approx(log2(rows))


def test_values_that_all_vanish_are_no_trouble() -> None:
    original = small([0, 1, 0], [1, 2, 3])
    released = original.with_columns({"x": np.full(3, np.nan), "c": np.full(3, -1, np.int32)})
    assert measured(original, released).value == pytest.approx(log2(3))
    assert measured(released, original).value <= log2(3)


def test_chosen_attributes_are_judged_together() -> None:
    original = small([0, 1, 0, 1], [1, 2, 3, 9])
    released = small([0, 1, 1, 1], [1, 3, 3, 8])
    context = context_for(original, released)
    found = ReidentificationEntropy(known=("c",)).compute(original, released, context)
    assert isinstance(found, Measurement)
    alone = next(each for each in found.details["by_attribute"] if each["attribute"] == "c")
    assert found.details["chosen"]["attributes"] == ["c"]
    assert found.details["chosen"]["mean_bits"] == pytest.approx(alone["mean_bits"], abs=1e-5)
    assert measured(original, released).details["chosen"] is None
    with pytest.raises(InputError, match="known attribute"):
        ReidentificationEntropy(known=("shoe",)).compute(original, released, context)


@pytest.mark.parametrize("factor", [1e-310, 1e-200, 1e-9, 1e69])
def test_the_unit_of_a_column_does_not_matter(factor: float) -> None:
    values, noisy = np.array([1.0, 2, 4, 7, 3]), np.array([1.5, 2.5, 3.5, 7.5, 2.0])

    def told(unit: float) -> Measurement:
        original, released = (
            table_of(
                {
                    "x": (number("x", 0, 9 * unit, None), (column * unit).tolist()),
                    "k": (target("k", "ny"), [0, 1, 0, 1, 0]),
                }
            )
            for column in (values, noisy)
        )
        return measured(original, released)

    json.dumps(told(factor).details, allow_nan=False)
    assert told(factor).value == pytest.approx(told(1.0).value, abs=1e-3)
