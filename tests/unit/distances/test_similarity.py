from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.distances.coding import Coded, code_by_original
from hushwood.distances.kernels.blocks import BLOCK
from hushwood.distances.neighbours import resemblance
from hushwood.errors import InternalFault
from oracles import sers as oracle
from support.mixed_tables import mixed_table, plain_rows

ROUNDING = 1e-5  # bits: logarithms are off by up to 2.3e-6, and sums are in single precision
NAMES = ["count", "price", "ratio", "constant", "void", "city", "job", "nothing", "risk"]


def line(values: list[float]) -> Coded:
    return Coded(np.array([values], np.float32), np.empty((0, len(values)), np.int32), len(values))


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
