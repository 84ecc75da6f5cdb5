"""Records as the certificate follows them: columns that are compared, leaves before and after, and who stays together.

The trees come from a forest.json as plain JSON and share nothing with `trees`, so that a fault there cannot hide itself
here. Everything works batch by batch; of persons or households one entry each is remembered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hushwood.arrays import Array, Codes, Flags, Floats, Integers, check_indices
from hushwood.releasing.certifying.counts import CountedSegments, grown, words_of
from hushwood.releasing.kernels.certificates import LEAF, follow
from hushwood.tables.columns.value_texts import is_temporal
from hushwood.tables.frames.storage import TEXT_STORAGES, numbers_of, storage_name, texts_of
from hushwood.tables.recoding.cells import numeric_cells
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table, missing_values
from hushwood.techniques.laws.promises import Promise

if TYPE_CHECKING:
    import polars as pl


class Compared(NamedTuple):
    """A column as a tree compares it: numbers, or codes (-1: missing), and how many are missing.

    The code after the last known one stands for all texts that are not known. `ends` are the smallest and the largest
    number of every row where numbers became ranges.
    """

    values: Array
    gaps: int
    ends: tuple[Array, Array] | None = None


def compared(table: pl.DataFrame | Table, attribute: Mapping[str, Any]) -> Compared:
    """One column of a table, as an attribute of a forest.json describes it; a Table's own codes must fit."""
    name = attribute["name"]
    if isinstance(table, Table):
        values: Array = np.asarray(table.columns[name])
    elif "ranges" in attribute and storage_name(table[name].dtype) in TEXT_STORAGES:
        return _ranges(table[name], attribute["ranges"])
    elif attribute["kind"] == "numeric":
        values = numbers_of(table[name], attribute.get("precision"))
    else:
        values = _coded(table[name], tuple(attribute.get("values", ())))
    return Compared(values, int(np.count_nonzero(missing_values(values))))


def _ranges(column: pl.Series, attribute: Attribute) -> Compared:
    """Texts of ranges as numbers inside them; any other text is a range that holds nothing."""
    low, high = attribute.low or 0.0, attribute.high or 0.0
    texts, moments = texts_of(column), attribute if is_temporal(attribute.storage) else None
    cells = numeric_cells(texts, low, high, moments=moments)
    there = ~texts.is_null().to_numpy()
    strange = there & np.isnan(cells.values)
    ends = np.where(strange, np.inf, cells.low), np.where(strange, -np.inf, cells.high)
    return Compared(np.where(strange, 0.0, cells.values), int(np.count_nonzero(~there)), ends)


def _coded(column: pl.Series, known: tuple[str, ...]) -> Codes:
    """Codes of values by their texts."""
    import polars as pl

    if isinstance(column.dtype, pl.Enum | pl.Categorical):
        return _looked_up(column, known)
    texts = texts_of(column)
    coded = texts.cast(pl.Enum(known), strict=False)
    codes = _places(coded)
    if coded.null_count() == texts.null_count():
        return codes
    return np.where(texts.is_not_null().to_numpy() & (codes < 0), np.int32(len(known)), codes)


def _looked_up(column: pl.Series, known: tuple[str, ...]) -> Codes:
    """The same for a column that holds places in a list of categories: each text is looked up once."""
    import polars as pl

    present = column.drop_nulls().unique()
    places, codes = _places(present), _coded(present.cast(pl.String), known)
    of_place = np.full(int(places.max(initial=0)) + 2, -1, np.int32)
    of_place[places] = codes
    return np.asarray(of_place[_places(column)])


def _places(column: pl.Series) -> Codes:
    """Places in the list of categories, -1 for missing."""
    import polars as pl

    places = column.to_physical().cast(pl.Int32)
    return np.asarray((places.fill_null(-1) if places.null_count() else places).to_numpy())


class Shape:
    """What is wrong with the shape of a file, batch by batch; without promises, only rows are counted."""

    def __init__(
        self, schema: Schema, rows: int, promises: Mapping[str, Promise] | None, typed: bool
    ) -> None:
        self.schema, self.rows, self.promises, self.typed = schema, rows, promises, typed
        self.found = 0
        self._renamed = False
        self._types: dict[str, str] = {}

    def add(self, released: pl.DataFrame) -> None:
        """Look at a batch."""
        self.found += released.height
        if self.promises is None:
            return
        if released.columns != list(self.promises):
            self._renamed = True
            return
        for name, promise in self.promises.items():
            # Without any value, a column of a text file has no type.
            if self.typed or released[name].null_count() < released.height:
                fault = type_fault(self.schema[name], released[name].dtype, promise, self.typed)
                self._types |= {name: fault} if fault and name not in self._types else {}

    @property
    def broken(self) -> bool:
        """Whether no batch can mend it any more."""
        return self._renamed or bool(self._types) or self.found > self.rows

    @property
    def faults(self) -> tuple[str, ...]:
        """All that is wrong, when all batches were seen."""
        if self.promises is None:
            return ()
        if self.found != self.rows:
            return (f"the file has {self.found:,} records instead of {self.rows:,}",)
        if self._renamed:
            return ("the file has other columns than those that were to go out",)
        return tuple(self._types[name] for name in self.promises if name in self._types)


def type_fault(attribute: Attribute, dtype: pl.DataType, promise: Promise, typed: bool) -> str | None:
    """What is wrong with the type of a released column; a file that is not `typed` has only rough types."""
    if promise.values == "numbered":
        return None  # `together` looks at the numbers
    wanted, found = _type(attribute.storage, typed), _type(storage_name(dtype), typed)
    relabelled = promise.values == ("generalised" if attribute.kind == "categorical" else "ranges")
    if wanted == found or (relabelled and (found == "text" or not typed)):
        return None
    return f"column {attribute.name!r} was written as {storage_name(dtype)} and not as {attribute.storage}"


def _type(storage: str, typed: bool) -> str:
    """What a storage is compared by: texts are texts, and a text file does not say how wide its numbers are."""
    if storage in TEXT_STORAGES:
        return "text"
    outer, nested, _ = storage.partition("(")
    if nested and outer in {"List", "Array", "Struct"}:
        return outer  # categories inside go out as texts; the values are compared one by one
    if typed:
        return storage
    name = storage.partition("[")[0]
    return {"I": "whole", "U": "whole", "F": "real"}.get(name[0], name)


class Nodes(NamedTuple):
    """One tree: what each node tests, and where each answer leads, in the order that the loop expects."""

    column_of: NDArray[np.uint32]
    numeric: Flags
    threshold: Floats
    start: NDArray[np.uint64]
    children: NDArray[np.uint32]


class Routes:
    """All trees, and how the columns that they test are compared.

    `attributes` describe columns as a forest.json does. Their values are extended by all texts that a tree knows.
    """

    def __init__(self, forest: Mapping[str, Any], attributes: Mapping[str, Mapping[str, Any]]) -> None:
        trees = [tree["nodes"] for tree in forest["trees"]]
        nodes = [node for tree in trees for node in tree if "test" in node]
        names = dict.fromkeys(node["test"]["attribute"] for node in nodes)
        texts = {name: dict.fromkeys(attributes[name].get("values", ())) for name in names}
        for node in nodes:
            texts[node["test"]["attribute"]].update(dict.fromkeys(node["children"]))
        self.tested = {name: {**attributes[name], "values": tuple(texts[name])} for name in names}
        self.ids = [np.array([node["id"] for node in tree], np.int64) for tree in trees]
        self.trees = [_arrays(tree, self.tested) for tree in trees]

    @property
    def sizes(self) -> list[int]:
        """How many nodes every tree has."""
        return [len(ids) for ids in self.ids]

    def leaves(
        self, before: Mapping[str, Array], after: Mapping[str, Array], rows: int
    ) -> tuple[list[Codes], list[Codes]]:
        """The place among its tree's nodes of the leaf of every record, before and after, in each tree."""
        first, second = self._matrix(before, rows), self._matrix(after, rows)
        left, reached = ([np.empty(rows, np.int32) for _ in self.trees] for _ in range(2))
        for nodes, ours, theirs in zip(self.trees, left, reached, strict=True):
            follow(first, second, *nodes, ours, theirs)
        return left, reached

    def _matrix(self, columns: Mapping[str, Array], rows: int) -> Floats:
        """The tested columns below each other: numbers, and codes from 0, missing, on."""
        matrix = np.empty((len(self.tested), rows))
        for row, (name, attribute) in zip(matrix, self.tested.items(), strict=True):
            values = columns[name]
            if attribute["kind"] == "numeric":
                row[:] = values
            else:
                check_indices(f"Codes of column {name!r}", values, len(attribute["values"]) + 1, least=-1)
                np.add(values, 1, out=row)
        return matrix


def _arrays(nodes: Sequence[Mapping[str, Any]], tested: Mapping[str, Mapping[str, Any]]) -> Nodes:
    """One tree of a forest.json."""
    place = {node["id"]: i for i, node in enumerate(nodes)}
    column = {name: i for i, name in enumerate(tested)}
    column_of, numeric = np.full(len(nodes), LEAF), np.zeros(len(nodes), bool)
    threshold, start = np.zeros(len(nodes)), np.zeros(len(nodes), np.uint64)
    children: list[int] = []
    for i, node in enumerate(nodes):
        if "test" not in node:
            continue
        attribute = tested[node["test"]["attribute"]]
        ways, fallback = node["children"], node["missing_to"]
        column_of[i], start[i] = column[attribute["name"]], len(children)
        if attribute["kind"] == "numeric":
            numeric[i], threshold[i] = True, node["test"]["threshold"]
            answers = [ways["le"], ways["gt"], fallback]
        else:
            answers = [fallback, *(ways.get(text, fallback) for text in attribute["values"]), fallback]
        children += [place[answer] for answer in answers]
    return Nodes(column_of, numeric, threshold, start, np.array(children, np.uint32))


class KeptRecords:
    """Records of the same row that reach the same leaves, in trees of these numbers of nodes."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self._kept, self._per_tree = 0, [0] * len(sizes)

    def add(self, left: Sequence[Codes], reached: Sequence[Codes], rows: int) -> None:
        """Count a batch by its leaves before and after."""
        together = np.ones(rows, bool)
        for tree, (first, last) in enumerate(zip(left, reached, strict=True)):
            same = first == last
            self._per_tree[tree] += int(np.count_nonzero(same))
            together &= same
        self._kept += int(np.count_nonzero(together))

    def totals(self) -> tuple[int, tuple[int, ...]]:
        """Records kept in all trees together, and in each."""
        return self._kept, tuple(self._per_tree)


class MatchedRecords:
    """The most pairs of a record before and one after, each used once, that are in the same leaf of all trees."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self._places = [CountedSegments(part) for part in (sizes, *([size] for size in sizes))]
        self._surplus = [np.zeros(0, np.int64) for _ in self._places]
        self._records = 0

    def add(self, left: Sequence[Codes], reached: Sequence[Codes], rows: int) -> None:
        """Count a batch by its leaves before and after."""
        self._records += rows
        for side, leaves in ((1, left), (-1, reached)):
            for i, part in enumerate((leaves, *([leaf] for leaf in leaves))):
                self._surplus[i] = _counted(self._surplus[i], self._places[i].of(part, rows), side)

    def totals(self) -> tuple[int, tuple[int, ...]]:
        """Records matched in all trees together, and in each."""
        # As many are left over before as after.
        matched = [self._records - int(np.abs(surplus).sum()) // 2 for surplus in self._surplus]
        return matched[0], tuple(matched[1:])


def _counted(surplus: Integers, places: Integers, side: int) -> Integers:
    found = side * np.bincount(places, minlength=len(surplus))
    return found + grown(surplus, len(found))


class Firsts(NamedTuple):
    """Which rows of a batch are the first of their unit, before and after."""

    before: Flags
    after: Flags


class Together:
    """The rows of one numbered column: of persons, or of households."""

    def __init__(self, column: str, promises: Mapping[str, Promise], sizes: Sequence[int]) -> None:
        self.column = column
        self._segments = CountedSegments(sizes)
        self._seen: dict[Any, None] = {}
        self._alone = 0
        self._found = np.zeros(0, bool)
        self._strange = 0
        self._words = {name: np.zeros(0, np.int64) for name, p in promises.items() if p.per == column}
        self._segment = np.zeros(0, np.int64)
        self._split: Flags = np.zeros(0, bool)
        self._differs: dict[str, Flags] = {name: np.zeros(0, bool) for name in self._words}

    @property
    def units(self) -> int:
        """How many different units the original has; a row without a name is one of its own."""
        return len(self._seen) + self._alone

    @property
    def whole(self) -> int:
        """How many numbers have all their rows in one segment."""
        return int(self._found.sum()) - int(self._split.sum())

    def add(
        self, before: pl.Series, after: pl.Series, values: Mapping[str, Array], reached: Sequence[Codes]
    ) -> Firsts:
        """Look at a batch: the names before, the numbers after, the columns after and the leaves they lead to."""
        numbers = _whole_numbers(after)
        sound = (numbers > 0) & (numbers <= np.iinfo(np.int32).max)
        self._strange += int(np.count_nonzero(~sound))
        numbers = np.where(sound, numbers, 0)
        first = self._first_after(numbers)
        self._check("", words=self._segments.of(reached, len(numbers)), numbers=numbers, first=first)
        for name in self._words:
            self._check(name, words=words_of(np.asarray(values[name])), numbers=numbers, first=first)
        return Firsts(self._first_before(before), first & sound)

    def _first_before(self, before: pl.Series) -> Flags:
        gone = before.is_null().to_numpy()
        self._alone += int(gone.sum())
        first = np.asarray(before.is_first_distinct().to_numpy()) & ~gone
        rows = np.flatnonzero(first)
        old = [value in self._seen for value in before.gather(rows).to_list()]
        self._seen.update(dict.fromkeys(before.gather(rows).to_list()))
        first[rows[np.array(old, bool)]] = False
        return np.asarray(first | gone)

    def _first_after(self, numbers: Integers) -> Flags:
        size = int(numbers.max(initial=0)) + 1
        grown = max(0, size - len(self._found))
        self._found = np.append(self._found, np.zeros(grown, bool))
        self._segment = np.append(self._segment, np.zeros(grown, np.int64))
        self._split = np.append(self._split, np.zeros(grown, bool))
        for name in self._words:
            self._words[name] = np.append(self._words[name], np.zeros(grown, np.int64))
            self._differs[name] = np.append(self._differs[name], np.zeros(grown, bool))
        first = np.zeros(len(numbers), bool)
        first[np.unique(numbers, return_index=True)[1]] = True
        first &= ~self._found[numbers]
        self._found[numbers] = True
        return first

    def _check(self, name: str, words: Integers, numbers: Integers, first: Flags) -> None:
        """Note what the first row of every number has, and the numbers whose other rows have something else."""
        held = self._words[name] if name else self._segment
        held[numbers[first]] = words[first]
        differs = self._differs[name] if name else self._split
        differs[numbers[words != held[numbers]]] = True

    def said(self) -> dict[str, int]:
        """What the certificate says."""
        return {"units": self.units, "whole": self.whole}

    def fault(self) -> str | None:
        """What is wrong, as a phrase."""
        if self._strange or int(self._found.sum()) != self.units or len(self._found) - 1 != self.units:
            return f"column {self.column!r} does not number its {self.units:,} units from 1 on"
        for name, differs in self._differs.items():
            if differs.any():
                count = int(np.count_nonzero(differs))
                return (
                    f"column {name!r} has several values in one {self.column!r} ({count:,} of {self.units:,})"
                )
        return None


def _whole_numbers(column: pl.Series) -> Integers:
    """The numbers of a column of texts or numbers; 0 for whatever is not a number."""
    import polars as pl

    return np.asarray(column.cast(pl.String).cast(pl.Int64, strict=False).fill_null(0).to_numpy(), np.int64)
