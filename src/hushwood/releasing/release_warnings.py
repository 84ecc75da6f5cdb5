"""What a release does not protect, or protects at a price: counted over all records, batch by batch, and said.

Noise that has no effect is among it: on values of 0, and where a schema asks for it in vain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from hushwood.arrays import Array, Codes, Flags, Integers
from hushwood.releasing.fitted import PreparedStep, Ways
from hushwood.releasing.noise_texts import ADDED
from hushwood.releasing.plan import Plan
from hushwood.segments.segments import Segments
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table
from hushwood.techniques.capt import Capt
from hushwood.techniques.laws.noise import NoiseLaw
from hushwood.techniques.laws.permutation import PartialPermutationLaw
from hushwood.techniques.laws.redraw import RedrawLaw

CERTAIN = 1e-9
MANY_APART = 0.02  # of the records
_APART = ("permutation", "exchange", "noise", "kept")  # ways in which numbers are not drawn together


@dataclass
class ChangeCounts:
    """How much a release changes: which columns at all, and how many records not at all."""

    plan: Plan
    schema: Schema
    steps: Sequence[PreparedStep]
    changed: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    same_records: int = 0
    rows: int = 0
    zeros: dict[str, int] = field(default_factory=dict)

    def add(self, before: Mapping[str, Array], after: Mapping[str, Array], segment_ids: Codes) -> None:
        """Count some records; `after` are the columns that were to change."""
        rows = len(segment_ids)
        self.rows += rows
        self.names |= after.keys()
        # Where records have no order, one that equals the record in its row does so by chance.
        watched = self.plan.row_order == "kept" and not self.plan.copied(self.schema)
        same = np.ones(rows, bool)
        for name, values in after.items():
            if name not in self.changed and not np.array_equal(values, before[name], equal_nan=True):
                self.changed.add(name)
            if watched:
                same &= (values == before[name]) | ((values != values) & (before[name] != before[name]))
        self.same_records += int(same.sum()) if watched else 0
        self._add_zeros(zeros_of(self.steps, before, segment_ids))

    def merge(self, other: ChangeCounts) -> None:
        """Add what was counted elsewhere."""
        self.rows += other.rows
        self.names |= other.names
        self.changed |= other.changed
        self.same_records += other.same_records
        self._add_zeros(other.zeros)

    def _add_zeros(self, zeros: Mapping[str, int]) -> None:
        for name, count in zeros.items():
            self.zeros[name] = self.zeros.get(name, 0) + count


def warnings_about(
    changes: ChangeCounts, untouched: Mapping[str, int], stuck: Mapping[str, int], ways: Ways
) -> Iterator[str]:
    """The sentences."""
    plan, schema, total = changes.plan, changes.schema, changes.rows
    rows, paired = f"{total:,} records", plan.paired
    for name, count in untouched.items():
        yield (
            f"Column {name!r} is copied as it is in {count:,} of {rows}: {plan.recipe} has nothing to do there."
        )
    for name in (a.name for a in schema.attributes if a.name in changes.names - changes.changed):
        why = "the rules allow it only one value in every segment"
        if name in without_noise(changes.steps):
            why = "its noise is 0"
        elif plan.row_order == "none":
            why = "it has only one value"
        yield f"Column {name!r} is released unchanged: {why}."
    yield from noise_sentences(schema, plan, changes.zeros, total)
    copied = () if paired else plan.copied(schema)
    if copied:
        yield (
            f"Copied in the order of the table: {', '.join(copied)}. No released record stands for one person, so "
            "these values have nothing to do with the others of their record; declare such columns as identifiers to "
            "drop them."
        )
    if changes.same_records:
        yield (
            f"{changes.same_records:,} of {rows} are released unchanged in every column: each is alone in its segment, "
            "or the others there do not differ from it. A larger --min-leaf leaves fewer unchanged."
        )
    for name, count in stuck.items():
        yield (
            f"In column {name!r}, {count:,} numbers that few records share could not be blurred, because the rules or "
            "their neighbours leave no other number; they are released as they are, on some record of the table."
        )
    apart = sum(n for way, (_, n) in ways.items() if way in _APART)
    if apart > MANY_APART * total:
        yield (
            f"The numbers of {apart:,} of {rows} could not be drawn together, because too few records of their segment "
            "have the same columns filled: correlations and variances suffer. Fill missing values first, or use a "
            "larger --min-leaf."
        )


def untouched_by(steps: Sequence[PreparedStep], segments: Segments, sizes: Integers) -> dict[str, int]:
    """By column, the records in segments of these sizes that no step works on."""
    covered: dict[str, Flags] = {}
    for prepared in steps:
        for name, reach in reach_of(prepared, segments):
            covered[name] = covered.get(name, np.zeros(segments.count, bool)) | reach
    counts = {name: int(sizes[~reach].sum()) for name, reach in covered.items()}
    return {name: count for name, count in counts.items() if count}


def reach_of(prepared: PreparedStep, segments: Segments) -> Iterator[tuple[str, Flags]]:
    """The columns of a perturber, and in which segments it works on them."""
    for name in prepared.perturber.attributes:
        covered = prepared.perturber.covers(name)
        yield name, np.ones(segments.count, bool) if covered is None else covered


def never_changed(table: Table, steps: Sequence[PreparedStep]) -> dict[str, int]:
    """Records whose value CAPT's law is certain to keep, by column (errata C7)."""
    found: dict[str, int] = {}

    def varies(name: str) -> bool:
        return bool((table.columns[name] != table.columns[name][:1]).any())

    for step in steps:
        for part in step.perturber.law().parts:
            if not isinstance(part, RedrawLaw | PartialPermutationLaw) or part.purpose != Capt.acronym:
                continue
            if varies(part.attribute):
                certain = part.log_prob(table.columns, table.columns, step.segment_ids) > -CERTAIN
                found[part.attribute] = int(certain.sum())
    return {name: count for name, count in found.items() if count}


def noise_sentences(schema: Schema, plan: Plan, zeros: Mapping[str, int], rows: int) -> Iterator[str]:
    """Sentences about columns whose noise does less than one may think."""
    asked = [a.name for a in schema.inputs if a.noise is not None]
    if asked and not any(ADDED & set(step.technique.options.values()) for step in plan.steps):
        yield (
            f"The schema gives noise to {', '.join(asked)}, but {plan.recipe} has no use for it; other columns and "
            "these are treated alike."
        )
    for name, count in zeros.items():
        yield (
            f"Column {name!r} is 0 in {count:,} of {rows:,} records and stays 0 there: --noise-of value adds a "
            "share of the value."
        )


def without_noise(steps: Sequence[PreparedStep]) -> frozenset[str]:
    """The columns whose noise has no size anywhere."""
    laws = [law for _, law in _noise_laws(steps)]
    some = {law.attribute for law in laws if law.scale.max(initial=0.0) > 0}
    return frozenset(law.attribute for law in laws) - some


def zeros_of(
    steps: Sequence[PreparedStep], columns: Mapping[str, Array], segment_ids: Codes
) -> dict[str, int]:
    """By column, the zeros of some records whose noise is a share of the value."""
    found: dict[str, int] = {}
    for _, law in _noise_laws(steps):
        if law.of == "value":
            here = columns[law.attribute] == 0
            covered = np.ones(len(here), bool) if law.covered is None else law.covered[segment_ids]
            found[law.attribute] = found.get(law.attribute, 0) + int((here & covered).sum())
    return {name: count for name, count in found.items() if count}


def _noise_laws(steps: Sequence[PreparedStep]) -> Iterator[tuple[PreparedStep, NoiseLaw]]:
    for step in steps:
        for part in step.perturber.law().parts:
            if isinstance(part, NoiseLaw):
                yield step, part
