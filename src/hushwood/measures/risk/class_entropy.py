"""H_c(L): how uncertain an intruder is whether a person's class is in L, after searching the release (thesis 8.1).

The probability that the class is in L is the posterior mass of the released records whose class is in L, and H_c(L)
its binary entropy (errata E6). Released classes are believed, though they may be noisy; the thesis uses the class
shares of the records' leaves instead (`class_from="leaves"`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hushwood.arrays import Floats
from hushwood.detail_tables import DetailTable
from hushwood.measures.posterior.evidence import (
    ClassFrom,
    ClassShares,
    Targets,
    binary_entropy,
    class_shares,
    paired_count,
)
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
    spread,
    summary,
    threshold_mark,
    threshold_remarks,
)
from hushwood.measures.protocol import Context, Details, Mark, Measure, Measurement, NotComputable
from hushwood.tables.table import Table


@dataclass(frozen=True, slots=True)
class ClassEntropy(Measure):
    """Mean bits about L when all attributes but the class are known; records below `threshold_bits` are exposed.

    L are the `classes`; if none are given, the one class with the lowest mean (of two classes, both have the same).
    The default threshold is half of the bits of an intruder who knows no attribute. For samples see
    `ReidentificationEntropy`.
    """

    name = "class_entropy"
    title = "Uncertainty about the class"
    question = "After searching the release, how uncertain is an intruder about a person's class?"
    meaning = (
        "After searching the release for a person's record, an intruder is left with this much "
        "uncertainty about the class: 1 bit is the toss of a coin, 0 is certainty."
    )
    about = "class"
    side = "risk"
    unit = "bits"
    better = "higher"
    bounds = (0.0, 1.0)
    declared = UncertaintyDetails
    headline = 3
    quick = False

    classes: tuple[str, ...] = ()
    class_from: ClassFrom = "records"
    known: tuple[str, ...] = ()
    threshold_bits: float | None = None
    allowed_share: float = 0.05
    below: tuple[float, ...] = ()
    exact_up_to: int = 100_000
    targets: int = 2_000

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Add up the posterior mass of every class over the released records."""
        targets = Targets(self.name, self.exact_up_to, self.targets)
        evidence = targets.all_known(original, released, context)
        if isinstance(evidence, NotComputable):
            return evidence
        told = class_shares(released, context, self.class_from)
        sets = self._sets(told)
        if isinstance(sets, NotComputable):
            return sets
        found = posteriors(evidence, told.labels, context.threads)
        each = binary_entropy(found.mass @ told.shares @ sets.T)
        worst = int(each.mean(axis=0).round(9).argmin())
        bits = each[:, worst]
        value = float(bits.mean())
        if context.value_only:
            return Measurement(value)
        prior = float(binary_entropy(sets @ told.prior)[worst])
        limit = BitsLimit(
            prior / 2 if self.threshold_bits is None else self.threshold_bits, self.allowed_share
        )
        details = {
            "classes": _named(sets[worst], told),
            "class_from": self.class_from,
            "likelihood": evidence.source,
            "records": original.rows,
            "released_records": released.rows,
            "prior_bits": prior,
            **sampling(bits, paired_count(context), 1.0),
            "below": shares_below(bits, (limit.bits, *self.below), paired_count(context)),
            **summary(bits, limit),
            "impossible": float(found.impossible.mean()),
            "each": _of_each_set(each, sets, told, limit),
        }
        some = targets.less_known(original, released, context)
        if not isinstance(some, NotComputable):
            share = told.shares @ sets[worst]
            chosen = self.known or original.schema.in_role("quasi-identifier")
            details |= by_known(
                some,
                told.labels,
                context,
                self.name,
                lambda p: binary_entropy(p.mass @ share),
                prior,
                limit,
                chosen,
            )
        return Measurement(value, details, {"class_bits": of_rows(bits, evidence.targets, original.rows)})

    def _sets(self, told: ClassShares) -> Floats | NotComputable:
        """The sets L to look at, as [set, class] of ones and zeros."""
        there = told.prior > 0
        if not there.any():
            return NotComputable("No released record has a class, so there is no class to learn.")
        if not self.classes:
            return np.eye(len(there))[there]
        strange = [name for name in self.classes if name not in told.classes]
        if strange:
            return NotComputable(f"The class has no value {strange[0]!r}.")
        return np.isin(np.array(told.classes), self.classes).astype(np.float64)[None]

    def tables(self, details: Details) -> tuple[DetailTable, ...]:
        """What each attribute alone reveals."""
        return single_attributes("What each attribute alone reveals about the class", details, "prior_bits")

    def remarks(self, details: Details) -> str:
        """Records below the threshold, where the probabilities come from, and the interval of an estimate."""
        return " ".join([*threshold_remarks(details), *sampling_remarks(details)])

    def tone(self, details: Details) -> Mark | None:
        """By the share of the records below the threshold, if it is too large."""
        return threshold_mark(details)


def _of_each_set(each: Floats, sets: Floats, told: ClassShares, limit: BitsLimit) -> list[dict[str, Any]]:
    """The spread of the bits [target, set] about every set, and the bits without any knowledge."""
    priors = binary_entropy(sets @ told.prior).tolist()
    return [
        {"classes": _named(one, told), "prior_bits": prior, **spread(bits, limit)}
        for one, prior, bits in zip(sets, priors, each.T, strict=True)
    ]


def _named(chosen: Floats, told: ClassShares) -> list[str]:
    return [name for name, one in zip(told.classes, chosen.tolist(), strict=True) if one]
