from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from hushwood.experiments.tree_builders.releases import C45, LARGER, SEE5
from hushwood.experiments.tree_builders.verdict import Score, leader, score, sides


def run(c45: dict[str, float], see5: dict[str, float]) -> dict[str, dict[str, float]]:
    return {C45: c45, SEE5: see5, LARGER: c45}


@pytest.mark.parametrize("seed", range(20))
def test_the_leader_is_that_of_the_t_test(seed: int) -> None:
    rng = np.random.default_rng(seed)
    differences = rng.normal(rng.uniform(-1.5, 1.5), 1.0, int(rng.integers(2, 12)))
    found = ttest_1samp(differences, 0.0)
    wanted = int(np.sign(found.statistic)) if found.pvalue < 0.05 else 0
    assert leader(differences.tolist()) == wanted


def test_the_t_test_decides_some_and_not_others() -> None:
    rng = np.random.default_rng(1)
    decided = {leader(rng.normal(shift, 1.0, 6).tolist()) for shift in (-3.0, 0.0, 3.0)}
    assert decided == {-1, 0, 1}


@pytest.mark.parametrize(("differences", "wanted"), [([0.0, 0.0], 0), ([0.25, 0.25], 1), ([7.0], 0), ([], 0)])
def test_runs_that_do_not_differ_are_certain_and_a_single_one_is_not(
    differences: list[float], wanted: int
) -> None:
    assert leader(differences) == wanted


def test_pairs_are_counted_over_tables_by_what_is_better() -> None:
    runs = {
        "one": [run({"up": 1.0, "down": 1.0}, {"up": 2.0, "down": 2.0})] * 3,
        "two": [run({"up": 5.0, "down": 5.0}, {"up": 5.0, "down": 3.0})] * 3,
    }
    signs = {"up": 1, "down": -1}
    assert score(runs, signs, C45) == Score(ahead=2, behind=1, undecided=1)
    assert score(runs, signs, SEE5) == Score(0, 0, 4)
    assert score(runs, {"neither has it": 1}, C45) == Score(0, 0, 0)


@pytest.mark.parametrize(("counted", "better"), [((2, 1), True), ((1, 1), False), ((0, 3), False)])
def test_who_is_ahead_as_often_as_behind_is_not_better(counted: tuple[int, int], better: bool) -> None:
    assert Score(*counted, undecided=9).better is better


def test_eight_measures_of_utility_and_seven_of_risk() -> None:
    found = sides()
    assert {side: len(signs) for side, signs in found.items()} == {"utility": 8, "risk": 7}
    assert set(found["utility"].values()) == {1}
    assert {what for what, sign in found["risk"].items() if sign == -1} == {
        "records alone in their segment",
        "unchanged cells",
        "linked, all attributes known",
        "linked, some attributes known",
    }
