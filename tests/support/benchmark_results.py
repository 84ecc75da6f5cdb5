"""Small results of benchmarks with numbers that are easy to follow, for tests of the page and the chart."""

from __future__ import annotations

from dataclasses import replace

from document import Result
from lines import Line, faster, limited, memory, stated, within, without_peer
from machine import Machine
from measuring import Measured

MACHINE = Machine("A processor", 2, 8 * 2**30, "Linux 6")
VERSIONS = {"python": "3.11.7", "polars": "2.1.0"}
MIB = 2**20


def measured(*runs: float, mebibytes: int = 100) -> Measured:
    return Measured(runs, mebibytes * MIB)


def of_rows(rows: int, ours: float, peer: float) -> Line:
    """A release of so many records beside a copy, with a limit of 6 times and a goal of 3."""
    line = within(f"release of {rows:,}", measured(ours, mebibytes=500), measured(peer), 6, goal=3)
    return replace(line, facts={"rows": rows, "seed": 1})


def small_results() -> list[Result]:
    """Lines of every kind: kept, missed, stated, without a peer, of memory."""
    tree = faster("tree", measured(2.0, 1.0, 3.0), measured(30.0), 20)
    return [
        _result("startup", limited("help", measured(0.2, 0.3, 0.4), 0.5)),
        _result(
            "tree_vs_sklearn",
            tree,
            without_peer("tree beside LightGBM", measured(2.0), None, "It is not here."),
        ),
        _result(
            "streaming_vs_polars",
            stated(of_rows(1_000_000, 5.0, 1.0)),
            of_rows(10_000_000, 20.0, 4.0),
            memory("peak memory", measured(20.0, mebibytes=500), 2_000 * MIB),
        ),
    ]


def _result(name: str, *lines: Line) -> Result:
    return Result(name, f"What {name} compares.", "2026-01-02", 0.1, MACHINE, VERSIONS, lines)
