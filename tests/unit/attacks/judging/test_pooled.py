from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pytest

from hushwood.attacks.judging.estimates import Excess
from hushwood.attacks.judging.pooled import BY_GUESSING, FURTHER, Pooled
from support.listed_people import splits

NORMAL = NormalDist()


def test_rates_by_hand() -> None:
    """Ten inside, ten outside: one of the others comes first, then six members, then both in turn."""
    inside = np.array([False, *[True] * 6, *[False, True] * 4, *[False] * 5])
    rank = np.arange(len(inside), 0, -1).astype(float)
    found = Pooled(rank, inside, np.arange(len(inside)), np.zeros(len(inside), bool)).excess(1)
    # Ten are named where both shares add up to 1: seven of the ten inside, and three of the others.
    assert found.value == pytest.approx(0.7 - 0.3)
    assert found.further["at_1_percent"][0] == 0.0
    assert found.further["at_10_percent"][0] == pytest.approx(0.6)
    assert set(found.further) == {"at_1_percent", "at_10_percent"}
    assert (found.attempts, found.control_attempts) == (10, 10)


def test_perfect_scores_and_none() -> None:
    inside = np.arange(300) < 200
    person, nobody = np.arange(300), np.zeros(300, bool)
    perfect = Pooled(np.arange(300, 0, -1.0), inside, person, nobody).excess(1)
    assert perfect.value > 0.98
    assert perfect.further["at_1_percent"][0] == pytest.approx(1.0)
    worst = Pooled(np.arange(300.0), inside, person, nobody).excess(1)
    assert worst.value < -0.98
    assert worst.further["at_10_percent"][0] == 0.0
    for found in (perfect, worst):
        for value, low, high in ((found.value, *found.interval), *found.further.values()):
            assert -1 <= low <= value <= high <= 1
            assert low < high


@pytest.mark.parametrize("rounds", [1, 2])
def test_intervals_cover_the_truth(rounds: int) -> None:
    """400 people, 20 of them worst-off and twice as easy to find; scores of one person hang together.

    Upper ends, which limits are compared with, may miss in 2.5 % of 300 runs, and three standard errors more; with four
    others above the limit of 1 %, lower ends miss more often.
    """
    people, runs, shift, own = 400, 300, 0.5, 0.7
    total = np.sqrt(1 + own**2)
    worst = np.arange(people) < people // 20
    shifts = np.where(worst, 2 * shift, shift)
    truth = true_rates(shifts, worst, total)
    below, covered = dict.fromkeys(truth, 0), dict.fromkeys(truth, 0)
    for run in range(runs):
        chance = np.random.default_rng(run)
        inside = splits(people, rounds, run)[0]
        score = chance.normal(0, 1, inside.shape) + own * chance.normal(0, 1, people) + inside * shifts
        person = np.broadcast_to(np.arange(people), inside.shape).ravel()
        rank = np.argsort(np.argsort(score.ravel())).astype(float)
        found = Pooled(rank, inside.ravel(), person, worst[person]).excess(len(inside))
        ends = {"advantage": (found.value, *found.interval), **found.further}
        for name, true in truth.items():
            _, low, high = ends[name]
            covered[name] += low <= true <= high
            below[name] += high < true
    assert set(covered) == {"advantage", *FURTHER}
    for name, count in covered.items():
        assert count / runs >= 0.86, (name, count)
        assert below[name] / runs <= 0.025 + 3 * 0.009, (name, below[name])


def true_rates(shifts: np.ndarray, worst: np.ndarray, total: float) -> dict[str, float]:
    """The rates where everybody's score is normal with this deviation."""

    def rates(limit: float) -> tuple[float, float, float]:
        above = np.array([1 - NORMAL.cdf((limit - one) / total) for one in shifts])
        return float(above.mean()), float(above[worst].mean()), 1 - NORMAL.cdf(limit / total)

    low, high = -5.0, 5.0
    for _ in range(60):
        middle = (low + high) / 2
        everybody, _, others = rates(middle)
        low, high = (middle, high) if everybody + others > 1 else (low, middle)
    everybody, some, others = rates(low)
    found = {"advantage": everybody - others, "worst_off_advantage": some - others}
    for name, alarms in BY_GUESSING.items():
        if alarms:
            everybody, some, _ = rates(total * NORMAL.inv_cdf(1 - alarms))
            found[name] = some if name.startswith("worst_off") else everybody
    return found


def test_further_quantities_survive_as_plain_data() -> None:
    found = Excess(0.1, (0.0, 0.2), "control", 20, 10, further={"at_1_percent": (0.02, 0.01, 0.03)})
    assert Excess.from_json(found.to_json()) == found
    other = found.about("at_1_percent")
    assert other is not None
    assert (other.value, other.interval, other.attempts) == (0.02, (0.01, 0.03), 20)
    assert found.about("at_10_percent") is None
    assert "further" not in Excess(0.1, (0.0, 0.2), "chance", 20).to_json()
