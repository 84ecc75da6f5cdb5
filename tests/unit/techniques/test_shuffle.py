"""SHUFFLE: the values of every segment stay, and ranks go together as before.

ROTATION: exact moments, values inside their boxes, and records that cannot be told again. What is stated of one
shuffled record: a value of its own cell, as likely as it is frequent.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy.stats import spearmanr

from hushwood.segments.partition import whole_table
from hushwood.techniques.shuffle import Rotation, Shuffle
from hushwood.techniques.together.fallbacks import EXCHANGE, NOISE, OWN
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


@pytest.mark.parametrize("given", [(), None, ("job", "x0")])
def test_moments_are_exact_and_values_inside(given: tuple[str, ...] | None) -> None:
    table = hard_table(1, 150, ["real", "zeros", "whole", "double", "offset", "constant", "binary"])
    segments = cut(table, ("x0", 0.5), ("x2", 0.7))
    done = drawn_by(Rotation(within="segment", given=given), table, segments)
    assert (done.ways == OWN).all()
    for s in range(segments.count):
        old, new = (x[segments.ids == s] for x in (done.before, done.after))
        spread = old.std(axis=0) + 1e-6 * np.abs(old).max(axis=0)
        assert np.abs((new - old).mean(axis=0) / spread).max() < 1e-9
        change = np.abs(np.cov(new.T) - np.cov(old.T)) / np.outer(spread, spread)
        assert change.max() < 1e-8
    assert (
        outside(
            table, segments, "segment", released_by(Rotation(within="segment", given=given), table, segments)
        )
        == []
    )


def test_no_record_goes_out_as_it_came() -> None:
    """Not even under another number: rotations mix numbers, they do not only exchange records."""
    table = hard_table(2, 400, ["real", "whole", "decimal"])
    found = released_by(Rotation(given=()), table, whole_table(table))
    old = {tuple(row) for row in np.stack([table.columns[n] for n in found], axis=1).tolist()}
    new = [tuple(row) for row in np.stack(list(found.values()), axis=1).tolist()]
    assert sum(row in old for row in new) == 0


def test_values_at_the_end_of_their_box_are_mixed_with_their_likes() -> None:
    """Nine of ten numbers are 0, the lowest allowed: they still get other companions."""
    table = hard_table(3, 1000, ["zeros", "real"])
    done = drawn_by(Rotation(given=()), table, whole_table(table))
    assert (done.after[:, 0] >= 0).all()
    assert (done.after != done.before).mean() > 0.95
    assert abs(np.corrcoef(done.before[:, 1], done.after[:, 1])[0, 1]) < 0.1


def test_three_records_are_the_fewest() -> None:
    for rows, moved in ((2, False), (3, True)):
        table = hard_table(4, rows, ["real", "real"])
        done = drawn_by(Rotation(given=(), alone=None), table, whole_table(table))
        assert (done.ways[0] == OWN) == moved


def test_one_column_has_the_shares_of_its_cells_values() -> None:
    table = hard_table(1, 120, ["whole", "real"], gaps=0.15)
    segments = cut(table, ("x1", 0.5))
    law = Shuffle(within="segment").prepare(table, ["x0"], segments).law()
    values = table.columns["x0"]
    for s in range(2):
        here = np.flatnonzero((segments.ids == s) & ~np.isnan(values))
        counts = Counter(values[here].tolist())
        for value, count in counts.items():
            released = {**table.columns, "x0": np.where(np.isnan(values), np.nan, value)}
            found = np.exp(law.log_prob(table.columns, released, segments.ids))[here]
            assert found == pytest.approx(np.full(len(here), count / len(here)))
        foreign = {**table.columns, "x0": np.where(np.isnan(values), np.nan, 99.0)}
        assert np.isneginf(law.log_prob(table.columns, foreign, segments.ids)[here]).all()


def test_a_column_more_is_likelier_where_it_goes_with_the_first() -> None:
    table = hard_table(2, 200, ["shared", "real"])
    law = Shuffle(given=()).prepare(table, numbers_of(table), cut(table)).law()
    x = np.sort(table.columns["x0"])
    y = np.sort(table.columns["x1"])
    together = law.log_prob(table.columns, {"x0": x, "x1": y}, np.zeros(200, int))
    apart = law.log_prob(table.columns, {"x0": x, "x1": y[::-1].copy()}, np.zeros(200, int))
    middle = np.abs(np.arange(200) - 99.5) > 20
    assert (together[middle] > apart[middle]).all()


def test_the_law_is_told_without_values() -> None:
    table = hard_table(3, 20, ["whole"])
    told = Shuffle().prepare(table, ["x0"], cut(table)).law().described()
    assert told["form"] == "permutation within segments"
    assert "values" not in told
