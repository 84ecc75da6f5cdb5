"""CAPT: a categorical value becomes one that is similar for records of its kind (thesis 6.5, errata C6-C8).

With DETECTIVE a group is a leaf of the tree that predicts the attribute: with probability p a record takes the
majority value of a sibling leaf, and otherwise a value drawn from its own leaf. Other clusterings know no siblings, so
a value is drawn from the record's group. Strict CAPT takes only values that keep the record in its segment; literal
CAPT is the thesis as printed. Instead of being drawn, the values of a group can be permuted among its records. The
clusterings are in `value_clusters`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

import numpy as np

from hushwood.arrays import Floats, Integers
from hushwood.parameters import SHARE, OneOf
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.laws.groupings import ClusterGroups, coded
from hushwood.techniques.laws.joint import LawPerturber, by_column
from hushwood.techniques.laws.permutation import PartialPermutationLaw, partial_permutation_law
from hushwood.techniques.laws.promises import AVERAGE_COUNTS, EXACT_TOTALS, Promise, dealt, redrawn
from hushwood.techniques.laws.redraw import Distributions, RedrawLaw, random_law
from hushwood.techniques.protocol import LearntOn, Target, Technique
from hushwood.trees.options import GrowOptions
from hushwood.value_clusters.protocol import ValueGroups
from hushwood.value_clusters.registry import VALUE_CLUSTERS

Mode = Literal["strict", "literal"]
Siblings = Literal["equal", "proportional"]
Redraw = Literal["draw", "permutation"]


@dataclass(frozen=True, slots=True)
class Capt(Technique):
    """Redraw among similar values; `unrelated` is the probability of change where nothing explains the attribute.

    With `redraw` by permutation, it is the probability that a record takes part in a permutation of the column.
    `clusters` names the clustering that decides which values are similar, `how` holds its parameters (None for its
    defaults), and `grow` says how the trees of some clusterings are grown.
    """

    mode: Mode = "strict"
    probability: Annotated[float, SHARE] = 0.1
    siblings: Siblings = "equal"
    unrelated: Annotated[float, SHARE] = 0.1
    grow: GrowOptions = field(default_factory=GrowOptions)
    clusters: Annotated[str, OneOf(tuple(VALUE_CLUSTERS))] = "detective"
    how: Any = None
    redraw: Redraw = "draw"
    acronym: ClassVar[str] = "CAPT"
    perturbs: ClassVar[Target] = "categorical"
    options: ClassVar[Mapping[str, str]] = {
        "mode": "capt",
        "probability": "probability",
        "grow": "grow",
        "clusters": "value_clusters",
    }

    @property
    def learnt_on(self) -> LearntOn:
        """Values are drawn for one record at a time, unless they change places."""
        return "sample" if self.redraw == "draw" else "part"

    @property
    def keeps_counts(self) -> bool:
        """Whether values only change places: by permutation, and never to a sibling's."""
        return self.redraw == "permutation" and self.probability == 0

    @property
    def trust(self) -> str:
        return EXACT_TOTALS if self.keeps_counts else AVERAGE_COUNTS

    @property
    def promise(self) -> Promise:
        """Values that change places keep their counts in the table."""
        return dealt("table") if self.keeps_counts else redrawn("inside", "table")

    @property
    def keeps_segment(self) -> bool:
        """Only the strict mode does."""
        return self.mode == "strict"

    def says(self) -> str:
        if self.redraw == "permutation":
            rules = "keeping" if self.keeps_segment else "even if that breaks"
            return f"Permuted among records that are like it in other columns, {rules} the record's rules."
        where = "that keep" if self.keeps_segment else "even if that breaks"
        return f"Redrawn among the values that are similar for records like it, {where} the record's rules."

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Learn the similar values of every attribute."""
        learn = VALUE_CLUSTERS[self.clusters]
        return by_column(
            attributes,
            lambda name: self.law_among(learn(original, name, self.grow, self.how), original, name, segments),
        )

    def law_among(
        self, clusters: ValueGroups | None, original: Table, name: str, segments: Segments
    ) -> RedrawLaw | PartialPermutationLaw:
        """The law of one attribute among known groups; None where nothing explains it."""
        where = ClusterGroups(clusters)
        if self.keeps_segment and bool(segments.influential[name].any()):
            where = replace(where, allowed=segments.allowed[name])
        if self.redraw == "permutation":
            return self._permutation(where, where(original.columns, segments.ids), original, name)
        width = len(original.schema[name].categories) + 1
        if clusters is None:
            free = random_law(original, name, self.unrelated, self.acronym)
            cells, change = _Cells.of(free.distributions), self.unrelated
        else:
            of_record, codes = clusters.group_of(original.columns), coded(original.columns[name], width)
            cells, change = _mixture(clusters, of_record, codes, width, self), np.nan
        groups = np.unique(where(original.columns, segments.ids))
        if segments.sampled:  # records outside of the sample may be in groups that it lacks
            groups = where.all_groups(int(cells.cluster.max(initial=0)) + 1)
        drawn = cells.restricted_to(groups, where, width)
        return RedrawLaw(name, drawn, np.full(int(groups.max(initial=0)) + 1, change), where, self.acronym)

    def _permutation(
        self, where: ClusterGroups, groups: Integers, original: Table, name: str
    ) -> PartialPermutationLaw:
        """Values change places within groups, except for those that become a sibling's where that is allowed."""
        width = len(original.schema[name].categories) + 1
        codes = coded(original.columns[name], width)
        share = np.ones(int(groups.max(initial=0)) + 1)
        instead = None
        if where.clusters is None:
            share[:] = self.unrelated
        elif self.probability > 0:
            here = np.unique(where.clusters_of(original.columns))
            cells = _of_siblings(where.clusters, here, 1.0, self.siblings)
            instead = cells.restricted_to(np.unique(groups), where, width) if len(cells.code) else None
        if instead is not None and len(instead.keys):
            share[np.unique(instead.keys // width)] = 1 - self.probability
        else:
            instead = None
        return partial_permutation_law(name, codes, groups, where, share, width, self.acronym, instead)


class _Cells(NamedTuple):
    """Weights of values in clusters, sorted by cluster."""

    cluster: Integers
    code: Integers
    weight: Floats

    @classmethod
    def of(cls, drawn: Distributions) -> _Cells:
        """The cells of sparse distributions."""
        return cls(drawn.keys // drawn.width, drawn.keys % drawn.width, drawn.probability)

    def restricted_to(self, groups: Integers, where: ClusterGroups, width: int) -> Distributions:
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


def _of_siblings(clusters: ValueGroups, here: Integers, probability: float, choice: Siblings) -> _Cells:
    """The majority values of every cluster's siblings, with weights that sum to the probability."""
    known = clusters.siblings
    siblings = [known.get(group, ()) for group in here.tolist()]
    majority = np.array([s.code for each in siblings for s in each], np.int64)
    of_group = np.repeat(here, [len(each) for each in siblings])
    weight = np.ones(len(majority))
    if choice == "proportional":
        weight = np.array([s.weight for each in siblings for s in each], np.float64)
    if len(majority):
        weight = probability * weight / np.bincount(of_group, weight)[of_group]
    return _Cells(of_group, majority, weight)


def _mixture(clusters: ValueGroups, groups: Integers, codes: Integers, width: int, capt: Capt) -> _Cells:
    """In every cluster: its own values, and with probability p the majority values of its siblings."""
    own = Distributions.from_weights(groups, codes, np.ones(len(codes)), width)
    here = np.unique(groups)
    of_group, majority, weight = _of_siblings(clusters, here, capt.probability, capt.siblings)
    moved = np.zeros(int(here.max(initial=0)) + 1)
    moved[of_group] = capt.probability
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
