"""H_RI: how uncertain an intruder who knows the law of the noise is which released record is a person's (thesis 8.1).

P(i) is proportional to the product over the known attributes of P(released value of i | the person's value). `sers`
asks the same with similarities instead of probabilities.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from hushwood.detail_tables import DetailTable
from hushwood.measures.posterior.evidence import Targets, paired_count
from hushwood.measures.posterior.posteriors import posteriors
from hushwood.measures.posterior.uncertainty import (
    BitsLimit,
    UncertaintyDetails,
    by_known,
    of_rows,
    sampling,
    sampling_remarks,
    shares_below,
    single_attributes,
    summary,
    threshold_mark,
    threshold_remarks,
)
from hushwood.measures.protocol import Context, Details, Mark, Measure, Measurement, NotComputable
from hushwood.tables.table import Table


@dataclass(frozen=True, slots=True)
class ReidentificationEntropy(Measure):
    """Mean bits when all attributes but the class are known; records below `threshold_bits` are exposed.

    The default threshold is half of the possible bits; records are counted `below` further ones too. Tables of more
    than `exact_up_to` records are judged by a keyed sample of `targets`; the results by known attributes always are:
    for single attributes, random sets of every size, and the `known` attributes or else the declared quasi-identifiers.
    """

    name = "reidentification_entropy"
    title = "Uncertainty about identity"
    question = (
        "Knowing a person's record and how the release was made, how uncertain is an intruder which "
        "released record is theirs?"
    )
    meaning = (
        "An intruder who knows a person's whole record and how the release was made is as uncertain which "
        "row is that person's as among {like} equally likely rows."
    )
    side = "risk"
    unit = "bits"
    better = "higher"
    bounds = (0.0, None)
    declared = UncertaintyDetails
    headline = 1
    quick_settings = MappingProxyType({"exact_up_to": 10_000, "targets": 500})

    known: tuple[str, ...] = ()
    threshold_bits: float | None = None
    allowed_share: float = 0.05
    below: tuple[float, ...] = ()
    exact_up_to: int = 100_000
    targets: int = 2_000

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """All pairs of an original record and a released one, in logarithms."""
        targets = Targets(self.name, self.exact_up_to, self.targets)
        evidence = targets.all_known(original, released, context)
        if isinstance(evidence, NotComputable):
            return evidence
        labels = np.zeros(released.rows, np.int64)
        found = posteriors(evidence, labels, context.threads)
        value = float(found.bits.mean())
        if context.value_only:
            return Measurement(value)
        possible = float(np.log2(released.rows))
        limit = BitsLimit(
            possible / 2 if self.threshold_bits is None else self.threshold_bits, self.allowed_share
        )
        details = {
            "likelihood": evidence.source,
            "records": original.rows,
            "released_records": released.rows,
            "bits_possible": possible,
            **sampling(found.bits, paired_count(context), possible),
            "below": shares_below(found.bits, (limit.bits, *self.below), paired_count(context)),
            **summary(found.bits, limit),
            "impossible": float(found.impossible.mean()),
            "attributes": [{"name": name, **said} for name, said in evidence.described.items()],
        }
        some = targets.less_known(original, released, context)
        if not isinstance(some, NotComputable):
            chosen = self.known or original.schema.in_role("quasi-identifier")
            details |= by_known(
                some, labels, context, self.name, lambda each: each.bits, possible, limit, chosen
            )
        return Measurement(
            value, details, {"reidentification_bits": of_rows(found.bits, evidence.targets, original.rows)}
        )

    def tables(self, details: Details) -> tuple[DetailTable, ...]:
        """What each attribute alone reveals."""
        return single_attributes("What each attribute alone reveals about identity", details, "bits_possible")

    def remarks(self, details: Details) -> str:
        """Records below the threshold, where the probabilities come from, and the interval of an estimate."""
        return " ".join([*threshold_remarks(details), *sampling_remarks(details)])

    def tone(self, details: Details) -> Mark | None:
        """By the share of the records below the threshold, if it is too large."""
        return threshold_mark(details)
