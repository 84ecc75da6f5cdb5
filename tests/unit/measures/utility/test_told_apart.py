"""Released records recognised by a classifier: identical, hopeless and nearly identical releases."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.arrays import Integers
from hushwood.measures.protocol import Context, Measurement, NotComputable
from hushwood.measures.utility import told_apart
from hushwood.measures.utility.told_apart import ToldApart
from support.intruders import barely_hidden, people, unrelated
from support.mixed_tables import number, table_of
from support.rearranged_tables import column_by_column_shuffled, shuffled_rows
from support.table_pairs import context_for, measuring

measured = measuring(ToldApart)


def test_an_identical_release_cannot_be_told_apart() -> None:
    table = people(1, 600)
    assert measured(table, table).value == 0.5
    unpaired = measured(table, shuffled_rows(table, 2), paired=False)
    assert unpaired.value == 0.5
    assert unpaired.details["kept_together"] == "equal records"


def test_pure_noise_is_told_apart() -> None:
    table = people(1, 600)
    assert measured(table, unrelated(table, 3)).value > 0.9


def test_a_fresh_sample_looks_like_the_original() -> None:
    # The standard error of an area from 1,500 and 1,500 records is 0.01.
    assert measured(people(1, 1500), people(2, 1500), paired=False).details[
        "area_under_curve"
    ] == pytest.approx(0.5, abs=0.05)


def test_shuffled_columns_show_in_their_dependence_only() -> None:
    table = people(1, 1500)
    found = measured(table, column_by_column_shuffled(table, 4))
    assert 0.6 < found.value < 1.0


def test_by_hand() -> None:
    """Every released number lies above every original one, so each released record is recognised."""
    x = number("x", 0, 400)
    original = table_of({"x": (x, list(range(150)))})
    released = table_of({"x": (x, list(range(200, 350)))})
    assert measured(original, released).value == pytest.approx(1.0, abs=0.05)
    halves = table_of({"x": (x, [*range(75), *range(200, 275)])})
    # One half of the released numbers lies above all original ones; the other lies among one half of the original's,
    # below the other half: 1/2 + 1/2 · (1/2 · 1/2 + 1/2).
    assert measured(original, halves).value == pytest.approx(0.875, abs=0.06)


def test_partners_are_in_the_same_fold(monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy that was barely moved would otherwise teach the classifier the opposite of the truth."""
    seen: list[Integers] = []
    folds = told_apart._folds

    def watched(numbers: Integers, context: Context) -> Integers:
        seen.append(folds(numbers, context))
        return seen[-1]

    monkeypatch.setattr(told_apart, "_folds", watched)
    table = people(1, 300)
    order = np.random.default_rng(5).permutation(300)
    partner = np.argsort(order)
    partner[::10] = -1
    released = barely_hidden(table, 2).take(order)
    measured(table, released, partner=partner)
    assert seen[0].shape == (600,)
    fold = seen[0][:300]
    # Released records with a partner come first, in the order of the original; the others follow.
    paired = partner >= 0
    assert np.array_equal(seen[0][300:570], fold[paired])
    assert np.bincount(fold[paired]).min() > 60


def test_large_tables_are_sampled() -> None:
    table = people(1, 500)
    context = context_for(table, unrelated(table, 2))
    found = ToldApart(most_rows=100).compute(table, unrelated(table, 2), context)
    assert isinstance(found, Measurement)
    assert (found.details["records"], found.details["released_records"]) == (100, 100)


def test_a_few_records_teach_nothing() -> None:
    table = people(1, 9)
    found = ToldApart().compute(table, table, context_for(table, table))
    assert isinstance(found, NotComputable)
    assert "10 records" in found.reason


def test_less_than_guessing_counts_as_guessing() -> None:
    measure = ToldApart()
    assert "counts as guessing" in measure.remarks({"area_under_curve": 0.48})
    assert measure.remarks({"area_under_curve": 0.52}) == measure.remarks({}) == ""
