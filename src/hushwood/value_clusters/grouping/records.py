"""What the clusterings share: the distinct records of a table, groups of records, and groups of alike values.

The class is a column like any other, a missing category a value like any other; columns with one value, and with more
values than a tree tests, are dropped. Columns are sorted by name and records by count (then by code), so the order of
the table's rows and columns decides nothing. A known record is in its cluster, another goes where the clustering's own
rule puts it: a record's group depends on its values alone. For clusterings of values (CACTUS, STIRR) a category that no
record has is dropped, because it would only change what is expected of the others.

A clustering of a whole table is computed once, although CAPT asks for it again for every attribute: the last result is
kept, and reused only for the very same column arrays and equal parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from itertools import combinations
from typing import Any, Concatenate, NamedTuple, ParamSpec, Protocol, TypeVar
from weakref import ref

import numpy as np

from hushwood.arrays import Array, Codes, Integers, check_indices
from hushwood.errors import InputError
from hushwood.segments.partition import combine
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table, bin_names, label_columns
from hushwood.trees.options import GrowOptions
from hushwood.trees.training import MOST_BRANCHES
from hushwood.value_clusters.protocol import Columns, GroupPerValue, Sibling

P = ParamSpec("P")
R = TypeVar("R")
MOST_TUPLES = 2000  # every pair is compared; on Adult they are three quarters of all records


class _LastCall(NamedTuple):
    """The last call, without keeping the table in memory, and its answer."""

    schema: object
    columns: dict[str, ref[Any]]
    parameters: tuple[Any, ...]
    answer: Any

    def matches(self, table: Table, parameters: tuple[Any, ...]) -> bool:
        same = self.columns.keys() == table.columns.keys() and all(
            kept() is table.columns[name] for name, kept in self.columns.items()
        )
        return same and self.schema == table.schema and _equal(self.parameters, parameters)


def _equal(given: Any, asked: Any) -> bool:
    """Whether parameters are equal; arrays of rows must be the very same."""
    if isinstance(given, tuple) and isinstance(asked, tuple):
        return len(given) == len(asked) and all(map(_equal, given, asked))
    if isinstance(given, dict) and isinstance(asked, dict):
        return given.keys() == asked.keys() and all(_equal(given[key], asked[key]) for key in given)
    return given is asked or (not isinstance(given, np.ndarray) and bool(given == asked))


def cached_per_table(cluster: Callable[Concatenate[Table, P], R]) -> Callable[Concatenate[Table, P], R]:
    """Remember the last result of a function of a table; tables are never changed in place."""
    last: list[_LastCall] = []

    @wraps(cluster)
    def remembered(table: Table, /, *args: P.args, **kwargs: P.kwargs) -> R:
        parameters = (args, kwargs)
        asked = last[0] if last else None
        if asked is None or not asked.matches(table, parameters):
            columns = {name: ref(column) for name, column in table.columns.items()}
            asked = _LastCall(table.schema, columns, parameters, cluster(table, *args, **kwargs))
            last[:] = [asked]
        answer: R = asked.answer
        return answer

    return remembered


@dataclass(frozen=True, slots=True)
class ClusteredColumns:
    """Columns by name, and the number of each one's first value: missing, then its categories in order."""

    schema: Schema
    names: tuple[str, ...]
    first: tuple[int, ...]
    width: int

    def values(self, columns: Mapping[str, Array]) -> Codes:
        """One row per record, one column per attribute; every value of every attribute has its own number."""
        read = label_columns(self.schema, {name: columns[name] for name in self.names})
        numbered = [read[name] + (first + 1) for name, first in zip(self.names, self.first, strict=True)]
        values = np.ascontiguousarray(np.stack(numbered, axis=1), np.int32)
        check_indices("Values of clustered columns", values, self.width)
        return values


@dataclass(frozen=True, slots=True)
class RecordTuples:
    """Distinct records as rows of value numbers below `width`, the most frequent first, and their counts."""

    values: Codes
    weight: Integers
    width: int

    def __len__(self) -> int:
        return len(self.weight)

    def take(self, which: Array) -> RecordTuples:
        """Some of the tuples."""
        return RecordTuples(self.values[which], self.weight[which], self.width)

    def most_frequent(self, count: int) -> RecordTuples:
        """The first `count`; among those tied for the last places, some at even steps."""
        if count >= len(self):
            return self
        last = self.weight[count - 1]
        more, tied = np.count_nonzero(self.weight > last), np.count_nonzero(self.weight == last)
        steps = np.arange(count - more) * tied // (count - more)
        return self.take(np.concatenate([np.arange(more), more + steps]))


def clustered_columns(table: Table) -> ClusteredColumns:
    """The categorical columns of at least two values, a binned class as its bins."""
    seen = label_columns(table.schema, table.columns)
    widths = {}
    for attribute in table.schema.kept:
        count = len(bin_names(attribute.bins) if attribute.bins else attribute.categories)
        codes = seen[attribute.name]
        wanted = attribute.kind == "categorical" and count <= MOST_BRANCHES
        if wanted and codes.min(initial=count) < codes.max(initial=-1):
            widths[attribute.name] = count + 1
    names = tuple(sorted(widths))
    ends = np.cumsum([0] + [widths[name] for name in names]).tolist()
    return ClusteredColumns(table.schema, names, tuple(ends[:-1]), ends[-1])


def record_tuples(values: Codes, width: int) -> RecordTuples:
    """The distinct rows, most frequent first and equally frequent ones in ascending order."""
    ids, members = combine(list(values.T))
    count = np.bincount(ids, minlength=members.shape[1]).astype(np.int64)
    order = np.argsort(-count, kind="stable")
    return RecordTuples(np.ascontiguousarray(members.T[order], np.int32), count[order], width)


class RecordClusters(Protocol):
    """What a clustering of records found."""

    @property
    def tuples(self) -> RecordTuples:
        """The records that were clustered."""

    @property
    def cluster(self) -> Integers:
        """The cluster (0, 1, ...) of each."""

    def labelled(self, values: Codes) -> Integers:
        """The clusters to which other records belong."""


@dataclass(frozen=True, slots=True)
class RecordGroups:
    """The cluster of every record as its group."""

    columns: ClusteredColumns
    clusters: RecordClusters

    @property
    def reads(self) -> tuple[str, ...]:
        """The clustered columns."""
        return self.columns.names

    @property
    def siblings(self) -> Mapping[int, tuple[Sibling, ...]]:
        """None: clusters have no neighbours."""
        return {}

    def group_of(self, columns: Columns) -> Integers:
        """Look up every record, and label the unknown ones."""
        known = self.clusters.tuples.values
        ids, members = combine(list(np.concatenate([known, self.columns.values(columns)]).T))
        label = np.full(members.shape[1], -1, np.int64)
        label[ids[: len(known)]] = self.clusters.cluster
        unknown = label < 0
        if unknown.any():
            label[unknown] = self.clusters.labelled(np.ascontiguousarray(members[:, unknown].T, np.int32))
        return label[ids[len(known) :]]


def record_groups(
    table: Table, attribute: str, cluster: Callable[[RecordTuples, Any], RecordClusters], how: object
) -> RecordGroups | None:
    """The clusters of the table's records; None if the attribute has one value, or all records or none are alike."""
    codes = np.asarray(table.columns[attribute])
    columns = clustered_columns(table)
    if attribute not in columns.names or len(columns.names) < 2 or len(np.unique(codes[codes >= 0])) < 2:
        return None
    found = _clustered(table, columns, cluster, how)
    count = int(found.cluster.max(initial=-1)) + 1
    return None if count < 2 or count == len(found.tuples) else RecordGroups(columns, found)


@cached_per_table
def _clustered(
    table: Table,
    columns: ClusteredColumns,
    cluster: Callable[[RecordTuples, Any], RecordClusters],
    how: object,
) -> RecordClusters:
    return cluster(record_tuples(columns.values(table.columns), columns.width), how)


def as_groups(
    cluster: Callable[[RecordTuples, Any], RecordClusters], default: object
) -> Callable[..., RecordGroups | None]:
    """The function that gives a clustering's groups to CAPT; the options of trees do not matter to it."""

    def groups(
        table: Table, attribute: str, options: GrowOptions, how: object = default
    ) -> RecordGroups | None:
        return record_groups(table, attribute, cluster, how)

    return groups


@dataclass(frozen=True, slots=True)
class ObservedValues:
    """Names of the values of every attribute (missing: an empty text), and the distinct records that hold them.

    `codes[a, r]` is the value of attribute a in distinct record r, `weight[r]` how many records are equal to it.
    """

    names: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]
    codes: Integers
    weight: Integers

    @property
    def records(self) -> int:
        """How many records there are, all counted."""
        return int(self.weight.sum())

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many values every attribute has."""
        return tuple(len(values) for values in self.values)


def observed_values(table: Table, names: Sequence[str] | None = None) -> ObservedValues:
    """The named columns, or all that can be clustered."""
    columns = clustered_columns(table)
    for name in names or ():
        if name not in columns.names:
            raise InputError(
                f"{name!r} cannot be clustered: that takes a categorical column of two values or more. "
                f"There are {', '.join(columns.names) or 'none'}."
            )
    chosen = [place for place, name in enumerate(columns.names) if names is None or name in names]
    if not chosen:
        return ObservedValues((), (), np.zeros((0, 0), np.int64), np.zeros(0, np.int64))
    tuples = record_tuples(columns.values(table.columns)[:, chosen], columns.width)
    codes, values = [], []
    for place, numbers in zip(chosen, tuples.values.T, strict=True):
        there, code = np.unique(numbers, return_inverse=True)
        attribute = table.schema[columns.names[place]]
        texts = ("", *(bin_names(attribute.bins) if attribute.bins else attribute.categories))
        values.append(tuple(texts[number - columns.first[place]] for number in there.tolist()))
        codes.append(code.reshape(-1))
    return ObservedValues(
        tuple(columns.names[place] for place in chosen), tuple(values), np.array(codes), tuples.weight
    )


class AlikeValues(NamedTuple):
    """Values of one attribute that belong together (missing: an empty text), and how many records they stand for."""

    values: tuple[str, ...]
    records: int


def similar_pairs(clusters: Iterable[Sequence[str]]) -> set[tuple[str, str]]:
    """All pairs of values that share a cluster, each in alphabetical order.

    >>> sorted(similar_pairs([("Toyota", "Ford"), ("Holden",)]))
    [('Ford', 'Toyota')]
    """
    return {pair for values in clusters for pair in combinations(sorted(values), 2)}


def groups_of_values(attribute: Attribute, clusters: Iterable[AlikeValues]) -> GroupPerValue | None:
    """Every value in its largest cluster (the first of equal ones), alone if it has none.

    None if no two values are in the same group: then there is nothing to draw among.
    """
    texts = (*attribute.categories, "")
    groups: dict[str, int] = {}
    for number, cluster in enumerate(sorted(clusters, key=lambda c: -c.records)):
        for value in cluster.values:
            groups.setdefault(value, -1 - number)
    own = [groups.get(text, place) for place, text in enumerate(texts)]
    found, of_code = np.unique(own, return_inverse=True)
    return GroupPerValue(attribute.name, of_code.astype(np.int64)) if len(found) < len(texts) else None
