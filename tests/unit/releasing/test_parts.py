from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.arrays import Integers, Words
from hushwood.random_streams import Streams
from hushwood.releasing.parts import PartPlan

STREAMS = Streams(bytes(range(32)))


def keys_of(count: int) -> Words:
    return np.arange(count, dtype=np.uint64) * np.uint64(3) + np.uint64(1)


def parts_of(plan: PartPlan, sizes: Integers, streams: Streams = STREAMS) -> tuple[Integers, Integers]:
    """The segment and the part of every record of a table whose segments have these sizes."""
    ids = np.repeat(np.arange(len(sizes)), sizes)
    return ids, plan.for_segments(keys_of(len(sizes))).of(ids, range(len(ids)), streams)


def plan_of(sizes: Integers, most: int, sampled: Integers | None = None) -> PartPlan:
    """The plan of a table with these segments, which may be learnt on a sample with other sizes."""
    seen = sizes if sampled is None else sampled
    there = seen > 0
    return PartPlan.of(keys_of(len(sizes))[there], seen[there], int(sizes.sum()), most)


SIZES = st.lists(st.integers(1, 400), min_size=1, max_size=30).map(np.array)


@given(SIZES, st.integers(2, 300))
def test_every_record_is_in_one_part(sizes: Integers, most: int) -> None:
    plan = plan_of(sizes, most)
    ids, parts = parts_of(plan, sizes)
    assert len(parts) == len(ids)
    assert parts.min() >= 0
    assert parts.max() < plan.count


@given(SIZES, st.integers(2, 300))
def test_a_segment_is_cut_only_if_it_is_too_large(sizes: Integers, most: int) -> None:
    ids, parts = parts_of(plan_of(sizes, most), sizes)
    for segment, size in enumerate(sizes.tolist()):
        pieces = len(np.unique(parts[ids == segment]))
        assert pieces == 1 if size <= most or sizes.sum() <= most else pieces <= -(-size // most)


@given(SIZES)
def test_a_large_segment_shares_its_blocks_with_no_other(sizes: Integers) -> None:
    ids, parts = parts_of(plan_of(sizes, 50), sizes)
    large = np.flatnonzero((sizes > 50) & (sizes.sum() > 50))
    for segment in large.tolist():
        inside = np.isin(parts, parts[ids == segment])
        assert (ids[inside] == segment).all()


def test_sizes_are_near_the_wanted_one_where_one_segment_holds_most_records() -> None:
    """90 % of 60,000 records are in one segment, the others in segments of 1 to 99."""
    small = np.tile(np.arange(1, 100), 2)
    small = small[: int(np.searchsorted(np.cumsum(small), 6_000))]
    sizes = np.append(small, 54_000)
    _, parts = parts_of(plan_of(sizes, 1_000), sizes)
    counts = np.bincount(parts)
    assert counts.sum() == sizes.sum()
    assert len(counts) == 54 + 6
    # Whole segments fill a part up to half a segment each way; of a block the number of records is by chance.
    assert counts[:6].max() <= 1_000 + 99
    assert counts[:6].min() >= 1_000 - 200
    assert np.abs(counts[6:] - 1_000).max() < 5 * np.sqrt(1_000)


@pytest.mark.parametrize("rows", [1, 99, 100])
def test_a_short_table_is_one_part(rows: int) -> None:
    sizes = np.array([rows])
    plan = plan_of(sizes, 100)
    assert plan.count == 1
    assert parts_of(plan, sizes)[1].tolist() == [0] * rows
    assert plan.for_segments(np.array([17, 4], np.uint64)).count == 1


def test_one_record_more_makes_two_parts() -> None:
    assert plan_of(np.array([101]), 100).count == 2


def test_the_part_follows_from_key_segment_and_row_alone() -> None:
    sizes = np.array([500, 20, 30, 400])
    plan = plan_of(sizes, 100)
    ids, parts = parts_of(plan, sizes)
    chosen = np.random.default_rng(1).permutation(len(ids))[:300]
    order = np.array([2, 0, 3, 1])  # the same segments, numbered otherwise
    renumbered = np.argsort(order)[ids[chosen]]
    again = plan.for_segments(keys_of(4)[order]).of(renumbered, chosen, STREAMS)
    assert again.tolist() == parts[chosen].tolist()
    other = parts_of(plan, sizes, Streams(bytes(32)))[1]
    assert (other != parts).mean() > 0.5
    assert np.array_equal(other[(ids == 1) | (ids == 2)], parts[(ids == 1) | (ids == 2)])


def test_a_sample_foretells_the_sizes() -> None:
    """One record in twenty was seen: parts of a table of 40,000 records are planned by their shares."""
    chance = np.random.default_rng(4)
    sizes = chance.integers(200, 6_000, 12)
    plan = plan_of(sizes, 1_000, chance.binomial(sizes, 0.05))
    counts = np.bincount(parts_of(plan, sizes)[1], minlength=plan.count)
    assert plan.count - plan.others == pytest.approx(sizes.sum() / 1_000, rel=0.3)
    assert counts.max() < 1_600


def test_segments_that_the_sample_lacks_have_parts_of_their_own() -> None:
    """4,000 of 8,000 records are alone in their segment, of which one in four was seen."""
    sizes = np.append(np.full(4, 1_000), np.ones(4_000, np.int64))
    sampled = np.append(np.full(4, 250), np.arange(4_000) % 4 == 0).astype(np.int64)
    plan = plan_of(sizes, 500, sampled)
    assert plan.others == 8
    ids, parts = parts_of(plan, sizes)
    unseen = sampled[ids] == 0
    assert (parts[unseen] >= plan.known).all()
    assert (parts[~unseen] < plan.known).all()
    counts = np.bincount(parts[unseen] - plan.known, minlength=8)
    assert counts.min() > 250
    assert counts.max() < 500


def test_a_table_that_was_seen_whole_has_no_unseen_segments() -> None:
    assert plan_of(np.full(300, 1), 100).others == 0
    assert plan_of(np.full(300, 1), 100, (np.arange(300) < 150).astype(np.int64)).others > 0


def test_an_empty_sample_still_has_parts() -> None:
    plan = PartPlan.of(np.zeros(0, np.uint64), np.zeros(0, np.int64), 1_000, 100)
    parts = plan.for_segments(keys_of(5)).of(np.arange(5), range(5), STREAMS)
    assert plan.count >= 1
    assert ((parts >= 0) & (parts < plan.count)).all()
