"""One column of a release as a miner sees it: what was released, what is recovered, and the original if it is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hushwood.arrays import Array, Floats
from hushwood.errors import InputError
from hushwood.reconstruction.recovered import MISSING, Known, NotRecovered, Recovered
from hushwood.reconstruction.registry import ESTIMATORS
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.techniques.laws.promises import COPIED, Promise

OTHERS = "(others)"
COARSER = "Its values were made coarser without chance, so there is no noise to undo."
LINKED = NotRecovered("It follows from other columns, and its noise is theirs.")
_EXACT = ("same", "dealt")


@dataclass(frozen=True, slots=True)
class ColumnBack:
    """Shares of the same cells, released, recovered and original: intervals, or the `labels` and all others.

    `recovered` is None where nothing could be recovered, for the `reason`; `exact` if nothing had to be.
    """

    name: str
    kind: str
    techniques: tuple[str, ...]
    way: str
    reason: str
    exact: bool
    limits: Floats | None
    labels: tuple[str, ...]
    released: Floats
    recovered: Floats | None
    errors: Floats | None
    original: Floats | None
    rules_out: float | None

    def apart(self, which: str) -> float | None:
        """Total variation between the "released" or the "recovered" distribution and the original's, if it is known."""
        shares = getattr(self, which)
        if shares is None or self.original is None:
            return None
        return float(np.abs(shares - self.original).sum() / 2)

    def to_json(self) -> dict[str, Any]:
        """The column as plain data."""
        return {
            "name": self.name,
            "kind": self.kind,
            "techniques": list(self.techniques),
            "recovered_by": self.way or None,
            "not_recovered": self.reason or None,
            "exact": self.exact,
            "limits": _listed(self.limits),
            "labels": list(self.labels),
            "shares": {
                which: _listed(getattr(self, which)) for which in ("released", "recovered", "original")
            },
            "standard_errors": _listed(self.errors),
            "distance": {which: self.apart(which) for which in ("released", "recovered")},
            "rules_out": self.rules_out,
        }


def column_back(known: Known, found: Recovered | NotRecovered, original: Table | None = None) -> ColumnBack:
    """What was found about a column, next to what was released and to the original's."""
    attribute = known.released.schema[known.name]
    if isinstance(found, NotRecovered) and found.reason == COARSER:
        original = None  # ranges and sets are no values that could be counted against the original's
    limits, labels = _cells(known, attribute, found)
    before = None if original is None else original.schema[known.name]
    shares = found.shares if isinstance(found, Recovered) else None
    errors = found.errors if isinstance(found, Recovered) else None
    return ColumnBack(
        known.name,
        attribute.kind,
        tuple(technique.acronym for technique in known.techniques),
        found.way if isinstance(found, Recovered) else "",
        found.reason if isinstance(found, NotRecovered) else "",
        isinstance(found, NotRecovered) and found.exact,
        limits,
        labels,
        _shares(known.released.columns[known.name], attribute, limits, labels),
        _with_others(shares, limits),
        _with_others(errors, limits),
        None
        if original is None or before is None
        else _shares(original.columns[known.name], before, limits, labels),
        found.rules_out if isinstance(found, Recovered) else None,
    )


def recovered_by(known: Known) -> Recovered | NotRecovered:
    """What the estimator of the column's techniques finds, or why there is none."""
    attribute, techniques = known.released.schema[known.name], known.techniques
    if not techniques:
        return NotRecovered("Copied as it is.", exact=True)
    if any(technique.row_order == "none" for technique in techniques):
        return NotRecovered("Its values were made up from a model of the table; there is no noise to undo.")
    promise = _promised([technique.promise_for(attribute) for technique in techniques])
    if promise.values in _EXACT and promise.missing in _EXACT:
        return NotRecovered(
            "Its values only changed places, so the released distribution is the original's.", exact=True
        )
    if promise.values == "generalised":
        return NotRecovered(COARSER)
    estimators = {ESTIMATORS.get(technique.acronym) for technique in techniques}
    estimator = next(iter(estimators)) if len(estimators) == 1 else None
    if estimator is None:
        names = " and ".join(technique.acronym for technique in techniques)
        return NotRecovered(
            f"{names} has no law that can be inverted from the release. {techniques[0].trust}"
        )
    try:
        return estimator(known)
    except InputError as fault:
        return NotRecovered(f"{fault}")


def _promised(promises: Sequence[Promise]) -> Promise:
    found = COPIED
    for promise in promises:
        found = found.then(promise)
    return found


def _cells(
    known: Known, attribute: Attribute, found: Recovered | NotRecovered
) -> tuple[Floats | None, tuple[str, ...]]:
    """Limits of intervals, or categories: those of the estimate, or else of the released column."""
    if isinstance(found, Recovered):
        return found.limits, found.labels
    if attribute.kind == "categorical":
        gaps = bool((np.asarray(known.released.columns[known.name]) < 0).any())
        return None, (*attribute.categories, *((MISSING,) if gaps else ()))
    values = known.numbers
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    return np.linspace(low, high if high > low else low + 1.0, known.intervals + 1), ()


def _shares(column: Array, attribute: Attribute, limits: Floats | None, labels: Sequence[str]) -> Floats:
    """The shares of the cells; numbers beyond the limits belong to the outermost, missing ones do not count.

    Categories that are no cell come last.
    """
    if limits is not None:
        values = np.asarray(column, np.float64)
        values = np.clip(values[np.isfinite(values)], limits[0], limits[-1])
        counts = np.histogram(values, limits)[0].astype(float)
    else:
        place = {label: cell for cell, label in enumerate(labels)}
        cell_of = [place.get(value, len(labels)) for value in attribute.categories]
        cell_of.append(place.get(MISSING, len(labels)))
        codes = np.asarray(column, np.int64)
        cells = np.array(cell_of)[np.where(codes < 0, len(cell_of) - 1, codes)]
        counts = np.bincount(cells, minlength=len(labels) + 1).astype(float)
    return np.asarray(counts / max(counts.sum(), 1.0))


def _with_others(shares: Floats | None, limits: Floats | None) -> Floats | None:
    """Room for categories that are no cell, if the cells are categories."""
    return shares if shares is None or limits is not None else np.append(shares, 0.0)


def _listed(numbers: Floats | None) -> list[float] | None:
    return None if numbers is None else [float(number) for number in numbers]
