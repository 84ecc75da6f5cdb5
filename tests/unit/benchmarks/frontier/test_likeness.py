from __future__ import annotations

import numpy as np
import pytest
from frontier.contenders import BY_NAME
from frontier.likeness import (
    LEAST_COUNT,
    association_error,
    associations,
    cramers_v,
    marginal_distance,
    queries,
    query_error,
    told_apart,
    total_variation,
)
from frontier.neighbours import BLOCK, nearest, own_is_nearest
from frontier.records import Records, coded
from frontier.releases import release
from frontier.yardstick import ATTACKS, BY_KEY, MEASURES, measured, overall_risk
from scipy.stats import spearmanr
from scipy.stats.contingency import association

from support.frontier_people import STREAMS, shuffled_margins, split_people, strangers

SPLIT = split_people()
REFERENCE = SPLIT.reference
PEOPLE = REFERENCE.people


def noise() -> Records:
    frame = release(BY_NAME["noise"], SPLIT, bytes(32)).frame
    return coded(frame, REFERENCE.columns, STREAMS)


def test_the_untouched_table_is_like_itself() -> None:
    measures = (association_error, marginal_distance, query_error)
    assert [measure(REFERENCE, PEOPLE) for measure in measures] == [0.0, 0.0, 0.0]
    assert told_apart(REFERENCE, PEOPLE) == 0.5


def test_noise_is_unlike_it() -> None:
    drawn = noise()
    assert told_apart(REFERENCE, drawn) > 0.9
    assert association_error(REFERENCE, drawn) > 0.3
    assert marginal_distance(REFERENCE, drawn) > 0.15
    assert query_error(REFERENCE, drawn) > 0.3


def test_shuffled_margins_keep_the_margins_alone() -> None:
    shuffled = shuffled_margins(PEOPLE)
    assert marginal_distance(REFERENCE, shuffled) == 0.0
    assert association_error(REFERENCE, shuffled) > 0.3
    assert told_apart(REFERENCE, shuffled) > 0.7


def test_other_people_of_the_population_are_hard_to_tell_apart() -> None:
    assert told_apart(REFERENCE, strangers(SPLIT)) < 0.6


def test_associations_against_scipy() -> None:
    found = associations(PEOPLE, REFERENCE.columns.widths)
    kind, label = PEOPLE.codes.T
    counts = np.histogram2d(kind, label, bins=(3, 2))[0]
    assert found[0] == pytest.approx(spearmanr(*PEOPLE.numbers.T).statistic)
    assert found[-1] == pytest.approx(association(counts.astype(int), method="cramer"))
    assert len(found) == 1 + 2 * 2 + 1


def test_correlation_ratio_by_hand() -> None:
    """Ranks 1 2 3 4 in two groups: means 1.5 and 3.5, variance between 1, total 1.25."""
    records = Records(np.array([[1.0], [2.0], [30.0], [40.0]]), np.array([[0], [0], [1], [1]]))
    assert associations(records, (2,)).tolist() == pytest.approx([np.sqrt(1 / 1.25)])


def test_cramers_v_by_hand() -> None:
    assert cramers_v(np.array([[5.0, 0], [0, 5]])) == pytest.approx(1)
    assert cramers_v(np.array([[5.0, 5], [5, 5]])) == 0
    assert cramers_v(np.array([[3.0, 7], [0, 0]])) == 0


def test_total_variation_by_hand() -> None:
    assert total_variation(np.array([0, 0, 1, 2]), np.array([0, 1, 1, 1]), 3) == pytest.approx(0.5)


def test_every_query_counts_somebody() -> None:
    shares = [float(np.mean(one.holds(PEOPLE) & other.holds(PEOPLE))) for one, other in queries(REFERENCE)]
    assert min(shares) > 0
    assert 0.02 < np.median(shares) < 0.5
    assert all(one.column != other.column for one, other in queries(REFERENCE))


def test_an_empty_answer_is_wrong_by_all_of_it() -> None:
    """A release without anyone who meets a condition answers 0 to every query."""
    nobody = Records(PEOPLE.numbers + 1e6, np.full_like(PEOPLE.codes, -1))
    counts = [float(np.mean(one.holds(PEOPLE) & other.holds(PEOPLE))) for one, other in queries(REFERENCE)]
    expected = np.mean([count / max(count, LEAST_COUNT) for count in counts])
    assert query_error(REFERENCE, nobody) == pytest.approx(expected)


def test_distances_against_all_pairs() -> None:
    draw = np.random.default_rng(1)
    targets, points = draw.normal(size=(BLOCK + 7, 3)), draw.normal(size=(50, 3))
    every = np.sort(np.linalg.norm(targets[:, None] - points, axis=2), axis=1)
    assert nearest(targets, points, 5) == pytest.approx(every[:, :5], abs=1e-6)


def test_fewer_points_than_asked_for() -> None:
    assert nearest(np.zeros((1, 1)), np.array([[3.0], [4.0]]), 4).tolist() == [[3, 4, 4, 4]]


def test_ties_share_the_chance() -> None:
    targets = np.array([[0.0], [0.0], [5.0]])
    assert own_is_nearest(targets, np.array([[0.0], [0.0], [9.0]])).tolist() == [0.5, 0.5, 1.0]
    assert own_is_nearest(targets, np.array([[5.0], [0.0], [0.0]])).tolist() == [0.0, 0.5, 0.0]


SPLIT_YARDSTICK = split_people(250)


def test_every_measure_is_taken() -> None:
    found = measured(SPLIT_YARDSTICK.reference, strangers(SPLIT_YARDSTICK), partners=True)
    assert set(BY_KEY) <= set(found)
    assert all(value is not None for value in found.values())
    attacks = [found[f"membership_{name}"] for name in ATTACKS]
    assert found["membership_strongest"] == max(value for value in attacks if value is not None)


def test_linkage_has_no_meaning_without_partners() -> None:
    found = measured(SPLIT_YARDSTICK.reference, strangers(SPLIT_YARDSTICK), partners=False)
    assert [key for key, value in found.items() if value is None] == ["linkage", "linkage_worst"]


def test_keys_are_different_and_measures_explain_themselves() -> None:
    assert len(BY_KEY) == len(MEASURES)
    assert all(len(measure.says) > 10 for measure in MEASURES)


def test_overall_risk_is_the_worst() -> None:
    assert overall_risk({"linkage": 0.02, "class_excess": 0.05, "membership_nearest": 0.51}) == 0.05
    assert round(overall_risk({"class_excess": 0.05, "membership_unique": 0.6, "lift_share": 0.9}), 9) == 0.2
    assert overall_risk({"class_excess": -0.05, "membership_unique": 0.45}) == 0.0
