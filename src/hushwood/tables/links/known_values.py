"""Finds columns that are known only for some values of another: only smokers have a number of cigarettes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hushwood.arrays import Flags, Floats, Integers
from hushwood.tables.links.cells import Pairs
from hushwood.tables.links.conditions import Implied, in_order
from hushwood.tables.links.evidence import Found, convincing, log_chance_of_none
from hushwood.tables.links.levels import Levels
from hushwood.tables.links.links import Condition

LEAST_EXPECTED = 30.0  # records that would have a value, where none has
LEAST_SHARE = 0.01  # of all records that must be known, and missing


def known_only_if(pairs: Pairs, implied: Implied) -> tuple[Found, ...]:
    """Conditions under which a column is missing, and those under which it is known if there is nothing else."""
    gaps = [place for place, each in enumerate(pairs.columns) if _has_gaps(each, pairs.rows)]
    tried = max(1, sum(len(each.counts) for each in pairs.columns) * len(gaps))
    found: dict[tuple[str, str], list[Found]] = {}
    for place in gaps:
        column = pairs.columns[place]
        for other, when in enumerate(pairs.columns):
            if other != place and when.categorical and not implied(when.name, column.name):
                rules = _rules(when, column, pairs.of(other, place), tried)
                if rules:
                    found[when.name, column.name] = rules
    return tuple(rule for rules in _simplest(found) for rule in rules)


def _has_gaps(levels: Levels, rows: int) -> bool:
    if None not in levels.names:
        return False
    missing = int(levels.counts[levels.names.index(None)])
    return min(missing, rows - missing) >= LEAST_SHARE * rows


def _rules(when: Levels, column: Levels, table: Floats, tried: int) -> list[Found]:
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
        values = [always & np.array(sure, bool) & (usual >= LEAST_EXPECTED)]
    present = tuple(name for name in column.names if name is not None)
    ends: list[tuple[str | None, ...]] = [(None,), in_order(present)]
    return [
        _found(when, column, flags, allowed)
        for flags, allowed in zip(values, ends, strict=False)
        if flags.any()
    ]


def _certain(counts: Integers, places: Flags, absent: Floats) -> bool:
    """Whether records with these values would have had some of what is absent there."""
    total = float(counts.sum())
    return float(counts[places].sum()) * float(absent.sum()) / total >= LEAST_EXPECTED


def _found(when: Levels, column: Levels, places: Flags, allowed: tuple[str | None, ...]) -> Found:
    values = tuple(name for name, chosen in zip(when.names, places, strict=True) if chosen)
    link = Condition(when.name, in_order(values), column.name, allowed)
    support = int(when.counts[places].sum())
    return Found(link, support)


def _simplest(found: dict[tuple[str, str], list[Found]]) -> Sequence[list[Found]]:
    """Rules that do not follow from others: if A decides about B and C, what B says about C follows.

    Of two columns that are missing together, the one that other values depend on comes first, then by name.
    """
    kept = dict(found)
    for when, column in sorted(found):
        back = (column, when)
        if (when, column) in kept and back in kept and _rank(found, back) < _rank(found, (when, column)):
            del kept[when, column]
    deciders: dict[str, set[str]] = {}
    for when, column in kept:
        deciders.setdefault(column, set()).add(when)

    def follows(when: str, column: str) -> bool:
        others = deciders.get(when, set()) & deciders[column] - {column}
        return any(kept[other, column][0].support >= kept[when, column][0].support for other in others)

    return [rules for pair, rules in sorted(kept.items()) if not follows(*pair)]


def _rank(found: dict[tuple[str, str], list[Found]], pair: tuple[str, str]) -> tuple[int, int, str]:
    rules = found[pair]
    return (len(rules), -sum(rule.support for rule in rules), pair[0])
