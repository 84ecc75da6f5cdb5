from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.trees.routing import maximum_entropy, vote
from oracles import voting as oracle


@st.composite
def leaves_of_records(draw: st.DrawFn) -> np.ndarray[tuple[int, int, int], np.dtype[np.float64]]:
    """Class weights (trees, records, classes) in quarters, no leaf empty."""
    trees, records, classes = draw(st.integers(1, 5)), draw(st.integers(1, 4)), draw(st.integers(2, 4))
    leaf = st.lists(st.sampled_from([0, 0, 4, 4, 8, 12, 3, 40]), min_size=classes, max_size=classes).filter(
        any
    )
    drawn = draw(st.lists(leaf, min_size=trees * records, max_size=trees * records))
    return np.array(drawn, dtype=np.float64).reshape(trees, records, classes) / 4


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((3, 1, 0), (0.6, 0.2, 0.2)),
        ((3, 0, 0), (0.75, 0.125, 0.125)),
        ((2, 2, 1), (1 / 3, 1 / 3, 1 / 3)),
        ((0.5, 0, 4), (0.75 / 5.5, 0.75 / 5.5, 4 / 5.5)),
        ((0, 0), (0.5, 0.5)),
    ],
)
def test_maximum_entropy_by_hand(counts: tuple[float, ...], expected: tuple[float, ...]) -> None:
    np.testing.assert_allclose(maximum_entropy(np.array([counts], dtype=np.float64)), [expected])


@given(leaves_of_records(), st.sampled_from([0.5, 1.0, 2.0]))
def test_maximum_entropy_like_the_oracle(
    counts: np.ndarray[tuple[int, int, int], np.dtype[np.float64]], s: float
) -> None:
    for of_tree in counts:
        wanted = [
            [float(p) for p in oracle.maximum_entropy(oracle.exact(leaf), *oracle.exact([s]))]
            for leaf in of_tree
        ]
        np.testing.assert_allclose(maximum_entropy(of_tree, s=s), wanted, atol=1e-12)


@pytest.mark.parametrize("method", list(oracle.METHODS))
@given(counts=leaves_of_records())
def test_vote_like_the_oracle(
    method: str, counts: np.ndarray[tuple[int, int, int], np.dtype[np.float64]]
) -> None:
    wanted = [
        oracle.METHODS[method]([oracle.exact(leaf) for leaf in counts[:, record]])
        for record in range(counts.shape[1])
    ]
    assert vote(counts, method).tolist() == wanted


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("package", 1),
        ("voting1", 0),
        ("voting2", 1),
        ("credal", 1),
        ("credal-majority", 1),
        ("credal-dominance", 1),
    ],
)
def test_one_sure_leaf_against_two_doubtful_ones(method: str, expected: int) -> None:
    counts = np.array([[[9, 1]], [[2, 8]], [[3, 7]]], dtype=np.float64)
    assert vote(counts, method).tolist() == [expected]


def test_a_tie_of_two_trees_goes_to_the_surer_one() -> None:
    counts = np.array([[[6, 4]], [[1, 9]]], dtype=np.float64)
    assert vote(counts, "package").tolist() == [1]
    assert vote(counts, "credal-majority").tolist() == [0]


@pytest.mark.parametrize(
    ("method", "leaves", "expected"),
    [
        ("credal-dominance", [[0, 0, 1], [0, 2, 0], [0, 0, 1], [0, 0, 1], [0, 0, 2]], 1),
        ("voting2", [[7, 3], [6, 4], [5, 5], [1, 9], [1, 9]], 0),
        ("package", [[7, 3], [6, 4], [7, 13], [7, 13]], 0),
    ],
)
def test_rounding_does_not_decide_a_tie(method: str, leaves: list[list[float]], expected: int) -> None:
    assert oracle.METHODS[method]([oracle.exact(leaf) for leaf in leaves]) == expected
    assert vote(np.array(leaves, dtype=np.float64)[:, None, :], method).tolist() == [expected]
