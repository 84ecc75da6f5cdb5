"""Verdicts on releases whose excess risk is known exactly: how often they clear what they should not, or should.

For attribute inference, a person's class is copied with chance s into the row that the intruder finds, and else drawn
by a coin: the excess is s/2. For membership, a person's record is copied with chance s: half of the targets are named,
first those whose record is there, so that the advantage is s / (2 - s). For singling out, a person's number is copied
with chance s, and else drawn: it then fits one person alone as often as one of as many strangers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from hushwood.attacks.judging.estimates import Excess
from hushwood.attacks.judging.excess import excess_of
from hushwood.policies.verdict import verdict_on
from support.known_excess import (
    WHOLE,
    NearestRecord,
    NearestSecret,
    Scripted,
    leaky_releases,
    numbers_of_the_release,
)
from support.verdicts import excess_entry, judged, policy_of

TRUTH = 0.1
JUST_BELOW, WELL_ABOVE = 0.0999, 0.2
INSIDE = 400  # of the 600 people
# Nobody else in the table has a number that leaked; or one of as many strangers has it alone.
NOBODY_ELSE = (1 - 1 / WHOLE) ** (INSIDE - 1)
A_STRANGER = INSIDE / WHOLE * NOBODY_ELSE
# Leaked people stay in the table where strangers take other places, so fewer strangers seem to be singled out.
ABOVE = {"singling_out.excess": 0.008}
ATTACKS = {
    "attribute_inference.excess": (NearestSecret(), 2 * TRUTH),
    "membership.advantage": (NearestRecord(), 2 * TRUTH / (1 + TRUTH)),
    "singling_out.excess": (
        Scripted("predicate", numbers_of_the_release),
        TRUTH / (NOBODY_ELSE - A_STRANGER),
    ),
}


@dataclass(frozen=True)
class Calibration:
    """Shares of the runs, and the mean of the estimates."""

    cleared_below: float
    cleared_above: float
    covered: float
    covered_by_both: float
    mean: float


def cleared(name: str, found: Excess, limit: float) -> bool:
    attack = name.partition(".")[0]
    policy = policy_of(**{name.replace(".", "__"): limit})
    return verdict_on(judged(excess_entry(attack, found.value, *found.interval)), policy).cleared


def calibration(name: str, runs: int) -> Calibration:
    attack, share = ATTACKS[name]
    found = [excess_of(leaky_releases(attack, share, seed), 600) for seed in range(runs)]
    known = [one for one in found if one is not None]
    assert len(known) == runs
    return Calibration(
        float(np.mean([cleared(name, one, JUST_BELOW) for one in known])),
        float(np.mean([cleared(name, one, WELL_ABOVE) for one in known])),
        float(np.mean([one.interval[1] >= TRUTH for one in known])),
        float(np.mean([one.interval[0] <= TRUTH <= one.interval[1] for one in known])),
        float(np.mean([one.value for one in known])),
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", ATTACKS)
def test_what_is_above_the_limit_is_rarely_cleared(name: str) -> None:
    found = calibration(name, 200)
    print(name, found)  # noqa: T201 - the figures
    assert found.cleared_below <= 0.05
    assert found.cleared_above >= 0.8
    assert found.covered >= 0.93
    assert found.mean == pytest.approx(TRUTH + ABOVE.get(name, 0.0), abs=0.006)


@pytest.mark.parametrize("name", ATTACKS)
def test_some_releases_of_known_risk(name: str) -> None:
    found = calibration(name, 25)
    assert found.cleared_below <= 0.08
    assert found.cleared_above >= 0.8
    assert found.covered >= 0.92
    assert found.mean == pytest.approx(TRUTH, abs=0.015)


@pytest.mark.parametrize("name", ATTACKS)
def test_releases_without_risk_are_cleared(name: str) -> None:
    attack, _ = ATTACKS[name]
    found = [excess_of(leaky_releases(attack, 0.0, seed), 600) for seed in range(25)]
    assert np.mean([one is not None and cleared(name, one, JUST_BELOW) for one in found]) >= 0.95
    assert np.mean([one is not None and one.interval[0] <= 0 <= one.interval[1] for one in found]) >= 0.88
