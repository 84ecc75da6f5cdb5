"""The parts that Mondrian cuts a table into, by the allowable splits most informative about the class.

Plain data in, plain data out, for the technique and for experiments; the loops over records are in
`kernels.partitions`, and `mondrian` decides what is released of a part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np

from hushwood.arrays import Array, Codes, Flags, Floats, Integers
from hushwood.distances.principal_score import THIRDS, principal_scores, thirds
from hushwood.errors import InputError
from hushwood.parameters import AtLeast, Between, Checked
from hushwood.tables.recoding.taxonomies import Taxonomy
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table, class_labels, missing_values
from hushwood.techniques.partitions.specialisation import bits
from hushwood.trees.binary import BinaryGrowth, Node

_EQUAL = 1e-12
_DECIMALS = 12  # gains that differ by less are equal, and the part that was made first is split first


@dataclass(frozen=True, slots=True)
class Limits(Checked):
    """What every part must satisfy, and when to stop: K, L of the sensitive columns, parts, gain of a split.

    A gain is a share of what the part has to explain: bits a record, or the share of its sum of squares.
    """

    k: Annotated[int, AtLeast(1)] = 5
    l: Annotated[float, Between(1)] = 1.0
    max_parts: Annotated[int | None, AtLeast(1)] = None
    min_gain: Annotated[float, Between(0)] = 0.0


@dataclass(frozen=True, slots=True)
class PartCut:
    """A split: numbers up to `threshold` and missing ones, or the codes in `values`, go `left`; others go `right`.

    `left` and `right` are places in the list of cuts, or ~part of a final part. Categories that were not there when the
    part was split go to the side with more records, the left one if `larger_left`.
    """

    column: str
    threshold: float | None
    values: tuple[int, ...]
    others: tuple[int, ...]
    larger_left: bool
    left: int
    right: int


@dataclass(frozen=True, slots=True)
class MondrianParts:
    """The part of every record, and the cuts that lead there, the first one first."""

    ids: Codes
    count: int
    cuts: tuple[PartCut, ...]

    def of(self, columns: Mapping[str, Array]) -> Codes:
        """The parts of other records, by their values."""
        rows = len(next(iter(columns.values())))
        ids = np.zeros(rows, np.int32)
        waiting = [(0, np.arange(rows))] if self.cuts else []
        while waiting:
            place, here = waiting.pop()
            cut = self.cuts[place]
            left = _goes_left(cut, columns[cut.column][here])
            for side, some in ((cut.left, here[left]), (cut.right, here[~left])):
                if side >= 0:
                    waiting.append((side, some))
                else:
                    ids[some] = ~side
        return ids


def mondrian_parts(
    table: Table,
    columns: Sequence[str],
    limits: Limits,
    sensitive: Sequence[str] = (),
    hierarchies: Mapping[str, Taxonomy] | None = None,
) -> MondrianParts:
    """Cut a table into parts by these columns, the split that gains most first; it ends when none is allowable.

    A column with a hierarchy is cut along it: one group of the next lower level from the others.
    """
    check_limits(table, limits, sensitive)
    given = hierarchies or {}
    columns = [n for n in columns if n not in given] + [n for n in columns if n in given]
    data = _PreparedTable.of(table, columns, limits, sensitive, given)
    growing = _Growing(data, limits)
    while growing.leaf_count != limits.max_parts and (part := growing.next_leaf()) is not None:
        growing.split_node(part)
    return growing.finished(columns)


def check_limits(table: Table, limits: Limits, sensitive: Sequence[str]) -> None:
    """Refuse what not even the table as one part can fulfil."""
    if limits.k > table.rows:
        raise InputError(
            f"Groups of k = {limits.k:,} records cannot be made of {table.rows:,}; choose a smaller k."
        )
    if limits.l > 1 and not sensitive:
        raise InputError(
            f"l = {limits.l:g} needs different values of sensitive columns, but none is declared as confidential; "
            "declare one, or omit l."
        )
    for name in sensitive if limits.l > 1 else ():
        most = int(np.bincount(dense(table.columns[name])[0]).max())
        if most * limits.l > table.rows:
            raise InputError(
                f"l = {limits.l:g} cannot be reached: one value of {name!r} is in {most:,} of {table.rows:,} records; "
                f"choose l = {table.rows / most:.3g} or less."
            )


@dataclass(frozen=True, slots=True)
class _PreparedTable:
    """Columns as ranks with their records in order, the response, and the sensitive columns."""

    ranks: Codes
    values: tuple[Array, ...]
    category: Flags
    orders: Codes
    label: Codes
    classes: int
    number: Floats
    known: Floats
    sensitive: Codes
    logs: Floats
    levels: tuple[Integers, ...] = ()  # of the last columns: the group of every rank, by level

    @classmethod
    def of(
        cls,
        table: Table,
        columns: Sequence[str],
        limits: Limits,
        sensitive: Sequence[str],
        hierarchies: Mapping[str, Taxonomy],
    ) -> _PreparedTable:
        coded = [dense(table.columns[name]) for name in columns]
        ranks = np.array([ranks for ranks, _ in coded], np.int32).reshape(len(columns), table.rows)
        orders = np.array([np.argsort(line, kind="stable") for line in ranks], np.int32).reshape(ranks.shape)
        category = np.array([_is_set(table.schema[name], hierarchies) for name in columns], bool)
        label, classes, number, known = response(table)
        others = [dense(table.columns[name])[0] for name in sensitive] if limits.l > 1 else []
        sizes = np.arange(table.rows + 1)
        logs = np.asarray(sizes * np.log2(np.maximum(sizes, 1)), np.float64)
        held = np.array(others, np.int32).reshape(len(others), table.rows)
        values = tuple(values for _, values in coded)
        levels = tuple(
            rank_groups(table.schema[name].categories, values[place], hierarchies[name])
            for place, name in enumerate(columns)
            if name in hierarchies
        )
        return cls(ranks, values, category, orders, label, classes, number, known, held, logs, levels)


def _is_set(attribute: Attribute, hierarchies: Mapping[str, Taxonomy]) -> bool:
    """Whether a column is cut into sets of values; those that are in order are cut between two, as numbers are."""
    in_order = attribute.ordered and attribute.name not in hierarchies
    return attribute.kind == "categorical" and not in_order


def dense(column: Array) -> tuple[Codes, Array]:
    """Places of the values among all of the column, and these; missing ones are before all others."""
    lowest = -np.inf if column.dtype.kind == "f" else -1
    values, ranks = np.unique(np.where(missing_values(column), lowest, column), return_inverse=True)
    return ranks.astype(np.int32), values


def response(table: Table) -> tuple[Codes, int, Floats, Floats]:
    """The response: classes (missing is one more), or numbers as distances from their mean.

    The number of classes is 0 for numbers; missing numbers count as records, but do not affect the score. Without a
    class the number that says most about the other columns takes its place.
    """
    target = table.schema.class_attribute
    nothing = np.zeros(0)
    if target is None or target.response:
        values = _stand_in(table) if target is None else table.columns[target.name]
        known = ~np.isnan(values)
        centre = values[known].mean() if known.any() else 0.0
        return np.zeros(0, np.int32), 0, np.where(known, values - centre, 0.0), known.astype(np.float64)
    return (*class_response(table), nothing, nothing)


def class_response(table: Table) -> tuple[Codes, int]:
    """Classes whatever the table has: a number is cut into bins, and what stands in for the class into thirds."""
    if table.schema.class_attribute is None:
        return thirds(_stand_in(table)), len(THIRDS)
    label, names = class_labels(table)
    return np.where(label < 0, len(names), label).astype(np.int32), len(names) + 1


def _stand_in(table: Table) -> Floats:
    """The first principal score of the columns that are not generalised, or of all if all are."""
    quasi = table.schema.quasi_identifiers
    return principal_scores(table, [a.name for a in table.schema.inputs if a.name not in quasi] or None)


class _PartSplit(NamedTuple):
    """The column that is cut, and the rows that go left."""

    column: int
    left: Codes


class _Growing(BinaryGrowth[_PartSplit]):
    """Parts while the table is cut."""

    def __init__(self, data: _PreparedTable, limits: Limits) -> None:
        self.data, self.limits = data, limits
        self.spare = np.zeros(int(data.sensitive.max(initial=0)) + 1, np.int64)
        self.whole: float | None = None
        super().__init__(list(data.orders) or [np.arange(data.orders.shape[1], dtype=np.int32)])

    def best_split(self, node: Node[_PartSplit]) -> tuple[float, _PartSplit] | None:
        """The allowable split most informative about the class."""
        from hushwood.techniques.kernels.partitions import best_split

        data, limits = self.data, self.limits
        if not len(data.orders) or node.size < 2 * limits.k:
            return None
        left = np.empty(node.size, np.int32)
        response = data.label, data.classes, data.number, data.known, data.logs
        asked = limits.k, float(limits.l), data.sensitive, self.spare
        plain = len(data.orders) - len(data.levels)
        # Columns with hierarchies are the last, so that what is left is a view of the same lines.
        lines = data.orders[: max(plain, 1)]
        column, cut, before, after = best_split(
            lines, data.ranks, data.category, node.start, node.stop, *response, *asked, left
        )
        if data.levels:
            column, after, chosen = self._along_hierarchies(node, column if plain else -1, after)
            if chosen is not None:
                cut, left = len(chosen), chosen
        own = float(node.size if data.classes else before)
        self.whole = own if self.whole is None else self.whole
        enough = limits.min_gain == 0 or before - after >= limits.min_gain * own
        if column < 0 or not enough:
            return None
        return round((before - after) / (self.whole or 1.0), _DECIMALS), _PartSplit(column, left[:cut].copy())

    def _along_hierarchies(
        self, node: Node[_PartSplit], column: int, after: float
    ) -> tuple[int, float, Codes | None]:
        """The best allowable cut along a hierarchy, if it scores better than the one found by other columns."""
        data, rows, chosen = self.data, self.rows(node), None
        after = after if column >= 0 else np.inf
        judge = HierarchyCuts(
            self.limits.k, self.limits.l, data.label, data.classes, data.number, data.known, data.sensitive
        )
        for place, levels in enumerate(data.levels, len(data.orders) - len(data.levels)):
            found = judge.best(rows, levels[:, data.ranks[place][rows]])
            if found is not None and found[0] < after - _EQUAL * (1.0 + abs(found[0])):
                (after, chosen), column = found, place
        return column, after, chosen

    def mark(self, node: Node[_PartSplit], split: _PartSplit) -> int:
        """Say where the split sends every row of the part; the list of rows is not needed again."""
        self.goes_left[self.rows(node)] = False
        self.goes_left[split.left] = True
        node.best = split._replace(left=split.left[:0].copy())
        return len(split.left)

    def finished(self, columns: Sequence[str]) -> MondrianParts:
        """The final parts in the order they were made, and the cuts in the order of their splits."""
        final = self.leaves()
        made = [(node.children, part, node.split) for part, node in enumerate(self.nodes)]
        cuts = sorted((c, part, split.column) for c, part, split in made if split is not None)
        place = {part: ~i for i, part in enumerate(final)} | {part: i for i, (_, part, _) in enumerate(cuts)}
        ids = np.empty(len(self.goes_left), np.int32)
        for i, part in enumerate(final):
            ids[self.rows(self.nodes[part])] = i
        found = (self._cut(columns[column], column, children, place) for children, _, column in cuts)
        return MondrianParts(ids, len(final), tuple(found))

    def _cut(self, name: str, column: int, children: tuple[int, int], place: Mapping[int, int]) -> PartCut:
        ranks, values = self.data.ranks[column], self.data.values[column]
        left, right = (ranks[self.rows(self.nodes[child])] for child in children)
        sides = [place[child] for child in children]
        if self.data.category[column]:
            here, there = (tuple(values[np.unique(side)].astype(int).tolist()) for side in (left, right))
            return PartCut(name, None, here, there, len(left) >= len(right), *sides)
        low, high = float(values[left.max()]), float(values[right.min()])
        middle = low + (high - low) / 2 if np.isfinite(low) else low
        return PartCut(name, middle if middle < high else low, (), (), len(left) >= len(right), *sides)


def _goes_left(cut: PartCut, values: Array) -> Flags:
    """Which records of a part go left."""
    if cut.threshold is not None:
        return np.asarray(missing_values(values) | (values <= cut.threshold))
    return np.asarray(~np.isin(values, cut.others) if cut.larger_left else np.isin(values, cut.values))


def rank_groups(categories: Sequence[str], values: Array, taxonomy: Taxonomy) -> Integers:
    """The group of every value of a column by level [level, value], from the values up to the root.

    A missing value is a group of its own below the root.
    """
    found = np.zeros((taxonomy.height + 1, len(values)), np.int64)
    for level in range(taxonomy.height):
        names = [taxonomy.levels[categories[code]][level] if code >= 0 else None for code in values.tolist()]
        place = {name: i for i, name in enumerate(dict.fromkeys(names))}
        found[level] = [place[name] for name in names]
    return found


@dataclass(frozen=True, slots=True)
class HierarchyCuts:
    """What both sides of a cut must satisfy, and the response that it is to explain."""

    k: int
    least: float
    label: Array
    classes: int
    number: Floats
    known: Floats
    sensitive: Array

    def best(self, rows: Array, groups: Integers) -> tuple[float, Array] | None:
        """Score after the best allowable cut of a part, and the rows that go left; `groups` are theirs by level."""
        apart = [level for level in groups if (level != level[0]).any()]
        if not apart:
            return None
        found: tuple[float, Array] | None = None
        for group in np.unique(apart[-1]).tolist():
            left = apart[-1] == group
            sides = rows[left], rows[~left]
            if not all(map(self._allows, sides)):
                continue
            score = sum(map(self._score, sides))
            if found is None or score < found[0]:
                found = score, sides[0]
        return found

    def _allows(self, rows: Array) -> bool:
        """Whether a side has k records and no sensitive value in more than 1/l of them."""
        if len(rows) < self.k:
            return False
        return all(np.bincount(held[rows]).max() * self.least <= len(rows) for held in self.sensitive)

    def _score(self, rows: Array) -> float:
        """Entropy of the class times the records, in bits, or the sum of squares of a numeric response."""
        if self.classes:
            return float(bits(np.bincount(self.label[rows])))
        values, weight = self.number[rows], float(self.known[rows].sum())
        return float((values**2).sum() - values.sum() ** 2 / max(weight, 1.0))
