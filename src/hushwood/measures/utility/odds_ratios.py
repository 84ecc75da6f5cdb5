"""Odds ratios: are the associations of the class with the other columns as strong in the release as in the original?

A number counts as above or below the original's median, a category as itself or another. Every such pair makes a table
of two by two, with half a record added to each cell (Haldane and Anscombe) and Woolf's interval of its log odds ratio.
Unlike accuracy this sees what is rare: an odds ratio of 4.4 on a death of one in forty is there, or it is lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

import numpy as np

from hushwood.arrays import Array, Flags, Floats
from hushwood.detail_tables import DetailTable
from hushwood.measures.columns.regressions import Term, regression_terms
from hushwood.measures.protocol import Context, Details, Measure, Measurement, NotComputable
from hushwood.measures.publishing import PUBLIC
from hushwood.tables.table import Table

LEAST = 10  # records of a category
WIDEST = 120  # numbers and categories
SHOWN = 3.29  # standard errors: less than one in a thousand associations is shown by chance
LISTED = 10
_NONE = "The original shows no clear association here, so there was none to keep."
_SURE = 1.96  # standard errors: half of a 95 % interval
_CHUNK_ROWS = 1 << 16  # counts in float32 are exact below 2^24


class Association(TypedDict):
    """The odds ratio of two terms in both tables, with intervals."""

    of: str
    where: str
    before: float
    interval_before: list[float]
    after: float
    interval_after: list[float]


class OddsDetails(TypedDict):
    """How many associations there are and are kept; outsiders do not see the categories that they are about."""

    compared: Annotated[int, PUBLIC]
    shown: Annotated[int, PUBLIC]
    kept: Annotated[int, PUBLIC]
    overlapping: Annotated[int, PUBLIC]
    associations: list[Association]


@dataclass(frozen=True, slots=True)
class OddsRatios(Measure):
    """The share of the log odds ratios that is left, over all that the original clearly shows."""

    name = "odds_ratios"
    title = "Strength of associations kept"
    question = "Do the other columns raise or lower the odds of the class as much as in the original?"
    meaning = (
        "Of the strength (log odds ratio) of all associations that the original clearly shows, this share is left: at "
        "100 % every odds ratio is the same, at 0 % the release shows none of them."
    )
    side = "utility"
    unit = "share"
    better = "higher"
    bounds = (0.0, 1.0)
    declared = OddsDetails
    best = 1.0
    headline = 3

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Every class with every other column; without a class every pair of columns."""
        terms = regression_terms(original, released, least=LEAST / max(original.rows, 1), widest=WIDEST)
        pairs = _pairs(terms, {attribute.name for attribute in original.schema.classes})
        cuts = [_cut(term) for term in terms]
        if not len(pairs[0]):
            return NotComputable("No two columns vary, so none can be associated.")
        before, error = _log_odds(original, *_sides(terms, cuts, "before"), pairs)
        shown = np.abs(before) > SHOWN * error
        after, other = _log_odds(released, *_sides(terms, cuts, "after"), pairs)
        counted = shown if shown.any() else np.ones(len(shown), bool)
        change, strength = (float(np.abs(n[counted]).sum()) for n in (after - before, before))
        value = max(0.0, 1.0 - change / strength) if strength else float(change == 0)
        if context.value_only:
            return Measurement(value)
        names = [_named(term, cut) for term, cut in zip(terms, cuts, strict=True)]
        return Measurement(value, _details(names, pairs, shown, (before, error), (after, other)))

    def tables(self, details: Details) -> tuple[DetailTable, ...]:
        """The associations that changed most."""
        if "associations" not in details:
            return ()
        return (
            DetailTable.of(
                "Odds ratios that changed most",
                "How many times as large the odds of the one are where the other holds, with 95 % intervals.",
                {
                    "Odds of": "text",
                    "where": "text",
                    "before": "number",
                    "from": "number",
                    "to": "number",
                    "after": "number",
                    "from ": "number",
                    "to ": "number",
                },
                (
                    (row["of"], row["where"], *_ends(row, "before"), *_ends(row, "after"))
                    for row in details["associations"]
                ),
            ),
        )

    def remarks(self, details: Details) -> str:
        """How many associations are still shown, and the one that lost most."""
        if not details.get("shown"):
            return ""
        many = f"{details['shown']:,} associations" if details["shown"] > 1 else "one association"
        said = (
            f"The original clearly shows {many}; the release shows {details['kept']:,} of them in the same direction, "
            f"and the 95 % intervals of {details['overlapping']:,} overlap."
        )
        worst = next(iter(details.get("associations", ())), None)
        if worst is None:
            return said
        return (
            f"{said} Odds ratio of {worst['of']} where {worst['where']}: {worst['before']:.2g} before, "
            f"{worst['after']:.2g} after."
        )

    def says_nothing(self, details: Details) -> str:
        """Where the original shows nothing there is nothing to keep."""
        return "" if details.get("shown", 1) else _NONE

    def headline_remarks(self, details: Details) -> str:
        """The same as on the card."""
        return self.remarks(details)


_Pairs = tuple[Array, Array]


def _pairs(terms: Sequence[Term], classes: set[str]) -> _Pairs:
    """The places of both terms of every pair: a class and another column, or without a class any two columns."""
    columns = np.array([term.column for term in terms], object)
    differ = columns[:, None] != columns[None, :]
    if classes:
        own = np.isin(columns, list(classes))
        first, second = np.nonzero(differ & own[:, None] & ~own[None, :])
    else:
        first, second = np.nonzero(np.triu(differ.astype(bool)))
    return first, second


def _cut(term: Term) -> float:
    """What a number must exceed to count: the original's median."""
    if not term.numeric:
        return 0.5
    return float(np.nanmedian(term.before))


def _sides(terms: Sequence[Term], cuts: Sequence[float], side: str) -> tuple[Array, Array]:
    """By record and term: whether it holds, and whether that is known."""
    values = [getattr(term, side) for term in terms]
    holds = np.column_stack([v > cut for v, cut in zip(values, cuts, strict=True)])
    known = np.column_stack([v == v for v in values])
    return holds, known


def _log_odds(table: Table, holds: Flags, known: Flags, pairs: _Pairs) -> tuple[Floats, Floats]:
    """The log odds ratio of every pair, and its standard error; survey weights count."""
    weights = table.weights
    if weights is not None and weights.any():
        weights = (weights * (len(weights) / weights.sum())).astype(np.float32)
    else:
        weights = None
    first, second = (np.unique(places) for places in pairs)
    width, other = len(first), len(second)
    counts = np.zeros((2 * width, 2 * other))
    for begin in range(0, table.rows, _CHUNK_ROWS):
        part = slice(begin, begin + _CHUNK_ROWS)
        left = np.hstack([holds[part][:, first], known[part][:, first]]).astype(np.float32)
        right = np.hstack([holds[part][:, second], known[part][:, second]]).astype(np.float32)
        counts += left.T @ (right if weights is None else right * weights[part, None])
    at = np.searchsorted(first, pairs[0]), np.searchsorted(second, pairs[1])
    both, one = counts[:width, :other][at], counts[:width, other:][at]
    two, everyone = counts[width:, :other][at], counts[width:, other:][at]
    cells = np.stack([both, one - both, two - both, everyone - one - two + both]) + 0.5
    cells = np.maximum(cells, 0.5)
    log = np.log(cells)
    return log[0] - log[1] - log[2] + log[3], np.sqrt((1 / cells).sum(axis=0))


def _ends(row: Details, side: str) -> tuple[float, float, float]:
    low, high = row[f"interval_{side}"]
    return row[side], low, high


def _named(term: Term, cut: float) -> str:
    if not term.numeric:
        return term.name
    return f"{term.name} above {term.middle + cut * term.spread:.4g}"


def _details(
    names: Sequence[str],
    pairs: _Pairs,
    shown: Flags,
    before: tuple[Floats, Floats],
    after: tuple[Floats, Floats],
) -> dict[str, Any]:
    (old, error), (new, other) = before, after
    kept = shown & (np.sign(old) == np.sign(new)) & (np.abs(new) > SHOWN * other)
    overlap = shown & (np.abs(old - new) <= _SURE * (error + other))
    places = np.flatnonzero(shown if shown.any() else np.ones(len(shown), bool))
    worst = places[np.argsort(-np.abs(old - new)[places], kind="stable")][:LISTED].tolist()
    return {
        "compared": len(shown),
        "shown": int(shown.sum()),
        "kept": int(kept.sum()),
        "overlapping": int(overlap.sum()),
        "associations": [
            {
                "of": names[pairs[0][at]],
                "where": names[pairs[1][at]],
                "before": float(np.exp(old[at])),
                "interval_before": np.exp([old[at] + s * _SURE * error[at] for s in (-1, 1)]).tolist(),
                "after": float(np.exp(new[at])),
                "interval_after": np.exp([new[at] + s * _SURE * other[at] for s in (-1, 1)]).tolist(),
            }
            for at in worst
        ],
    }
