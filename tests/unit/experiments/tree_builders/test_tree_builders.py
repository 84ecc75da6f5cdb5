from __future__ import annotations

from hushwood.experiments.protocol import Size
from hushwood.experiments.tree_builders.releases import WAYS
from hushwood.experiments.tree_builders.tree_builders import EXPERIMENT, TABLES, draw, key, measure, tasks
from hushwood.experiments.tree_builders.verdict import sides

EVERY = ["segments", *(what for signs in sides().values() for what in signs)]


def outcome(table: str, number: int, see5: float) -> dict[str, object]:
    ways = {way: dict.fromkeys(EVERY, see5 if way == "see5" else 1.0) for way in WAYS}
    return {"table": table, "run": number, "ways": ways}


def test_a_task_for_every_table_and_run() -> None:
    assert len(tasks(EXPERIMENT.full)) == 5 * 30
    assert len({task.name for task in tasks(EXPERIMENT.full)}) == 150
    assert [task.settings["table"] for task in tasks(Size(repeats=1))] == ["wbc", "crx", "cmc", "abalone"]


def test_numbers_by_table_and_way_in_the_order_of_the_runs() -> None:
    outcomes = {f"wbc {n}": outcome("wbc", n, float(n)) for n in (10, 2, 1)}
    measured = measure(outcomes)
    assert measured.numbers[key("wbc", "see5", "segments")] == [1.0, 2.0, 10.0]
    assert measured.numbers[key("wbc", "c45", "segments")] == [1.0, 1.0, 1.0]
    assert not any(name.startswith("adult") for name in measured.numbers)


def test_the_claims_tell_who_is_ahead() -> None:
    measured = measure({f"{table} {n}": outcome(table, n, 2.0) for table in TABLES for n in range(3)})
    assert measured.numbers["utility, see5 against c45: pairs ahead"] == [40]
    assert measured.numbers["risk, see5 against c45: pairs behind"] == [20]
    assert measured.numbers["risk, see5 against c45: pairs ahead"] == [15]
    assert measured.claims["utility, see5 against c45"].holds
    assert not measured.claims["risk, see5 against c45 with doubled leaves"].holds
    assert "ahead in 15 and behind in 20 of 35" in measured.claims["risk, see5 against c45"].numbers


def test_charts_of_what_was_run() -> None:
    charts = draw(measure({"crx 0": outcome("crx", 0, 2.0)}), {})
    assert [chart.title for chart in charts] == [
        "Segments",
        "Records alone in their segment",
        "Rules found again, reader c45",
        "Rules found again, reader see5",
        "Linked, all attributes known",
    ]
    assert [row[:2] for row in charts[0].rows] == [("crx", way) for way in WAYS]
