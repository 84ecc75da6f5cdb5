from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.random_streams import Streams
from hushwood.techniques.laws.groupings import by_segment, whole_table
from hushwood.techniques.laws.redraw import Distributions
from hushwood.techniques.pram import TwoStageLaw, two_stage_law
from oracles import transition_matrices as oracle
from support.transition_tables import matrix_of

STREAMS = Streams(bytes(range(32)))


def distribution(weights: list[int]) -> Distributions:
    size = len(weights)
    return Distributions.from_weights(np.zeros(size, int), np.arange(size), np.array(weights), size + 1)


def law(counts: list[int], towards: list[int], probability: float, blend: float) -> TwoStageLaw:
    return two_stage_law(
        "x", distribution(counts), distribution(towards), probability, blend, whole_table, "IPRAM"
    )


@given(
    cells=st.lists(st.tuples(st.integers(1, 500), st.integers(1, 20)), min_size=1, max_size=7),
    probability=st.floats(0, 1),
    blend=st.floats(0, 1),
)
def test_the_closed_form_is_the_product_of_both_matrices(
    cells: list[tuple[int, int]], probability: float, blend: float
) -> None:
    counts, towards = [count for count, _ in cells], [weight for _, weight in cells]
    shares = [count / sum(counts) for count in counts]
    wanted = oracle.two_stages(oracle.change_matrix(probability, towards), shares, blend)
    found = matrix_of(law(counts, towards, probability, blend), list(range(len(counts))))
    np.testing.assert_allclose(found, wanted, atol=1e-12)
    np.testing.assert_allclose(np.array(shares) @ found, shares, atol=1e-12)
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-12)


@pytest.mark.parametrize("counts", [[1, 10**6], [1, 1, 10**6], [1, 2, 3, 10**7], [*[1] * 20, 10**6]])
@pytest.mark.parametrize("by_frequency", [False, True])
@pytest.mark.parametrize("probability", [1e-6, 0.5, 1.0])
def test_one_value_that_is_nearly_all_costs_no_digits(
    counts: list[int], by_frequency: bool, probability: float
) -> None:
    towards = counts if by_frequency else [1] * len(counts)
    found = matrix_of(law(counts, towards, probability, 1.0), list(range(len(counts))))
    shares = np.array(counts) / sum(counts)
    np.testing.assert_allclose(shares @ found, shares, rtol=0, atol=1e-12)
    np.testing.assert_allclose(found.sum(axis=1), 1, rtol=0, atol=1e-12)


@pytest.mark.parametrize("blend", [1.0, 0.4])
@pytest.mark.parametrize("value", [0, 1, 2])
def test_draws_go_there_and_back(value: int, blend: float) -> None:
    rows, made = 60_000, law([6, 3, 1], [1, 1, 2], 0.6, blend)
    columns = {"x": np.full(rows, value, np.int32)}
    drawn = made.sample(columns, np.zeros(rows, int), range(rows), STREAMS)["x"]
    assert drawn.dtype == np.int32
    wanted = matrix_of(made, [0, 1, 2])[value]
    found = np.bincount(drawn, minlength=3) / rows
    assert (np.abs(found - wanted) < 4.5 * np.sqrt(wanted * (1 - wanted) / rows)).all()


def test_a_value_that_does_not_occur_stays() -> None:
    made = law([6, 3], [1, 1], 0.6, 1.0)
    assert matrix_of(made, [-1, 0])[0].tolist() == [1, 0]
    columns = {"x": np.full(50, -1, np.int32)}
    assert set(made.sample(columns, np.zeros(50, int), range(50), STREAMS)["x"].tolist()) == {-1}


def test_groups_are_told_apart() -> None:
    groups, codes = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 2])
    shares = Distributions.from_weights(groups, codes, np.array([9, 1, 2, 2]), 4)
    even = Distributions.from_weights(groups, codes, np.ones(4), 4)
    made = two_stage_law("x", shares, even, 0.3, 1.0, by_segment, "IPRAM")
    matrix = oracle.change_matrix(0.3, [1, 1])
    np.testing.assert_allclose(matrix_of(made, [0, 1], 0), oracle.two_stages(matrix, [0.9, 0.1], 1))
    np.testing.assert_allclose(matrix_of(made, [1, 2], 1), oracle.two_stages(matrix, [0.5, 0.5], 1))
    assert matrix_of(made, [1, 0], 1)[0, 1] == 0


def test_described_is_plain_data() -> None:
    plain = law([6, 3, 1], [1, 1, 1], 0.2, 0.5).described()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert len(plain["stages"]) == 2
