"""SEGMENT-SHUFFLE: every segment keeps its values and hands them out to its records again (docs/segment-shuffle.md).

Segments have at least k records. Trees propose what goes together, the segment's own values are handed out by rank or
by proposal, numbers that few people share are blurred, and a teacher says which record gets which class. Ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar

import numpy as np

from hushwood.arrays import Array, Flags, Floats
from hushwood.parameters import AtLeast, available_threads
from hushwood.random_streams import Rows, Streams
from hushwood.segments.segments import Segments
from hushwood.tables.resampling import people_behind
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table
from hushwood.techniques.blurring.blur import COMMON, OWNER, SortedColumn, blurred, common_at
from hushwood.techniques.laws.counts import BOOTSTRAP, LISTED
from hushwood.techniques.laws.forms import BoxForm, Form
from hushwood.techniques.laws.permutation import PermutationLaw, permutation_law
from hushwood.techniques.laws.promises import Promise, dealt, redrawn
from hushwood.techniques.protocol import Columns, Law, LearntOn, RowOrder, Target, Technique
from hushwood.techniques.sequential.coded_columns import CodedColumn, coded_inputs
from hushwood.techniques.sequential.drawn_counts import drawn_columns
from hushwood.techniques.sequential.hand_outs import Slots, permuted
from hushwood.techniques.sequential.proposal_trees import (
    MOST_GROWING_ROWS,
    Linked,
    column_order,
    linked_columns,
    smallest_leaf,
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
    classes_of_labels,
    handed_labels,
    handed_numbers,
    label_column,
    labelled,
    taught_class,
    taught_number,
    without_missing,
)
from hushwood.techniques.sequential.teacher import Lesson, Teacher
from hushwood.techniques.together.cells import NumberGroup, even_in_box

USUAL_K, SMALLEST_K, FEW_RECORDS = 50, 10, 500
FEW_NUMBERS = 12  # columns of no more numbers are drawn like categories
# The line that blurred numbers are read from tells of the people who bend it: it is bent once for as many people of the
# table, times the number of columns, so that all lines together give away little (docs/findings.md).
BENT_BY = 50
BLURRED_AT_ONCE = 1 << 17
_PLACE, _BLUR = 100, 101  # draw numbers of the blur, beyond those of the hand-out


def usual_k(records: int) -> int:
    """The smallest segment unless the user says otherwise: 50, or enough for ten segments of a small table.

    >>> [usual_k(n) for n in (60, 300, 499, 500, 30_162)]
    [10, 30, 49, 50, 50]
    """
    return USUAL_K if records >= FEW_RECORDS else max(SMALLEST_K, records // 10)


@dataclass(frozen=True, slots=True)
class SegmentShuffle(Technique):
    """Segments of at least `k` records, a teacher for the classes, and a blur of `blur` order statistics each way.

    With `redraw` the records are drawn people (`tables.resampling`), and a segment hands out values drawn from its own:
    counts have `redraw` times the variance of sampling around those of the drawn people.
    """

    k: Annotated[int, AtLeast(2)] = USUAL_K
    teacher: Teacher = "ensemble"
    blur: Annotated[int, AtLeast(0)] = 5
    redraw: Annotated[float, AtLeast(0)] = 0.0
    acronym: ClassVar[str] = "SEGMENT-SHUFFLE"
    perturbs: ClassVar[Target] = "any"
    learnt_on: ClassVar[LearntOn] = "sample"
    options: ClassVar[Mapping[str, str]] = {
        "k": "k",
        "teacher": "teacher",
        "blur": "blur",
        "redraw": "redraw",
    }
    jointly: ClassVar[bool] = True
    keeps_segment: ClassVar[bool] = True
    hides_all: ClassVar[bool] = True

    @property
    def smallest_segment(self) -> int:
        return self.k

    @property
    def behind_trees(self) -> int:
        """The segment that proposal trees are grown for: drawing counts blurs nothing that they tell."""
        return round(self.k * (LISTED + BOOTSTRAP + self.redraw) / (LISTED + 2)) if self.redraw else self.k

    @property
    def row_order(self) -> RowOrder:
        """Drawn people have no records of their own in the release."""
        return "drawn" if self.redraw else "secret"

    @property
    def counts_noise(self) -> float:
        """Drawing the people and drawing the counts both blur them."""
        return BOOTSTRAP + self.redraw if self.redraw else 0.0

    @property
    def promise(self) -> Promise:
        """A segment hands out its values, or values drawn from them."""
        return redrawn("held", "segment") if self.redraw else dealt("segment")

    @property
    def trust(self) -> str:
        """Whether counts are exact is all that differs."""
        counts = (
            "Counts of its values have about the error of two samples of as many people"
            if self.redraw
            else "The counts of its values are exact in every segment, except that numbers which few records share are "
            "blurred"
        )
        return f"Do not rely on single records. {counts}; how it goes together with other columns is fitted."

    def promise_for(self, attribute: Attribute) -> Promise:
        """Categories and gaps are handed out again; so are numbers, unless they are blurred."""
        free = attribute.kind == "numeric" and self.blur > 0
        return replace(self.promise, values="inside") if free else self.promise

    def says(self) -> str:
        shared = common_at(self.blur)
        blur = f"; numbers that fewer than {shared} records share are blurred" if self.blur else ""
        return f"{self._handed_out}, so that it goes with the released record's other values as trees learnt it{blur}."

    def says_for(self, attribute: Attribute) -> str:
        """Only numbers are blurred, and a teacher gives the class."""
        if attribute.role == "class":
            how = "at random" if self.teacher == "none" else "as models predict it from the released record"
            return f"{self._handed_out}, {how}{'' if self.redraw else '; counts are exact'}."
        return self.says() if attribute.kind == "numeric" else replace(self, blur=0).says()

    @property
    def _handed_out(self) -> str:
        if self.redraw:
            return f"Drawn from the values of its segment of at least {self.k} people, who were drawn before"
        return f"Handed out again within its segment of at least {self.k} records"

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
    `given` names the column that holds them, by the original column they go with. Counts of `exact` columns are not
    drawn.
    """

    stated: ShuffleLaw
    lessons: Lessons | None = None
    given: Mapping[str, str] = field(default_factory=dict)
    exact: frozenset[str] = frozenset()
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
        drawn = self.technique.redraw > 0
        least = smallest_leaf(self.technique.behind_trees, len(row_ids))
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
            ids = np.asarray(row_ids)[known]
            people = people_behind(ids) if drawn else ids
            lesson = Lesson(
                [c.take(known) for c in varied], label.take(known), people, streams, purpose, threads
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
        lessons = self.lessons
        if lessons is None:
            return self.learnt(columns, row_ids, streams).perturb(columns, segment_ids, row_ids, streams)
        slots = Slots.of(segment_ids, row_ids, streams, self.technique.acronym, available_threads())
        schema = self.stated.schema
        inputs = [a.name for a in schema.inputs if a.name in self.attributes]
        held = {**columns, **self.drawn(lessons.linked, columns, slots)} if self.technique.redraw else columns
        own = {column.name: column for column in coded_inputs(schema, inputs, held)}
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
        new |= {name: np.asarray(columns[before]) for name, before in self.given.items()}
        handed = self._classes_handed_out(lessons, held, seen, new, segment_ids, slots)
        return {name: handed.get(name, new.get(name, held[name])) for name in self.attributes}

    def drawn(self, linked: Sequence[Linked], columns: Columns, slots: Slots) -> dict[str, Array]:
        """The values to hand out, drawn from those of the records."""
        follows = {link.name: link.first for link in linked}
        names = [name for name in self.attributes if name not in self.exact]
        return drawn_columns(columns, names, follows, slots, self.technique.redraw)

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
                given = handed_numbers(taught, label, codes, seen, slots)
                blurred_too = {name: given.values()}
                self._blur(blurred_too, columns, segment_ids, slots)
                seen[name] = handed[name] = blurred_too[name]
            else:
                given = label.with_codes(handed_labels(taught, label, codes, seen, slots))
                seen[name] = given.values()
                handed[name] = classes_of_labels(given.codes, label.codes, columns[name], slots, name)
            codes[name] = given.as_coded_by(lessons.coding[name])
        return handed

    def _blur(self, new: dict[str, Array], columns: Columns, segment_ids: Array, slots: Slots) -> None:
        """Blur the numbers that were handed out, in pieces: a blur needs much room for a while."""
        width, group = self.technique.blur, self.stated.group
        for name, intervals in zip(group.names, group.intervals, strict=True):
            if not width or name not in new:
                continue
            owners, step = columns.get(OWNER), COMMON
            if self.technique.redraw:
                # Few numbers are drawn like categories.
                if self.lessons and self.lessons.coding[name].levels <= FEW_NUMBERS + 1:
                    continue
                owners = people_behind(slots.rows) if owners is None else owners
                step = max(COMMON, min(slots.count // 10, BENT_BY * len(group.names)))
            own = np.asarray(columns[name], np.float64)
            order, stuck = SortedColumn.of(own, intervals.precision, width, owners, step), 0
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


@dataclass(frozen=True, slots=True)
class ShuffleLaw(Law):
    """What is certain of one record: its values are any of its segment's, whatever its own are.

    Exact: the shares of categories and classes in a segment (of drawn counts those to expect), and that a record's own
    values play no part. Of numbers
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
            total += even_in_box(intervals.take(segment_ids), np.asarray(released[name], np.float64))
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
            **({"redraw": self.technique.redraw} if self.technique.redraw else {}),
            "exact_counts": [] if self.technique.redraw else sorted(self.categories),
            "within_the_box": list(self.group.names),
            "fitted": "how the columns of a record go together",
        }
