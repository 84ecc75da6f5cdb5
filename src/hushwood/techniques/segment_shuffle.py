"""SEGMENT-SHUFFLE: every segment keeps its values and hands them out to its records again (docs/segment-shuffle.md).

Segments have at least k records. Trees propose what goes together, the segment's own values are handed out by rank or
by proposal, numbers that few people share are blurred, and a teacher says which record gets which class. Ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar

import numpy as np

from hushwood.arrays import Array, Codes, Flags, Floats
from hushwood.parameters import AtLeast, available_threads
from hushwood.random_streams import Rows, Streams, group_order, keyed_order
from hushwood.segments.segments import Segments
from hushwood.tables.domains import Intervals, to_steps
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table
from hushwood.techniques.blurring.blur import OWNER, SortedColumn, blurred, common_at
from hushwood.techniques.laws.forms import BoxForm, Form
from hushwood.techniques.laws.permutation import PermutationLaw, permutation_law
from hushwood.techniques.laws.promises import Promise, dealt
from hushwood.techniques.protocol import Columns, Law, LearntOn, RowOrder, Target, Technique
from hushwood.techniques.sequential.coded_columns import CodedColumn, coded_inputs
from hushwood.techniques.sequential.hand_outs import Slots, classes_by_teacher, numbers_by_rank, permuted
from hushwood.techniques.sequential.proposal_trees import (
    MOST_GROWING_ROWS,
    Linked,
    column_order,
    linked_columns,
)
from hushwood.techniques.sequential.shuffled_columns import (
    Proposals,
    grown_proposals,
    hand_out,
    hand_out_linked,
)
from hushwood.techniques.sequential.taught_values import (
    TaughtClass,
    TaughtNumber,
    label_column,
    labelled,
    taught_class,
    taught_number,
    without_missing,
)
from hushwood.techniques.sequential.teacher import Lesson, Teacher
from hushwood.techniques.together.cells import NumberGroup

USUAL_K, SMALLEST_K, FEW_RECORDS = 50, 10, 500
BLURRED_AT_ONCE = 1 << 17
_PLACE, _BLUR = 100, 101  # draw numbers of the blur, beyond those of the hand-out
_GAPS = 102


def usual_k(records: int) -> int:
    """The smallest segment unless the user says otherwise: 50, or enough for ten segments of a small table.

    >>> [usual_k(n) for n in (60, 300, 499, 500, 30_162)]
    [10, 30, 49, 50, 50]
    """
    return USUAL_K if records >= FEW_RECORDS else max(SMALLEST_K, records // 10)


def smallest_leaf(k: int, records: int) -> int:
    """The smallest leaf of a proposal tree: half a segment, at least five records, and less in a tiny table.

    >>> [smallest_leaf(k, n) for k, n in ((50, 1000), (10, 1000), (10, 12))]
    [25, 5, 3]
    """
    return max(2, min(max(5, k // 2), records // 4))


@dataclass(frozen=True, slots=True)
class SegmentShuffle(Technique):
    """Segments of at least `k` records, a teacher for the classes, and a blur of `blur` order statistics each way."""

    k: Annotated[int, AtLeast(2)] = USUAL_K
    teacher: Teacher = "ensemble"
    blur: Annotated[int, AtLeast(0)] = 5
    acronym: ClassVar[str] = "SEGMENT-SHUFFLE"
    perturbs: ClassVar[Target] = "any"
    learnt_on: ClassVar[LearntOn] = "sample"
    trust: ClassVar[str] = (
        "Do not rely on single records. The counts of its values are exact in every segment, except that numbers which "
        "few records share are blurred; how it goes together with other columns is fitted."
    )
    options: ClassVar[Mapping[str, str]] = {"k": "k", "teacher": "teacher", "blur": "blur"}
    jointly: ClassVar[bool] = True
    keeps_segment: ClassVar[bool] = True
    hides_all: ClassVar[bool] = True
    row_order: ClassVar[RowOrder] = "secret"
    promise: ClassVar[Promise] = dealt("segment")

    @property
    def smallest_segment(self) -> int:
        return self.k

    def promise_for(self, attribute: Attribute) -> Promise:
        """Categories and gaps are handed out again; so are numbers, unless they are blurred."""
        free = attribute.kind == "numeric" and self.blur > 0
        return Promise("dealt", "inside", "segment") if free else self.promise

    def says(self) -> str:
        shared = common_at(self.blur)
        blur = f"; numbers that fewer than {shared} records share are blurred" if self.blur else ""
        return (
            f"Handed out again within its segment of at least {self.k} records, so that it goes with the released "
            f"record's other values as trees learnt it{blur}."
        )

    def says_for(self, attribute: Attribute) -> str:
        """Only numbers are blurred, and a teacher gives the class."""
        if attribute.role == "class":
            how = "at random" if self.teacher == "none" else "as models predict it from the released record"
            return (
                f"Handed out again within its segment of at least {self.k} records, {how}; counts are exact."
            )
        return self.says() if attribute.kind == "numeric" else replace(self, blur=0).says()

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> ShufflePerturber:
        """Note the values of every segment; all else is learnt when the columns are drawn."""
        schema = original.schema
        names = tuple(attributes)
        numeric = tuple(n for n in names if schema[n].kind == "numeric" and n in segments.intervals)
        laws = {
            name: permutation_law(original, name, segments, self.acronym)
            for name in names
            if schema[name].kind == "categorical"
        }
        gaps = {name: _gaps(original.columns[name], segments) for name in numeric}
        group = NumberGroup.of(original, numeric, segments, "segment")
        return ShufflePerturber(ShuffleLaw(self, (*numeric, *laws), schema, group, laws, gaps))


def _gaps(column: Array, segments: Segments) -> Flags:
    """The segments in which a number is missing."""
    return np.bincount(segments.ids[np.isnan(column)], minlength=segments.count) > 0


@dataclass(frozen=True, slots=True)
class Lessons:
    """What was learnt from the table, or a sample of it: proposals, columns that follow from others, and the classes.

    Of columns that did not vary nothing was learnt. `classes` are in the order in which they are handed out.
    """

    proposals: tuple[Proposals, ...]
    linked: tuple[Linked, ...]
    classes: Mapping[str, TaughtClass | TaughtNumber | None]
    coding: Mapping[str, CodedColumn]


@dataclass(frozen=True, slots=True)
class ShufflePerturber:
    """Hands all columns of whole segments out by what it has learnt; `stuck` counts numbers that had no room to move.

    Without `lessons` it learns from the records that it is given. Slots may have values of other columns already:
    `given` names the column that holds them, by the original column they go with.
    """

    stated: ShuffleLaw
    lessons: Lessons | None = None
    given: Mapping[str, str] = field(default_factory=dict)
    stuck: dict[str, int] = field(default_factory=dict, repr=False, compare=False)
    whole_column: ClassVar[bool] = True

    @property
    def technique(self) -> SegmentShuffle:
        return self.stated.technique

    @property
    def attributes(self) -> tuple[str, ...]:
        return self.stated.attributes

    def covers(self, attribute: str) -> Flags | None:
        return None

    def law(self) -> ShuffleLaw:
        return self.stated

    def learnt(self, columns: Columns, row_ids: Rows, streams: Streams) -> ShufflePerturber:
        """Learn in which order columns are released, what goes together, and the classes."""
        purpose, threads, schema = self.technique.acronym, available_threads(), self.stated.schema
        least = smallest_leaf(self.technique.k, len(row_ids))
        rows = streams.sample(purpose, "growing rows", row_ids, MOST_GROWING_ROWS)
        label = label_column(schema, columns)
        known = rows if label is None else without_missing(label, rows)
        inputs = [a.name for a in schema.inputs if a.name in self.attributes]
        known_before = _varied(coded_inputs(schema, list(self.given), columns))
        varied = _varied(coded_inputs(schema, inputs, columns))
        linked = linked_columns(varied)
        names = {link.name for link in linked}
        order = column_order([c for c in varied if c.name not in names], label, known, least, threads)
        proposals = grown_proposals(order, rows, least, threads, known_before)
        varied = [*known_before, *varied]
        classes: dict[str, TaughtClass | TaughtNumber | None] = {}
        for target in self._classes():
            label = labelled(target, columns)
            known = without_missing(label, rows)
            ids = (
                np.arange(row_ids.start, row_ids.stop)[known]
                if isinstance(row_ids, range)
                else row_ids[known]
            )
            lesson = Lesson(
                [c.take(known) for c in varied], label.take(known), ids, streams, purpose, threads
            )
            teach = taught_number if target.response else taught_class
            classes[target.name] = teach(lesson, self.technique.teacher, least)
            varied = [*varied, label]
        small = tuple(one.without_records() for one in proposals)
        coding = {column.name: column.without_records() for column in varied}
        return replace(self, lessons=Lessons(small, tuple(linked), classes, coding))

    def _classes(self) -> list[Attribute]:
        """The classes; each is taught with those before it, the one that is looked at first."""
        found = [a for a in self.stated.schema.classes if a.name in self.attributes]
        return sorted(found, key=lambda a: a != self.stated.schema.class_attribute)

    def perturb(self, columns: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        """New columns for all records of some segments: inputs, blur, class."""
        learnt = self if self.lessons is not None else self.learnt(columns, row_ids, streams)
        lessons = learnt.lessons
        if lessons is None:
            raise LookupError("Nothing was learnt.")
        slots = Slots.of(segment_ids, row_ids, streams, self.technique.acronym, available_threads())
        schema = self.stated.schema
        inputs = [a.name for a in schema.inputs if a.name in self.attributes]
        own = {column.name: column for column in coded_inputs(schema, inputs, columns)}
        released, seen = hand_out(lessons.proposals, own, slots, self._given(lessons, columns))
        for link in lessons.linked:
            released[link.name] = hand_out_linked(link, own, released, slots)
            seen[link.name] = released[link.name].as_coded_by(lessons.coding[link.name])
        for name, column in own.items():
            # A column that did not vary in a sample may do so here.
            if name not in released and not column.constant:
                released[name] = column.with_codes(permuted(slots, name, 0, column.codes))
        new = {name: released.pop(name).values() for name in list(released)}
        self.stuck.clear()
        self._blur(new, columns, segment_ids, slots)
        new |= {name: np.asarray(columns[held]) for name, held in self.given.items()}
        handed = self._classes_handed_out(lessons, columns, seen, new, segment_ids, slots)
        return {name: handed.get(name, new.get(name, columns[name])) for name in self.attributes}

    def _given(self, lessons: Lessons, columns: Columns) -> dict[str, CodedColumn]:
        """What the slots have already, in the coding that was learnt."""
        held = {name: columns[self.given[name]] for name in self.given if name in lessons.coding}
        own = coded_inputs(self.stated.schema, list(held), held)
        return {column.name: column.as_coded_by(lessons.coding[column.name]) for column in own}

    def _classes_handed_out(
        self,
        lessons: Lessons,
        columns: Columns,
        codes: dict[str, CodedColumn],
        new: Mapping[str, Array],
        segment_ids: Array,
        slots: Slots,
    ) -> dict[str, Array]:
        """All classes, one after the other."""
        seen, handed = dict(new), dict[str, Array]()
        for target in self._classes():
            name, label, taught = target.name, labelled(target, columns), lessons.classes[target.name]
            if target.response:
                given = _numbers(taught, label, codes, seen, slots)
                blurred_too = {name: given.values()}
                self._blur(blurred_too, columns, segment_ids, slots)
                seen[name] = handed[name] = blurred_too[name]
            else:
                given = label.with_codes(_labels(taught, label, codes, seen, slots))
                seen[name] = given.values()
                handed[name] = _classes_of(given.codes, label.codes, columns[name], slots, name)
            codes[name] = given.as_coded_by(lessons.coding[name])
        return handed

    def _blur(self, new: dict[str, Array], columns: Columns, segment_ids: Array, slots: Slots) -> None:
        """Blur the numbers that were handed out, in pieces: a blur needs much room for a while."""
        width, group = self.technique.blur, self.stated.group
        for name, intervals in zip(group.names, group.intervals, strict=True):
            if not width or name not in new:
                continue
            own = np.asarray(columns[name], np.float64)
            order, stuck = SortedColumn.of(own, intervals.precision, width, columns.get(OWNER)), 0
            for begin in range(0, slots.count, BLURRED_AT_ONCE):
                part = slice(begin, begin + BLURRED_AT_ONCE)
                u, place = (slots.uniform(name, draw, part) for draw in (_BLUR, _PLACE))
                new[name][part], count = blurred(
                    new[name][part], intervals, segment_ids[part], order, u, place
                )
                stuck += count
            self.stuck[name] = stuck


def _varied(columns: Sequence[CodedColumn]) -> list[CodedColumn]:
    return [column for column in columns if not column.constant]


def _labels(
    taught: TaughtClass | TaughtNumber | None,
    own: CodedColumn,
    codes: Mapping[str, CodedColumn],
    new: Mapping[str, Array],
    slots: Slots,
) -> Codes:
    """The class, or the bin of the class, of every slot; the last code stands for a missing class."""
    if not isinstance(taught, TaughtClass):
        return permuted(slots, own.name, 0, own.codes)
    chances = taught.chances(own.codes, codes, new, slots)
    return classes_by_teacher(slots, own.name, own.codes, own.levels, chances)


def _numbers(
    taught: TaughtClass | TaughtNumber | None,
    own: CodedColumn,
    codes: Mapping[str, CodedColumn],
    new: Mapping[str, Array],
    slots: Slots,
) -> CodedColumn:
    """The response of every slot: missing ones at random, numbers in the order that the teacher proposes."""
    there = None
    if (own.codes == 0).any():
        there = permuted(slots, own.name, _GAPS, (own.codes > 0).astype(np.int32)) > 0
    if not isinstance(taught, TaughtNumber):
        return own.with_codes(permuted(slots, own.name, 0, own.codes))
    return own.with_codes(
        numbers_by_rank(slots, own.name, 0, own.codes, taught.proposals(codes, new, slots), there)
    )


def _classes_of(labels: Codes, own: Codes, column: Array, slots: Slots, name: str) -> Array:
    """The classes themselves: those of a group and bin are permuted, where the class is a number cut into bins."""
    width = int(max(labels.max(initial=0), own.max(initial=0))) + 1
    words = slots.streams.words(slots.purpose, name, 1000, slots.rows)
    out = np.empty_like(column)
    out[keyed_order(words, slots.groups * width + labels)] = column[group_order(slots.groups * width + own)]
    return out


@dataclass(frozen=True, slots=True)
class ShuffleLaw(Law):
    """What is certain of one record: its values are any of its segment's, whatever its own are.

    Exact: the shares of categories and classes in a segment, and that a record's own values play no part. Of numbers
    only the box is stated, because of the blur. How columns go together is fitted, and no formula states it.
    """

    technique: SegmentShuffle
    attributes: tuple[str, ...]
    schema: Schema
    group: NumberGroup
    categories: Mapping[str, PermutationLaw]
    gaps: Mapping[str, Flags]
    dependent: ClassVar[bool] = True

    def log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
        """The sum over the columns: of categories their share in the segment, of numbers the even law in the box."""
        total = np.zeros(len(segment_ids))
        for law in self.categories.values():
            total += law.log_prob(original, released, segment_ids)
        for name, intervals in zip(self.group.names, self.group.intervals, strict=True):
            total += _in_the_box(intervals.take(segment_ids), np.asarray(released[name], np.float64))
        return total

    def sample(self, original: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        """All columns, drawn together; the records must be the whole table."""
        return ShufflePerturber(self).perturb(original, segment_ids, row_ids, streams)

    def forms(self, schema: Schema) -> Mapping[str, Form]:
        """Who can be in the segment at all: nothing else links a released record to a person."""
        found: dict[str, Form] = {}
        for law in self.categories.values():
            found |= law.forms(schema)
        gaps = np.stack([self.gaps[name] for name in self.group.names], axis=1) if self.group.names else None
        return found | dict.fromkeys(self.group.names, BoxForm(self.group, "segment", gaps))

    def described(self) -> dict[str, Any]:
        """What is exact, what is limited by a box, and what is fitted."""
        return {
            "form": "values handed out within segments",
            "k": self.technique.k,
            "teacher": self.technique.teacher,
            "blur": self.technique.blur,
            "exact_counts": sorted(self.categories),
            "within_the_box": list(self.group.names),
            "fitted": "how the columns of a record go together",
        }


def _in_the_box(inside: Intervals, numbers: Floats) -> Floats:
    """Log density of the even law in every record's box, -inf outside; nothing is claimed of missing numbers."""
    steps = to_steps(numbers, inside.precision)
    with np.errstate(divide="ignore", invalid="ignore"):
        even = -np.log(np.where(inside.width > 0, inside.width, 1.0))
        return np.where(
            np.isnan(steps), 0.0, np.where((steps >= inside.low) & (steps <= inside.high), even, -np.inf)
        )
