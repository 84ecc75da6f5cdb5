from __future__ import annotations

from hushwood.experiments.protocol import Size
from hushwood.experiments.tree_builders.releases import WAYS
from hushwood.experiments.tree_builders.tree_builders import EXPERIMENT, TABLES, draw, measure, tasks
from hushwood.experiments.tree_builders.verdict import sides
from hushwood.experiments.tree_builders.words import key

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
