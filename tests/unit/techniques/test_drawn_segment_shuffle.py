"""SEGMENT-SHUFFLE with `redraw`: what still holds in every segment, and that slots know nobody."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chisquare

from hushwood.arrays import Array
from hushwood.random_streams import Streams
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.perturb import Perturbed, perturb
from hushwood.segments.partition import intersections, whole_table
from hushwood.tables.resampling import people_behind, resampled
from hushwood.tables.table import Table
from hushwood.techniques.laws.promises import redrawn
from hushwood.techniques.segment_shuffle import SegmentShuffle, ShufflePerturber
from support.mixed_tables import category, mixed_table, number, table_of, target

STREAMS = Streams(bytes(range(32)))


def run(table: Table, streams: Streams = STREAMS, **options: object) -> Perturbed:
    given = {"technique": "segment-shuffle", "teacher": "tree", "redraw": 1.0, **options}
    return perturb(table, PerturbOptions(**given), streams)  # type: ignore[arg-type]


def perturber_of(table: Table, **how: object) -> ShufflePerturber:
    technique = SegmentShuffle(**{"k": 10, "teacher": "none", "blur": 0, "redraw": 1.0, **how})  # type: ignore[arg-type]
    made = technique.prepare(table, [a.name for a in table.schema.kept], whole_table(table))
    assert isinstance(made, ShufflePerturber)
    return made


def drawn_again(perturber: ShufflePerturber, table: Table, key: int) -> dict[str, Array]:
    streams, ids = Streams(key.to_bytes(32, "big")), np.zeros(table.rows, np.int32)
    return dict(perturber.perturb(table.columns, ids, range(table.rows), streams))


@pytest.mark.parametrize("redraw", [0.5, 1.0, 3.0])
def test_records_lie_in_leaves_of_enough_different_people_with_values_of_their_segment(redraw: float) -> None:
    table = mixed_table(4, 900)
    done = run(table, k=40, blur=0, redraw=redraw)
    people, ids = resampled(table, STREAMS)
    segments = done.segment_ids
    assert done.segments.count > 3
    assert np.array_equal(intersections(done.table, done.forest).ids, segments)
    assert np.array_equal(intersections(people, done.forest).ids, segments)
    for segment in range(done.segments.count):
        here = segments == segment
        assert len(np.unique(people_behind(ids)[here])) >= 40
        for name in table.columns:
            own, new = people.columns[name][here], done.table.columns[name][here]
            assert set(new[~np.isnan(new)]) <= set(own[~np.isnan(own)])
            assert not (np.isnan(new).any() and not np.isnan(own).any())
    for name in ("city", "job", "risk"):
        assert not np.array_equal(np.sort(done.table.columns[name]), np.sort(people.columns[name]))


def test_the_default_of_the_technique_draws_nobody() -> None:
    exact, drawn = SegmentShuffle(), SegmentShuffle(redraw=1.0)
    assert (exact.row_order, exact.counts_noise) == ("secret", 0.0)
    assert (drawn.row_order, drawn.counts_noise) == ("drawn", 2.0)
    assert SegmentShuffle(redraw=0.5).counts_noise == 1.5
    assert drawn.promise == redrawn("held", "segment")
    for said in (drawn.says(), drawn.says_for(target("ill", "ny")), drawn.trust):
        assert "exact" not in said
    assert "exact" in exact.trust


@pytest.mark.parametrize("noise", [0.5, 1.0])
def test_theorem_every_slot_is_as_likely_to_hold_a_persons_values(noise: float) -> None:
    """A person's number may be drawn never or often, but no slot has it more often than another."""
    rows, keys = 8, 800
    x = np.arange(rows, dtype=float)
    table = table_of(
        {
            "x": (number("x", 0, rows), x.tolist()),
            "y": (number("y", 0, 9 * rows), np.random.default_rng(1).permutation(9 * x).tolist()),
            "k": (target("k", "no"), (x % 2).astype(int).tolist()),
        }
    )
    perturber = perturber_of(table, redraw=noise)
    held = np.array([drawn_again(perturber, table, key)["x"] == 0 for key in range(keys)])
    assert abs(held.sum() - keys) < 5 * np.sqrt((1 + noise) * keys)
    # Several slots of one key hold it together, so their numbers differ less than those of one slot each would.
    assert chisquare(held.sum(axis=0)).pvalue > 1e-3
    held[::8, 0] = True
    assert chisquare(held.sum(axis=0)).pvalue < 1e-6


def test_the_law_states_the_shares_to_expect() -> None:
    """Over 600 keys: a category's mean share is that of the segment, its variance that of the draw."""
    table = table_of(
        {
            "c": (category("c", "abc"), [0] * 30 + [1] * 9 + [2]),
            "k": (target("k", "no"), [0] * 28 + [1] * 12),
        }
    )
    perturber = perturber_of(table)
    counts = np.array(
        [np.bincount(drawn_again(perturber, table, key)["c"], minlength=3) for key in range(600)]
    )
    law = perturber.stated
    zeros = {"c": np.zeros(3, np.int32), "k": np.zeros(3, np.int32)}
    at = {"c": np.arange(3), "k": np.zeros(3, int)}
    stated = np.exp(law.log_prob(zeros, at, np.zeros(3, int))) / 0.7
    assert stated == pytest.approx([0.75, 0.225, 0.025])
    variance = 40 * stated * (1 - stated) * 40 / 41
    assert (abs(counts.mean(axis=0) - 40 * stated) < 4 * np.sqrt((variance + 0.25) / 600)).all()
    assert (counts.var(axis=0) > 0.7 * variance).all()
    assert (counts.var(axis=0) < 1.3 * variance + 0.25).all()
    assert (counts[:, 2] == 0).mean() == pytest.approx(np.exp(-1), abs=0.15), (
        "one person's level often vanishes"
    )
    assert law.described()["exact_counts"] == []
    assert law.described()["redraw"] == 1.0


def test_columns_that_say_how_many_lie_below_are_not_drawn() -> None:
    table = mixed_table(4, 300)
    perturber = replace(perturber_of(table), exact=frozenset({"count"}))
    new = perturber.perturb(table.columns, np.zeros(300, np.int32), range(300), STREAMS)
    for name, exact in (("count", True), ("city", False), ("risk", False)):
        assert (
            np.array_equal(np.sort(new[name]), np.sort(table.columns[name]), equal_nan=name == "count")
            == exact
        )


def test_few_numbers_are_drawn_like_categories_and_not_blurred() -> None:
    chance = np.random.default_rng(2)
    table = table_of(
        {
            "few": (number("few", 0, 900), (100.0 * chance.integers(0, 9, 400)).tolist()),
            "many": (number("many", 0, 900, 2), np.round(chance.random(400) * 900, 2).tolist()),
            "k": (target("k", "no"), chance.integers(0, 2, 400).tolist()),
        }
    )
    new = drawn_again(perturber_of(table, blur=60), table, 1)
    assert set(new["few"]) <= set(table.columns["few"])
    assert np.isin(new["many"], table.columns["many"]).mean() < 0.05
