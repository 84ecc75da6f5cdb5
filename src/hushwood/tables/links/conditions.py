"""Finds values of two columns that never meet: conditions if few rules say it all, otherwise fixed combinations."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np

from hushwood.arrays import Array, Flags, Floats
from hushwood.tables.links.cells import Pairs, expected, impossible
from hushwood.tables.links.evidence import Found
from hushwood.tables.links.levels import Levels
from hushwood.tables.links.links import Combinations, Condition

MOST_RULES = 2  # about a pair of columns; more of them are said shorter by the combinations that occur
LEAST_EXPECTED, LEAST_SHARE = 100.0, 0.02  # records that would have what a rule forbids
FORCED_EXPECTED, FORCED_SHARE = 30.0, 0.01  # the same for a rule that leaves one value only
FEW_COMBINATIONS = 0.1  # of the records would have a combination that never occurs
USUAL_PAIRS, USUAL_SHARE = 10, 0.25  # more linked pairs come from few kinds of records, not from rules
Implied = Callable[[str, str], bool]


def linked_pairs(pairs: Pairs, implied: Implied) -> tuple[tuple[Found, ...], int]:
    """Conditions and combinations of two columns' known values; pairs that one column determines are `implied`.

    In a table of few kinds of records nearly everything excludes something else; these pairs are only counted.
    """
    columns = [place for place, each in enumerate(pairs.columns) if each.categorical]
    tried = sum(
        len(pairs.columns[a].counts) * len(pairs.columns[b].counts) for a, b in combinations(columns, 2)
    )
    found: list[Found] = []
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
        never = impossible(table, tried)
        if never.any():
            said = _said(first, second, table, never)
            linked += bool(said)
            found += said
    if linked > max(USUAL_PAIRS, USUAL_SHARE * looked_at):
        return (), linked
    return tuple(found), 0


def _known(levels: Levels) -> Flags:
    return np.array([name is not None for name in levels.names], bool)


def _said(first: Levels, second: Levels, table: Floats, never: Flags) -> list[Found]:
    ways = []
    for when, column, cells, counts in (
        (first, second, never, table),
        (second, first, never.T, table.T),
    ):
        rules = _rules(when, column, cells, counts)
        ways.append((len(rules), -sum(rule.support for rule in rules), len(when.counts), when.name, rules))
    count, *_, rules = min(ways)
    if count <= MOST_RULES:
        return [rule for rule in rules if rule.support]
    share = float(expected(table)[table == 0].sum() / table.sum())
    return [] if share < FEW_COMBINATIONS else [combinations_found((first, second), table)]


def _rules(when: Levels, column: Levels, never: Flags, table: Floats) -> list[Found]:
    """One condition for all values of `when` after which the same values of the column never occur.

    A rule that forbids too little to matter has no support.
    """
    groups: dict[bytes, list[int]] = {}
    for place in np.flatnonzero(never.any(axis=1)).tolist():
        groups.setdefault(never[place].tobytes(), []).append(place)
    usual, records, rules = expected(table), float(table.sum()), []
    for places in groups.values():
        out = never[places[0]]
        values = tuple(when.names[place] for place in places)
        # Missing stays possible unless a rule of its own says otherwise.
        allowed = tuple(name for name, gone in zip(column.names, out, strict=True) if not gone)
        forbidden = float(usual[places][:, out].sum())
        forced = sum(name is not None for name in allowed) == 1
        least, share = (FORCED_EXPECTED, FORCED_SHARE) if forced else (LEAST_EXPECTED, LEAST_SHARE)
        strong = forbidden >= least and forbidden >= share * (
            float(table[places].sum()) if forced else records
        )
        link = Condition(when.name, in_order(values), column.name, in_order(allowed))
        support = int(when.counts[places].sum()) if strong else 0
        rules.append(Found(link, support))
    return sorted(rules, key=lambda rule: repr(rule.link))


def in_order(names: tuple[str | None, ...]) -> tuple[str | None, ...]:
    """Names in the order of their code points, missing first."""
    return tuple(sorted(names, key=lambda name: (name is not None, name or "")))


def combinations_found(columns: tuple[Levels, ...], table: Array) -> Found:
    """That only the combinations of this table occur."""
    names = tuple(sorted(each.name for each in columns))
    occur, records = int((table > 0).sum()), int(table.sum())
    return Found(Combinations(names), records, f", {occur:,} of {table.size:,} combinations")
