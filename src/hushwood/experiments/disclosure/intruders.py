"""Who looks for a record in a perturbed table in thesis 8.1, and how unsure each of them stays (Table 8.1).

All compare the values they know with the released ones by the law of the noise; they differ in what they take that law
to be. `measures.risk` has the strongest of them, who also reads the segment of every released record.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from hushwood.frameworks.perturb import PerturbOptions, laid_out
from hushwood.measures.grown import Grown
from hushwood.measures.risk.class_shares import ClassShares, binary_entropy
from hushwood.tables.table import Table
from hushwood.trees.routing import leaf_of_each

Doubles = NDArray[np.float64]
# The share of an attribute's domain that is the standard deviation of its noise, as the thesis writes it.
DEVIATION = 0.3333


@dataclass(frozen=True, slots=True)
class Sought:
    """A record by its values, and its attributes in the order in which they become known."""

    values: Mapping[str, float]
    order: tuple[str, ...]
    classes: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Uncertainty:
    """Bits that are lacking about the record and about its class, for 0, 1, 2, ... known attributes."""

    record: tuple[float, ...]
    class_: tuple[float, ...]


def by_leaf(sought: Sought, released: Table, grown: Grown, options: PerturbOptions) -> list[Doubles]:
    """Log likelihoods of every released record, by attribute, in the leaf that this tree gives the record.

    The domains of that leaf are taken for all released records (thesis 8.1): a value outside of them is impossible.
    """
    tree = grown.tree
    _, segments, steps = laid_out(grown.table, options.plan(grown.table), tree, 1)
    own = _leaf_of(sought, grown)
    segment = segments.ids[np.flatnonzero(leaf_of_each(tree.trees[0], tree, grown.table.columns) == own)[0]]
    there = np.full(released.rows, segment)
    found = {name: np.zeros(released.rows) for name in sought.order}
    for step in steps:
        for name in set(step.perturber.attributes) & set(sought.order):
            same = {name: np.full(released.rows, sought.values[name])}
            found[name] += step.perturber.law().log_prob(same, released.columns, there)
    return [found[name] for name in sought.order]


def by_bell_curve(sought: Sought, released: Table) -> list[Doubles]:
    """Log likelihoods as if the noise were a plain bell curve over the whole domain: no leaf, no wrap-around."""
    found = []
    for name in sought.order:
        values = released.columns[name]
        deviation = DEVIATION * (values.max() - values.min() + 1)
        found.append(-((values - sought.values[name]) ** 2) / (2 * deviation**2))
    return found


def uncertainty(sought: Sought, likelihoods: Sequence[Doubles], told: ClassShares) -> Uncertainty:
    """What is lacking when the first 0, 1, 2, ... attributes are known."""
    from scipy.stats import entropy

    together = np.cumsum([np.zeros(len(told.labels)), *likelihoods], axis=0)
    highest = together.max(axis=1, keepdims=True)
    # Where no released record is possible all are as likely as each other (errata E2).
    together = np.where(np.isneginf(highest), 0.0, together - np.where(np.isneginf(highest), 0.0, highest))
    weights = np.exp(together)
    weights /= weights.sum(axis=1, keepdims=True)
    chosen = [told.classes.index(name) for name in sought.classes]
    share = told.shares[told.labels][:, chosen].sum(axis=1)
    bits, class_bits = entropy(weights, base=2, axis=1), binary_entropy(weights @ share)
    return Uncertainty(tuple(map(float, bits)), tuple(map(float, class_bits)))


def _leaf_of(sought: Sought, grown: Grown) -> int:
    """The leaf to which the record's values lead in this tree."""
    one = {name: np.array([value]) for name, value in sought.values.items()}
    return int(leaf_of_each(grown.tree.trees[0], grown.tree, one)[0])
