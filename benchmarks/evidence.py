"""How long the evidence about Adult takes, as whole commands: a full audit, and a release with quick evidence."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from attacks_vs_anonymeter import adult_file
from measuring import Line, Measured, command, hushwood_command, run_process, within

AUDIT_SECONDS = 60.0
QUICK_SECONDS = 10.0


def compare() -> list[Line]:
    table = adult_file()
    if not table.exists():
        print("evidence is left out: set HUSHWOOD_DATA to the folder of adult/adult.csv.", file=sys.stderr)
        return []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        quick = command(lambda n: release(table, folder / f"quick-{n}"))
        judged = [hushwood_command(), "audit", str(table), str(folder / "quick-0"), "--quiet"]
        run_process(judged)
        # One run: it takes most of a minute.
        _, seconds, peak = run_process(judged)
    return [
        limited("hushwood audit of Adult, all measures and attacks", Measured(seconds, peak), AUDIT_SECONDS),
        limited("hushwood release of Adult with quick evidence", quick, QUICK_SECONDS),
    ]


def release(table: Path, folder: Path) -> list[str]:
    noted = ["--ledger", str(folder.with_name("ledger.json"))]
    return [
        hushwood_command(),
        "release",
        str(table),
        "--class",
        "income",
        "--technique",
        "forest-framework",
        "--quiet",
        "-o",
        str(folder),
        *noted,
    ]


def limited(what: str, ours: Measured, seconds: float) -> Line:
    return within(f"{what}, against {seconds:g} s", ours, Measured(seconds, 0), 1)
