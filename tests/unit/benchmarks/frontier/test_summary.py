from __future__ import annotations

import pytest
from frontier.contenders import DIAL, OURS, shuffled
from frontier.running import Run
from frontier.summary import Runs, behind, dial, estimate, limits_shown
from frontier.yardstick import RISK, UTILITY


def test_the_interval_by_hand() -> None:
    """Mean 2, standard error 1/√3; Student's t of 2 degrees of freedom is 4.3027."""
    found = estimate([1.0, 2.0, 3.0])
    assert found is not None
    assert (found.mean, found.tables) == (2.0, 3)
    assert found.half == pytest.approx(4.302653 / 3**0.5, abs=1e-6)
    assert found.low == pytest.approx(2 - 2.484138, abs=1e-5)
    single = estimate([0.7])
    assert single is not None
    assert (single.half, single.low, single.high) == (None, 0.7, 0.7)
    assert estimate([]) is None


def test_seeds_are_averaged_before_tables() -> None:
    """Table a has three seeds, table b one; both weigh the same."""
    runs = Runs.of(
        [_run("a", s, "x", linkage=v) for s, v in enumerate((1, 2, 3))] + [_run("b", 0, "x", linkage=4)], "ab"
    )
    found = runs.mean("x", "linkage")
    assert found is not None
    assert (found.mean, found.tables) == (3.0, 2)
    assert runs.mean("y", "linkage") is None


def test_differences_are_paired_and_other_tables_do_not_count() -> None:
    some = [_run(t, 0, "x", linkage=v) for t, v in (("a", 0.9), ("b", 0.3), ("c", 9.0))]
    others = [_run(t, 0, "y", linkage=v) for t, v in (("a", 0.8), ("b", 0.2))]
    found = Runs.of([*some, *others], ["a", "b", "c"]).difference("x", "y", "linkage")
    assert found is not None
    assert found.mean == pytest.approx(0.1)
    assert found.half == pytest.approx(0, abs=1e-9)
    assert found.tables == 2
    assert Runs.of(some, ["a"]).difference("x", "y", "linkage") is None


def test_a_missing_number_is_not_a_zero() -> None:
    runs = Runs.of([Run("a", 0, "x", {"linkage": None, "told_apart": 0.6})], ["a"])
    assert runs.mean("x", "linkage") is None


def _run(table: str, seed: int, contender: str, **values: float) -> Run:
    return Run(table, seed, contender, values)


def _dial_runs(*means: float) -> Runs:
    """Three tables that differ in level, not in their steps."""
    return Runs.of(
        [
            _run(table, 0, shuffled(k).name, **dict.fromkeys(RISK, mean + shift))
            for k, mean in zip(DIAL, means, strict=True)
            for table, shift in (("a", 0.0), ("b", 0.1), ("c", 0.3))
        ],
        "abc",
    )


def test_the_dial_falls_only_if_no_step_rises() -> None:
    falling = dial(_dial_runs(0.5, 0.4, 0.3, 0.2, 0.1), "ensemble")
    assert len(falling) == len(RISK)
    assert all(one.falls and one.fit == pytest.approx(one.means) for one in falling)
    bent = dial(_dial_runs(0.5, 0.4, 0.45, 0.2, 0.1), "ensemble")[0]
    assert not bent.falls
    assert bent.fit[1] == bent.fit[2] == pytest.approx(0.425 + 0.4 / 3)
    assert not dial(_dial_runs(0.1, 0.1, 0.1, 0.1, 0.1), "ensemble")[0].falls


def test_a_dial_with_a_gap_is_not_judged() -> None:
    assert dial(_dial_runs(0.5, 0.4, 0.3, 0.2, 0.1), "tree") == []


def test_limits_are_kept_or_not_or_not_run() -> None:
    shown = {
        one.what: one
        for one in limits_shown(Runs.of([_run("a", 0, OURS, linkage=0.01, told_apart=0.7)], ["a"]))
    }
    assert shown[f"{OURS}: linkage"].holds is True
    assert shown[f"{OURS}: told apart"].holds is False
    assert shown[f"{OURS}: accuracy share"].holds is None


def test_behind_names_where_a_rival_is_as_good() -> None:
    ours = dict.fromkeys(UTILITY, 0.5)
    rival = ours | {"lift_share": 0.4, "told_apart": 0.4, "query_error": 0.6}
    runs = Runs.of([_run("a", 0, OURS, **ours), _run("a", 0, "framework", **rival)], ["a"])
    assert behind(runs, "framework") == [key for key in UTILITY if key not in ("lift_share", "query_error")]
    assert behind(runs, "arfpy") is None
