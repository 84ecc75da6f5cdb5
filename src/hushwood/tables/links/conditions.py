"""Finds what values of two or three columns exclude: conditions if few rules say it all, otherwise fixed combinations.

Every pair of columns is counted once, and all of this is read off these counts: values that never meet, columns that
are known only for some values of another, and columns of which few of all combinations occur.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb, log

import numpy as np

from hushwood.arrays import Array, Flags, Floats, Integers
from hushwood.tables.links.dependences import Arrows, leaders
from hushwood.tables.links.links import Combinations, Condition
from hushwood.tables.links.scan import (
    ACCIDENT,
    FoundLink,
    Levels,
    NumberColumn,
    Scan,
    Search,
    convincing,
    log_chance_of_none,
)

MOST_NAMES = 64  # levels of a column whose pairs are looked at
MOST_WORK = 2e9  # records times pairs of columns
EXPECTED = 12.0  # records from which a cell says how rare its combination is
RARE = 0.1  # cells with fewer than this share of what is expected show a habit, not a rule
# Of values that never meet.
MOST_RULES = 2  # about a pair of columns; more of them are said shorter by the combinations that occur
LEAST_EXPECTED, LEAST_SHARE = 100.0, 0.02  # records that would have what a rule forbids
FORCED_EXPECTED, FORCED_SHARE = 30.0, 0.01  # the same for a rule that leaves one value only
FEW_COMBINATIONS = 0.1  # of the records would have a combination that never occurs
USUAL_PAIRS, USUAL_SHARE = 10, 0.25  # more linked pairs come from few kinds of records, not from rules
# Of columns that are known only for some values.
EXPECTED_KNOWN = 30.0  # records that would have a value, where none has
SHARE_KNOWN = 0.01  # of all records that must be known, and missing
# Of three columns.
MOST_COLUMNS = 30
MOST_WORK_OF_THREE = 4e8  # records times combinations
MOST_CELLS = 8000
RECORDS_PER_CELL = 5

Implied = Callable[[str, str], bool]
Three = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Pairs:
    """Columns, and how often every level of one meets every level of the other."""

    columns: tuple[Levels, ...]
    rows: int
    _counted: dict[tuple[int, int], Floats] = field(default_factory=dict, repr=False)

    def of(self, one: int, other: int) -> Floats:
        """The table of two columns; it is counted once."""
        if one > other:
            return self.of(other, one).T
        if (one, other) not in self._counted:
            first, second = self.columns[one], self.columns[other]
            shape = len(first.counts), len(second.counts)
            counts = np.bincount(first.codes * shape[1] + second.codes, minlength=shape[0] * shape[1])
            self._counted[one, other] = counts.reshape(shape).astype(np.float64)
        return self._counted[one, other]


def links_of_values(scan: Scan, determined: Arrows) -> Search:
    """Conditions and combinations, without those that follow from a column that determines others."""
    # Without classes: which values never occur with one is for trees to find.
    levels = {name: each for name, each in scan.levels.items() if each.attribute.role != "class"}
    leader = leaders(determined, levels)
    few = [
        each
        for name, each in levels.items()
        if each.categorical and 1 < len(each.counts) <= MOST_NAMES and leader.get(name, name) == name
    ]
    columns = [*few, *(_gaps(each) for each in scan.numbers if each.known < scan.rows)]
    most = int((2 * MOST_WORK / max(scan.rows, 1)) ** 0.5)
    pairs, too_many = Pairs(tuple(columns[:most]), scan.rows), max(0, len(columns) - most)

    def implied(one: str, other: str) -> bool:
        return other in determined.get(one, ()) or one in determined.get(other, ())

    not_tried = [f"Conditions between {too_many:,} further columns"] if too_many else []
    two, usual = _linked_pairs(pairs, implied)
    if usual:
        # In a table of few kinds of records nearly everything excludes something else.
        said = f"Conditions and combinations, which {usual:,} pairs of columns have: too many to be rules"
        return Search((), (*not_tried, said))
    two += _known_only_if(pairs, implied)
    linked = {frozenset(each.link.columns) for each in two}
    direct = [each for each in two if not _follows(each, linked, determined)]
    three, threes = _linked_threes(
        pairs, lambda one, other: implied(one, other) or frozenset((one, other)) in linked
    )
    not_tried += [f"Combinations of {threes:,} further groups of three columns"] if threes else []
    return Search((*direct, *three), tuple(not_tried))


def _gaps(number: NumberColumn) -> Levels:
    """Whether a number is known, as two levels."""
    codes = (~np.isnan(number.values)).astype(np.int64)
    return Levels(number.attribute, codes, np.bincount(codes, minlength=2), (None, "known"))


def _follows(found: FoundLink, linked: set[frozenset[str]], determined: Arrows) -> bool:
    """Whether a link of two columns follows from that of a column which one of them determines."""
    one, other = found.link.columns
    return any(frozenset((coarse, other)) in linked for coarse in determined.get(one, ())) or any(
        frozenset((coarse, one)) in linked for coarse in determined.get(other, ())
    )


def _expected(table: Floats) -> Floats:
    """How many records each cell would have if the columns had nothing to do with each other."""
    return np.asarray(np.outer(table.sum(axis=1), table.sum(axis=0)) / max(float(table.sum()), 1.0))


def _impossible(table: Floats, tried: int) -> Flags:
    """Empty cells that are neither an accident nor the end of a habit.

    Where a row or a column also has cells that are merely rare, an empty one may be rare, too.
    """
    usual = _expected(table)
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    chance = log_chance_of_none(rows[:, None], columns[None, :], int(table.sum()))
    empty = np.asarray((table == 0) & (chance + np.log(max(tried, 1)) < np.log(ACCIDENT)))
    rare = np.asarray((table > 0) & (usual >= EXPECTED) & (table < RARE * usual))
    habit = np.logical_or.outer(rare.any(axis=1), rare.any(axis=0))
    return np.asarray(empty & ~habit)


def _linked_pairs(pairs: Pairs, implied: Implied) -> tuple[list[FoundLink], int]:
    """Conditions and combinations of two columns' known values; where too many pairs have some, only their number."""
    columns = [place for place, each in enumerate(pairs.columns) if each.categorical]
    tried = sum(
        len(pairs.columns[a].counts) * len(pairs.columns[b].counts) for a, b in combinations(columns, 2)
    )
    found: list[FoundLink] = []
    looked_at = linked = 0
    for one, other in combinations(columns, 2):
        first, second = pairs.columns[one], pairs.columns[other]
        if implied(first.name, second.name):
            continue
        looked_at += 1
        table = pairs.of(one, other)
        if table.all():
            continue
        table = table * np.outer(_known(first), _known(second))
        never = _impossible(table, tried)
        if never.any():
            links = _shortest(first, second, table, never)
            linked += bool(links)
            found += links
    if linked > max(USUAL_PAIRS, USUAL_SHARE * looked_at):
        return [], linked
    return found, 0


def _known(levels: Levels) -> Flags:
    return np.array([name is not None for name in levels.names], bool)


def _shortest(first: Levels, second: Levels, table: Floats, never: Flags) -> list[FoundLink]:
    """What says shortest which values never meet: rules by one of the columns, or the combinations that occur."""
    by_first = first, _rules(first, second, never, table)
    by_second = second, _rules(second, first, never.T, table.T)

    def length(way: tuple[Levels, list[FoundLink]]) -> tuple[int, int, int, str]:
        """Few rules come first, then those about many records, by a column of few values, by its name."""
        when, rules = way
        return *_length(rules), len(when.counts), when.name

    _, rules = min(by_first, by_second, key=length)
    if len(rules) <= MOST_RULES:
        return [rule for rule in rules if rule.support]
    share = float(_expected(table)[table == 0].sum() / table.sum())
    return [] if share < FEW_COMBINATIONS else [_combinations_found((first, second), table)]


def _length(rules: Sequence[FoundLink]) -> tuple[int, int]:
    """By which rules are ranked: how many there are, then how many records they are about, the most first."""
    return len(rules), -sum(rule.support for rule in rules)


def _rules(when: Levels, column: Levels, never: Flags, table: Floats) -> list[FoundLink]:
    """One condition for all values of `when` after which the same values of the column never occur.

    A rule that forbids too little to matter has no support.
    """
    groups: dict[bytes, list[int]] = {}
    for place in np.flatnonzero(never.any(axis=1)).tolist():
        groups.setdefault(never[place].tobytes(), []).append(place)
    usual, records, rules = _expected(table), float(table.sum()), []
    for places in groups.values():
        out = never[places[0]]
        values = tuple(when.names[place] for place in places)
        # Missing stays possible unless a rule of its own says otherwise.
        allowed = tuple(name for name, gone in zip(column.names, out, strict=True) if not gone)
        forbidden = float(usual[places][:, out].sum())
        if sum(name is not None for name in allowed) == 1:
            least = max(FORCED_EXPECTED, FORCED_SHARE * float(table[places].sum()))
        else:
            least = max(LEAST_EXPECTED, LEAST_SHARE * records)
        link = Condition(when.name, _in_order(values), column.name, _in_order(allowed))
        support = int(when.counts[places].sum()) if forbidden >= least else 0
        rules.append(FoundLink(link, support))
    return sorted(rules, key=lambda rule: repr(rule.link))


def _in_order(names: tuple[str | None, ...]) -> tuple[str | None, ...]:
    """Names in the order of their code points, missing first."""
    return tuple(sorted(names, key=lambda name: (name is not None, name or "")))


def _combinations_found(columns: tuple[Levels, ...], table: Array) -> FoundLink:
    """That only the combinations of this table occur."""
    names = tuple(sorted(each.name for each in columns))
    occur, records = int((table > 0).sum()), int(table.sum())
    return FoundLink(Combinations(names), records, f", {occur:,} of {table.size:,} combinations")


def _known_only_if(pairs: Pairs, implied: Implied) -> list[FoundLink]:
    """Conditions under which a column is missing, and those under which it is known if there is nothing else."""
    gaps = [place for place, each in enumerate(pairs.columns) if _has_gaps(each, pairs.rows)]
    tried = max(1, sum(len(each.counts) for each in pairs.columns) * len(gaps))
    found: dict[tuple[str, str], list[FoundLink]] = {}
    for place in gaps:
        column = pairs.columns[place]
        for other, when in enumerate(pairs.columns):
            if other != place and when.categorical and not implied(when.name, column.name):
                rules = _gap_rules(when, column, pairs.of(other, place), tried)
                if rules:
                    found[when.name, column.name] = rules
    return [rule for rules in _simplest(found) for rule in rules]


def _has_gaps(levels: Levels, rows: int) -> bool:
    if None not in levels.names:
        return False
    missing = int(levels.counts[levels.names.index(None)])
    return min(missing, rows - missing) >= SHARE_KNOWN * rows


def _gap_rules(when: Levels, column: Levels, table: Floats, tried: int) -> list[FoundLink]:
    gap = column.names.index(None)
    missing = table[:, gap]
    known = table.sum(axis=1) - missing
    always, never = known == 0, missing == 0
    if (always | never).all():
        if not (_certain(when.counts, always, known) or _certain(when.counts, never, missing)):
            return []
        values = [always] if column.attribute.kind == "numeric" else [always, never]
    else:
        chance = log_chance_of_none(when.counts, known.sum(), int(table.sum()))
        usual = when.counts * known.sum() / table.sum()
        sure = [convincing(float(each), tried) for each in chance]
        values = [always & np.array(sure, bool) & (usual >= EXPECTED_KNOWN)]
    present = tuple(name for name in column.names if name is not None)
    rules = []
    for places, allowed in zip(values, [(None,), _in_order(present)], strict=False):
        if places.any():
            names = tuple(name for name, chosen in zip(when.names, places, strict=True) if chosen)
            link = Condition(when.name, _in_order(names), column.name, allowed)
            rules.append(FoundLink(link, int(when.counts[places].sum())))
    return rules


def _certain(counts: Integers, places: Flags, absent: Floats) -> bool:
    """Whether records with these values would have had some of what is absent there."""
    total = float(counts.sum())
    return float(counts[places].sum()) * float(absent.sum()) / total >= EXPECTED_KNOWN


def _simplest(found: dict[tuple[str, str], list[FoundLink]]) -> Sequence[list[FoundLink]]:
    """Rules that do not follow from others: if A decides about B and C, what B says about C follows.

    Of two columns that are missing together, the one that other values depend on comes first, then by name.
    """

    def rank(when: str, column: str) -> tuple[tuple[int, int], str]:
        return _length(found[when, column]), when

    kept = dict(found)
    for when, column in sorted(found):
        if (when, column) in kept and (column, when) in kept and rank(column, when) < rank(when, column):
            del kept[when, column]
    deciders: dict[str, set[str]] = {}
    for when, column in kept:
        deciders.setdefault(column, set()).add(when)

    def follows(when: str, column: str) -> bool:
        others = deciders.get(when, set()) & deciders[column] - {column}
        return any(kept[other, column][0].support >= kept[when, column][0].support for other in others)

    return [rules for pair, rules in sorted(kept.items()) if not follows(*pair)]


def _linked_threes(pairs: Pairs, linked: Implied) -> tuple[list[FoundLink], int]:
    """Columns of which few combinations occur although every two meet in all ways; and how many were not tried."""
    all_of_them = [place for place, each in enumerate(pairs.columns) if each.categorical and each.varied]
    usable = all_of_them[:MOST_COLUMNS]
    free = set[tuple[int, int]]()
    for one, other in combinations(usable, 2):
        if not linked(pairs.columns[one].name, pairs.columns[other].name):
            table = pairs.of(one, other)
            if (table[_expected(table) >= EXPECTED / 2] > 0).all():
                free.add((one, other))
    threes = [
        (a, b, c)
        for (a, b) in sorted(free)
        for c in usable
        if c > b
        and (a, c) in free
        and (b, c) in free
        and _size(pairs, (a, b, c)) <= min(MOST_CELLS, pairs.rows / RECORDS_PER_CELL)
    ]
    most = int(MOST_WORK_OF_THREE / pairs.rows)
    tried = sum(_size(pairs, three) for three in threes[:most])
    found = (_three(pairs, three, tried) for three in threes[:most])
    not_tried = max(0, len(threes) - most) + comb(len(all_of_them), 3) - comb(len(usable), 3)
    return [each for each in found if each is not None], not_tried


def _size(pairs: Pairs, three: Three) -> int:
    return int(np.prod([len(pairs.columns[place].counts) for place in three]))


def _three(pairs: Pairs, three: Three, tried: int) -> FoundLink | None:
    a, b, c = (pairs.columns[place] for place in three)
    shape = (len(a.counts), len(b.counts), len(c.counts))
    codes = (a.codes * shape[1] + b.codes) * shape[2] + c.codes
    table = np.bincount(codes, minlength=int(np.prod(shape))).reshape(shape)
    if table.all():
        return None
    ab, ac, bc = (pairs.of(one, other) for one, other in combinations(three, 2))
    # What the three tables of two columns lead one to expect.
    alone = a.counts[:, None, None] * b.counts[None, :, None] * c.counts[None, None, :]
    usual = ab[:, :, None] * ac[:, None, :] * bc[None, :, :] / alone
    usual *= pairs.rows / usual.sum()
    never = (table == 0) & (usual > log(tried / ACCIDENT))
    rare = (table > 0) & (usual >= EXPECTED) & (table < RARE * usual)
    share = float(usual[table == 0].sum()) / pairs.rows
    if not never.any() or rare.any() or share < FEW_COMBINATIONS:
        return None
    return _combinations_found((a, b, c), table)
