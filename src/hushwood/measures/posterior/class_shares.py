"""What each released record says about the class of the person behind it, as labels and shares of classes.

Either its released class, taken at its word, or (as the thesis does, 8.1) the class shares of its leaf in the tree
that anyone can grow on the release.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from hushwood.arrays import Floats, Integers
from hushwood.measures.protocol import Context
from hushwood.tables.table import Table, class_labels, label_columns
from hushwood.trees.routing import leaf_of_each

ClassFrom = Literal["records", "leaves"]


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
