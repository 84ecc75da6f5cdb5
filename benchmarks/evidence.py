"""How long the evidence about Adult takes, as whole commands: a full audit, and a release with quick evidence."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from attacks_vs_anonymeter import adult_file
from lines import Line, limited
from measuring import Measured, command, hushwood_command, run_process
from release_commands import FOREST, again, release

AUDIT_SECONDS = 60.0
QUICK_SECONDS = 10.0


def compare() -> list[Line]:
    table = adult_file()
    if not table.exists():
        print("evidence is left out: set HUSHWOOD_DATA to the folder of adult/adult.csv.", file=sys.stderr)
        return []
    with tempfile.TemporaryDirectory() as name:
        out = Path(name) / "quick"
        quick = command(again(release(table, "income", out, *FOREST), out))
        judged = [hushwood_command(), "audit", str(table), str(out), "--quiet"]
        run_process(judged)
        # One run: it takes most of a minute.
        _, seconds, peak = run_process(judged)
    return [
        limited(
            "hushwood audit of Adult, all measures and attacks", Measured((seconds,), peak), AUDIT_SECONDS
        ),
        limited("hushwood release of Adult with quick evidence", quick, QUICK_SECONDS),
    ]
