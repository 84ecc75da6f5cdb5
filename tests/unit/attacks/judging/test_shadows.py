from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import hushwood.attacks.judging.shadows as module
from hushwood.attacks.judging.shadows import Shadows, combined, features, pooled, shadows_of, worst_off
from hushwood.attacks.judging.targets import TriedRelease
from hushwood.random_streams import Streams
from support.intruders import knowing
from support.listed_people import as_listed, splits
from support.mixed_tables import category, number, table_of

STREAMS = Streams(bytes(range(32)))


def made_up(
    people: int, rounds: int, shift: float = 0.5, ways: int = 3, seed: int = 1, spread: float = 2.0
) -> Shadows:
    """Scores that differ much between people, and by `shift` between inside and outside."""
    chance = np.random.default_rng(seed)
    inside, numbers = splits(people, rounds, seed)
    own = chance.normal(0, spread, (1, people, ways))
    noise = chance.normal(0, 1, (len(inside), people, ways))
    return Shadows(
        own + noise + shift * inside[:, :, None], inside, numbers, np.arange(people) < people // 20
    )


def advantage(found: Shadows) -> float:
    return pooled(found, combined(found, STREAMS), STREAMS).excess(len(found.rounds)).value


def test_other_rounds_take_away_what_is_peoples_own() -> None:
    plain, several = (advantage(made_up(600, rounds)) for rounds in (1, 4))
    # Three independent ways shifted by half a deviation: 2 Phi(d/2) - 1 with d = .5 sqrt(3) is .335, less with the
    # uncertainty of each person's usual score.
    assert plain < 0.2
    assert 0.25 < several < 0.37


def test_labels_of_the_own_round_change_nothing() -> None:
    """Two releases of a round give the third away."""
    found = made_up(60, 3)
    other = found.inside.copy()
    first = found.rounds == 0
    other[first] = np.roll(other[first], 7, axis=1)
    before, after = features(found), features(replace(found, inside=other))
    assert np.array_equal(before[first], after[first])
    assert not np.array_equal(before[~first], after[~first])


def test_scores_of_the_own_round_change_nothing_but_the_place_in_it() -> None:
    found = made_up(60, 3)
    others = found.scores.copy()
    others[1] = others[1][::-1]
    before, after = features(found), features(replace(found, scores=others))
    assert before[0] == pytest.approx(after[0])
    assert not np.allclose(before[1], after[1])


def test_a_likelihood_ratio_by_hand() -> None:
    """Everybody inside scores 1 higher, with the same deviation: the ratio falls by 1 from the middle to the usual."""
    found = made_up(2000, 4, shift=3.0, ways=1, spread=0.0)
    deviation = float(np.std(found.scores))
    ratio = features(found)[:, :, 1] * 1.0
    inside, outside = ratio[found.inside].mean(), ratio[~found.inside].mean()
    # d = 3: means of the log likelihood ratio are d^2 / 2 and minus that; clipped at 6, and usual scores are uncertain.
    assert 3.0 < inside < 4.6
    assert -4.6 < outside < -3.0
    assert deviation > 1


def test_wrong_labels_find_nothing() -> None:
    """Two rounds are the fewest: the likelihood ratios of each then come from the other alone.

    800 people on 6 releases have 3,200 entries inside and 1,600 outside, so the advantage has a standard error of
    .5 sqrt(1 / 3,200 + 1 / 1,600) = .015, and the mean over eight sets of labels one of .005.
    """
    found = made_up(800, 2, shift=1.0)
    wrong = [advantage(replace(found, inside=splits(800, 2, 100 + seed)[0])) for seed in range(8)]
    assert abs(float(np.mean(wrong))) <= 0.02
    assert max(map(abs, wrong)) <= 4 * 0.015


def test_people_who_are_missing_in_some_releases() -> None:
    found = made_up(200, 2)
    scores = found.scores.copy()
    scores[found.rounds == 0, 150:] = np.nan
    scores[found.rounds == 1, :50] = np.nan
    some = replace(found, scores=scores)
    score = combined(some, STREAMS)
    assert np.array_equal(np.isnan(score), ~some.there)
    assert pooled(some, score, STREAMS).excess(6).attempts == int((some.inside & some.there).sum())


def test_one_release_is_judged_by_other_people() -> None:
    found = made_up(400, 1, shift=2.0, spread=0.1)
    one = Shadows(found.scores[:1], found.inside[:1], found.rounds[:1], found.worst)
    assert advantage(one) > 0.6


def test_the_worst_off_are_alone_or_far_away() -> None:
    town = ["a"] * 30 + ["b"] * 27 + ["c"] + ["a"] * 22
    age = [40.0 + i % 7 for i in range(78)] + [900.0, 40.0]
    towns = category("town", ("a", "b", "c")), [ord(name) - 97 for name in town]
    table = table_of({"town": towns, "age": (number("age", 0, 900), age)})
    found = worst_off(knowing(table, ("town", "age")), np.arange(80))
    assert found.sum() == 4
    assert found[57]
    assert found[78]
    order = np.random.default_rng(1).permutation(80)
    other = worst_off(knowing(table.take(order), ("town", "age")), order)
    assert np.array_equal(np.sort(order[other]), np.flatnonzero(found))


def test_worst_off_are_the_same_in_every_release() -> None:
    releases = as_listed(90, 6)
    found = shadows_of(releases, 90)
    assert found is not None
    assert found.worst.sum() == 5
    assert found.scores.shape == (6, 90, len(found.ways))
    assert (found.inside.sum(axis=0) == 4).all()


def test_few_people_are_judged_and_all_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_PEOPLE", 40)
    found = shadows_of(as_listed(90, 6), 90)
    assert found is not None
    assert found.there.sum(axis=1).tolist() == [40] * 6


def test_without_people_outside_there_is_nothing() -> None:
    (one,) = as_listed(30, 1)
    nobody = replace(one.trial, holdout=None)
    assert shadows_of([TriedRelease(nobody, one.inside, np.empty(0, np.int64))], 30) is None
