"""What the law of counts predicts of a release: how well a list of candidates tells who was in the table."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from hushwood.releasing.perturbed import Perturbed
from hushwood.tables.table import Table
from hushwood.techniques.laws.counts import BOOTSTRAP, LISTED, advantage, column_shares, free_cells


@dataclass(frozen=True, slots=True)
class LawFacts:
    """The predicted advantage, for a list of candidates of whom a third were not in the table, and for all but one.

    `noise` is that of the counts of a segment, in units of sampling variance. A person's segment has `people` records
    and `cells` counts, on average over the people.
    """

    noise: float
    cells: float
    people: float
    listed: float
    all_but_one: float

    def count_error(self, held: float, leaf: float, records: int) -> float:
        """The standard error of a leaf's count about the people's, who were drawn before the counts were."""
        people = held * (1 - held / max(records, leaf))
        return sqrt(max(people + (self.noise - BOOTSTRAP) * held * (1 - held / leaf), 0.0))


def law_facts(original: Table, perturbed: Perturbed) -> LawFacts | None:
    """The prediction for a release whose segments release their counts; None if they do not."""
    noise = {
        name: step.technique.counts_noise
        for step in perturbed.plan.steps
        for name in step.attributes
        if step.technique.counts_noise is not None and name in original.columns
    }
    sizes = perturbed.segments.sizes
    sizes = sizes[sizes > 0]
    if not noise or not len(sizes):
        return None
    blurred = all(getattr(step.technique, "blur", 1) for step in perturbed.plan.steps)
    shares, least = column_shares(original, noise, blurred), float(min(noise.values()))
    # A sample of a long table has a part of every segment.
    people = sizes * (perturbed.learnt.of / sizes.sum())
    cells = np.array([free_cells(shares, size) for size in people.tolist()])
    weight = sizes / sizes.sum()

    def predicted(outside: float) -> float:
        each = [advantage(c, n, outside, least) for c, n in zip(cells.tolist(), people.tolist(), strict=True)]
        return float(weight @ np.array(each))

    return LawFacts(least, float(weight @ cells), float(weight @ people), predicted(LISTED), predicted(0.0))
