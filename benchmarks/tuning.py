"""How long `hushwood tune` takes, and how close its front comes to that of trying everything.

Seconds are those of the clock, so other work on the machine makes them more; processor time is printed too. The
front: candidates that the search puts on its front, at the scores they have when everything is tried on the whole
table. Compared is the area below the front, for risks from nothing to twice the limit.
"""

from __future__ import annotations

import csv
import resource
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from attacks_vs_anonymeter import adult_file
from lines import Limit, Line, limited
from measuring import Measured, hushwood_command, run_process

from hushwood.jobs.judging import AUDIT_SECRET
from hushwood.policies.policy import policy_named
from hushwood.random_streams import Streams
from hushwood.tables.reading import read
from hushwood.tables.schema import Role
from hushwood.tuning.candidates import candidates_for
from hushwood.tuning.outcome import outcome_of
from hushwood.tuning.scores import score
from hushwood.tuning.search import USUAL, Question, search, standings

CORES = 2
ADULT_SECONDS, SMALL_SECONDS, SMALL_RECORDS = 600.0, 60.0, 1_000
NEAR = 0.98
FARTHEST = 2.0  # times the limit
# The class of each, and the columns that identify people.
SMALL_TABLES: Mapping[str, tuple[str, ...]] = {
    "bupa": ("selector",),
    "wbc": ("Class", "Sample_code_number"),
    "crx": ("A16",),
}
SECRET = b"hushwood tuning benchmark".ljust(32, b"\0")


def compare() -> list[Line]:
    table = adult_file()
    if not table.exists():
        print("tuning is left out: set HUSHWOOD_DATA to the folder of adult/adult.csv.", file=sys.stderr)
        return []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole, small = folder / "adult.csv", folder / "small.csv"
        rows = _complete(table)
        _write(whole, rows)
        _write(small, rows[: 1 + SMALL_RECORDS])
        lines = [
            _timed(f"hushwood tune, Adult, {len(rows) - 1:,} records", whole, ADULT_SECONDS),
            _timed(f"hushwood tune, {SMALL_RECORDS:,} records of Adult", small, SMALL_SECONDS),
        ]
    data = table.parent.parent
    return lines + [_front(data / name / f"{name}.csv", *columns) for name, columns in SMALL_TABLES.items()]


def _complete(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    return [head, *(row for row in rows if row and all(cell.strip() not in ("", "?") for cell in row))]


def _write(path: Path, rows: Sequence[Sequence[str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)


def _timed(what: str, table: Path, seconds: float) -> Line:
    out, ledger = table.with_suffix(".out"), table.with_name("ledger.json")
    asked = [
        hushwood_command(),
        "tune",
        str(table),
        "--class",
        "income",
        "-o",
        str(out),
        "--ledger",
        str(ledger),
    ]
    before, began = _children_seconds(), time.perf_counter()
    # Exit code 1 is an answer: nothing is cleared.
    _, _, peak = run_process(["sh", "-c", '"$@" -q || [ $? = 1 ]', "sh", *asked])
    wall, used = time.perf_counter() - began, _children_seconds() - before
    note = f"{used:.0f} seconds of processor time."
    return replace(limited(what, Measured((wall,), peak), seconds), note=note)


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _front(path: Path, target: str, *dropped: str) -> Line:
    roles: dict[str, Role] = dict.fromkeys(dropped, "identifier")
    table = read(path, target=target, roles=roles, missing=("?",)).of_present_categories().table
    policy = policy_named("public")
    question = Question(table, policy, Streams(SECRET), Streams(AUDIT_SECRET), threads=CORES)
    candidates = candidates_for(table)
    found = outcome_of(search(question, candidates), policy)
    whole = question.whole(USUAL.splits)
    everything = standings([(one, score(one, whole)) for one in candidates])
    places = {one.candidate.label: (one.risk, one.utility) for one in everything}
    ours = area([places[point.candidate.label] for point in found.front])
    best = area(list(places.values()))
    return Line(
        f"front of tune, {path.stem}: area below it",
        f"{ours:.3f}",
        f"{best:.3f}",
        ours / best,
        Limit("at least", NEAR),
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        f"{sum(point.judged for point in found.points)} of {len(candidates)} judged on the whole table.",
    )


def area(points: Sequence[tuple[float, float]], farthest: float = FARTHEST) -> float:
    """The mean, over all risks up to the farthest, of the highest utility at that risk or below it.

    >>> area([(0.5, 0.4), (1.0, 0.8)], 2.0)
    0.5
    """
    best = total = reached = 0.0
    for risk, utility in sorted(points):
        if risk >= farthest:
            break
        total += best * (risk - reached)
        reached, best = risk, max(best, utility)
    return (total + best * (farthest - reached)) / farthest


if __name__ == "__main__":
    for line in compare():
        print(line.what, line.ours, line.peer, line.ratio, line.limit, line.verdict, line.note)
