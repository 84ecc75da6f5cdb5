"""SHUFFLE: the values of every segment stay, and ranks go together as before."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import spearmanr

from hushwood.segments.partition import whole_table
from hushwood.techniques.shuffle import Shuffle
from hushwood.techniques.together.fallbacks import EXCHANGE, NOISE
from support.correlated_tables import STREAMS, cut, drawn_by, hard_table, numbers_of, outside, released_by

KINDS = ["real", "whole", "zeros", "single", "decimal", "double", "constant", "offset", "binary"]


@pytest.mark.parametrize("gaps", [0.0, 0.1])
@pytest.mark.parametrize("given", [(), None, ("job", "x4")])
def test_every_segment_keeps_its_values(gaps: float, given: tuple[str, ...] | None) -> None:
    table = hard_table(1, 250, KINDS, gaps)
    segments = cut(table, ("x0", 0.5), ("x2", 0.9), ("x1", 0.02))
    technique = Shuffle(within="segment", given=given, alone=None)
    found = released_by(technique, table, segments)
    for s in range(segments.count):
        here = segments.ids == s
        for name, values in found.items():
            old, new = np.sort(table.columns[name][here]), np.sort(values[here])
            assert np.array_equal(old, new, equal_nan=True), (s, name)
    assert outside(table, segments, "segment", found) == []


def test_a_record_with_gaps_of_its_own_exchanges_its_numbers() -> None:
    """So that segments keep their values also without `alone=None`; noise is for records that nobody can help."""
    table = hard_table(2, 250, KINDS[:6], 0.2)
    segments = cut(table, ("x0", 0.5))
    done = drawn_by(Shuffle(within="segment"), table, segments)
    single = done.ways == EXCHANGE
    assert single.sum() > 3
    assert NOISE not in done.ways
    for s in range(2):
        old, new = (np.sort(x[segments.ids == s], axis=0) for x in (done.before, done.after))
        assert np.array_equal(old, new, equal_nan=True)
    moved = (done.after != done.before)[single[done.cell]]
    known = ~np.isnan(done.before[single[done.cell]])
    assert moved[known].mean() > 0.8  # all but equal values, zeros above all


def test_ranks_go_together_as_before() -> None:
    """Much nearer than columns that are permuted on their own, and than chance in so many records."""
    table = hard_table(3, 1000, ["shared", "real", "near 1e-6", "whole"])
    names = numbers_of(table)
    found = released_by(Shuffle(given=()), table, whole_table(table))
    old, new = (spearmanr(np.stack([x[name] for name in names], axis=1))[0] for x in (table.columns, found))
    chance = np.random.default_rng(1)
    apart = spearmanr(np.stack([chance.permutation(table.columns[name]) for name in names], axis=1))[0]
    assert np.abs(new - old).max() < 0.03
    assert np.abs(apart - old).max() > 0.9


def test_a_records_own_numbers_play_no_part() -> None:
    table = hard_table(4, 3000, ["real", "whole"])
    found = released_by(Shuffle(given=()), table, whole_table(table))
    for name, values in found.items():
        assert abs(spearmanr(values, table.columns[name])[0]) < 4 / np.sqrt(3000)


def test_the_link_to_the_class_stays() -> None:
    table = hard_table(5, 2000, ["real", "shared", "zeros"])
    found = released_by(Shuffle(), table, whole_table(table))
    label = table.columns["k"]
    for name, values in found.items():
        old, new = (spearmanr(x, label)[0] for x in (table.columns[name], values))
        assert new == pytest.approx(old, abs=0.06)


def test_rows_in_another_order_keep_the_values_of_segments() -> None:
    table = hard_table(6, 200, ["real", "whole"])
    order = np.random.default_rng(2).permutation(200)
    moved = table.take(order)
    found = Shuffle(given=()).prepare(moved, ["x0", "x1"], whole_table(moved))
    values = found.perturb(moved.columns, np.zeros(200, int), order, STREAMS)
    for name in ("x0", "x1"):
        assert np.array_equal(np.sort(values[name]), np.sort(table.columns[name]))


def test_blurred_numbers_stay_in_their_boxes_and_keep_their_gaps() -> None:
    table = hard_table(1, 250, KINDS, 0.1)
    segments = cut(table, ("x0", 0.5), ("x2", 0.9), ("x1", 0.02))
    plain, blurred = (released_by(Shuffle(within="segment", blur=w), table, segments) for w in (0, 5))
    assert outside(table, segments, "segment", blurred) == []
    for name, values in blurred.items():
        assert np.array_equal(np.isnan(values), np.isnan(plain[name])), name
    assert (blurred["x0"] != plain["x0"]).mean() > 0.8  # reals that one record has
    assert np.array_equal(blurred["x6"], plain["x6"], equal_nan=True)  # a constant


def test_it_says_that_it_blurs() -> None:
    plain, blurred = Shuffle(), Shuffle(blur=5)
    assert (plain.promise.values, blurred.promise.values) == ("dealt", "inside")
    assert "keeps its values" in plain.says()
    assert blurred.says().endswith("Numbers that fewer than 5 records share are blurred.")
    assert "set of values is exact" in plain.trust
    assert "only numbers that few records share are blurred" in blurred.trust
