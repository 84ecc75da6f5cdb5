"""How the numbers of a release were drawn together, in words and a small table for the section on what was done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hushwood.reports.wording import count, short_number, things

_WAYS = {
    "own": "as the technique says",
    "rotation": "rotated: too few records for the technique, or a draw did not fit the segment's ranges",
    "shuffle": "shuffled: rotation was not possible",
    "permutation": "each column dealt out anew on its own: too few records to draw together",
    "exchange": "nobody in the segment has the same columns filled: single numbers exchanged with others there",
    "noise": "nobody in the segment has the same columns filled: noise inside its ranges",
    "kept": "nobody in the segment has the same columns filled: left as it was",
}


@dataclass(frozen=True, slots=True)
class DrawnTogether:
    """A table with its title and what it says."""

    title: str
    says: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def drawn_together_view(document: Mapping[str, Any]) -> DrawnTogether | None:
    """The ways and the errors reached; None if no numbers were drawn together."""
    found = document["release"].get("drawn_together")
    if not found:
        return None
    rows = tuple(
        (_WAYS.get(way["way"], way["way"]), count(way["segments"]), count(way["records"]))
        for way in found["ways"]
    )
    where = "over the whole table" if found.get("within") == "table" else "inside segments"
    says = (
        f"{things(len(found['columns']), 'numeric column')} drawn together {where}, so that averages and "
        f"correlations stay. {_errors(found)}"
    )
    if len(rows) > 1:
        says += " Where the technique cannot work, the next way in this order is taken."
    return DrawnTogether("Numbers drawn together", says, ("How", "Segments", "Records"), rows)


def _errors(found: Mapping[str, Any]) -> str:
    means, covariances = found["mean_error"], found["covariance_error"]
    if not means or not covariances:
        return "No segment has two records with different numbers, so there are no averages to compare."
    said = (
        f"After rounding to each column's decimals, the averages of the records of a segment with the same columns "
        "filled are off by "
        f"{_error(means['mean'])} standard deviations and its covariances, in the same unit, by "
        f"{_error(covariances['mean'])}, in the worst column and pair of columns (means over records; lower is "
        "better, 0 is exact)"
    )
    if "largest" not in means:
        return said + "."
    largest = _error(means["largest"]), _error(covariances["largest"])
    return f"{said}. In the worst such group of two records or more it is {largest[0]} and {largest[1]}."


def _error(value: float) -> str:
    """An error with three digits; what is left of exact arithmetic is not spelt out."""
    return "less than 0.000001" if 0 < value < 1e-6 else short_number(value)
