from __future__ import annotations

import json
import sys
from pathlib import Path

import polars as pl
import pytest
from frontier import releases
from frontier.contenders import BY_NAME, CONTENDERS, DIAL, FAMILIES, OURS, Contender, shuffled
from frontier.releases import decimals, release
from frontier.running import Cache, Run, Unit, measured_run, run_all
from frontier.summary import CART, PAIRED_AT_EQUAL_RISK, RIVALS
from frontier.yardstick import BY_KEY

from hushwood.errors import InputError
from support.frontier_people import split_people


def test_names_are_different() -> None:
    assert len(BY_NAME) == len(CONTENDERS)
    assert {contender.family for contender in CONTENDERS} == set(FAMILIES)


def test_all_that_is_spoken_of_is_compared() -> None:
    dial = {shuffled(k, teacher).name for k in DIAL for teacher in ("ensemble", "tree")}
    assert {OURS, CART, *RIVALS, *PAIRED_AT_EQUAL_RISK, *dial} <= set(BY_NAME)


def test_what_cannot_run_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HUSHWOOD_ARFPY", raising=False)
    assert Contender("x", "papers", "no-such-recipe").missing() == "there is no recipe 'no-such-recipe'"
    unknown = Contender("x", "papers", "framework", {"noise": 0.1, "colour": 3})
    assert unknown.missing() == "there is no option 'colour'"
    assert BY_NAME["arfpy"].missing() == "HUSHWOOD_ARFPY does not name an interpreter that has it"
    assert BY_NAME["framework"].missing() == BY_NAME["noise"].missing() == ""


SPLIT = split_people(300)
KEY = bytes(32)


def test_untouched_is_the_table() -> None:
    assert release(BY_NAME["untouched"], SPLIT, KEY).frame.equals(SPLIT.frame)


def test_a_bootstrap_sample_holds_two_thirds_of_the_people() -> None:
    drawn = release(BY_NAME["bootstrap"], SPLIT, KEY).frame
    assert drawn.height == SPLIT.frame.height
    assert set(drawn["first"]) < set(SPLIT.frame["first"])
    assert 0.55 < drawn["first"].n_unique() / drawn.height < 0.72


def test_noise_keeps_ranges_and_levels_alone() -> None:
    drawn = release(BY_NAME["noise"], SPLIT, KEY).frame
    assert drawn.columns == SPLIT.frame.columns
    for before, after in zip(SPLIT.frame.iter_columns(), drawn.iter_columns(), strict=True):
        assert after.min() >= before.min()  # type: ignore[operator]
        assert after.max() <= before.max()  # type: ignore[operator]
    assert not set(drawn["first"]) & set(SPLIT.frame["first"])


def test_a_recipe_releases_in_the_order_of_the_people_and_is_certified() -> None:
    done = release(BY_NAME["framework"], SPLIT, KEY)
    assert done.kept == 1.0
    assert done.frame.shape == SPLIT.frame.shape
    swapped = release(Contender("", "masking", "rankswap", {"blur": 0}), SPLIT, KEY)
    assert swapped.frame["kind"].equals(SPLIT.frame["kind"])
    assert sorted(swapped.frame["first"]) == sorted(SPLIT.frame["first"])


def test_sets_of_categories_and_means_come_out_of_generalisation() -> None:
    grouped = release(BY_NAME["mondrian"], SPLIT, KEY).frame
    assert grouped.select("first", "second").unique().height <= SPLIT.frame.height / 5
    assert "{a, b}" in set(grouped["kind"])


def test_a_recipe_that_does_not_fit_refuses() -> None:
    numbers = type(SPLIT)(SPLIT.frame.drop("kind"), SPLIT.target, SPLIT.reference)
    with pytest.raises(InputError, match="finds no column"):
        release(BY_NAME["pram"], numbers, KEY)


def test_a_peer_reads_and_writes_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A peer that hands the table back, last row first, with what it was given about the columns."""
    (tmp_path / "mirror.py").write_text(
        "import json, sys\nfrom pathlib import Path\nfolder = Path(sys.argv[1])\n"
        "about = json.loads((folder / 'about.json').read_text())\n"
        "assert about['categories'] == ['kind', 'label'] and set(about['decimals']) == {'first', 'second'}\n"
        "head, *rows = (folder / 'in.csv').read_text().splitlines()\n"
        "(folder / 'out.csv').write_text('\\n'.join([head, *reversed(rows)]) + '\\n')\n"
    )
    (tmp_path / "broken.py").write_text("raise SystemExit('no such table')")
    monkeypatch.setattr(releases, "PEER_SCRIPTS", tmp_path)
    monkeypatch.setenv("HUSHWOOD_MIRROR", sys.executable)
    mirror = Contender("mirror", "peer", peer="mirror", variable="HUSHWOOD_MIRROR")
    assert release(mirror, SPLIT, KEY).frame.equals(SPLIT.frame.reverse())
    broken = Contender("broken", "peer", peer="broken", variable="HUSHWOOD_MIRROR")
    with pytest.raises(RuntimeError, match="broken ended with code 1: no such table"):
        release(broken, SPLIT, KEY)


def test_decimals() -> None:
    assert decimals(pl.Series([1, 2])) == 0
    assert decimals(pl.Series([1.25, 2.5])) == 2
    assert decimals(pl.Series([1 / 3])) == 12


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
