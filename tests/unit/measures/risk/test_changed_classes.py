"""Changed classes against E(N), by hand and by all permutations."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.arrays import Array
from hushwood.measures.protocol import NOT_PAIRED, Measurement, NotComputable
from hushwood.measures.risk.changed_classes import ChangedClasses, ClassCounts
from hushwood.tables.table import Table
from support.mixed_tables import category, mixed_table, table_of, target
from support.table_pairs import context_for


def classes(codes: list[int]) -> Table:
    return table_of({"c": (category("c", "a"), [0] * len(codes)), "k": (target("k", "xyz"), codes)})


def changed_classes(before: Array, after: Array, segment_ids: Array) -> Measurement:
    counts = ClassCounts(3)
    counts.count(before, after, segment_ids)
    found = counts.finish()
    assert isinstance(found, Measurement)
    return found


def test_expected_changes_are_those_of_the_errata() -> None:
    codes = np.repeat([0, 1, 2], [6, 3, 2])

    found = changed_classes(codes, codes, np.zeros(11, np.int64))

    assert found.details["expected"] == pytest.approx(6.545, abs=5e-4)
    assert (found.value, found.details["changed"]) == (0.0, 0)


def test_expected_changes_add_up_over_segments() -> None:
    codes, ids = np.array([0, 1, 0, 0, -1, 1]), np.array([5, 5, 8, 8, 9, 9])

    found = changed_classes(codes, codes[::-1], ids)

    assert found.details["expected"] == pytest.approx(1 + 0 + 1)
    assert found.details["changed"] == 4
    assert found.value == pytest.approx(4 / 6)


@given(st.lists(st.integers(-1, 2), min_size=1, max_size=6))
def test_moments_equal_all_permutations(codes: list[int]) -> None:
    original = np.array(codes)
    changes = [
        int((original != original[list(order)]).sum()) for order in itertools.permutations(range(len(codes)))
    ]

    details = changed_classes(original, original, np.zeros(len(codes), np.int64)).details

    assert details["expected"] == pytest.approx(np.mean(changes), abs=1e-9)
    assert details["deviation"] == pytest.approx(np.std(changes), abs=1e-6)


def test_no_records_have_no_answer() -> None:
    nothing = np.array([], np.int64)
    counts = ClassCounts(2)
    counts.count(nothing, nothing, nothing)

    assert counts.finish() == NotComputable("No record of the original has a released record.")


def test_the_measure_says_within_what_it_shuffles() -> None:
    original, released = classes([0, 1, 2, 0]), classes([1, 0, 2, 0])
    segments = np.array([0, 0, 1, 1], np.int32)
    measure = ChangedClasses()

    ours = measure.compute(original, released, context_for(original, released, segment_ids=segments))
    foreign = measure.compute(original, released, context_for(original, released))

    assert isinstance(ours, Measurement)
    assert isinstance(foreign, Measurement)
    assert ours.value == foreign.value == 0.5
    assert (ours.details["within"], ours.details["expected"]) == ("segments", pytest.approx(1 + 1))
    assert (foreign.details["within"], foreign.details["expected"]) == (
        "whole table",
        pytest.approx(4 - (4 + 1 + 1) / 4),
    )


def test_dropped_records_are_left_out() -> None:
    original, released = classes([0, 1, 2, 0]), classes([2, 2])
    context = context_for(original, released, partner=np.array([-1, 0, 1, -1]))

    found = ChangedClasses().compute(original, released, context)

    assert isinstance(found, Measurement)
    assert (found.value, found.details["records"]) == (0.5, 2)


def test_a_class_in_bins_changes_only_from_bin_to_bin() -> None:
    attribute = replace(target("k", ("1", "2", "30")), bins=(10.0,))
    original = table_of({"k": (attribute, [0, 1, 2])})
    released = table_of({"k": (attribute, [1, 2, 2])})

    found = ChangedClasses().compute(original, released, context_for(original, released))

    assert isinstance(found, Measurement)
    assert found.value == pytest.approx(1 / 3)


def test_without_partners_there_is_no_answer() -> None:
    table = mixed_table(1, 10)
    context = context_for(table, table)

    assert ChangedClasses().compute(table, table, replace(context, partner=None)) is NOT_PAIRED
    nobody = replace(context, partner=np.full(10, -1))
    assert isinstance(ChangedClasses().compute(table, table, nobody), NotComputable)
