"""docs/benchmarks.md and its chart from docs/benchmarks.json alone: `python benchmarks/page.py [DOCS]`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from cost_chart import PICTURE, cost_points, picture
from document import Result, read_document
from lines import Line, shown_bytes

DOCS = Path(__file__).parent.parent / "docs"
NOTHING = "–"
BUSY = 0.5  # other programs that wanted a core, on average over the last minute
HEAD = """# Speed and memory

`make bench` measures Hushwood against a named peer or a limit in the same run: each in its own process, the median of
its runs, with the peak memory of the process. A run over 20 s is made three times, one over two minutes once; the table
says how many runs ours and the peer had. `make bench-page` writes this page from [benchmarks.json](benchmarks.json),
which holds every run; `make bench-quick` is a look at smaller tables in five minutes. On a shared machine figures vary
by a third either way.
"""
HEADINGS = ("what", "ours", "peer", "ratio", "limit", "memory", "peer's memory", "runs", "measured", "")
WORDS = {"ok": "reached", "MISSED": "**missed**", "stated": "stated", "no peer": "no peer here"}


def page(results: Sequence[Result]) -> str:
    """The whole page."""
    lines = [line for result in results for line in result.lines]
    parts = [HEAD, _measured_on(results), _missed(lines), _table(results)]
    if len(cost_points(results)) > 1:
        parts.append(f"![Seconds and peak memory of a release against its records](pictures/{PICTURE})\n")
    return "\n".join([*parts, "## What is compared\n", *map(_about, results)])


def _measured_on(results: Sequence[Result]) -> str:
    """The machine and the versions, once where all results have the same."""
    where: dict[str, list[str]] = {}
    for result in results:
        shown = ", ".join(f"{name} {number}" for name, number in result.versions.items())
        where.setdefault(f"{result.machine}; {shown}.", []).append(result.name)
    if len(where) == 1:
        return f"Measured on: {next(iter(where))}\n"
    return "Measured on:\n\n" + "".join(f"- {shown} ({', '.join(names)})\n" for shown, names in where.items())


def _missed(lines: Iterable[Line]) -> str:
    judged = [line for line in lines if line.verdict in ("ok", "MISSED")]
    missed = [line.what for line in judged if line.verdict == "MISSED"]
    if not missed:
        return f"All {len(judged)} limits are reached.\n"
    named = "".join(f"- {what}\n" for what in missed)
    return f"**Missed: {len(missed)} of {len(judged)} limits.**\n\n{named}"


def _table(results: Sequence[Result]) -> str:
    rows = [_row(line, result.date) for result in results for line in result.lines]
    marks = ["---", *["--:"] * (len(HEADINGS) - 2), "---"]
    return "".join(f"| {' | '.join(row)} |\n" for row in (HEADINGS, marks, *rows))


def _row(line: Line, date: str) -> Sequence[str]:
    return (
        line.what,
        line.ours,
        NOTHING if line.ratio is None else line.peer,
        NOTHING if line.ratio is None else f"{line.ratio:.2f}" if line.ratio < 10 else f"{line.ratio:.0f}",
        NOTHING if line.limit is None else str(line.limit),
        shown_bytes(line.peak_bytes),
        shown_bytes(line.peer_bytes) if line.peer_bytes else NOTHING,
        " and ".join(str(len(runs)) for runs in (line.runs, line.peer_runs) if runs) or NOTHING,
        date,
        WORDS[line.verdict],
    )


def _about(result: Result) -> str:
    noted: dict[str, list[str]] = {}
    for line in result.lines:
        if line.note:
            noted.setdefault(line.note, []).append(line.what)
    # A note that several lines share is said once.
    notes = [f"{names[0]}: {note}" if len(names) == 1 else note for note, names in noted.items()]
    if result.load > BUSY:
        notes.append(f"The machine was also doing other work, with a load of {result.load:g} before the run.")
    shown = "".join(f"- {note}\n" for note in notes)
    return f"**{result.name}.** {result.about}\n" + (f"\n{shown}" if shown else "")


def write_page(docs: Path) -> None:
    results = read_document(docs / "benchmarks.json")
    if not results:
        raise SystemExit(f"{docs / 'benchmarks.json'} is missing; run make bench first.")
    (docs / "benchmarks.md").write_text(page(results), "utf-8")
    points = cost_points(results)
    if len(points) > 1:
        (docs / "pictures" / PICTURE).write_text(picture(points) + "\n", "utf-8")


if __name__ == "__main__":
    write_page(Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS)
