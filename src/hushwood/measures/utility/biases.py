"""The biases of type A to D, as Muralidhar, Parsa and Sarathy named them (thesis 3.2.1; their sizes: errata D12)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

import numpy as np

from hushwood.arrays import Flags, Floats
from hushwood.detail_tables import DetailTable
from hushwood.measures.columns.column_tallies import (
    common_unit,
    finite_or_none,
    is_constant,
    known,
    numeric_names,
)
from hushwood.measures.columns.distributions import sample_distances
from hushwood.measures.columns.numeric_correlations import centred, correlations, pair_moments
from hushwood.measures.protocol import Context, Details, Measure, Measurement, NotComputable
from hushwood.measures.publishing import PUBLIC, TWO_DIGITS
from hushwood.tables.table import Table

ABOUT = {
    "A": "variance of one column",
    "B": "correlation of two confidential columns",
    "C": "correlation of a confidential column and another",
    "D": "shape of one column's distribution",
}


class Bias(TypedDict):
    """The largest bias of one type, and the column or columns that have it."""

    type: Annotated[str, PUBLIC]
    size: Annotated[float | None, TWO_DIGITS]
    columns: Annotated[list[str], PUBLIC]


class BiasDetails(TypedDict):
    """All four types."""

    types: Annotated[list[Bias], PUBLIC]
    confidential: list[str]
    declared: Annotated[bool, PUBLIC]


@dataclass(frozen=True, slots=True)
class Biases(Measure):
    """The largest of the four biases of the numeric columns.

    Confidential are the numeric columns declared so; if there are none, all are, and type C does not occur.
    """

    name = "biases"
    title = "Largest bias (types A to D)"
    question = "How large is the worst of the biases A to D that noise brings into variances, correlations and shapes?"
    meaning = (
        "The largest of four biases: A, the share by which a variance changed; B and C, the change of a correlation "
        "between confidential columns, and with others; D, how far a distribution changed its shape, in standard "
        "deviations."
    )
    side = "utility"
    unit = "number"
    better = "lower"
    bounds = (0.0, None)
    declared = BiasDetails
    by_groups = True
    best = 0.0
    quick = False

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Compare the numeric columns that vary in the original and have values in the release."""
        names = [
            name
            for name in numeric_names(original)
            if not is_constant(known(original.columns[name])) and len(known(released.columns[name]))
        ]
        if not names:
            return NotComputable(
                "No numeric column has two different values in the original and a value in the release."
            )
        declared = np.isin(names, original.schema.in_role("confidential"))
        confidential = declared if declared.any() else np.ones(len(names), bool)
        before, after = _centred(names, original, released)
        found = list(_biases(names, before, after, confidential))
        value = max(bias["size"] for bias in found if bias["size"] is not None)
        details = {
            "types": found,
            "confidential": [name for name, one in zip(names, confidential, strict=True) if one],
            "declared": bool(declared.any()),
        }
        return Measurement(value, {} if context.value_only else details)

    def tables(self, details: Details) -> tuple[DetailTable, ...]:
        """The four types, with the column or columns where each is largest."""
        if not details:
            return ()
        return (
            DetailTable.of(
                "Biases by type",
                "Sizes are best 0. A is a share of the variance, B and C are changes of Pearson's coefficient, D is "
                "Wasserstein's distance of the columns brought to mean 0 and variance 1.",
                {"Type": "text", "of": "text", "size": "number", "largest in": "text"},
                (
                    (bias["type"], ABOUT[bias["type"]], bias["size"], ", ".join(bias["columns"]))
                    for bias in details["types"]
                ),
            ),
        )

    def remarks(self, details: Details) -> str:
        """Which columns count as confidential, if none is declared."""
        if details.get("declared") is not False:
            return ""
        return "No numeric column is declared confidential, so all count as such and type C does not occur."


def _centred(names: Sequence[str], original: Table, released: Table) -> tuple[list[Floats], list[Floats]]:
    """The columns of both tables about their means, in units common to both."""
    units = {name: common_unit(original.columns[name], released.columns[name]) for name in names}
    before, after = (
        [centred(table.columns[name], unit) for name, unit in units.items()] for table in (original, released)
    )
    return before, after


def _biases(
    names: Sequence[str], before: Sequence[Floats], after: Sequence[Floats], confidential: Flags
) -> Iterator[dict[str, Any]]:
    moments = [pair_moments(columns) for columns in (before, after)]
    old, new = (np.diag(one.variances) for one in moments)
    yield _worst("A", names, np.where(confidential, np.abs(new / old - 1), np.nan))
    was, now = (np.nan_to_num(correlations(one)) for one in moments)
    change = np.abs(now - was)
    both = np.triu(np.outer(confidential, confidential), 1)
    yield _worst("B", names, np.where(both, change, np.nan))
    yield _worst("C", names, np.where(np.outer(confidential, ~confidential), change, np.nan))
    shapes = [
        _shape(one / np.sqrt(first), other / np.sqrt(second or 1.0)) if chosen else np.nan
        for one, other, first, second, chosen in zip(before, after, old, new, confidential, strict=True)
    ]
    yield _worst("D", names, np.array(shapes))


def _shape(before: Floats, after: Floats) -> float:
    """Wasserstein's distance of standardised values; `sample_distances` gives it as a share of the range."""
    share = sample_distances(known(before), known(after))["wasserstein"]
    return np.nan if share is None else share * float(np.ptp(known(before)))


def _worst(kind: str, names: Sequence[str], sizes: Floats) -> dict[str, Any]:
    """The largest size of a type and its columns; None where nothing can have it (NaN)."""
    if np.isnan(sizes).all():
        return {"type": kind, "size": None, "columns": []}
    at = np.unravel_index(int(np.nanargmax(sizes)), sizes.shape)
    return {
        "type": kind,
        "size": finite_or_none(float(sizes[at])),
        "columns": [names[int(place)] for place in at],
    }
