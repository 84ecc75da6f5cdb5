"""Ways that might better segment-shuffle, tried on the development tables: `python -m frontier.variants`.

None of them is in the product. docs/segment-shuffle.md says what each was for and what it gave; the numbers come from
here. One line of JSON per run goes to the file that is named, and the paired differences from the technique as it is
are printed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import numpy as np

from frontier.records import coded
from frontier.tables import DEVELOPMENT, Split, secret, split
from frontier.yardstick import measured
from hushwood.arrays import Array, Codes, Floats, Integers
from hushwood.random_streams import Rows, Streams
from hushwood.releasing.forest_for import forest_for, with_large_leaves
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.perturb import laid_out
from hushwood.releasing.planning import plan_for
from hushwood.tables.frames.table_frames import released_frame
from hushwood.tables.reading import read
from hushwood.tables.table import Table, with_present_categories
from hushwood.techniques.protocol import Columns
from hushwood.techniques.segment_shuffle import ShufflePerturber
from hushwood.techniques.sequential.coded_columns import CodedColumn, coded_inputs
from hushwood.techniques.sequential.hand_outs import Slots
from hushwood.techniques.sequential.proposal_trees import ProposalTree, grow_proposal_tree, smallest_leaf
from hushwood.techniques.sequential.shuffled_columns import Proposals, gap_flags
from hushwood.techniques.sequential.taught_values import labelled

AS_IT_IS = "as it is"
SEEDS = (0, 1, 2)
FAR = 1 << 32  # numbers of leaves in different segments lie this far apart


class ClassesOverGroups(ShufflePerturber):
    """Class counts exact over four segments with like class shares, not in each of them."""

    segments_together = 4

    def _classes_handed_out(
        self, lessons: Any, columns: Any, codes: Any, new: Any, segment_ids: Array, slots: Slots
    ) -> dict[str, Array]:
        own = labelled(self._classes()[0], columns).codes
        common = np.bincount(own).argmax()
        share = np.bincount(slots.groups, own == common) / np.diff(slots.start)
        rank = np.empty(slots.group_count, np.int64)
        rank[np.argsort(share, kind="stable")] = np.arange(slots.group_count)
        groups = (rank // self.segments_together)[slots.groups]
        start = np.concatenate([[0], np.cumsum(np.bincount(groups))])
        together = replace(slots, groups=groups, start=start)
        return super()._classes_handed_out(lessons, columns, codes, new, segment_ids, together)


class ClassesOverTheTable(ClassesOverGroups):
    """Class counts exact over the table only."""

    segments_together = sys.maxsize


@dataclass(frozen=True)
class TreesInSegments:
    """A proposal tree of its own for every segment, so that each cell of segment and leaf has m donors or none."""

    trees: Mapping[int, ProposalTree]
    groups: Integers

    def leaves(self, released: Mapping[str, CodedColumn], rows: int, threads: int = 1) -> Integers:
        out = np.zeros(rows, np.int64)
        for group, tree in self.trees.items():
            here = np.flatnonzero(self.groups == group)
            part = {name: column.take(here) for name, column in released.items()}
            out[here] = tree.leaves(part, len(here)).astype(np.int64) + group * FAR
        return out

    def draw(self, leaves: Array, u: Floats) -> Codes:
        out = np.zeros(len(leaves), np.int32)
        for group, tree in self.trees.items():
            here = np.flatnonzero(leaves // FAR == group)
            out[here] = tree.draw(leaves[here] % FAR, u[here])
        return out


class CellsOfSegments(ShufflePerturber):
    """The first half of the cell condition: proposal trees are grown inside every segment."""

    def perturb(self, columns: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        learnt = self.learnt(columns, row_ids, streams)
        if learnt.lessons is None:
            raise LookupError("Nothing was learnt.")
        proposals, schema = learnt.lessons.proposals, self.stated.schema
        names = [one.column.name for one in proposals]
        known = {column.name: column for column in coded_inputs(schema, names, columns)}
        least, groups = smallest_leaf(self.technique.k, len(row_ids)), np.asarray(segment_ids, np.int64)

        def inside(tree: ProposalTree | None, target: CodedColumn) -> Any:
            if tree is None:
                return None
            before, trees = [known[name] for name in tree.predictors], {}
            for group in np.unique(groups).tolist():
                rows = np.flatnonzero(groups == group)
                rows = rows[target.codes[rows] > 0] if target.numeric else rows
                if len(rows):
                    trees[group] = grow_proposal_tree(target, before, rows, least)
            return TreesInSegments(trees, groups)

        new = tuple(
            Proposals(one.column, inside(one.tree, own), inside(one.gaps, gap_flags(own)))
            for one, own in ((one, known[one.column.name]) for one in proposals)
        )
        taught = ShufflePerturber(self.stated, replace(learnt.lessons, proposals=new))
        return taught.perturb(columns, segment_ids, row_ids, streams)


class LargerLeaves(ShufflePerturber):
    """Proposal trees with at least k records in a leaf, instead of half as many."""

    def learnt(self, columns: Columns, row_ids: Rows, streams: Streams) -> ShufflePerturber:
        twice = replace(self.technique, k=2 * self.technique.k)
        doubled = ShufflePerturber(replace(self.stated, technique=twice))
        return replace(self, lessons=doubled.learnt(columns, row_ids, streams).lessons)


@dataclass(frozen=True)
class Variant:
    """How a release is made: by which perturber, with which options."""

    perturber: type[ShufflePerturber] = ShufflePerturber
    options: Mapping[str, Any] | None = None


VARIANTS = {
    AS_IT_IS: Variant(),
    "classes over four segments": Variant(ClassesOverGroups),
    "classes over the table": Variant(ClassesOverTheTable),
    "trees inside segments": Variant(CellsOfSegments),
    "leaves of k records": Variant(LargerLeaves),
    "boosting alone as teacher": Variant(options={"teacher": "boosting"}),
    "k = 100": Variant(options={"k": 100}),
    "blur of 10 places": Variant(options={"blur": 10}),
}


def released(variant: Variant, table: Table, key: bytes) -> Table:
    """The slots of a release, in their order."""
    options = PerturbOptions(technique="segment-shuffle", threads=1, **(variant.options or {}))
    streams, plan = Streams(key), plan_for(options, table)
    grown, _ = forest_for(table, plan, options.builder(table.rows), streams)
    forest, _ = with_large_leaves(grown, table, plan.smallest_segment)
    laid = laid_out(table, plan, forest, options)
    stated = laid.prepared[0].perturber
    assert isinstance(stated, ShufflePerturber)
    perturber = variant.perturber(stated.stated)
    return table.with_columns(perturber.perturb(table.columns, laid.segments.ids, range(table.rows), streams))


def run(variant: Variant, parts: Split, key: bytes) -> dict[str, float | None]:
    table = with_present_categories(read(parts.frame, target=parts.target).table)
    frame = released_frame(released(variant, table, key))
    records = coded(frame, parts.reference.columns, parts.reference.streams)
    return measured(parts.reference, records, partners=True)


def main(file: Path, names: Sequence[str]) -> None:
    import sklearn.ensemble  # noqa: F401 - only libraries that are loaded can be limited
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    found: dict[tuple[str, int, str], dict[str, float | None]] = {}
    with threadpool_limits(1), file.open("a", encoding="utf-8") as lines:
        for table in DEVELOPMENT:
            for seed in SEEDS:
                parts, key = split(table, seed), secret("release", table, seed)
                for name in names:
                    found[table, seed, name] = values = run(VARIANTS[name], parts, key)
                    lines.write(json.dumps({"table": table, "seed": seed, "variant": name, **values}) + "\n")
                    lines.flush()
    for name in names:
        show(name, found)


def show(name: str, found: Mapping[tuple[str, int, str], Mapping[str, float | None]]) -> None:
    """Means of a variant, and of its differences from the technique as it is with their standard errors."""
    print(name)
    for measure in next(iter(found.values())):
        pairs = [
            (values[measure], found[table, seed, AS_IT_IS][measure])
            for (table, seed, variant), values in found.items()
            if variant == name and (table, seed, AS_IT_IS) in found
        ]
        known = [(value, plain) for value, plain in pairs if value is not None and plain is not None]
        if len(known) > 1:
            apart = [value - plain for value, plain in known]
            error = stdev(apart) / len(apart) ** 0.5
            print(f"  {measure:22} {fmean(v for v, _ in known):.4f}  {fmean(apart):+.4f} ± {error:.4f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or list(VARIANTS))
