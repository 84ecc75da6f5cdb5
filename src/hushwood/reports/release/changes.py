"""What changed most: the columns whose distribution moved furthest, and the mean that moved furthest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hushwood.evaluation.distributions import Distribution
from hushwood.evaluation.evaluation import Evaluation
from hushwood.measures.publishing.number_words import percent
from hushwood.measures.utility.means_and_variances import MeansAndVariances
from hushwood.reports.release.years import plain_number, year_columns
from hushwood.reports.words.wording import short_number

MOST = 5
_NOTHING = 0.01  # standard deviations


@dataclass(frozen=True, slots=True)
class ColumnChange:
    """A column and the share of its values that would have to move to restore its distribution."""

    distribution: Distribution
    moved: float

    @property
    def says(self) -> str:
        """The share in words."""
        return f"{percent(self.moved)} moved"


def most_changed(evaluation: Evaluation, full: Evaluation | None = None) -> list[ColumnChange]:
    """The five columns whose distribution moved furthest, chosen by the full evaluation; none that did not move."""
    shown = {entry.column: entry for entry in evaluation.release.distributions}
    moved = {e.column: moved_share(e) for e in (full or evaluation).release.distributions}
    names = sorted((name for name, share in moved.items() if share > 0), key=lambda name: -moved[name])
    public = full is not None and full is not evaluation
    return [ColumnChange(shown[n], round(moved[n], 2) if public else moved[n]) for n in names[:MOST]]


def moved_share(entry: Distribution) -> float:
    """The total variation between before and after over the bins or categories that the entry has."""
    found = entry.histogram or entry.counts
    if found is None:
        return 0.0
    sides = [found.before, found.after]
    if entry.counts is not None:
        sides = [(*side, gone) for side, gone in zip(sides, entry.counts.missing, strict=True)]
    before, after = (_shares(side) for side in sides)
    return sum(abs(a - b) for a, b in zip(before, after, strict=True)) / 2


def distribution_sentence(changed: Sequence[ColumnChange]) -> str:
    """The distribution that moved furthest, by the name of its column."""
    if not changed:
        return "No column's distribution moved."
    first = changed[0]
    return (
        f"Largest shift of a distribution: {first.distribution.column}, {percent(first.moved)} of whose values would "
        "have to move back."
    )


def mean_sentence(evaluation: Evaluation) -> str:
    """The mean that moved furthest, by the name of its column; empty if means were not compared."""
    answer = evaluation.measure(MeansAndVariances.name)
    columns = (
        [c for c in answer.details.get("columns", ()) if c.get("shift_in_sd") is not None] if answer else []
    )
    if not columns:
        return ""
    worst = max(columns, key=lambda column: abs(column["shift_in_sd"]))
    if abs(worst["shift_in_sd"]) < _NOTHING:
        return f"No mean moved by {_NOTHING:g} standard deviations or more."
    by = f"{worst['shift_in_sd']:+.2f}".replace("-", "−")
    said = f"Largest shift of a mean: {worst['column']}, by {by} standard deviations"
    if worst.get("mean_before") is None:
        return f"{said}."
    text = plain_number if worst["column"] in year_columns(evaluation) else short_number
    return f"{said} ({text(worst['mean_before'])} before, {text(worst['mean_after'])} after)."


def _shares(side: Sequence[int | None]) -> list[float]:
    known = [number or 0 for number in side]
    total = sum(known)
    return [number / total if total else 0.0 for number in known]
