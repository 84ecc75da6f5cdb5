"""Tables packed for the kernels, and targets divided among threads."""

from __future__ import annotations

from collections import Counter
from threading import Lock
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.distances.coding import MISSING, Coded, Scaling, code_by_original, code_pair
from hushwood.distances.kernels.blocks import BLOCK, LOG_UNIT, agreements, mixed_word, scaled_log2
from hushwood.distances.neighbours import TARGETS, nearest, over_targets, packed, resemblance
from hushwood.errors import InternalFault
from oracles import sers as oracle
from oracles.near_rows import distances as oracle_distances
from support.mixed_tables import mixed_table, plain_rows
from support.table_pairs import STREAMS

NAMES = ["count", "price", "ratio", "constant", "void", "city", "job", "nothing", "risk"]


def line(values: list[float]) -> Coded:
    return Coded(np.array([values], np.float32), np.empty((0, len(values)), np.int32), len(values))


def codes(*columns: list[int]) -> Coded:
    return Coded(np.empty((0, len(columns[0])), np.float32), np.array(columns, np.int32), len(columns[0]))


def test_points_on_a_line_by_hand() -> None:
    found = nearest(line([0.1, 0.6, 1.0]), line([0.0, 0.5, 0.9]), 2)
    assert found.rows.tolist() == [[0, 1], [1, 2], [2, 1]]
    np.testing.assert_allclose(found.distance, [[0.1, 0.4], [0.1, 0.3], [0.1, 0.5]], atol=1e-6)
    assert found.rows.dtype == np.int64
    assert found.distance.dtype == np.float32


def test_codes_by_hand() -> None:
    released = codes([0, 1, 2], [5, 5, 6], [7, 7, -1])
    found = nearest(codes([0, 2], [5, 9], [7, -1]), released, 3)
    assert found.rows.tolist() == [[0, 1, 2], [2, 0, 1]]
    np.testing.assert_allclose(found.distance, [[0, 1 / 3, 1], [1 / 3, 1, 1]], atol=1e-6)


def test_no_more_neighbours_than_records_and_none_of_none() -> None:
    found = nearest(line([0.5]), line([0.0, 0.4]), 9)
    assert found.rows.tolist() == [[1, 0]]
    assert nearest(line([0.5]), line([]), 3).rows.shape == (1, 0)
    assert nearest(line([]), line([0.5]), 3).rows.shape == (0, 1)


def test_without_words_ties_go_to_the_earlier_row() -> None:
    found = nearest(line([0.5] * 3), line([0.75, 0.25, 0.25, 0.75, 0.5]), 4)
    assert found.rows.tolist() == [[4, 0, 1, 2]] * 3


def test_without_attributes_all_are_equally_near() -> None:
    nothing = Coded(np.empty((0, 3), np.float32), np.empty((0, 3), np.int32), 3)
    found = nearest(nothing, nothing, 2)
    assert found.rows.tolist() == [[0, 1]] * 3
    assert found.distance.tolist() == [[0, 0]] * 3


def test_words_break_ties_differently_for_every_target_and_evenly() -> None:
    words = STREAMS.words("test", "ties", 0, range(4))
    found = nearest(codes([0] * 4000), codes([0] * 4), 2, words=words)
    for place in (0, 1):
        shares = Counter(found.rows[:, place].tolist())
        assert all(abs(shares[row] - 1000) < 150 for row in range(4))
    assert (found.rows[:, 0] != found.rows[:, 1]).all()
    pairs = Counter(map(tuple, found.rows.tolist()))
    assert len(pairs) == 12
    assert min(pairs.values()) > 230


def test_words_decide_nothing_but_ties() -> None:
    words = np.array([0, 2**64 - 1], np.uint64)
    assert nearest(line([0.4] * 50), line([0.9, 0.5]), words=words).rows.ravel().tolist() == [1] * 50


def test_equal_records_tie_exactly() -> None:
    """Rows apart by a block and by odd places, so that every way of summing up is met."""
    table = mixed_table(3, 1)
    one, other = code_pair(table.columns, mixed_table(4, 3 * BLOCK).columns, table.schema, NAMES)
    for place in (5, BLOCK - 1, BLOCK, 2 * BLOCK + 7, 3 * BLOCK - 1):
        other.numbers[:, place], other.codes[:, place] = other.numbers[:, 0], other.codes[:, 0]
    alike = nearest(other.take(np.array([0])), other, 6)
    assert alike.rows[0].tolist() == [0, 5, BLOCK - 1, BLOCK, 2 * BLOCK + 7, 3 * BLOCK - 1]
    everything = nearest(one, other, other.rows)
    same = [0, 5, BLOCK - 1, BLOCK, 2 * BLOCK + 7, 3 * BLOCK - 1]
    assert len(set(everything.distance[0][np.isin(everything.rows[0], same)].tolist())) == 1


@given(st.integers(0, 200), st.integers(1, 30), st.integers(1, 30), st.integers(1, 6))
def test_the_nearest_are_those_of_the_oracle(seed: int, targets: int, rows: int, k: int) -> None:
    one, other = mixed_table(seed, targets), mixed_table(seed + 1, rows)
    found = nearest(*code_pair(one.columns, other.columns, one.schema, NAMES), k)
    expected = np.array(oracle_distances(plain_rows(one), plain_rows(other), NAMES))
    np.testing.assert_allclose(found.distance, np.sort(expected, axis=1)[:, :k], atol=1e-5)
    np.testing.assert_allclose(np.take_along_axis(expected, found.rows, axis=1), found.distance, atol=1e-5)
    assert all(len(set(row)) == len(row) for row in found.rows.tolist())


@pytest.mark.parametrize("scaling", ["range", "rank"])
def test_many_blocks_and_threads_give_what_a_sort_gives(scaling: Scaling) -> None:
    one, other = mixed_table(8, 601), mixed_table(9, 2 * BLOCK + 333)
    targets, released = code_pair(one.columns, other.columns, one.schema, NAMES, scaling=scaling)
    single, several = (nearest(targets, released, 7, threads=threads) for threads in (1, 3))
    assert np.array_equal(single.rows, several.rows)
    for t in range(0, 601, 50):
        numbers = np.abs(targets.numbers[:, t, None].astype(float) - released.numbers).clip(max=1)
        total = numbers.sum(axis=0) + (targets.codes[:, t, None] != released.codes).sum(axis=0)
        assert single.rows[t].tolist() == np.argsort(total, kind="stable")[:7].tolist()
        np.testing.assert_allclose(single.distance[t], np.sort(total)[:7] / len(NAMES), rtol=1e-6)


ROUNDING = 1e-5  # bits: logarithms are off by up to 2.3e-6, and sums are in single precision


def test_similarities_of_a_half_a_quarter_and_a_quarter() -> None:
    found = resemblance(line([0.0]), line([0.5, 0.75, 0.75]), np.array([1]))
    assert found.bits[0] == pytest.approx(1.5, abs=ROUNDING)
    assert (found.above[0], found.equal[0], found.partner_rank()[0]) == (1, 2, 2.5)


def test_one_record_and_no_similarity_at_all() -> None:
    assert resemblance(line([0.3]), line([0.9])).bits.tolist() == [0]
    assert resemblance(line([0.0]), line([1.0] * 8)).bits.tolist() == [3]


def test_no_partner_no_rank() -> None:
    found = resemblance(line([0.0, 0.5]), line([0.0, 0.5]), np.array([-1, 0]))
    np.testing.assert_array_equal(found.partner_rank(), [np.nan, 2])
    assert np.isnan(resemblance(line([0.0, 0.5]), line([0.0, 0.5])).partner_rank()).all()


@pytest.mark.parametrize("rows", [1, 3, 700, BLOCK, BLOCK + 1])
def test_equals_leave_all_bits_and_never_more(rows: int) -> None:
    for attributes in (1, 5, 14, 200):
        same = Coded(np.full((attributes, rows), 0.3, np.float32), np.empty((0, rows), np.int32), rows)
        bits = resemblance(same.take(np.arange(1)), same).bits
        assert (bits <= np.log2(rows)).all()
        np.testing.assert_allclose(bits, np.log2(rows), atol=ROUNDING)


@given(st.integers(0, 100), st.integers(1, 25), st.integers(1, 25))
def test_bits_and_ranks_are_the_oracles(seed: int, first: int, second: int) -> None:
    one, other = mixed_table(seed, first), mixed_table(seed + 1, second)
    partner = np.random.default_rng(seed).integers(-1, second, first)
    found = resemblance(*code_by_original(one.columns, other.columns, one.schema, NAMES), partner, threads=2)
    expected = oracle.similarities(plain_rows(one), plain_rows(other), NAMES)
    np.testing.assert_allclose(found.bits, [oracle.entropy(row) for row in expected], atol=ROUNDING)
    for row, place, rank in zip(expected, partner.tolist(), found.partner_rank().tolist(), strict=True):
        if place < 0:
            assert np.isnan(rank)
        else:
            first_place, last_place = oracle.places(row, place)
            assert first_place <= rank <= last_place


def test_many_blocks_and_threads_are_right_to_a_millionth_of_a_bit() -> None:
    one, other = mixed_table(1, 523), mixed_table(2, 3 * BLOCK + 17)
    targets, released = code_by_original(one.columns, other.columns, one.schema, NAMES)
    partner = np.arange(523) * 3
    found = resemblance(targets, released, partner, threads=3)
    for t in range(0, 523, 40):
        numbers = np.abs(targets.numbers[:, t, None].astype(float) - released.numbers).clip(max=1)
        sums = len(NAMES) - numbers.sum(axis=0) - (targets.codes[:, t, None] != released.codes).sum(axis=0)
        shares = sums / sums.sum()
        exact = -(shares * np.log2(shares, out=np.zeros_like(shares), where=shares > 0)).sum()
        assert found.bits[t] == pytest.approx(exact, abs=ROUNDING)
        assert found.above[t] == (sums > sums[partner[t]]).sum()
        assert found.equal[t] == (sums == sums[partner[t]]).sum()


def test_a_partner_that_was_not_released_is_refused() -> None:
    with pytest.raises(InternalFault, match="Partners must lie from -1 to 1"):
        resemblance(line([0.0, 0.5]), line([0.0, 0.5]), np.array([0, 2]))


def coded(numbers: list[list[float]], codes: list[list[int]], rows: int) -> Coded:
    return Coded(
        np.array(numbers, np.float32).reshape(len(numbers), rows),
        np.array(codes, np.int32).reshape(len(codes), rows),
        rows,
    )


def test_attributes_are_grouped_and_filled_up() -> None:
    targets = coded([[0, 1], [MISSING, 0.5], [0.5, 1]], [[0, 2]], 2)
    released = coded([[1, 0, 0], [0, 0, 1], [0, 1, 0.25]], [[2, -1, 0]], 3)
    pair = packed(targets, released)
    assert (pair.plain, pair.attributes) == (3, 4)
    assert pair.numbers.tolist() == [[1, 0, 0], [0, 1, 0.25], [0] * 3, [0, 0, 1], [0] * 3, [0] * 3]
    assert pair.target_numbers.tolist() == [[0, 0.5, 0, MISSING, 0, 0], [1, 1, 0, 0.5, 0, 0]]
    assert pair.codes.tolist() == [[2, 255, 0], [0] * 3, [0] * 3, [0] * 3]
    assert pair.target_codes.tolist() == [[0, 0, 0, 0], [2, 0, 0, 0]]
    assert all(part.flags.c_contiguous for part in pair if isinstance(part, np.ndarray))


def test_numbers_that_go_out_of_range_in_one_table_only_are_cut() -> None:
    assert packed(coded([[0, 1]], [], 2), coded([[0.5, 1.5]], [], 2)).plain == 0
    assert packed(coded([[0, 1]], [], 2), coded([[0.5, 0.5]], [], 2)).plain == 3


def test_nothing_stays_nothing() -> None:
    pair = packed(coded([], [], 2), coded([], [], 3))
    assert (pair.numbers.shape, pair.codes.shape, pair.target_codes.shape) == ((0, 3), (0, 3), (2, 0))
    assert packed(coded([[]], [[]], 0), coded([[]], [[]], 0)).numbers.shape == (3, 0)


@pytest.mark.parametrize(
    ("largest", "attributes", "width"),
    [(254, 1, np.uint8), (255, 1, np.uint16), (1, 300, np.uint16), (65535, 1, np.uint32)],
)
def test_codes_and_their_counts_fit_the_width(largest: int, attributes: int, width: Any) -> None:
    pair = packed(coded([], [[largest]] * attributes, 1), coded([], [[-1]] * attributes, 1))
    assert pair.codes.dtype == pair.target_codes.dtype == width
    assert pair.codes[0, 0] == np.iinfo(width).max != pair.target_codes[0, 0] == largest


@pytest.mark.parametrize("threads", [0, 1, 3])
@pytest.mark.parametrize("count", [0, 1, TARGETS, TARGETS + 1, 5 * TARGETS - 1])
def test_every_target_is_worked_on_once(count: int, threads: int) -> None:
    done, lock = [0] * count, Lock()

    def work(first: int, last: int) -> None:
        with lock:
            for target in range(first, last):
                done[target] += 1

    over_targets(count, threads, work)
    assert done == [1] * count


def test_a_fault_in_a_task_is_heard() -> None:
    with pytest.raises(ZeroDivisionError):
        over_targets(3, 2, lambda first, last: first // 0)


@pytest.mark.parametrize("largest", [3, 300, 70_000])
def test_the_agreement_of_two_targets_with_a_block_by_hand(largest: int) -> None:
    targets = Coded(np.array([[0, 0.5], [0.25, MISSING]], np.float32), np.array([[largest, 1]], np.int32), 2)
    released = Coded(
        np.array([[0, 1, 0.5, 0], [0.25, 0.75, MISSING, 2]], np.float32),
        np.array([[0, largest, -1, 1]], np.int32),
        4,
    )
    sums, misses = np.full((2, 5), -9, np.float32), np.ones((2, 5), packed(targets, released).codes.dtype)
    agreements(packed(targets, released), 0, 1, 1, 4, sums, misses)
    assert sums.tolist() == [[1.5, 0.5, 1, -9, -9], [0.5, 2, 1.5, -9, -9]]


def test_words_are_mixed_as_splitmix64_does() -> None:
    """From the state 1234567 its first numbers are these; the n-th is the mix of state and n."""
    state = np.uint64(1234567)
    expected = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert [int(mixed_word(state, n)) for n in range(3)] == expected


def test_the_logarithm_is_right_from_a_grid_step_to_many_attributes() -> None:
    values = np.concatenate((np.geomspace(2.0**-24, 2048, 20_001), [0.5, 0.75, 1, 1.5, 3])).astype(np.float32)
    found = np.array([scaled_log2(value) for value in values]) / LOG_UNIT
    np.testing.assert_allclose(found, np.log2(values.astype(float)), atol=4e-6, rtol=1e-7)


def test_the_logarithm_of_powers_of_two_is_whole() -> None:
    powers = [scaled_log2(np.float32(2.0**power)) / LOG_UNIT for power in range(-20, 12)]
    assert powers == list(range(-20, 12))


def test_the_logarithm_of_nothing_is_finite() -> None:
    assert np.isfinite(scaled_log2(np.float32(0)))
