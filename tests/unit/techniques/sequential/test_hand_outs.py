from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.arrays import Array, Codes
from hushwood.random_streams import Streams
from hushwood.techniques.kernels.sequential import by_rank, classes_by_chance
from hushwood.techniques.sequential.hand_outs import (
    ROUNDS,
    Slots,
    categories_by_proposal,
    classes_by_teacher,
    numbers_by_rank,
    permuted,
)
from oracles import segment_shuffle as oracle

STREAMS = Streams(bytes(range(32)))


def slots_of(groups: Array, threads: int = 1) -> Slots:
    return Slots.of(groups, range(len(groups)), STREAMS, "test", threads)


def counts_within(groups: Array, codes: Array) -> dict[tuple[int, int], int]:
    keys, counts = np.unique(np.stack([groups, codes]), axis=1, return_counts=True)
    return {(int(g), int(c)): int(n) for (g, c), n in zip(keys.T, counts, strict=True)}


@given(st.integers(0, 10_000))
def test_numbers_are_handed_out_by_rank(seed: int) -> None:
    chance = np.random.default_rng(seed)
    groups = chance.integers(0, 4, int(chance.integers(1, 60)))
    groups = np.unique(groups, return_inverse=True)[1]
    own = chance.integers(1, 9, len(groups)).astype(np.int32)
    proposed = chance.integers(1, 9, len(groups)).astype(np.int32)
    slots = slots_of(groups)
    found = numbers_by_rank(slots, "x", 0, own, proposed)
    order = slots.in_random_order("x", 0)
    for group in range(slots.group_count):
        here = [s for s in order.tolist() if groups[s] == group]
        wanted = oracle.by_rank(here, proposed.tolist(), own[groups == group].tolist())
        assert {s: int(found[s]) for s in here} == wanted


def test_slots_without_a_number_stay_without() -> None:
    groups = np.zeros(6, int)
    own = np.array([0, 5, 7, 0, 9, 8], np.int32)
    there = np.array([True, True, False, True, False, True])
    found = numbers_by_rank(slots_of(groups), "x", 0, own, np.array([3, 1, 1, 2, 1, 9]), there)
    assert found.tolist() == [8, 5, 0, 7, 0, 9]


@given(st.integers(0, 10_000))
def test_categories_are_handed_out_by_proposal(seed: int) -> None:
    chance = np.random.default_rng(seed)
    groups = np.unique(chance.integers(0, 4, int(chance.integers(1, 60))), return_inverse=True)[1]
    own = chance.integers(0, 5, len(groups)).astype(np.int32)
    rounds = chance.integers(0, 5, (ROUNDS, len(groups))).astype(np.int32)
    slots = slots_of(groups)
    found = categories_by_proposal(slots, "c", 0, own, 5, lambda number: rounds[number])
    orders = [slots.in_random_order("c", draw).tolist() for draw in (0, 1)]
    for group in range(slots.group_count):
        first, last = ([s for s in order if groups[s] == group] for order in orders)
        wanted = oracle.by_proposal(first, rounds.tolist(), last, own[groups == group].tolist())
        assert {s: int(found[s]) for s in first} == wanted


@pytest.mark.parametrize("threads", [1, 3])
def test_counts_are_exact_with_a_thousand_levels_and_large_groups(threads: int) -> None:
    chance = np.random.default_rng(7)
    groups = np.sort(chance.integers(0, 40, 60_000))
    own = chance.zipf(1.3, 60_000).clip(1, 1_000).astype(np.int32) - 1
    slots = slots_of(groups, threads)

    def propose(number: int) -> Codes:
        return own[np.random.default_rng(number).permutation(60_000)]

    found = categories_by_proposal(slots, "c", 0, own, 1_000, propose)
    assert counts_within(groups, found) == counts_within(groups, own)
    assert np.array_equal(found, categories_by_proposal(slots_of(groups), "c", 0, own, 1_000, propose))
    ranked = numbers_by_rank(slots, "x", 0, own, propose(1))
    assert counts_within(groups, ranked) == counts_within(groups, own)


def test_a_permutation_keeps_the_counts_and_moves_values() -> None:
    groups = np.repeat([0, 1], 50)
    own = np.arange(100, dtype=np.int32)
    found = permuted(slots_of(groups), "x", 0, own)
    assert sorted(found[:50].tolist()) == list(range(50))
    assert (found != own).mean() > 0.9


def test_groups_of_a_part_may_be_empty() -> None:
    """The segments of a part keep their numbers in the table."""
    groups = np.array([5, 2, 5, 2, 2])
    slots = slots_of(groups)
    assert slots.group_count == 6
    assert np.diff(slots.start).tolist() == [0, 0, 3, 0, 0, 2]
    own = np.array([9, 1, 8, 2, 3], np.int32)
    assert counts_within(groups, permuted(slots, "x", 0, own)) == counts_within(groups, own)
    ranked = numbers_by_rank(slots, "x", 0, own, np.array([1, 3, 2, 1, 2], np.int32))
    assert ranked.tolist() == [8, 3, 9, 1, 2]


def handed_out(chance: Array, counts: Array, u: Array, rounds: int = 15) -> Array:
    out = np.full(len(chance), -1, np.int32)
    start, ranked = np.array([0, len(chance)]), np.argsort(counts, axis=1, kind="stable")
    classes_by_chance(np.arange(len(chance)), start, chance, counts, ranked, u, rounds, 0, 1, out)
    return out


@given(st.integers(0, 10_000))
def test_classes_follow_the_slow_fit_and_draw(seed: int) -> None:
    chance = np.random.default_rng(seed)
    classes, size = int(chance.integers(2, 5)), int(chance.integers(1, 30))
    own = chance.integers(0, classes, size)
    counts = np.bincount(own, minlength=classes)
    given_chances = chance.dirichlet(np.ones(classes), size)
    u = chance.random((1, classes))
    found = handed_out(given_chances, counts[None], u)
    assert np.bincount(found, minlength=classes).tolist() == counts.tolist()
    table = oracle.fitted(
        np.where(counts > 0, np.maximum(given_chances, 1e-6), 0).tolist(), counts.tolist(), 15
    )
    free, order = list(range(size)), sorted(range(classes), key=lambda c: (counts[c], c))
    for place, c in enumerate(order):
        if not counts[c]:
            continue
        rest = [sum(table[i][o] for o in order[place:]) for i in free]
        weights = [table[i][c] / r if r else 0.0 for i, r in zip(free, rest, strict=True)]
        last = place == classes - 1
        taken = set(range(len(free))) if last else oracle.systematic(weights, int(counts[c]), u[0, c])
        assert [int(found[free[i]]) for i in sorted(taken)] == [c] * len(taken)
        free = [i for place, i in enumerate(free) if place not in taken]


def test_a_certain_teacher_is_followed_where_the_counts_allow() -> None:
    sure = np.array([[1.0, 0.0]] * 6 + [[0.0, 1.0]] * 4)
    assert handed_out(sure, np.array([[6, 4]]), np.full((1, 2), 0.5)).tolist() == [0] * 6 + [1] * 4
    assert np.bincount(handed_out(sure, np.array([[9, 1]]), np.full((1, 2), 0.5))).tolist() == [9, 1]


def test_chances_are_met_on_average() -> None:
    """Over many groups with the same chances, each slot has its class as often as its fitted chance says."""
    groups = 4_000
    chance = np.tile([[0.2, 0.8], [0.5, 0.5], [0.8, 0.2], [0.5, 0.5]], (groups, 1))
    slots = slots_of(np.repeat(np.arange(groups), 4))
    own = np.tile(np.array([0, 1, 0, 1], np.int32), groups)
    found = classes_by_teacher(slots, "y", own, 2, lambda part: chance[part])
    shares = [(found[chance[:, 0] == p] == 0).mean() for p in (0.2, 0.5, 0.8)]
    assert shares == pytest.approx([0.2, 0.5, 0.8], abs=0.03)


def test_all_kinds_of_proposals_use_the_loop_that_is_compiled_for_floats() -> None:
    """Every further kind would be compiled at first use, for a second each."""
    slots = slots_of(np.zeros(6, np.int64))
    own = np.array([3, 1, 2, 2, 5, 4], np.int32)
    given_kinds = [
        np.array([0, 0, 1, 1, 2, 2], kind) for kind in (np.int32, np.int64, np.float32, np.float64)
    ]
    first, *others = [numbers_by_rank(slots, "x", 0, own, proposed).tolist() for proposed in given_kinds]
    assert all(other == first for other in others)
    assert {str(signature[2].dtype) for signature in by_rank.signatures} == {"float64"}
