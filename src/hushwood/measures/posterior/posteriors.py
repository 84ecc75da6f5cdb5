"""Which released record is a target's: entropies of the posterior, and its mass on every label of released records.

P(i) is proportional to the product of the known attributes' likelihoods (thesis 8.1). If all products are 0, every
record is equally likely (errata E2). The work is done in `kernels.posteriors`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Flags, Floats, Integers
from hushwood.distances.neighbours import over_targets
from hushwood.measures.posterior.layout import laid_out
from hushwood.measures.posterior.likelihoods import Evidence
from hushwood.measures.posterior.plain_columns import plain_columns


@dataclass(frozen=True, slots=True)
class Posteriors:
    """Bits of entropy of every target, its posterior mass of every label, and whether all was impossible.

    The last axis is that of the intruder's knowledge, if it varies; `mass` has one more axis, the labels.
    """

    bits: Floats
    mass: Floats
    impossible: Flags


def posteriors(evidence: Evidence, labels: Integers, threads: int) -> Posteriors:
    """All targets when all attributes of the evidence are known; labels are 0, 1, ... for every released record."""
    from hushwood.measures.kernels.posteriors import entropies

    evidence = evidence.together()
    plain = plain_columns(evidence)
    layout = laid_out(evidence, labels, plain.sorting())
    columns, who = plain.arranged(layout), plain.who()
    count = len(evidence.targets)
    bits, mass = np.empty(count), np.zeros((count, _label_count(labels)))

    def work(first: int, last: int) -> None:
        entropies(who, first, last, layout.tiles, layout.values, columns, layout.forms, bits, mass)

    over_targets(count, threads, work)
    return _finished(bits, mass, labels)


def posteriors_by_known(
    evidence: Evidence, labels: Integers, order: Integers, threads: int
) -> tuple[Posteriors, Posteriors]:
    """The same for every attribute known alone [target, attribute], and for the first 1, 2, ... of a target's order.

    `order[target]` lists the attributes (their places in the evidence) in the order in which they become known. Here
    every attribute counts for itself, even if it belongs to a group.
    """
    from hushwood.measures.kernels.posteriors import entropies_by_known

    layout = laid_out(evidence, labels)
    shape = order.shape
    alone, together = np.empty(shape), np.empty(shape)
    alone_mass, more_mass = np.zeros((*shape, _label_count(labels))), np.zeros((*shape, _label_count(labels)))

    def work(first: int, last: int) -> None:
        entropies_by_known(
            first,
            last,
            layout.tiles,
            layout.values,
            layout.forms,
            order,
            alone,
            alone_mass,
            together,
            more_mass,
        )

    over_targets(shape[0], threads, work)
    return _finished(alone, alone_mass, labels), _finished(together, more_mass, labels)


def _label_count(labels: Integers) -> int:
    return int(labels.max(initial=0)) + 1


def _finished(bits: Floats, mass: Floats, labels: Integers) -> Posteriors:
    """With the uniform distribution where all was impossible, and without rounding beyond the limits."""
    most = float(np.log2(len(labels)))
    impossible = bits < -0.5
    mass[impossible] = np.bincount(labels) / len(labels)
    return Posteriors(np.where(impossible, most, np.clip(bits, 0.0, most)), mass, impossible)
