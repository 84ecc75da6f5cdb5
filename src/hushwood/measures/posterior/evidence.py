"""What an intruder can compare, and for whom: everyone in the release, or a keyed sample.

The likelihoods are those of our own release's noise laws, or kernels fitted to the pairs of any other. A released
record says of the class of the person behind it either its released class, taken at its word, or (as the thesis does,
8.1) the class shares of its leaf in the tree that anyone can grow on the release.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from hushwood.arrays import Floats, Integers
from hushwood.measures.posterior.fitted_likelihoods import fitted_evidence
from hushwood.measures.posterior.law_likelihoods import affordable_by_laws, law_evidence
from hushwood.measures.posterior.likelihoods import Evidence
from hushwood.measures.protocol import Context, NotComputable
from hushwood.tables.table import Table, class_labels, label_columns
from hushwood.trees.routing import leaf_of_each

NOBODY_LEFT = NotComputable(
    "No record of the original has a released record, so no person can be found in the release."
)
# Pairs of values that may be compared where less than all is known: 2,000 targets of Adult are 2,000 · 30,162 · 14.
_MOST_COMPARISONS = 1_000_000_000
_FEWEST_TARGETS = 50
# Columns of pairs that a law of several columns may be asked about: a second or two.
_MOST_QUESTIONS = 6_000_000
ClassFrom = Literal["records", "leaves"]


def evidence_for(original: Table, released: Table, context: Context, targets: Integers) -> Evidence | None:
    """The evidence about some rows of the original; None if no rows are paired."""
    return law_evidence(original, released, context, targets) or fitted_evidence(
        original, released, context, targets
    )


@dataclass(frozen=True, slots=True)
class _SharedEvidence:
    """Evidence that one measure leaves for the next; it belongs to the same tables, pairing, laws and targets."""

    about: tuple[object, ...]
    targets: Integers
    evidence: Evidence | None


def _shared_evidence(
    original: Table, released: Table, context: Context, targets: Integers
) -> Evidence | None:
    """The evidence about everyone, worked out once for all measures that ask for it."""
    about = original, released, context.partner, context.steps, context.generalised
    found = context.shared.get("evidence")
    if (
        isinstance(found, _SharedEvidence)
        and all(one is other for one, other in zip(found.about, about, strict=True))
        and np.array_equal(found.targets, targets)
    ):
        return found.evidence
    evidence = evidence_for(original, released, context, targets)
    context.shared["evidence"] = _SharedEvidence(about, targets, evidence)
    return evidence


@dataclass(frozen=True, slots=True)
class Targets:
    """How many people are sought: all up to a size of the release, else a sample chosen by the key."""

    purpose: str
    exact_up_to: int
    sampled: int

    def all_known(self, original: Table, released: Table, context: Context) -> Evidence | NotComputable:
        """The evidence about everyone, or about the sample of a large release."""
        most = self.exact_up_to if released.rows <= self.exact_up_to else self.sampled
        rows = self._chosen(original, released, context, "targets", most)
        if isinstance(rows, NotComputable):
            return rows
        return _shared_evidence(original, released, context, rows) or NOBODY_LEFT

    def less_known(self, original: Table, released: Table, context: Context) -> Evidence | NotComputable:
        """The evidence about a sample, small enough to try many sets of known attributes."""
        most = affordable_targets(self.sampled, released.rows, len(original.schema.inputs))
        rows = self._chosen(original, released, context, "known", most)
        if isinstance(rows, NotComputable):
            return rows
        return evidence_for(original, released, context, rows) or NOBODY_LEFT

    def _chosen(
        self, original: Table, released: Table, context: Context, name: str, most: int
    ) -> Integers | NotComputable:
        pairs = context.paired_rows()
        if pairs is None:
            return context.why_unpaired
        by_laws = affordable_by_laws(original, released, context, _MOST_QUESTIONS)
        most = min(most, max(by_laws, _FEWEST_TARGETS))
        return pairs[0][context.streams.sample(self.purpose, name, len(pairs[0]), most)]


def paired_count(context: Context) -> int:
    """How many original records have a released one."""
    pairs = context.paired_rows()
    return 0 if pairs is None else len(pairs[0])


def affordable_targets(wanted: int, records: int, attributes: int) -> int:
    """How many targets can be compared with all released records in all attributes in a few seconds."""
    return max(min(wanted, _MOST_COMPARISONS // max(records * attributes, 1)), min(wanted, _FEWEST_TARGETS))


@dataclass(frozen=True, slots=True)
class ClassShares:
    """Label of every released record, and the shares [label, class]; a record without a class has no share."""

    classes: tuple[str, ...]
    labels: Integers
    shares: Floats

    @property
    def prior(self) -> Floats:
        """The classes' shares among all released records: what is known without any attribute."""
        return np.bincount(self.labels, minlength=len(self.shares)) / max(len(self.labels), 1) @ self.shares


def class_shares(released: Table, context: Context, class_from: ClassFrom) -> ClassShares:
    """Labels by the records' own classes, or by their leaves."""
    codes, names = class_labels(released)
    if class_from == "records":
        labels = np.where(codes < 0, len(names), codes).astype(np.int64)
        return ClassShares(names, labels, np.eye(len(names) + 1, len(names))[: labels.max(initial=0) + 1])
    grown = context.released_grown.tree
    leaf = leaf_of_each(grown.trees[0], grown, label_columns(released.schema, released.columns))
    _, labels = np.unique(leaf, return_inverse=True)
    known = codes >= 0
    counts = np.zeros((int(labels.max(initial=0)) + 1, len(names)))
    np.add.at(counts, (labels[known], codes[known]), 1.0)
    total = counts.sum(axis=1, keepdims=True)
    return ClassShares(names, labels, np.divide(counts, total, out=np.zeros_like(counts), where=total > 0))


def binary_entropy(share: Floats) -> Floats:
    """Bits of uncertainty about something that has this probability.

    >>> binary_entropy(np.array([0.0, 0.5, 208 / 600])).round(3).tolist()
    [0.0, 1.0, 0.931]
    """
    p = np.clip(share, 0.0, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        bits = -(p * np.log2(p) + (1 - p) * np.log2(1 - p))
    return np.where((p > 0) & (p < 1), bits, 0.0)
