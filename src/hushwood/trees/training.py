"""The records a tree learns from, coded once: every value as a small integer whose order is the value's.

A numeric value becomes its rank among the column's distinct values, so the kernels compare integers and a threshold
is looked up only when a node is finished. `grow` and `sysfor` read this; nothing here knows about splits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hushwood.arrays import Array, Codes, Floats, Integers, check_indices
from hushwood.errors import InputError
from hushwood.tables.schema import Attribute, Schema, check_size
from hushwood.tables.table import Table, class_labels

MOST_BRANCHES = 1000  # nobody can read a rule with a test of more values
MOST_REACH_BITS = 6
PACKED_BITS = 31  # for a rank and a class together, see `kernels.scan`
MOST_CLASSES = np.iinfo(np.uint16).max


@dataclass(frozen=True, slots=True)
class TrainingSet:
    """Records with a class: `codes[attribute, record]` (-1 where unknown) and the class of each record.

    `values[a]` are the distinct values of numeric attribute a, ascending, and `sorted_rows[a]` the records that have
    one, in that order; both None for a categorical one.
    `branches[a]` is how many branches a test of attribute a has. Survey `weights` have the mean 1, so that trees are
    pruned by the number of records; `scale` is what they are multiplied by to be those of the table. Leaf sizes then
    count records; where records are `repeated`, weights stay as they are and count everywhere.
    """

    attributes: tuple[Attribute, ...]
    classes: tuple[str, ...]
    codes: Codes
    class_codes: NDArray[np.uint16]
    values: tuple[Floats | None, ...]
    sorted_rows: tuple[Codes | None, ...]
    branches: Integers
    complete: bool
    weights: Floats | None = None
    scale: float = 1.0
    repeated: bool = False

    @property
    def records(self) -> int:
        """Number of records."""
        return len(self.class_codes)

    @property
    def size(self) -> float:
        """How many records there would be if repeated ones stood one by one."""
        return self.records if self.weights is None or not self.repeated else float(self.weights.sum())

    @property
    def counts_people(self) -> bool:
        """Whether leaf sizes are about records, not about their weights."""
        return self.weights is not None and not self.repeated

    @property
    def class_bits(self) -> int:
        """How many bits a class code needs."""
        return max((len(self.classes) - 1).bit_length(), 1)

    def reach_bits(self, distinct: int) -> int:
        """How many bits of a packed item are left for the distance to the next separable value, see `kernels.scan`."""
        free = PACKED_BITS - distinct.bit_length() - self.class_bits
        return min(free, MOST_REACH_BITS)

    @classmethod
    def from_columns(
        cls,
        attributes: Sequence[Attribute],
        columns: Sequence[Array],
        class_codes: Array,
        classes: Sequence[str],
        threads: int = 1,
        weights: Floats | None = None,
        repeated: bool = False,
    ) -> TrainingSet:
        """Code the columns; records without a class (code -1), or with weight 0, are dropped."""
        if len(classes) > MOST_CLASSES:
            raise InputError(
                f"A tree can tell at most {MOST_CLASSES} classes apart; the class has {len(classes)}."
            )
        check_indices("Class codes", np.asarray(class_codes), len(classes), least=-1)
        known = np.asarray(class_codes) >= 0
        if weights is not None:
            known &= weights > 0
        if not known.all():
            columns = [np.asarray(column)[known] for column in columns]
            class_codes = np.asarray(class_codes)[known]
            weights = None if weights is None else weights[known]
        scale = 1.0 if weights is None or repeated or not len(weights) else float(weights.mean())
        codes = np.empty((len(attributes), len(class_codes)), np.int32)
        room = SpareArrays(lambda: np.empty((2, len(class_codes)), np.uint64))

        def code(a: int) -> tuple[Floats | None, Codes | None]:
            name = attributes[a].name
            if attributes[a].kind == "numeric":
                ranked = _rank(np.ascontiguousarray(columns[a], np.float64), codes[a], room)
                check_size(name, *ranked[0][:1].tolist(), *ranked[0][-1:].tolist())
                return ranked
            codes[a] = columns[a]
            check_indices(f"Codes of column {name!r}", codes[a], len(attributes[a].categories), least=-1)
            return None, None

        with ThreadPoolExecutor(max(threads, 1)) as pool:
            coded = list(pool.map(code, range(len(attributes))))
        values = tuple(distinct for distinct, _ in coded)
        branches = [2 if a.kind == "numeric" else len(a.categories) for a in attributes]
        complete = bool(codes.min(initial=0) >= 0)
        training = cls(
            tuple(attributes),
            tuple(classes),
            codes,
            np.asarray(class_codes, np.uint16),
            values,
            tuple(rows for _, rows in coded),
            np.array(branches, np.int64),
            complete,
            None if weights is None else weights / scale,
            scale,
            repeated,
        )
        training.check_packed()
        return training

    def check_packed(self) -> None:
        """Refuse more values than a rank and a class together have bits for."""
        most = max((len(v) for v in self.values if v is not None), default=1)
        if most.bit_length() + self.class_bits > PACKED_BITS:
            raise InputError(
                f"{most} distinct values with {len(self.classes)} classes are too many to grow a tree on; "
                "grow it on fewer rows with --forest-rows."
            )

    @classmethod
    def from_table(cls, table: Table, rows: Array | None = None, threads: int = 1) -> TrainingSet:
        """Code the inputs and the class of a table, or of some rows; columns with too many categories are dropped."""
        class_codes, classes = class_labels(table)
        inputs, weights = testable(table.schema), table.weights
        columns = [table.columns[a.name] for a in inputs]
        if rows is not None:
            columns, class_codes = [column[rows] for column in columns], class_codes[rows]
            weights = None if weights is None else weights[rows]
        return cls.from_columns(inputs, columns, class_codes, classes, threads, weights)


def testable(schema: Schema) -> tuple[Attribute, ...]:
    """The columns that trees of a table may test."""
    return tuple(a for a in schema.tested if len(a.categories) <= MOST_BRANCHES)


class RecordPart(NamedTuple):
    """Some records of a training set with their weights (none: all 1).

    With survey weights, `shares` are how much of each record is here: less than 1 where a value was missing.
    """

    rows: Codes
    weights: Floats
    shares: Floats | None = None

    @property
    def people(self) -> Floats:
        """What the records count where the number of people matters."""
        return self.weights if self.shares is None else self.shares


def _rank(column: Floats, out: Codes, room: SpareArrays) -> tuple[Floats, Codes]:
    """Write the dense rank of every value to `out`; return the distinct values and the rows in their order."""
    from hushwood.trees.kernels.records import ascending, rank_sorted

    both = room.take()
    items = ascending(column, both[0], both[1])
    rows, values = np.empty(len(column), np.int32), np.empty(len(column))
    known, distinct = rank_sorted(column, items, out, rows, values)
    room.give_back(both)
    return values[:distinct], rows[:known]


class SpareArrays:
    """Hands out arrays that were given back, and makes one when there is none."""

    def __init__(self, make: Callable[[], Array]) -> None:
        self._make = make
        self._free: list[Array] = []

    def take(self) -> Array:
        """An array, whatever it holds."""
        try:
            return self._free.pop()
        except IndexError:
            return self._make()

    def give_back(self, array: Array) -> None:
        """Let others have an array that nobody reads any more."""
        self._free.append(array)


def room_for(records: int) -> SpareArrays:
    """Room for orders of complete data, which never get longer."""
    return SpareArrays(lambda: np.empty(records, np.int64))
