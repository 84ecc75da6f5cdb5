from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.arrays import Integers
from hushwood.attacks.search.fellegi_sunter import (
    MOST_ATTRIBUTES,
    Agreement,
    ComparedRecords,
    PatternCounts,
    cheapest_rows,
    compare,
    learn,
    pattern_bits,
    pattern_counts,
    pattern_scores,
)
from hushwood.random_streams import Streams
from hushwood.tables.table import Table
from oracles.linkage import agreement_probabilities, score
from support.intruders import knowing
from support.linkage_records import plain_records
from support.mixed_tables import category, mixed_table, number, table_of

STREAMS = Streams(bytes(range(32)))
NEAR = 0.3


def patterns_by_hand(original: Table, released: Table, names: list[str]) -> Integers:
    """Pattern of every pair, numeric attributes first, by plain loops."""
    ordered = sorted(names, key=lambda name: original.schema[name].kind != "numeric")
    spreads = []
    for name in ordered:
        values = released.columns[name]
        known = values[~np.isnan(values)]
        spreads.append(float(known.std()) if len(known) else 0.0)
    targets = plain_records(original, ordered)
    records = plain_records(released, ordered)
    out = np.zeros((len(targets), len(records)), np.int64)
    for t, target in enumerate(targets):
        for r, record in enumerate(records):
            for a, (mine, theirs) in enumerate(zip(target, record, strict=True)):
                if isinstance(mine, float) and isinstance(theirs, float):
                    agrees = abs(mine - theirs) <= NEAR * spreads[a] * (1 + 1e-5) + 1e-5
                else:
                    agrees = mine == theirs
                out[t, r] |= agrees << a
    return out


def compared_tables(seed: int, known: int, rows: int) -> tuple[ComparedRecords, Integers]:
    original, released = mixed_table(seed, known), mixed_table(seed + 1, rows)
    names = [a.name for a in original.schema.inputs]
    compared = compare(knowing(original.take(np.arange(known)), names), released, NEAR)
    return compared, patterns_by_hand(original, released, names)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_patterns_are_counted_like_by_hand(seed: int) -> None:
    compared, patterns = compared_tables(seed, 7, 60)
    counts = pattern_counts(compared, 5, threads=2)
    limits = [*counts.begin.tolist(), len(counts.patterns)]
    assert len(counts.begin) == 5
    for t, (begin, end) in enumerate(pairwise(limits)):
        seen, often = np.unique(patterns[t], return_counts=True)
        assert counts.patterns[begin:end].tolist() == seen.tolist()
        assert counts.records[begin:end].tolist() == often.tolist()


@pytest.mark.parametrize("k", [1, 4, 100])
def test_the_cheapest_rows_are_the_cheapest(k: int) -> None:
    compared, patterns = compared_tables(4, 9, 1100)
    cost = np.random.default_rng(1).integers(0, 50, 1 << compared.attributes).astype(np.float32)
    words = STREAMS.words("test", "ties", 0, range(1100))
    rows, prices = cheapest_rows(compared, cost, words, k, threads=2)
    for t in range(9):
        true = cost[patterns[t]]
        assert prices[t].tolist() == np.sort(true)[:k].tolist()
        assert true[rows[t]].tolist() == prices[t].tolist()
        assert len(set(rows[t].tolist())) == k


def test_equally_cheap_rows_are_drawn_evenly() -> None:
    released = table_of({"x": (number("x", 0, 9), [5.0] * 10)})
    knowledge = knowing(released.take(np.zeros(3000, np.int64)), ("x",))
    compared = compare(knowledge, released, NEAR)
    words = STREAMS.words("test", "ties", 0, range(10))
    rows, _ = cheapest_rows(compared, np.zeros(2, np.float32), words, 1, threads=1)
    counts = np.bincount(rows[:, 0], minlength=10)
    assert counts.min() > 220
    assert counts.max() < 380
    assert not np.array_equal(rows[:256], rows[256:512])


def test_of_very_many_attributes_the_telling_ones_are_kept() -> None:
    chance = np.random.default_rng(2)
    columns = {
        f"dull {i}": (category(f"dull {i}", "ab"), chance.integers(0, 2, 50).tolist()) for i in range(16)
    }
    columns |= {
        f"telling {i}": (
            category(f"telling {i}", [str(v) for v in range(30)]),
            chance.integers(0, 30, 50).tolist(),
        )
        for i in range(MOST_ATTRIBUTES - 1)
    }
    columns["number"] = (number("number", 0, 1, None), chance.random(50).tolist())
    table = table_of(columns)
    compared = compare(knowing(table.take(np.arange(20)), list(columns)), table, 0.1)
    assert compared.attributes == MOST_ATTRIBUTES
    assert len(compared.targets.numbers) == 1
    assert compared.released.codes.max(axis=1).min() > 1


def test_a_constant_and_an_empty_column_have_no_tolerance() -> None:
    table = mixed_table(5, 30)
    compared = compare(knowing(table.take(np.arange(5)), ("constant", "void", "ratio")), table, 0.1)
    assert compared.tolerances[:2].tolist() == [0, 0]
    assert compared.tolerances[2] > 0


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
