""""""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from hushwood_papers.protocol import Size
from hushwood_papers.tree_builders.releases import C45, LARGER, SEE5, WAYS, key
from hushwood_papers.tree_builders.tree_builders import (
    EXPERIMENT,
    TABLES,
    Score,
    builder_table,
    draw,
    leader,
    measure,
    score,
    score_table,
    sides,
    tasks,
)


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


EVERY = ["segments", *(what for signs in sides().values() for what in signs)]


def outcome(table: str, number: int, see5: float) -> dict[str, object]:
    ways = {way: dict.fromkeys(EVERY, see5 if way == "see5" else 1.0) for way in WAYS}
    return {"table": table, "run": number, "ways": ways}


def test_a_task_for_every_table_and_run() -> None:
    assert len(tasks(EXPERIMENT.full)) == 5 * 30
    assert len({task.name for task in tasks(EXPERIMENT.full)}) == 150
    assert len(tasks(Size(repeats=1))) == 5
    assert [task.settings["table"] for task in tasks(EXPERIMENT.small)] == ["wbc", "crx", "cmc", "abalone"]
    assert len(tasks(Size(repeats=2, small=True))) == 4 * 2


def test_numbers_by_table_and_way_in_the_order_of_the_runs() -> None:
    outcomes = {f"wbc {n}": outcome("wbc", n, float(n)) for n in (10, 2, 1)}
    measured = measure(outcomes)
    assert measured.numbers[key("wbc", "see5", "segments")] == [1.0, 2.0, 10.0]
    assert measured.numbers[key("wbc", "c45", "segments")] == [1.0, 1.0, 1.0]
    assert not any(name.startswith("Adult") for name in measured.numbers)


def test_the_claims_tell_who_is_ahead() -> None:
    measured = measure({f"{table} {n}": outcome(table, n, 2.0) for table in TABLES for n in range(3)})
    assert measured.numbers["Utility, See5 against C4.5: pairs of table and measure, ahead"] == [40]
    assert measured.numbers["Risk, See5 against C4.5: pairs of table and measure, behind"] == [20]
    assert measured.numbers["Risk, See5 against C4.5: pairs of table and measure, ahead"] == [15]
    assert measured.claims["utility, see5 against c45"].holds
    assert not measured.claims["risk, see5 against c45 with doubled leaves"].holds
    assert "ahead in 15 and behind in 20 of 35" in measured.claims["risk, see5 against c45"].numbers


def test_charts_of_what_was_run() -> None:
    charts = draw(measure({"crx 0": outcome("crx", 0, 2.0)}), {})
    assert [chart.title for chart in charts] == [
        "Number of segments",
        "% of records alone in their segment",
        "% of records under rules found again, receiver grows C4.5",
        "% of records under rules found again, receiver grows See5",
        "% of records linked by who knows all attributes",
    ]
    assert [row[:2] for row in charts[0].rows] == [
        ("Credit", grown) for grown in ("C4.5", "See5", "C4.5 with doubled leaves")
    ]


def test_shares_are_per_cent_and_other_numbers_as_they_are() -> None:
    numbers = measure({"crx 0": outcome("crx", 0, 0.25)}).numbers
    assert numbers["Credit, released with See5: % of cells unchanged"] == [25.0]
    assert numbers["Credit, released with See5: EDUDS, 0 to 1, receiver grows C4.5"] == [0.25]
    assert numbers["Credit, released with See5: number of segments"] == [0.25]


def outcomes(tables: tuple[str, ...]) -> dict[str, dict[str, object]]:
    """See5 has a little more of everything than the others."""
    ways = {way: dict.fromkeys(EVERY, 0.5 if way == "see5" else 0.25) for way in WAYS}
    return {f"{table} {n}": {"table": table, "run": n, "ways": ways} for table in tables for n in range(3)}


def test_the_better_one_is_bold() -> None:
    lines = builder_table(measure(outcomes(TABLES))).splitlines()
    assert lines[0] == "|  | adult | wbc | crx | cmc | abalone |"
    rows = {line.split(" | ")[0].removeprefix("| "): line.split(" | ")[1] for line in lines[2:]}
    assert rows["segments"] == "0.2 / 0.5"
    assert rows["EDUDS, reader see5"] == "0.250 / **0.500**"
    assert rows["records alone in their segment, %"] == "**25.00** / 50.00"
    assert rows["accuracy on unseen records, reader c45, %"] == "25.0 / **50.0**"
    assert rows["SERS"] == "0.2500 / **0.5000**"
    assert rows["leaves of one tree"] == "–"
    assert len(rows) == 4 + 8 + 7


def test_tables_that_were_not_run_are_left_open() -> None:
    line = builder_table(measure(outcomes(("crx",)))).splitlines()[2]
    assert line == "| segments | – | – | 0.2 / 0.5 | – | – |"


def test_the_score_counts_pairs() -> None:
    assert score_table(measure(outcomes(TABLES)), "c45").splitlines() == [
        "| pairs | ahead | behind | undecided |",
        "| --- | --- | --- | --- |",
        "| utility | 40 | 0 | 0 |",
        "| risk | 15 | 20 | 0 |",
    ]
