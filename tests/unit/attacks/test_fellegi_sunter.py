from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.attacks.agreements import PatternCounts
from hushwood.attacks.fellegi_sunter import Agreement, learn, pattern_bits, pattern_scores
from oracles.linkage import agreement_probabilities, score


def counted(patterns: list[list[list[int]]]) -> PatternCounts:
    """Pattern counts of targets from the pattern of each pair."""
    seen, often, begin = [], [], [0]
    for line in patterns:
        numbers = [sum(bit << a for a, bit in enumerate(pattern)) for pattern in line]
        values, counts = np.unique(numbers, return_counts=True)
        seen.append(values)
        often.append(counts)
        begin.append(begin[-1] + len(values))
    return PatternCounts(np.concatenate(seen), np.concatenate(often), np.array(begin[:-1]))


@given(st.integers(0, 10_000), st.integers(1, 6), st.integers(2, 12), st.integers(1, 4), st.integers(0, 5))
def test_probabilities_equal_the_oracles(
    seed: int, targets: int, records: int, attributes: int, rounds: int
) -> None:
    patterns = np.random.default_rng(seed).integers(0, 2, (targets, records, attributes)).tolist()
    learnt = learn(counted(patterns), attributes, rounds)
    match, non_match = agreement_probabilities(patterns, rounds)
    assert learnt.match == pytest.approx(match, abs=1e-6)
    assert learnt.non_match == pytest.approx(non_match, abs=1e-6)


def test_scores_by_hand_and_oracle() -> None:
    agreement = Agreement(np.array([0.9, 0.5]), np.array([0.1, 0.25]))
    scores = pattern_scores(agreement)
    assert scores[3] == pytest.approx(math.log2(9) + math.log2(2))
    assert scores[0] == pytest.approx(math.log2(1 / 9) + math.log2(2 / 3))
    for pattern in range(4):
        bits = pattern_bits(np.array([pattern]), 2)[0].astype(int).tolist()
        assert scores[pattern] == pytest.approx(score(bits, [0.9, 0.5], [0.1, 0.25]))


def test_the_true_pairs_are_learnt() -> None:
    """Matches agree in the first two attributes always and in the third by chance; strangers by chance."""
    chance = np.random.default_rng(6)
    patterns = (chance.random((80, 200, 6)) < 0.2).astype(int)
    patterns[:, 0, :5] = 1
    patterns[:, 0, 5] = chance.random(80) < 0.2
    learnt = learn(counted(patterns.tolist()), 6, 20)
    assert learnt.match[:5].min() > 0.95
    assert learnt.match[5] == pytest.approx(0.2, abs=0.12)
    assert learnt.non_match == pytest.approx([0.2] * 6, abs=0.02)


def test_one_record_leaves_everything_finite() -> None:
    learnt = learn(counted([[[1, 0]]]), 2)
    assert np.isfinite(pattern_scores(learnt)).all()
