"""SERS: how uncertain an intruder is who compares a whole original record with all released ones (FF paper, 6).

Similarities of whole records hardly differ, so the entropy is near log2 of the number of released records for any
release (errata G8); only the rank of the true partner, in the details, distinguishes releases.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from hushwood.arrays import Floats, Integers
from hushwood.distances.coding import code_by_original
from hushwood.distances.neighbours import Resemblance, resemblance
from hushwood.measures.posterior.uncertainty import histogram, of_rows, quantiles, sampling, sampling_remarks
from hushwood.measures.protocol import Context, Details, Measure, Measurement, NotComputable
from hushwood.tables.table import Table, label_columns


@dataclass(frozen=True, slots=True)
class Sers(Measure):
    """Mean entropy of a record's normalised similarities to all released records, in bits.

    Tables of more than `exact_up_to` records (or as many pairs) are judged by a keyed sample of `targets` original
    records, each compared with the whole release.
    """

    name = "sers"
    title = "Uncertainty by similarity (SERS)"
    question = (
        "After comparing a whole record with all released ones, how uncertain is an intruder which one is "
        "its own?"
    )
    meaning = (
        "An intruder who compares a whole record with all released rows is as uncertain which one is its "
        "own as among {like} equally likely rows."
    )
    side = "risk"
    unit = "bits"
    better = "higher"
    bounds = (0.0, None)
    headline = 5
    marked = False
    quick_settings = MappingProxyType({"exact_up_to": 10_000, "targets": 500})

    exact_up_to: int = 100_000
    targets: int = 2_000

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Compare all records, or a sample, by all attributes except the class."""
        if context.made_up:
            return context.why_unpaired
        names = [attribute.name for attribute in original.schema.inputs]
        if not names:
            return NotComputable("There is no attribute except the class by which records could be compared.")
        if not original.rows or not released.rows:
            return NotComputable("One of the tables has no records, so there is nothing to compare.")
        rows = self._chosen(original.rows, released.rows, context)
        partner = None if context.partner is None or context.value_only else context.partner[rows]
        found = _compared(original, released, names, rows, partner, context.threads)
        value = float(found.bits.mean())
        if context.value_only:
            return Measurement(value)
        everything = [*names, *(a.name for a in original.schema.classes)]
        with_class = _compared(original, released, everything, rows, None, context.threads)
        possible = float(np.log2(released.rows))
        details = {
            "records": original.rows,
            "released_records": released.rows,
            "attributes": len(names),
            "bits_possible": possible,
            "shortfall": possible - value,
            "with_class": float(with_class.bits.mean()),
            **sampling(found.bits, original.rows, possible),
            "quantiles": quantiles(found.bits),
            "histogram": histogram(found.bits),
            "partner": None if partner is None else _partner(found, released.rows),
        }
        return Measurement(value, details, _of_records(found, rows, original.rows, partner is not None))

    def _chosen(self, originals: int, released: int, context: Context) -> Integers:
        """All original rows, or a keyed sample in row order."""
        if originals * released <= self.exact_up_to**2 or originals <= self.targets:
            return np.arange(originals)
        return context.streams.sample(self.name, "targets", originals, self.targets)

    def remarks(self, details: Details) -> str:
        """Where a person's own row stands by similarity, and the interval of an estimate."""
        partner = details.get("partner") or {}
        said = sampling_remarks(details)
        if partner.get("median_rank") is not None:
            rank = (
                f"Sorted by similarity, a person's own row is typically in place {partner['median_rank']:,.0f}; in "
                f"random order it would be in place {partner['blind_rank']:,.0f}."
            )
            said = [rank, *said]
        return " ".join(said)


def _compared(
    original: Table, released: Table, names: list[str], rows: Integers, partner: Integers | None, threads: int
) -> Resemblance:
    columns = label_columns(original.schema, original.columns)
    others = label_columns(original.schema, released.columns)
    coded, records = code_by_original(columns, others, original.schema, names)
    targets = coded if len(rows) == coded.rows else coded.take(rows)
    return resemblance(targets, records, partner, threads=threads)


def _partner(found: Resemblance, released: int) -> dict[str, Any]:
    """The rank of the true partner among all released records by similarity, and what a blind guesser expects.

    `nearest` is how often the most similar released record is the partner, ties broken at random.
    """
    ranks = found.partner_rank()
    ranks = ranks[np.isfinite(ranks)]
    facts: dict[str, Any] = {"records": len(ranks), "blind_rank": (released + 1) / 2, "blind": 1 / released}
    if not len(ranks):
        return {
            **facts,
            "mean_rank": None,
            "median_rank": None,
            "first": None,
            "nearest": None,
            "quantiles": {},
        }
    there, first = found.equal > 0, found.above == 0
    return {
        **facts,
        "mean_rank": float(ranks.mean()),
        "median_rank": float(np.median(ranks)),
        "first": float((ranks == 1.0).mean()),
        "nearest": float(np.where(first[there], 1.0 / found.equal[there], 0.0).mean()),
        "quantiles": quantiles(ranks),
    }


def _of_records(found: Resemblance, rows: Integers, records: int, paired: bool) -> dict[str, Floats]:
    numbers = {"sers_bits": found.bits, **({"partner_rank": found.partner_rank()} if paired else {})}
    return {name: of_rows(values, rows, records) for name, values in numbers.items()}
