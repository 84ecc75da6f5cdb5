"""A fitted release: everything learnt, small enough to be sent to another process, and able to change any records.

Rules and noise are learnt on the table or, if that is long, on a keyed sample of it. Techniques that treat every record
by itself then take any batch. Those that let values change places take a part of the table at a time: see `parts`.
Engines decide only which records are where; what becomes of them is decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol, TypeVar, cast

import numpy as np

from hushwood.arrays import Array, Codes
from hushwood.random_streams import Rows, Streams
from hushwood.releasing.parts import PartPlan
from hushwood.segments.segments import Segments
from hushwood.tables.recoding.texts import as_ranges, range_codes
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table
from hushwood.techniques.blurring.blurred_law import BlurredLaw
from hushwood.techniques.laws.coded_numbers import prepared_for_numbers
from hushwood.techniques.laws.group_law import GroupLaw
from hushwood.techniques.laws.groupings import by_segment
from hushwood.techniques.laws.joint import LawPerturber
from hushwood.techniques.laws.permutation import PermutationLaw
from hushwood.techniques.protocol import Blurs, Generalises, Learns, Perturber, Relabels, Technique, Within
from hushwood.techniques.together.group_perturber import GroupPerturber

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class PreparedStep:
    """A perturber and the segment of every record that it works with."""

    perturber: Perturber
    segment_ids: Codes


Ways = Mapping[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class FittedStep:
    """A technique for some columns, made ready on the table or a sample of it.

    It takes any rows, or the records of a part that lies `within` a segment or the table. With `by_part` the technique
    is made ready again on every part.
    """

    perturber: Perturber
    takes: Literal["rows", "segment", "table"]
    technique: Technique | None = None
    by_part: bool = False

    @property
    def attributes(self) -> tuple[str, ...]:
        """The columns it changes."""
        return self.perturber.attributes

    def taught(self, columns: Mapping[str, Array], row_ids: Rows, streams: Streams) -> FittedStep:
        """The same with the models that the technique learns from some records under the key."""
        if not isinstance(self.perturber, Learns):
            return self
        return replace(self, perturber=self.perturber.learnt(columns, row_ids, streams))


@dataclass(frozen=True, slots=True)
class PartOutcome:
    """What became of a part: its new columns, those with categories of their own, and what there is to report.

    `numbers` are those inside of columns that are released as ranges.
    """

    columns: Mapping[str, Array]
    schema: Schema
    numbers: Mapping[str, Array] = field(default_factory=dict)
    stuck: Mapping[str, int] = field(default_factory=dict)
    ways: Ways = field(default_factory=dict)
    labels: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FittedSteps:
    """The steps of a release for any records of a table with this schema.

    `boxes` are the segments without their records, `plans` the parts of the table within segments and as a whole.
    """

    schema: Schema
    boxes: Segments
    steps: tuple[FittedStep, ...]
    plans: Mapping[Within, PartPlan]

    @property
    def ways(self) -> Ways:
        """How the numbers of records are drawn that are changed one by one."""
        return ways_of(step.perturber for step in self.steps if step.takes == "rows")

    @property
    def layouts(self) -> tuple[Within, ...]:
        """In which ways records must be brought together."""
        wanted: tuple[Within, ...] = ("segment", "table")
        return tuple(within for within in wanted if self._groups(within))

    @property
    def parts(self) -> int:
        """In how many parts values change places."""
        return max((self.plans[within].count for within in self.layouts), default=1)

    def columns_of(self, takes: str) -> tuple[str, ...]:
        """The columns that are changed in this way."""
        return tuple(name for group in self._groups(takes) for step in group for name in step.attributes)

    def reads(self, within: Within) -> tuple[str, ...]:
        """The columns that a part must hold: those of plain permutations alone, else all."""
        perturbers = self.perturbers(within)
        if all(map(_only_permutes, perturbers)):
            return tuple(name for perturber in perturbers for name in perturber.attributes)
        return tuple(attribute.name for attribute in self.schema.kept)

    def perturbers(self, takes: str) -> list[Perturber]:
        """All that work in this way."""
        return [perturber for group in self._prepared(takes) for perturber in group]

    def _groups(self, takes: str) -> list[list[FittedStep]]:
        """Steps that share columns, each handling its own segments, if the group as a whole is to be given this."""
        return [group for group in same_columns(self.steps) if _taken(group) == takes]

    def one_by_one(self, takes: str) -> list[FittedSteps]:
        """The steps of this way whose columns have nothing to do with each other, each alone."""
        return [replace(self, steps=tuple(group)) for group in self._groups(takes)]

    def change_rows(
        self, columns: Mapping[str, Array], segment_ids: Codes, row_ids: Rows, streams: Streams
    ) -> dict[str, Array]:
        """New values of the columns in which every record is changed by itself."""
        return changed(self._prepared("rows"), columns, segment_ids, row_ids, streams)

    def _prepared(self, takes: str) -> list[list[Perturber]]:
        return [[step.perturber for step in group] for group in self._groups(takes)]

    def change_part(
        self, within: Within, part: Table, segment_ids: Codes, row_ids: Rows, streams: Streams
    ) -> PartOutcome:
        """New values of the columns whose records are changed together, for one part of the table."""
        groups = [
            [self._for_part(step, part, segment_ids) for step in group] for group in self._groups(within)
        ]
        columns = changed(groups, part.columns, segment_ids, row_ids, streams)
        used = [perturber for group in groups for perturber in group]
        released = released_table(part, used, columns)
        return PartOutcome(
            {name: released.columns[name] for name in columns},
            released.schema,
            {name: values for name, values in columns.items() if released.columns[name] is not values},
            stuck_in(used),
            ways_of(used),
            {
                name: key
                for each in used
                if isinstance(each, Generalises)
                for name, key in each.labels.items()
            },
        )

    def _for_part(self, step: FittedStep, part: Table, segment_ids: Codes) -> Perturber:
        if not step.by_part or step.technique is None:
            return _with_own_notes(step.perturber)
        return made_ready(step.technique, part, step.attributes, replace(self.boxes, ids=segment_ids))


def _with_own_notes(perturber: Perturber) -> Perturber:
    """The same with a count of its own of the numbers that had no room: parts are changed on several threads."""
    return (
        cast("Perturber", replace(cast("Any", perturber), stuck={}))
        if isinstance(perturber, Blurs)
        else perturber
    )


def fitted_step(technique: Technique, perturber: Perturber, in_parts: bool) -> FittedStep:
    """A step for a table, or for the parts of a long one."""
    by_part = in_parts and technique.learnt_on == "part"
    # Only a part says which categories its codes stand for.
    relabels = isinstance(perturber, Relabels) and bool(perturber.categories)
    together = by_part or perturber.whole_column or relabels
    return FittedStep(perturber, technique.changes_within if together else "rows", technique, by_part)


def _only_permutes(perturber: Perturber) -> bool:
    return isinstance(perturber, LawPerturber) and all(
        isinstance(law, PermutationLaw) and law.group_of is by_segment for law in perturber.joint.laws
    )


def part_table(schema: Schema, columns: Mapping[str, Array], rows: int) -> Table:
    """Some columns of some records as a table."""
    import polars as pl

    kept = tuple(attribute for attribute in schema.attributes if attribute.name in columns)
    return Table(replace(schema, attributes=kept), columns, pl.DataFrame(), rows)


def joined(tables: Sequence[Table]) -> Table:
    """Records of one table, put together again."""
    import polars as pl

    first = tables[0]
    return replace(
        first,
        columns={name: np.concatenate([t.columns[name] for t in tables]) for name in first.columns},
        carried=pl.concat([t.carried for t in tables]) if first.carried.width else first.carried,
        rows=sum(t.rows for t in tables),
    )


def made_ready(technique: Technique, table: Table, names: tuple[str, ...], segments: Segments) -> Perturber:
    """The technique for these columns; one for classes takes the numbers of a response for classes."""
    if technique.perturbs == "class" and table.schema[names[0]].kind == "numeric":
        return prepared_for_numbers(technique, table, names[0], segments)
    return technique.prepare(table, names, segments)


class _Prepared(Protocol):
    @property
    def perturber(self) -> Perturber: ...


AnyStep = TypeVar("AnyStep", bound=_Prepared)


def same_columns(steps: Sequence[AnyStep]) -> list[list[AnyStep]]:
    """Steps grouped by shared columns: each step handles its own segments of a column."""
    groups: list[list[AnyStep]] = []
    for step in steps:
        names = set(step.perturber.attributes)
        apart: list[list[AnyStep]] = []
        together: list[AnyStep] = []
        for group in groups:
            if any(names.intersection(other.perturber.attributes) for other in group):
                together += group
            else:
                apart.append(group)
        groups = [*apart, [*together, step]]
    return groups


def _taken(group: Sequence[FittedStep]) -> str:
    """What steps that share columns are given together: a step for any rows takes parts as well."""
    wanted = {step.takes for step in group}
    return "table" if "table" in wanted else "segment" if "segment" in wanted else "rows"


def changed(
    groups: Iterable[Sequence[Perturber]],
    columns: Mapping[str, Array],
    segment_ids: Codes,
    row_ids: Rows,
    streams: Streams,
) -> dict[str, Array]:
    """New values of some records, group by group; each perturber reads the original ones."""
    new: dict[str, Array] = {}
    for group in groups:
        for perturber in group:
            for name, values in perturber.perturb(columns, segment_ids, row_ids, streams).items():
                covered = perturber.covers(name)
                before = new.get(name, columns[name])
                new[name] = values if covered is None else np.where(covered[segment_ids], values, before)
    return new


def stuck_in(perturbers: Iterable[Perturber]) -> dict[str, int]:
    """By column, the rare numbers that had no room to be blurred in the latest draw."""
    found: dict[str, int] = {}
    for perturber in perturbers:
        if isinstance(perturber, Blurs):
            found |= {name: count for name, count in perturber.stuck.items() if count}
        for part in perturber.law().parts:
            if isinstance(part, BlurredLaw | GroupLaw) and part.blur is not None:
                found |= {name: count for name, count in part.blur.stuck.items() if count}
    return found


def ways_of(perturbers: Iterable[Perturber]) -> Ways:
    """How numbers were drawn together in the latest draw; only group perturbers know."""
    for perturber in perturbers:
        if isinstance(perturber, GroupPerturber):
            return perturber.ways()
    return {}


class Outcomes:
    """What parts report, added up; categories that only some parts have get numbers that hold for all."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.stuck: dict[str, int] = {}
        self.ways: dict[str, tuple[int, int]] = {}
        self.labels: dict[str, dict[str, Sequence[str]]] = {}
        self._codes: dict[str, dict[str, int]] = {}

    def add(self, part: PartOutcome) -> dict[str, Array]:
        """Note what a part reports, and return its columns in the categories of all parts."""
        for name, count in part.stuck.items():
            self.stuck[name] = self.stuck.get(name, 0) + count
        for way, (segments, records) in part.ways.items():
            before = self.ways.get(way, (0, 0))
            self.ways[way] = before[0] + segments, before[1] + records
        for name, key in part.labels.items():
            self.labels.setdefault(name, {}).update(key)
        return {name: self._in_common(name, values, part.schema) for name, values in part.columns.items()}

    def _in_common(self, name: str, values: Array, schema: Schema) -> Array:
        here, first = schema[name], self.schema[name]
        if here.kind == "numeric" or (here == first and name not in self._codes):
            return values
        known = self._codes.setdefault(name, {text: code for code, text in enumerate(here.categories)})
        new = [known.setdefault(text, len(known)) for text in here.categories]
        self.schema = self.schema.with_attribute(replace(here, categories=tuple(known)))
        return np.array([*new, -1], np.int32)[values]


def places_of(parts: Array, count: int) -> Iterator[Array]:
    """The records of every part, in their order; parts without records are left out."""
    order = np.argsort(parts.astype(np.uint16 if count <= 1 << 16 else np.int64), kind="stable")
    limits = np.cumsum(np.bincount(parts, minlength=count))
    for begin, end in zip(np.append(0, limits[:-1]).tolist(), limits.tolist(), strict=True):
        if end > begin:
            yield order[begin:end]


def released_table(original: Table, used: Iterable[Perturber], columns: Mapping[str, Array]) -> Table:
    """The original with changed columns; those with new categories or ranges hold texts."""
    schema = original.schema
    for perturber in used:
        if isinstance(perturber, Relabels):
            for name, known in perturber.categories.items():
                schema = schema.with_attribute(
                    replace(schema[name], categories=known, storage="String", ordered=False)
                )
        if isinstance(perturber, Generalises) and perturber.as_text:
            ends = perturber.intervals(original.columns)
            for name in perturber.as_text:
                codes, labels = range_codes(*ends[name], schema[name])
                gone = np.isnan(columns[name])  # blanked after all
                columns = {**columns, name: np.where(gone, -1, codes).astype(np.int32)}
                schema = schema.with_attribute(as_ranges(schema[name], labels))
    return original.with_columns(columns, schema)
