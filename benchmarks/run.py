"""Run the benchmarks and print one table: ours, the peer in the same run, their ratio and its limit.

It ends with 1 if a limit is missed or a benchmark fails.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import os
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from document import Result, merged, read_document, write_document
from lines import Line, shown_bytes
from machine import this_machine, versions
from measuring import REPEATS_VARIABLE, Failed

# In the order of the table; those that take many minutes only with --huge or by name.
BENCHMARKS = (
    "startup",
    "first_use",
    "noise_vs_numpy",
    "correlated",
    "tree_vs_sklearn",
    "adult_vs_weka",
    "tree_publishing",
    "attacks_vs_anonymeter",
    "sers_vs_scipy",
    "finding_links",
    "evidence",
    "reading_vs_libraries",
    "release_vs_polars",
    "framework_in_memory",
    "streaming_vs_polars",
    "huge_tables",
    "spark_vs_spark",
    "segment_shuffle",
    "tuning",
)
HUGE = ("huge_tables",)
# With smaller tables, where a benchmark has a `quick` of its own.
QUICK = (
    "startup",
    "first_use",
    "noise_vs_numpy",
    "tree_vs_sklearn",
    "release_vs_polars",
    "framework_in_memory",
    "streaming_vs_polars",
    "spark_vs_spark",
)
QUICK_REPEATS = "3"
HEADINGS = ("what", "ours", "peer", "ratio", "limit", "memory", "peer's", "runs", "verdict")


def main() -> int:
    options = _options()
    if options.quick:
        os.environ[REPEATS_VARIABLE] = QUICK_REPEATS  # for the contenders, which are processes of their own
    load = round(os.getloadavg()[0], 2)  # before the benchmarks make some themselves
    done: list[Result] = []
    failed = []
    for name in _chosen(options):
        print(f"{name} …", file=sys.stderr, flush=True)
        try:
            done.append(_measured(name, options.quick, load))
        except Failed as fault:
            failed.append(name)
            print(f"{name} failed: {fault}", file=sys.stderr, flush=True)
        if options.json:  # after each, so that a run that is stopped keeps what it has
            write_document(merged(read_document(options.json), done, BENCHMARKS), options.json)
    lines = [line for result in done for line in result.lines]
    print(table(lines))
    for line in lines:
        if line.note:
            print(f"{line.what}: {line.note}")
    if failed:
        print(f"Failed: {', '.join(failed)}.")
    return int(bool(failed) or any(line.verdict == "MISSED" for line in lines))


def _chosen(options: argparse.Namespace) -> Sequence[str]:
    if options.only:
        return list(options.only)
    if options.quick:
        return QUICK
    return [name for name in BENCHMARKS if options.huge or name not in HUGE]


def _measured(name: str, quick: bool, load: float) -> Result:
    module = importlib.import_module(name)
    date = datetime.now(UTC).date().isoformat()
    lines = module.quick() if quick and hasattr(module, "quick") else module.compare()
    about = inspect.getdoc(module) or ""
    return Result(name, about, date, load, this_machine(), versions(), lines)


def table(lines: Sequence[Line]) -> str:
    """The lines in columns, the first left-aligned, the others right-aligned."""
    rows = [HEADINGS, *(cells(line) for line in lines)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    shown = ["  ".join(_aligned(row, widths)) for row in rows]
    return "\n".join([shown[0], "-" * len(shown[0]), *shown[1:]])


def cells(line: Line) -> tuple[str, ...]:
    ratio = "-" if line.ratio is None else f"{line.ratio:.2f}"
    limit = "-" if line.limit is None else str(line.limit)
    peers = shown_bytes(line.peer_bytes) if line.peer_bytes else "-"
    runs = "/".join(str(len(runs)) for runs in (line.runs, line.peer_runs) if runs) or "-"
    memory = shown_bytes(line.peak_bytes)
    return line.what, line.ours, line.peer, ratio, limit, memory, peers, runs, line.verdict


def _aligned(row: tuple[str, ...], widths: list[int]) -> list[str]:
    return [
        row[0].ljust(widths[0]),
        *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)),
    ]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="*", metavar="NAME", help=f"some of: {', '.join(BENCHMARKS)}")
    parser.add_argument(
        "--json", type=Path, metavar="FILE", help="renew the lines of what is run in this file"
    )
    parser.add_argument("--huge", action="store_true", help="also what takes many minutes")
    parser.add_argument(
        "--quick", action="store_true", help="a selection with smaller tables, in five minutes"
    )
    options = parser.parse_args()
    unknown = [name for name in options.only if name not in BENCHMARKS]
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}.")
    if options.quick and options.json:
        parser.error("--quick is for a look: its figures are of smaller tables and not kept.")
    return options


if __name__ == "__main__":
    sys.exit(main())
