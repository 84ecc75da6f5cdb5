"""H_RI: how unsure an intruder is which released record is a person's, from the noise itself (thesis 8.1).

P(i) is proportional to the product over the known attributes of P(released value of i | the person's value). `sers`
asks the same with similarities in the place of probabilities.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hushwood.measures.protocol import Context, Direction, Measurement, NotComputable, Side
from hushwood.measures.risk.bits import Limit, of_rows, sampling, summary
from hushwood.measures.risk.evidence import Targets, paired_count
from hushwood.measures.risk.known_attributes import by_known
from hushwood.measures.risk.posteriors import posteriors
from hushwood.tables.table import Table


@dataclass(frozen=True, slots=True)
class ReidentificationEntropy:
    """Mean bits when all attributes but the class are known; records below `threshold_bits` are exposed.

    The threshold is half of the possible bits if none is given. Tables of more than `exact_up_to` records are judged
    by a keyed sample of `targets`; what is said by known attributes always is: single ones, random sets of every size,
    and the `known` ones, or else the declared quasi-identifiers.
    """

    name: ClassVar[str] = "reidentification_entropy"
    question: ClassVar[str] = (
        "How unsure is somebody who knows a person's record and how the noise was made which released record is theirs?"
    )
    side: ClassVar[Side] = "risk"
    better: ClassVar[Direction] = "higher"
    bounds: ClassVar[tuple[float | None, float | None]] = (0.0, None)
    best: ClassVar[float | None] = None

    known: tuple[str, ...] = ()
    threshold_bits: float | None = None
    allowed_share: float = 0.05
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
        limit = Limit(
            possible / 2 if self.threshold_bits is None else self.threshold_bits, self.allowed_share
        )
        details = {
            "likelihood": evidence.source,
            "records": original.rows,
            "released_records": released.rows,
            "bits_possible": possible,
            **sampling(found.bits, paired_count(context), possible),
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
