from __future__ import annotations

import json

import pytest
from lines import Limit, faster, limited, line_as_json, line_from_json, memory, stated, within, without_peer

from support.benchmark_results import measured, small_results

OURS, PEER = measured(3.0, 1.0, 2.0), measured(20.0, mebibytes=50)


def test_a_line_compares_medians() -> None:
    line = faster("tree", OURS, PEER, 8)
    assert (line.ours, line.peer, line.ratio) == ("2 s", "20 s", 10.0)
    assert (line.runs, line.peer_runs) == ((3.0, 1.0, 2.0), (20.0,))
    assert (line.peak_bytes, line.peer_bytes) == (100 * 2**20, 50 * 2**20)


@pytest.mark.parametrize(("at_least", "verdict"), [(10, "ok"), (10.1, "MISSED")])
def test_faster_asks_for_at_least(at_least: float, verdict: str) -> None:
    assert faster("", OURS, PEER, at_least).verdict == verdict


@pytest.mark.parametrize(("at_most", "verdict"), [(0.1, "ok"), (0.09, "MISSED")])
def test_within_allows_at_most(at_most: float, verdict: str) -> None:
    assert within("", OURS, PEER, at_most).verdict == verdict


def test_a_limit_of_seconds_is_the_peer() -> None:
    line = limited("help", OURS, 4)
    assert (line.what, line.peer, line.ratio, line.peer_bytes) == ("help, against 4 s", "4 s", 0.5, 0)


def test_memory_is_compared_with_what_is_allowed() -> None:
    line = memory("peak", OURS, 50 * 2**20, 1.5)
    assert (line.ours, line.peer, line.ratio, line.verdict) == ("100 MiB", "50 MiB", 2.0, "MISSED")


def test_without_a_limit_or_a_peer_nothing_is_missed() -> None:
    assert stated(within("", OURS, PEER, 0.01)).verdict == "stated"
    assert without_peer("", OURS, Limit("at least", 5), "why").verdict == "no peer"


def test_a_goal_is_shown_and_does_not_decide() -> None:
    assert str(Limit("at most", 6, 3)) == "≤ 6 (goal 3)"
    assert Limit("at most", 6, 3).holds(5)


@pytest.mark.parametrize("line", [line for result in small_results() for line in result.lines])
def test_json_keeps_everything(line: object) -> None:
    written = json.loads(json.dumps(line_as_json(line)))  # type: ignore[arg-type]
    assert line_as_json(line_from_json(written)) == written
