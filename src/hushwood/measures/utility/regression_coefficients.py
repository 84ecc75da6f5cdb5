"""Regression coefficients: would an analyst draw the same conclusions? Overlap of confidence intervals, after Karr
and others (2006).

The survey names regression analysis among the common tests of a release and leaves the model open (errata S9).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

import numpy as np

from hushwood.arrays import Array, Flags, Floats
from hushwood.detail_tables import DetailTable
from hushwood.measures.columns.regressions import (
    Covariances,
    Term,
    complete_covariances,
    independent,
    regression_terms,
    regressions,
)
from hushwood.measures.protocol import Context, Details, Measure, Measurement, NotComputable
from hushwood.measures.publishing import PUBLIC, TWO_DECIMALS
from hushwood.parameters import Between, Checked
from hushwood.tables.table import Table

LISTED = 10  # coefficients
RECORDS_PER_TERM = 2  # complete records; with fewer a regression follows chance
NARROWEST = 1e-9  # half an interval, in standard deviations: less is rounding


class Regressed(TypedDict):
    """One regression in both tables."""

    response: Annotated[str, PUBLIC]
    terms: Annotated[int, PUBLIC]
    overlap: Annotated[float, TWO_DECIMALS]
    r_squared_before: Annotated[float, TWO_DECIMALS]
    r_squared_after: Annotated[float, TWO_DECIMALS]


class Coefficient(TypedDict):
    """A coefficient whose intervals moved apart."""

    response: str
    term: str
    before: float
    after: float | None
    overlap: float


class RegressionDetails(TypedDict):
    """Every regression; outsiders do not see its coefficients."""

    confidence: float
    records: dict[str, int]
    compared: int
    significant: int
    significant_kept: int
    regressions: Annotated[list[Regressed], PUBLIC]
    coefficients: list[Coefficient]
    combinations: list[str]


@dataclass(frozen=True, slots=True)
class RegressionCoefficients(Measure, Checked):
    """The mean overlap of the confidence intervals of all coefficients, intercepts aside."""

    confidence: Annotated[float, Between(0, 1, open_low=True, open_high=True)] = 0.95
    name = "regression_coefficients"
    title = "Overlap of regression intervals"
    question = "Do regressions on the release give the coefficients that they give on the original?"
    meaning = (
        "Mean overlap of the confidence intervals of the same regression coefficients in both tables: 1 means the "
        "same intervals, 0 that none of them meet. Many records make narrow intervals, which small changes part."
    )
    side = "utility"
    unit = "share"
    better = "higher"
    bounds = (0.0, 1.0)
    declared = RegressionDetails
    by_groups = True
    best = 1.0
    quick = False

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Regress the numeric class on the other columns; without one, every numeric column on the others."""
        terms = regression_terms(original, released)
        responses = _responses(original, terms)
        if not responses or len(terms) < 2:
            return NotComputable(
                "A regression needs a numeric column that varies, and another that may explain it."
            )
        fits = _fitted(terms)
        if fits is None:
            return NotComputable("One of the tables has too few complete records for a regression.")
        found = _compared(terms, responses, *fits, self.confidence)
        if not len(found.overlap):
            return NotComputable("No column is left that may explain a numeric one.")
        value = float(found.overlap.mean())
        if context.value_only:
            return Measurement(value)
        return Measurement(value, {"confidence": self.confidence, **_details(terms, found, *fits)})

    def tables(self, details: Details) -> tuple[DetailTable, ...]:
        """Every regression, and the coefficients that changed most."""
        if not details:
            return ()
        regressed = DetailTable.of(
            "Regressions before and after",
            "Mean overlap of the intervals, and the share of the variance that each regression explains.",
            {
                "Response": "text",
                "terms": "count",
                "overlap": "share",
                "R² before": "number",
                "after": "number",
            },
            (
                (r["response"], r["terms"], r["overlap"], r["r_squared_before"], r["r_squared_after"])
                for r in details["regressions"]
            ),
        )
        if "coefficients" not in details:
            return (regressed,)
        changed = DetailTable.of(
            "Coefficients whose intervals moved apart",
            "Numbers are in standard deviations of the original; a category counts against the most frequent "
            "one of its column, together with the rare ones.",
            {"Response": "text", "term": "text", "before": "number", "after": "number", "overlap": "share"},
            (
                (c["response"], c["term"], c["before"], c["after"], c["overlap"])
                for c in details["coefficients"]
            ),
        )
        return regressed, changed

    def remarks(self, details: Details) -> str:
        """How many coefficients were compared, and how many conclusions hold."""
        if "compared" not in details:
            return ""
        return (
            f"Of {details['compared']:,} coefficients {details['significant']:,} differ from 0 significantly in the "
            f"original, and {details['significant_kept']:,} of them do so in the release with the same sign."
        )


def _responses(original: Table, terms: list[Term]) -> list[int]:
    """The numeric class, or else all numeric columns, by their places among the terms."""
    target = original.schema.class_attribute
    numeric = [place for place, term in enumerate(terms) if term.numeric]
    own = [place for place in numeric if target is not None and terms[place].column == target.name]
    return own or numeric


@dataclass(frozen=True, slots=True)
class _Fit:
    """The regressions of one table with places for all terms; NaN where a term has no coefficient."""

    records: int
    kept: Flags
    coefficients: Floats
    errors: Floats
    r_squared: Floats
    degrees: int


def _fitted(terms: list[Term]) -> tuple[_Fit, _Fit] | None:
    """The fits of both tables; terms that are combinations of others in the original are left out of both."""
    usable = np.ones(len(terms), bool)
    fits = []
    for columns in ([term.before for term in terms], [term.after for term in terms]):
        covariances = complete_covariances(columns)
        kept = usable.copy()
        kept[usable] = independent(covariances.of(usable).matrix)
        if covariances.records < RECORDS_PER_TERM * kept.sum() or not np.isfinite(covariances.matrix).all():
            return None
        fits.append(_fit(covariances, kept))
        usable = kept
    return fits[0], fits[1]


def _fit(covariances: Covariances, kept: Flags) -> _Fit:
    size = len(kept)
    coefficients, errors, r_squared = (
        np.full((size, size), np.nan),
        np.full((size, size), np.nan),
        np.zeros(size),
    )
    found = regressions(covariances.of(kept))
    coefficients[np.ix_(kept, kept)] = found.coefficients
    errors[np.ix_(kept, kept)] = found.errors
    r_squared[kept] = found.r_squared
    return _Fit(covariances.records, kept, coefficients, errors, r_squared, found.degrees)


@dataclass(frozen=True, slots=True)
class _ComparedCoefficients:
    """Every coefficient: its response and term, before and after (NaN: none), its significance and the overlap.

    The significance is −1 or 1 if the interval lies below or above 0.
    """

    response: Array
    term: Array
    before: Floats
    after: Floats
    significant: tuple[Array, Array]
    overlap: Floats


def _compared(
    terms: list[Term], responses: list[int], before: _Fit, after: _Fit, confidence: float
) -> _ComparedCoefficients:
    from scipy.special import stdtrit

    pairs = [
        (response, term)
        for response in responses
        for term in np.flatnonzero(before.kept).tolist()
        if before.kept[response] and term != response
    ]
    response, term = np.array(pairs, np.int64).reshape(-1, 2).T
    ends = []
    for fit in (before, after):
        half = stdtrit(fit.degrees, (1 + confidence) / 2) * fit.errors[response, term]
        ends.append((fit.coefficients[response, term], np.maximum(half, NARROWEST)))
    (old, wide), (new, other) = ends
    significant = tuple(np.where(np.abs(middle) > half, np.sign(middle), 0.0) for middle, half in ends)
    return _ComparedCoefficients(
        response, term, old, new, (significant[0], significant[1]), interval_overlap(old, wide, new, other)
    )


def interval_overlap(old: Floats, wide: Floats, new: Floats, other: Floats) -> Floats:
    """Mean share of two intervals that they have in common, given their middles and halves; 0 where one is NaN.

    >>> interval_overlap(np.array([0.0]), np.array([1.0]), np.array([1.0]), np.array([2.0])).tolist()
    [0.75]
    """
    shared = np.minimum(old + wide, new + other) - np.maximum(old - wide, new - other)
    shared = np.maximum(np.nan_to_num(shared), 0.0)
    both = shared / (2 * wide) + shared / np.where(other > 0, 2 * other, 1.0)
    return np.asarray(np.minimum(both / 2, 1.0))


def _details(terms: list[Term], found: _ComparedCoefficients, before: _Fit, after: _Fit) -> dict[str, Any]:
    regressed = []
    for place in np.unique(found.response).tolist():
        own = found.response == place
        regressed.append(
            {
                "response": terms[place].name,
                "terms": int(own.sum()),
                "overlap": float(found.overlap[own].mean()),
                "r_squared_before": float(before.r_squared[place]),
                "r_squared_after": float(after.r_squared[place]),
            }
        )
    distance = np.nan_to_num(np.abs(found.before - found.after), nan=np.inf)
    worst = np.lexsort((-distance, found.overlap))[:LISTED].tolist()
    return {
        "records": {"original": before.records, "released": after.records},
        "compared": len(found.overlap),
        "significant": int((found.significant[0] != 0).sum()),
        "significant_kept": int(
            ((found.significant[0] != 0) & (found.significant[0] == found.significant[1])).sum()
        ),
        "regressions": regressed,
        "coefficients": [
            {
                "response": terms[found.response[at]].name,
                "term": terms[found.term[at]].name,
                "before": float(found.before[at]),
                "after": None if np.isnan(found.after[at]) else float(found.after[at]),
                "overlap": float(found.overlap[at]),
            }
            for at in worst
        ],
        "combinations": [t.name for t, kept in zip(terms, before.kept, strict=True) if not kept],
    }
