"""CAPT: a categorical value becomes one that is similar among its own kind of records (thesis 6.5, errata C6-C8).

In a leaf of the tree that predicts the attribute, a record takes with probability p the majority value of a sibling
leaf, and otherwise a value drawn from its own leaf. Strict CAPT takes only values that keep the record in its
segment; literal CAPT is the thesis as printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hushwood.errors import unknown_name
from hushwood.segments.segments import Allowed, Segments
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table, label_columns
from hushwood.techniques.joint import JointLaw, LawPerturber
from hushwood.techniques.probability import checked_probability
from hushwood.techniques.protocol import Columns, Target
from hushwood.techniques.random_categorical import random_law
from hushwood.techniques.redraw import Distributions, RedrawLaw, coded
from hushwood.trees.options import GrowOptions
from hushwood.trees.routing import leaf_of_each
from hushwood.value_clusters.detective import ValueClusters, detective

Mode = Literal["strict", "literal"]
Siblings = Literal["equal", "proportional"]


@dataclass(frozen=True, slots=True)
class Capt:
    """Redraw among similar values; `unrelated` is the probability of change where nothing predicts the attribute."""

    mode: Mode = "strict"
    probability: float = 0.1
    siblings: Siblings = "equal"
    unrelated: float = 0.1
    grow: GrowOptions = field(default_factory=GrowOptions)
    acronym: ClassVar[str] = "CAPT"
    perturbs: ClassVar[Target] = "categorical"
    jointly: ClassVar[bool] = False

    def __post_init__(self) -> None:
        checked_probability("probability", self.probability)
        checked_probability("unrelated", self.unrelated)
        for name, allowed in (("mode", ("strict", "literal")), ("siblings", ("equal", "proportional"))):
            if getattr(self, name) not in allowed:
                raise unknown_name(f"CAPT {name}", getattr(self, name), allowed)

    @property
    def keeps_segment(self) -> bool:
        """Only the strict mode does."""
        return self.mode == "strict"

    def says(self) -> str:
        """One sentence for reports."""
        where = (
            " that keeps the record's rules"
            if self.keeps_segment
            else ", also if it breaks the record's rules"
        )
        return f"Redrawn among the values that are similar for records like it, to one{where}."

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Learn the similar values of every attribute."""
        laws = [self._law(original, name, segments) for name in attributes]
        return LawPerturber(tuple(attributes), JointLaw(tuple(laws)))

    def _law(self, original: Table, name: str, segments: Segments) -> RedrawLaw:
        clusters = detective(original, name, self.grow)
        width = len(original.schema[name].categories) + 1
        if clusters is None or clusters.unrelated:
            free = random_law(original, name, self.unrelated, self.acronym)
            where, cells, change = Where(None, original.schema), _Cells.of(free.distributions), self.unrelated
        else:
            where, change = Where(clusters, original.schema), np.nan
            codes = coded(original.columns[name], width)
            cells = _mixture(clusters, where.leaves(original.columns), codes, width, self)
        if self.keeps_segment and bool(segments.influential[name].any()):
            where = replace(where, allowed=segments.allowed[name])
        groups = where(original.columns, segments.ids)
        drawn = cells.restricted_to(np.unique(groups), where, width)
        return RedrawLaw(name, drawn, np.full(int(groups.max(initial=0)) + 1, change), where, self.acronym)


@dataclass(frozen=True, slots=True)
class Where:
    """Group of a record: its leaf in the attribute's own tree, and the set of values its segment allows."""

    clusters: ValueClusters | None
    schema: Schema
    allowed: Allowed | None = None

    def leaves(self, columns: Columns) -> NDArray[np.int64]:
        """The leaf of every record; 0 where there is no tree."""
        if self.clusters is None:
            return np.zeros(len(next(iter(columns.values()))), np.int64)
        named = label_columns(self.schema, columns)
        return leaf_of_each(self.clusters.tree, self.clusters.forest, named).astype(np.int64)

    def __call__(self, columns: Columns, segment_ids: NDArray[Any]) -> NDArray[np.int64]:
        """The group of every record."""
        leaves = self.leaves(columns)
        if self.allowed is None:
            return leaves
        return np.asarray(leaves * len(self.allowed.sets) + self.allowed.of_segment[segment_ids])


class _Cells(NamedTuple):
    """Weights of values in leaves, sorted by leaf."""

    leaf: NDArray[np.int64]
    code: NDArray[np.int64]
    weight: NDArray[np.float64]

    @classmethod
    def of(cls, drawn: Distributions) -> _Cells:
        """The cells of sparse distributions."""
        return cls(drawn.keys // drawn.width, drawn.keys % drawn.width, drawn.probability)

    def restricted_to(self, groups: NDArray[np.int64], where: Where, width: int) -> Distributions:
        """The distribution of every group: its leaf's, among the values that its set allows."""
        sets = np.ones((1, width), bool) if where.allowed is None else where.allowed.sets
        leaf, allowed = groups // len(sets), groups % len(sets)
        begin, end = np.searchsorted(self.leaf, leaf), np.searchsorted(self.leaf, leaf, side="right")
        size = end - begin
        cell = np.repeat(begin - np.concatenate([[0], np.cumsum(size)[:-1]]), size) + np.arange(size.sum())
        keep = sets[np.repeat(allowed, size), self.code[cell]]
        cell = cell[keep]
        return Distributions.from_weights(
            np.repeat(groups, size)[keep], self.code[cell], self.weight[cell], width
        )


def _mixture(
    clusters: ValueClusters, leaves: NDArray[np.int64], codes: NDArray[np.int64], width: int, capt: Capt
) -> _Cells:
    """In every leaf: its own values, and with probability p the majority values of its siblings."""
    own = Distributions.from_weights(leaves, codes, np.ones(len(codes)), width)
    here = np.unique(leaves)
    siblings = [clusters.siblings.get(leaf, ()) for leaf in here.tolist()]
    sibling = np.array([s for each in siblings for s in each], np.int64)
    of_leaf = np.repeat(here, [len(each) for each in siblings])
    weight = np.ones(len(sibling)) if capt.siblings == "equal" else clusters.tree.counts[sibling].sum(axis=1)
    moved = np.zeros(len(clusters.tree))
    moved[of_leaf] = capt.probability
    if len(sibling):
        weight = capt.probability * weight / np.bincount(of_leaf, weight)[of_leaf]
    leaf = own.keys // width
    # Never quite 0: with p = 1 a record whose siblings are not allowed still has its own leaf to draw from.
    kept = np.maximum(1 - moved[leaf], 1e-12) * own.probability
    together = Distributions.from_weights(
        np.concatenate([leaf, of_leaf]),
        np.concatenate([own.keys % width, clusters.tree.label[sibling].astype(np.int64)]),
        np.concatenate([kept, weight]),
        width,
    )
    return _Cells.of(together)
