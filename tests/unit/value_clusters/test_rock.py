"""ROCK against the oracle, by hand, at its end without links, and on the mushrooms of its paper.

QROCK against the oracle, by hand, and on the mushrooms of its paper. Neighbours by a least number of equal attributes
against Jaccard similarities of sets. The best partners of clusters, kept up to date, are those that a new search finds.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.value_clusters.grouping.records import record_tuples
from hushwood.value_clusters.kernels.rock import (
    all_partners,
    best_first,
    clearly_above,
    final_clusters,
    renew_partners,
)
from hushwood.value_clusters.rock import Qrock, Rock, least_equal, links, neighbours, qrock, rock
from oracles import record_clusters as oracle
from support.real_data import load
from support.record_rows import Row, everything, found, numbers, row_lists, shares, together, tuples_of

ALL = Rock(least=1)


@given(row_lists(), shares(), st.integers(1, 4), st.booleans())
def test_it_equals_the_oracle(rows: list[Row], theta: float, k: int, own: bool) -> None:
    clusters = rock(tuples_of(rows), replace(ALL, theta=theta, k=k, own_neighbours=own))
    assert found(clusters) == oracle.rock(rows, theta, k, own)


@given(row_lists(), shares(), st.integers(1, 3), st.integers(1, 4), st.integers(1, 4))
def test_it_weeds_like_the_oracle(rows: list[Row], theta: float, k: int, weed_at: int, least: int) -> None:
    how = Rock(theta, k, weed_at, least)
    weeded = oracle.rock(rows, theta, k, weed_at=how.weeded_at(len(set(rows))), least=least)
    assert found(rock(tuples_of(rows), how)) == weeded


@given(row_lists(), shares(), st.integers(1, 4), st.integers(1, 3))
def test_it_labels_like_the_oracle(rows: list[Row], theta: float, k: int, least: int) -> None:
    how = Rock(theta, k, 2, least)
    clusters = rock(tuples_of(rows), how)
    others = everything(rows)
    f = (1 - theta) / (1 + theta)
    wanted = [oracle.label_by_neighbours(row, rows, found(clusters), theta, f) for row in others]
    assert clusters.labelled(numbers(others)).tolist() == wanted


@given(row_lists(), shares())
def test_without_links_left_it_is_qrock(rows: list[Row], theta: float) -> None:
    tuples = tuples_of(rows)
    assert found(rock(tuples, replace(ALL, theta=theta, k=1))) == found(qrock(tuples, Qrock(theta)))


def test_without_own_neighbours_it_is_not_qrock() -> None:
    """Errata C4: two neighbours without a third have no neighbour in common but themselves."""
    tuples = tuples_of([(0, 0, 0), (0, 0, 1), (1, 1, 2)])
    how = replace(ALL, theta=0.5, k=1)
    assert together(found(qrock(tuples, Qrock(0.5)))) == {
        frozenset({(0, 0, 0), (0, 0, 1)}),
        frozenset({(1, 1, 2)}),
    }
    assert together(found(rock(tuples, how))) == together(found(qrock(tuples, Qrock(0.5))))
    assert len(together(found(rock(tuples, replace(how, own_neighbours=False))))) == 3


def test_links_by_hand() -> None:
    """A-B and B-C are neighbours; there are two records A, so that A and C share one neighbour twice."""
    tuples = tuples_of([(0, 0, 0), (0, 0, 0), (0, 0, 1), (0, 1, 1)])
    assert tuples.weight.tolist() == [2, 1, 1]
    linked = links(tuples, 0.5)
    assert (linked[0, 1], linked[0, 2], linked[1, 2]) == (2 * 3, 2 * 1, 2)
    linked = links(tuples, 0.5, own_neighbours=False)
    assert (linked[0, 1], linked[0, 2], linked[1, 2]) == (2 * 1, 2 * 1, 0)


def test_the_pair_of_most_links_for_its_size_is_merged() -> None:
    """f = 1/3. A (two records) and B: 6 / (3^5/3 - 2^5/3 - 1) = 2.9; B and C: 2 / (2^5/3 - 2) = 1.7."""
    rows = [(0, 0, 0), (0, 0, 0), (0, 0, 1), (0, 1, 1)]
    clusters = rock(tuples_of(rows), replace(ALL, theta=0.5, k=2))
    assert found(clusters) == {(0, 0, 0): 0, (0, 0, 1): 0, (0, 1, 1): 1}
    # (0, 1, 0) has neighbours A, A in the first, (3 + 1)^-1/3 each, and C in the second, (1 + 1)^-1/3.
    assert clusters.factor == pytest.approx([4 ** (-1 / 3), 2 ** (-1 / 3)])
    assert clusters.labelled(numbers([(0, 1, 0), (1, 1, 1), (2, 2, 1)])).tolist() == [0, 1, 0]


def test_the_usual_theta_lets_one_attribute_differ() -> None:
    tuples = tuples_of([(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1), (2, 2, 2)])
    assert found(rock(tuples, replace(ALL, k=1))) == found(rock(tuples, replace(ALL, theta=0.5, k=1)))
    assert rock(tuples, ALL).theta == qrock(tuples).theta == 0.5
    wide = tuples_of([(0,) * 10 + (value,) for value in range(3)])
    assert rock(wide, ALL).theta == qrock(wide).theta == 0.8


def test_few_records_at_the_end_are_outliers() -> None:
    rows = [(0, 0, 0)] * 5 + [(0, 0, 1)] * 5 + [(2, 2, 1), (2, 2, 2)]
    how = Rock(theta=0.5, k=2, least=3)
    clusters = rock(tuples_of(rows), how)
    assert found(clusters) == {(0, 0, 0): 0, (0, 0, 1): 0}
    assert clusters.labelled(numbers([(2, 2, 2)])).tolist() == [0]
    assert len(found(rock(tuples_of(rows), replace(how, least=2)))) == 4
    assert len(found(rock(tuples_of(rows), replace(how, least=100)))) == 4


def test_the_kinds_of_mushrooms_are_found() -> None:
    """Guha et al. find 21 clusters at theta 0.8 and k 20, all but one of them of one class, 1,728 the largest."""
    _, columns, poisonous, _ = load("mushroom")
    values = (np.stack(columns, axis=1) + 1 + np.arange(len(columns)) * 20).astype(np.int32)
    clusters = rock(record_tuples(values, 20 * len(columns)), Rock(theta=0.8, k=20, tuples=1500))
    labels = clusters.labelled(values)
    cells = np.zeros((labels.max() + 1, 2), np.int64)
    np.add.at(cells, (labels, poisonous), 1)
    assert 15 <= len(cells) <= 25
    assert cells.max(axis=1).sum() >= 0.97 * len(values)
    assert 1700 <= cells.sum(axis=1).max() <= 1850


def test_parameters_are_checked() -> None:
    wrong: list[dict[str, Any]] = [
        *({"theta": theta} for theta in (-0.1, 1.1, float("nan"))),
        *({"k": k} for k in (0, 2.5, float("inf"))),
        *({"weed_at": 0}, {"least": 0}, {"tuples": 1}),
    ]
    for one in wrong:
        with pytest.raises(InputError, match=f"{next(iter(one))} of ROCK"):
            Rock(**one)


@given(row_lists(), shares())
def test_it_equals_the_oracle_qrock(rows: list[Row], theta: float) -> None:
    clusters = qrock(tuples_of(rows), Qrock(theta))
    assert found(clusters) == oracle.qrock(rows, theta)
    others = everything(rows)
    wanted = [oracle.label_by_neighbours(row, rows, found(clusters), theta, 0) for row in others]
    assert clusters.labelled(numbers(others)).tolist() == wanted


def test_a_chain_of_neighbours_is_one_cluster() -> None:
    """Neighbours are equal in two of three attributes; the ends of the chain share no value."""
    rows = [(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1), (2, 2, 2)]
    assert found(qrock(tuples_of(rows), Qrock(0.5))) == dict(zip(rows, [0, 0, 0, 0, 1], strict=True))
    assert len(set(found(qrock(tuples_of(rows), Qrock(0.51))).values())) == 5


def test_a_record_goes_where_it_has_most_neighbours() -> None:
    """(0, 1, 0) is a neighbour of three records on the left, and of one on the right."""
    rows = [(0, 0, 0)] * 3 + [(5, 1, 0), (5, 1, 1), (7, 7, 7)]
    clusters = qrock(tuples_of(rows), Qrock(0.5))
    assert found(clusters) == {(0, 0, 0): 0, (5, 1, 0): 1, (5, 1, 1): 1, (7, 7, 7): 2}
    asked = [(0, 1, 0), (5, 1, 5), (8, 8, 7), (8, 8, 8)]
    assert clusters.labelled(numbers(asked)).tolist() == [0, 1, 2, 0]


def test_the_kinds_of_mushrooms_are_found_qrock() -> None:
    """Guha et al. find 21 clusters at theta 0.8 too, all of one class but one, of 32 edible and 72 poisonous kinds."""
    _, columns, poisonous, _ = load("mushroom")
    values = (np.stack(columns, axis=1) + 1 + np.arange(len(columns)) * 20).astype(np.int32)
    clusters = qrock(record_tuples(values, 20 * len(columns)), Qrock(0.8, tuples=len(values)))
    labels = clusters.labelled(values)
    cells = np.zeros((labels.max() + 1, 2), np.int64)
    np.add.at(cells, (labels, poisonous), 1)
    large = [1728, 1728, 1296, 768, 704, 288, 288, 256, 192, 192, 192]
    sizes = sorted(cells.sum(axis=1).tolist(), reverse=True)
    assert sizes == [*large, 104, 96, 96, 48, 48, 36, 32, 16, 8, 8]
    mixed = cells[cells.min(axis=1) > 0].tolist()
    assert mixed == [[32, 72]]


def test_parameters_are_checked_qrock() -> None:
    wrong: list[dict[str, Any]] = [{"theta": -1}, {"theta": 2}, {"tuples": 0}]
    for one in wrong:
        with pytest.raises(InputError, match=f"{next(iter(one))} of QROCK"):
            Qrock(**one)


@given(row_lists(), shares())
def test_neighbours_equal_the_oracle(rows: list[Row], theta: float) -> None:
    near = neighbours(numbers(rows), theta)
    assert near.tolist() == [[oracle.are_neighbours(p, q, theta) for q in rows] for p in rows]


@given(st.integers(1, 60), st.data())
def test_a_similarity_itself_is_enough(attributes: int, data: st.DataObject) -> None:
    """Theta of exactly s1 / (2s - s1) takes s1 equal attributes, whatever the rounding."""
    equal = data.draw(st.integers(0, attributes))
    assert least_equal(equal / (2 * attributes - equal), attributes) == equal


@pytest.mark.parametrize(("theta", "equal"), [(0, 0), (1 / 3, 2), (0.34, 3), (1, 4)])
def test_by_hand(theta: float, equal: int) -> None:
    """Four attributes: 1/7, 2/6, 3/5, 4/4."""
    assert least_equal(theta, 4) == equal


@pytest.mark.parametrize("seed", range(20))
def test_partners_are_renewed(seed: int) -> None:
    """Scores with many ties, and a merged cluster may be nearer to others than both of its parts were."""
    chance = np.random.default_rng(seed)
    count = int(chance.integers(2, 15))
    scores, alive = chance.integers(0, 6, (count, count)).astype(float), np.ones(count, bool)
    partner = all_partners(scores, alive)
    while alive.sum() > 1:
        i = best_first(scores, alive, partner)
        j = int(partner[i])
        pairs = [
            (scores[a, b], -a, -b) for a in range(count) for b in range(a + 1, count) if alive[a] and alive[b]
        ]
        assert (scores[i, j], -i, -j) == max(pairs)
        alive[j] = False
        for x in np.flatnonzero(alive).tolist():
            scores[min(i, x), max(i, x)] = chance.integers(0, 7)
        renew_partners(scores, alive, partner, i, j)
        assert partner[alive].tolist() == all_partners(scores, alive)[alive].tolist()
    assert best_first(scores, alive, partner) == -1


def test_rounding_does_not_decide() -> None:
    assert not clearly_above(0.1 + 0.2, 0.3)
    assert clearly_above(0.3 + 1e-9, 0.3)
    assert clearly_above(1e-30, 0.0)


def test_clusters_are_numbered_by_their_first_records() -> None:
    """1 and 3 went into 0, 4 into 2, 5 into 4; the cluster of 6 was taken out."""
    into, alive = np.array([0, 0, 2, 1, 2, 4, 6]), np.array([1, 0, 1, 0, 0, 0, 0], bool)
    assert final_clusters(into, alive).tolist() == [0, 0, 1, 0, 1, 1, -1]
