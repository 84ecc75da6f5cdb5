"""Releases of one table side by side: verdicts, checks with their intervals, what analysts keep; also as lines of text.

Works from the evaluation and the verdict that each release keeps in its private part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hushwood.evaluation.evaluation import Evaluation
from hushwood.measures.protocol import Direction
from hushwood.measures.registry import MEASURES
from hushwood.reports.wording import columns, wrapped

NO_DIFFERENCE = "no clear difference"
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MOST = len(_LETTERS)
_MARKS = {"pass": "✓", "fail": "✕", "not proven": "?"}


@dataclass(frozen=True, slots=True)
class Number:
    """A number of one release; a check's has an interval."""

    value: float
    interval: tuple[float, float] | None = None
    status: str = ""


@dataclass(frozen=True, slots=True)
class ReleaseSeen:
    """What a release says about itself: its folder, how it was made, the verdict and the evaluation behind it."""

    name: str
    technique: str
    settings: Mapping[str, Any]
    evaluation: Evaluation
    verdict: Mapping[str, Any]

    @property
    def made(self) -> str:
        """Technique and settings in words."""
        told = [f"{name} {value}" for name, value in self.settings.items() if _plain(value)]
        return ", ".join([self.technique, *told])

    @property
    def checks(self) -> dict[str, Number]:
        """Every check that has an estimate."""
        return {
            entry["check"]: Number(entry["estimate"], tuple(entry["interval"]), entry["status"])
            for entry in self.verdict["checks"]
            if entry["estimate"] is not None
        }

    @property
    def limits(self) -> dict[str, float]:
        """The limit of every check."""
        return {entry["check"]: entry["at_most"] for entry in self.verdict["checks"]}


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """One quantity in all releases, in their order (None: not known), and which is best."""

    name: str
    title: str
    better: Direction
    numbers: tuple[Number | None, ...]
    best: str
    limit: float | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """All releases, one row per check of their policies and per measure of utility, and what to keep in mind."""

    releases: tuple[ReleaseSeen, ...]
    checks: tuple[ComparedRow, ...]
    measures: tuple[ComparedRow, ...]
    notes: tuple[str, ...] = ()

    @property
    def letters(self) -> tuple[str, ...]:
        """A short name for each release."""
        return tuple(_LETTERS[: len(self.releases)])

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "format": "hushwood-comparison",
            "version": 1,
            "releases": [
                {
                    "name": one.name,
                    "letter": letter,
                    "technique": one.technique,
                    "settings": dict(one.settings),
                    "policy": one.verdict["policy"],
                    "status": one.verdict["status"],
                }
                for letter, one in zip(self.letters, self.releases, strict=True)
            ],
            "checks": [_row_json(row) for row in self.checks],
            "measures": [_row_json(row) for row in self.measures],
            "notes": list(self.notes),
        }


def comparison_of(releases: Sequence[ReleaseSeen], notes: Sequence[str] = ()) -> Comparison:
    """Put the numbers of the releases side by side."""
    limits = {name: limit for one in releases for name, limit in one.limits.items()}
    names = [name for name in limits if any(name in one.checks for one in releases)]
    checks = [
        _row(name, name, "lower", [one.checks.get(name) for one in releases], limits[name]) for name in names
    ]
    useful = [measure for make in MEASURES.values() if (measure := make()).yardstick]
    measures = [
        _row(one.name, one.title, one.better, [_measured(seen.evaluation, one.name) for seen in releases])
        for one in useful
    ]
    shown = tuple(row for row in measures if any(row.numbers))
    policies = {one.verdict["policy"] for one in releases}
    differ = (
        [
            "The releases were judged by different policies, so their verdicts cannot be compared; their risks can."
        ]
        if len(policies) > 1
        else []
    )
    return Comparison(tuple(releases), tuple(checks), shown, (*notes, *differ))


def different_table(one: Evaluation, other: Evaluation) -> str | None:
    """What shows that two releases were made from different tables; None if nothing does."""
    if one.release.records != other.release.records:
        return f"{one.release.records:,} and {other.release.records:,} records"
    before, after = ({c.name: (c.kind, c.missing, c.domain) for c in e.columns} for e in (one, other))
    for name in dict.fromkeys((*before, *after)):
        if name not in before or name not in after:
            return f"the column {name!r} in one only"
        if before[name] != after[name]:
            return f"different values in the column {name!r}"
    counted = [_category_counts(evaluation) for evaluation in (one, other)]
    for key in counted[0].keys() & counted[1].keys():
        if counted[0][key] != counted[1][key]:
            return f"different values in the column {key[0]!r}"
    return None


def _category_counts(evaluation: Evaluation) -> dict[tuple[str, str], int | None]:
    """Records per column and category of the original; the pooled last count is about no category."""
    return {
        (column.column, category): number
        for column in evaluation.release.distributions
        if column.counts is not None
        for category, number in zip(column.counts.categories, column.counts.before, strict=False)
    }


def _measured(evaluation: Evaluation, name: str) -> Number | None:
    answer = evaluation.measure(name)
    return None if answer is None or answer.value is None else Number(answer.value)


def _row(
    name: str, title: str, better: Direction, numbers: Sequence[Number | None], limit: float | None = None
) -> ComparedRow:
    return ComparedRow(name, title, better, tuple(numbers), _best(numbers, better), limit)


def _best(numbers: Sequence[Number | None], better: Direction) -> str:
    """The letter of the best; with intervals only if its interval lies apart from all others."""
    known = [
        (number, letter) for number, letter in zip(numbers, _LETTERS, strict=False) if number is not None
    ]
    if len(known) < 2:
        return ""
    sign = 1 if better == "lower" else -1
    (first, letter), *others = sorted(known, key=lambda pair: sign * pair[0].value)
    if all(number.value == first.value for number, _ in others):
        return NO_DIFFERENCE
    ends = [(first.interval, number.interval) for number, _ in others]
    if any(a is not None and b is not None and a[1] >= b[0] and b[1] >= a[0] for a, b in ends):
        return NO_DIFFERENCE
    return letter


def _row_json(row: ComparedRow) -> dict[str, Any]:
    return {
        "name": row.name,
        "better": row.better,
        **({} if row.limit is None else {"at_most": row.limit}),
        "values": [None if number is None else number.value for number in row.numbers],
        "intervals": [None if n is None or n.interval is None else list(n.interval) for n in row.numbers],
        "best": row.best,
    }


def _plain(value: object) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def comparison_lines(found: Comparison) -> list[str]:
    """Who is who, the checks, what analysts keep, and what to keep in mind."""
    lines = []
    for letter, one in zip(found.letters, found.releases, strict=True):
        status = str(one.verdict["status"]).upper()
        lines += wrapped(f"{letter}  {one.name}: {status} by {one.verdict['policy']}. {one.made}.")
    head = ("", *found.letters, "best")
    if found.checks:
        lines += ["", "What an intruder learns, with the upper end of the interval; lower is better"]
        titles = [r.title if r.limit is None else f"{r.title} ≤ {r.limit:g}" for r in found.checks]
        checks = zip(titles, found.checks, strict=True)
        lines += columns([(title, *map(_check, row.numbers), row.best) for title, row in checks], head)
    if found.measures:
        lines += ["", "What analysts keep; these numbers have no interval"]
        lines += columns([(row.title, *map(_measure, row.numbers), row.best) for row in found.measures], head)
    return lines + [line for note in found.notes for line in ("", *wrapped(note))]


def _check(number: Number | None) -> str:
    if number is None or number.interval is None:
        return "–"
    return f"{_MARKS[number.status]} {number.value:.3f}, to {number.interval[1]:.3f}"


def _measure(number: Number | None) -> str:
    return "–" if number is None else f"{number.value:.3f}"
