"""Run the benchmarks and print one table: ours, the peer in the same run, their ratio and its limit."""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import json
import sys
from pathlib import Path

from measuring import Line

BENCHMARKS = (
    "startup",
    "noise_vs_numpy",
    "correlated",
    "tree_vs_sklearn",
    "adult_vs_weka",
    "tree_publishing",
    "attacks_vs_anonymeter",
    "sers_vs_scipy",
    "evidence",
    "release_vs_polars",
    "segment_shuffle",
    "tuning",
)
HEADINGS = ("what", "ours", "peer", "ratio", "limit", "peak memory", "verdict")


def main() -> int:
    options = _parser().parse_args()
    lines: list[Line] = []
    for name in options.only or BENCHMARKS:
        print(f"{name} …", file=sys.stderr, flush=True)
        lines.extend(importlib.import_module(name).compare())
    print(table(lines))
    for line in lines:
        if line.note:
            print(f"{line.what}: {line.note}")
    if options.json:
        records = [{**dataclasses.asdict(line), "verdict": line.verdict} for line in lines]
        options.json.write_text(json.dumps(records, indent=2, ensure_ascii=False) + "\n", "utf-8")
    return int(any(line.verdict == "MISSED" for line in lines))


def table(lines: list[Line]) -> str:
    """The lines in columns, the first left-aligned, the others right-aligned."""
    rows = [HEADINGS, *(_cells(line) for line in lines)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    shown = ["  ".join(_aligned(row, widths)) for row in rows]
    return "\n".join([shown[0], "-" * len(shown[0]), *shown[1:]])


def _cells(line: Line) -> tuple[str, ...]:
    ratio = "-" if line.ratio is None else f"{line.ratio:.2f}"
    memory = f"{line.peak_bytes / 2**20:,.0f} MiB"
    return line.what, line.ours, line.peer, ratio, str(line.limit), memory, line.verdict


def _aligned(row: tuple[str, ...], widths: list[int]) -> list[str]:
    return [
        row[0].ljust(widths[0]),
        *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)),
    ]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="*", metavar="NAME", help=f"some of: {', '.join(BENCHMARKS)}")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the lines as JSON, too")
    return parser


if __name__ == "__main__":
    sys.exit(main())
