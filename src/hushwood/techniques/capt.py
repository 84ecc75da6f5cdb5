"""CAPT: a categorical value becomes one that is similar among its own kind of records (thesis 6.5, errata C6-C8).

With DETECTIVE a group is a leaf of the tree that predicts the attribute: a record takes with probability p the
majority value of a sibling leaf, and otherwise a value drawn from its own leaf. Other clusterings know no siblings, so
a value is drawn from the record's group. Strict CAPT takes only values that keep the record in its segment; literal
CAPT is the thesis as printed. The clusterings are in `value_clusters`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hushwood.errors import unknown_name
from hushwood.segments.segments import Allowed, Segments
from hushwood.tables.table import Table
from hushwood.techniques.joint import JointLaw, LawPerturber
from hushwood.techniques.probability import checked_probability
from hushwood.techniques.promises import Promise, redrawn
from hushwood.techniques.protocol import Columns, Target
from hushwood.techniques.random_categorical import random_law
from hushwood.techniques.redraw import Distributions, RedrawLaw, coded
from hushwood.trees.options import GrowOptions
from hushwood.value_clusters.protocol import ValueGroups
from hushwood.value_clusters.registry import VALUE_CLUSTERS

Mode = Literal["strict", "literal"]
Siblings = Literal["equal", "proportional"]


@dataclass(frozen=True, slots=True)
class Capt:
    """Redraw among similar values; `unrelated` is the probability of change where nothing explains the attribute.

    `clusters` names the clustering that says which values are similar, `how` are its parameters (None: its own
    choice); the trees of some are grown by `grow`.
    """

    mode: Mode = "strict"
    probability: float = 0.1
    siblings: Siblings = "equal"
    unrelated: float = 0.1
    grow: GrowOptions = field(default_factory=GrowOptions)
    clusters: str = "detective"
    how: Any = None
    acronym: ClassVar[str] = "CAPT"
    perturbs: ClassVar[Target] = "categorical"
    jointly: ClassVar[bool] = False
    promise: ClassVar[Promise] = redrawn("inside", "table")

    def __post_init__(self) -> None:
        checked_probability("probability", self.probability)
        checked_probability("unrelated", self.unrelated)
        for name, allowed in (
            ("mode", ("strict", "literal")),
            ("siblings", ("equal", "proportional")),
            ("clusters", tuple(VALUE_CLUSTERS)),
        ):
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
        clusters = VALUE_CLUSTERS[self.clusters](original, name, self.grow, self.how)
        return self.law_among(clusters, original, name, segments)

    def law_among(
        self, clusters: ValueGroups | None, original: Table, name: str, segments: Segments
    ) -> RedrawLaw:
        """The law of one attribute among groups that are there already; None where nothing explains it."""
        where = Where(clusters)
        width = len(original.schema[name].categories) + 1
        if clusters is None:
            free = random_law(original, name, self.unrelated, self.acronym)
            cells, change = _Cells.of(free.distributions), self.unrelated
        else:
            of_record, codes = clusters.group_of(original.columns), coded(original.columns[name], width)
            cells, change = _mixture(clusters, of_record, codes, width, self), np.nan
        if self.keeps_segment and bool(segments.influential[name].any()):
            where = replace(where, allowed=segments.allowed[name])
        groups = where(original.columns, segments.ids)
        drawn = cells.restricted_to(np.unique(groups), where, width)
        return RedrawLaw(name, drawn, np.full(int(groups.max(initial=0)) + 1, change), where, self.acronym)


@dataclass(frozen=True, slots=True)
class Where:
    """Group of a record: its cluster, if there are any, and the set of values its segment allows."""

    clusters: ValueGroups | None
    allowed: Allowed | None = None

    def clusters_of(self, columns: Columns) -> NDArray[np.int64]:
        """The cluster of every record; 0 where nothing explains the attribute."""
        if self.clusters is None:
            return np.zeros(len(next(iter(columns.values()))), np.int64)
        return self.clusters.group_of(columns)

    def __call__(self, columns: Columns, segment_ids: NDArray[Any]) -> NDArray[np.int64]:
        """The group of every record."""
        clusters = self.clusters_of(columns)
        if self.allowed is None:
            return clusters
        return np.asarray(clusters * len(self.allowed.sets) + self.allowed.of_segment[segment_ids])


class _Cells(NamedTuple):
    """Weights of values in clusters, sorted by cluster."""

    cluster: NDArray[np.int64]
    code: NDArray[np.int64]
    weight: NDArray[np.float64]

    @classmethod
    def of(cls, drawn: Distributions) -> _Cells:
        """The cells of sparse distributions."""
        return cls(drawn.keys // drawn.width, drawn.keys % drawn.width, drawn.probability)

    def restricted_to(self, groups: NDArray[np.int64], where: Where, width: int) -> Distributions:
        """The distribution of every group: its cluster's, among the values that its set allows."""
        sets = np.ones((1, width), bool) if where.allowed is None else where.allowed.sets
        cluster, allowed = groups // len(sets), groups % len(sets)
        begin = np.searchsorted(self.cluster, cluster)
        size = np.searchsorted(self.cluster, cluster, side="right") - begin
        cell = np.repeat(begin - np.concatenate([[0], np.cumsum(size)[:-1]]), size) + np.arange(size.sum())
        keep = sets[np.repeat(allowed, size), self.code[cell]]
        cell = cell[keep]
        return Distributions.from_weights(
            np.repeat(groups, size)[keep], self.code[cell], self.weight[cell], width
        )


def _mixture(
    clusters: ValueGroups, groups: NDArray[np.int64], codes: NDArray[np.int64], width: int, capt: Capt
) -> _Cells:
    """In every cluster: its own values, and with probability p the majority values of its siblings."""
    own = Distributions.from_weights(groups, codes, np.ones(len(codes)), width)
    here, known = np.unique(groups), clusters.siblings
    siblings = [known.get(group, ()) for group in here.tolist()]
    majority = np.array([s.code for each in siblings for s in each], np.int64)
    of_group = np.repeat(here, [len(each) for each in siblings])
    weight = np.ones(len(majority))
    if capt.siblings == "proportional":
        weight = np.array([s.weight for each in siblings for s in each], np.float64)
    moved = np.zeros(int(here.max(initial=0)) + 1)
    moved[of_group] = capt.probability
    if len(majority):
        weight = capt.probability * weight / np.bincount(of_group, weight)[of_group]
    group = own.keys // width
    # Never quite 0: with p = 1 a record whose siblings are not allowed still has its own cluster to draw from.
    kept = np.maximum(1 - moved[group], 1e-12) * own.probability
    together = Distributions.from_weights(
        np.concatenate([group, of_group]),
        np.concatenate([own.keys % width, majority]),
        np.concatenate([kept, weight]),
        width,
    )
    return _Cells.of(together)
