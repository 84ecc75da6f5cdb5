"""The comparison that a terminal shows: plain text, at most a hundred columns wide."""

from __future__ import annotations

from hushwood.reports.compare.comparison import Comparison, Number, Row
from hushwood.reports.words.text_tables import columns, wrapped

_MARKS = {"pass": "✓", "fail": "✕", "not proven": "?"}


def comparison_lines(found: Comparison) -> list[str]:
    """Who is who, the checks, what analysts keep, and what to keep in mind."""
    lines = []
    for letter, one in zip(found.letters, found.releases, strict=True):
        status = str(one.verdict["status"]).upper()
        lines += wrapped(f"{letter}  {one.name}: {status} by {one.verdict['policy']}. {one.made}.")
    head = ("", *found.letters, "best")
    if found.checks:
        lines += ["", "What an intruder learns, with the upper end of the interval; lower is better"]
        lines += columns([(_titled(row), *map(_check, row.numbers), row.best) for row in found.checks], head)
    if found.measures:
        lines += ["", "What analysts keep; these numbers have no interval"]
        lines += columns([(row.title, *map(_measure, row.numbers), row.best) for row in found.measures], head)
    return lines + [line for note in found.notes for line in ("", *wrapped(note))]


def _titled(row: Row) -> str:
    return row.title if row.limit is None else f"{row.title} ≤ {row.limit:g}"


def _check(number: Number | None) -> str:
    if number is None or number.interval is None:
        return "–"
    return f"{_MARKS[number.status]} {number.value:.3f}, to {number.interval[1]:.3f}"


def _measure(number: Number | None) -> str:
    return "–" if number is None else f"{number.value:.3f}"
