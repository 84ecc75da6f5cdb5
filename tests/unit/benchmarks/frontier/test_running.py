from __future__ import annotations

import json
from pathlib import Path

from frontier.contenders import BY_NAME
from frontier.running import Cache, Run, Unit, measured_run, run_all
from frontier.yardstick import BY_KEY

from support.frontier_people import split_people

NOISE, UNTOUCHED = Unit("wine", 0, "noise"), Unit("wine", 0, "untouched")


def run_of(unit: Unit, **values: float) -> Run:
    return Run(unit.table, unit.seed, unit.contender, values)


def test_finished_runs_are_kept_and_the_last_one_counts(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "deep" / "runs.jsonl")
    assert cache.read() == {}
    for run in (run_of(NOISE, linkage=0.1), run_of(UNTOUCHED), run_of(NOISE, linkage=0.2)):
        cache.add(run)
    assert cache.read() == {NOISE: run_of(NOISE, linkage=0.2), UNTOUCHED: run_of(UNTOUCHED)}
    cache.forget([NOISE])
    assert cache.read() == {UNTOUCHED: run_of(UNTOUCHED)}


def test_runs_of_another_yardstick_or_contender_do_not_count(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "runs.jsonl")
    cache.add(run_of(NOISE))
    line = json.loads(cache.path.read_text("utf-8"))
    others = [line | {"mark": "0" * 12}, line | {"contender": "of the past"}]
    cache.path.write_text("".join(f"{json.dumps(other)}\n" for other in others), "utf-8")
    assert cache.read() == {}


def test_a_run_has_all_measures_and_the_same_ones_again() -> None:
    parts = split_people(200)
    first, again = (
        measured_run(Unit("people", 0, "framework"), BY_NAME["framework"], parts) for _ in range(2)
    )
    assert set(BY_KEY) | {"kept", "seconds"} <= set(first.values)
    assert first.values["kept"] == 1.0
    assert {**first.values, "seconds": 0} == {**again.values, "seconds": 0}


def test_a_contender_that_cannot_work_on_a_table_says_so() -> None:
    parts = split_people(200)
    numbers = type(parts)(parts.frame.drop("kind"), parts.target, parts.reference)
    run = measured_run(Unit("people", 0, "pram"), BY_NAME["pram"], numbers)
    assert "finds no column" in run.not_applicable
    assert run.values == {}


def test_what_fails_is_named_and_not_kept_and_what_is_finished_is_not_run_again(tmp_path: Path) -> None:
    cache, said = Cache(tmp_path / "runs.jsonl"), list[str]()
    cache.add(run_of(NOISE))
    runs, failures = run_all([NOISE, Unit("nowhere", 0, "noise")], 1, cache, said.append)
    assert runs == [run_of(NOISE)]
    assert [failure.startswith("nowhere, seed 0, noise: UnknownName") for failure in failures] == [True]
    assert len(said) == 1
    assert list(cache.read()) == [NOISE]
