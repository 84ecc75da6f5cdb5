"""The released records that an intruder takes for a target's: the likeliest ones, and what can be read off them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Floats, Integers
from hushwood.distances.neighbours import over_targets
from hushwood.measures.posterior.layout import laid_out
from hushwood.measures.posterior.likelihoods import Evidence

_NEARLY = np.float32(1e-3)  # bits: what sums in single precision may differ by


@dataclass(frozen=True, slots=True)
class Links:
    """Of every target: the probability of its likeliest released record, how many records have it, and the chances
    that one of these, taken at random, is the target's own, and that it has the target's label.
    """

    belief: Floats
    ties: Floats
    own: Floats
    same_label: Floats


def likeliest_links(
    evidence: Evidence, partner: Integers, labels: Integers, wanted: Integers, threads: int
) -> Links:
    """The links of all targets; `partner` are their released rows, `wanted` the labels that they have in truth."""
    from hushwood.measures.kernels.posteriors import likeliest

    evidence = evidence.together()
    layout = laid_out(evidence, np.zeros(len(labels), np.int64))
    place = np.empty(len(labels), np.int64)
    place[layout.order] = np.arange(len(labels))
    own, ordered = place[partner], labels[layout.order]
    found = np.zeros((len(partner), 4))

    def work(first: int, last: int) -> None:
        likeliest(
            first, last, layout.tiles, layout.values, layout.forms, own, wanted, ordered, _NEARLY, found
        )

    over_targets(len(partner), threads, work)
    belief, ties, partners, same = found.T
    return Links(np.minimum(belief, 1 / ties), ties, partners / ties, same / ties)
