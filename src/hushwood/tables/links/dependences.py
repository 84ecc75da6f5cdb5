"""Finds columns that determine others: one value always comes with the same value of the other column.

A number of many values may decide a class by a few limits; a group, such as a household, may have one value each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from hushwood.arrays import Array, Integers
from hushwood.tables.links.links import Constant, Determines, listed
from hushwood.tables.links.scan import (
    FEWEST,
    MOST_LEVELS,
    FoundLink,
    Levels,
    Scan,
    Search,
    convincing,
    levels_of,
    log_chance_of_one_value,
    probed,
    words_of,
)
from hushwood.tables.table import Table

RECORDS_PER_VALUE = 5  # of what determines others; with fewer, nearly everything does
MOST_COLUMNS = 1500
FEWEST_BETWEEN = 20  # records between two limits; shorter stretches are what any number has by chance
MOST_STRETCHES = 2  # for every class
Arrows = dict[str, set[str]]  # from a column to those that it determines


def arrows(scan: Scan) -> Arrows:
    """All columns that determine others, with what they determine."""
    usable = [each for each in scan.levels.values() if each.varied][:MOST_COLUMNS]
    parents = [each for each in usable if scan.rows >= RECORDS_PER_VALUE * len(each.counts)]
    few = np.stack([probed(each.codes) for each in usable], axis=1) if usable else np.zeros((0, 0))
    determined: Arrows = {}
    for parent in parents:
        held = constant_within(probed(parent.codes), few)
        children = [child for child, kept in zip(usable, held, strict=True) if kept and child is not parent]
        order = np.argsort(parent.codes.astype(np.min_scalar_type(len(parent.counts) - 1)), kind="stable")
        same = _neighbours(parent.codes[order])
        for child in children:
            codes = child.codes[order]
            if np.array_equal(codes[1:][same], codes[:-1][same]) and _is_no_accident(
                parent, child, len(usable) ** 2
            ):
                determined.setdefault(parent.name, set()).add(child.name)
    for number, target in _deciding_numbers(scan):
        determined.setdefault(number, set()).add(target)
    return determined


def constant_within(groups: Integers, columns: Array) -> Array:
    """Which columns have one value in every group."""
    order = np.argsort(groups, kind="stable")
    same = _neighbours(groups[order])
    values = columns[order]
    return np.asarray((values[1:][same] == values[:-1][same]).all(axis=0))


def _neighbours(ordered: Integers) -> Array:
    return np.asarray(ordered[1:] == ordered[:-1])


def _is_no_accident(parent: Levels, child: Levels, tried: int) -> bool:
    counts = parent.counts
    many = int(counts[counts >= RECORDS_PER_VALUE].sum())
    if many < 0.9 * int(counts.sum()):
        return False
    shares = child.counts / child.counts.sum()
    return convincing(log_chance_of_one_value(counts, shares), tried)


def _deciding_numbers(scan: Scan) -> Iterator[tuple[str, str]]:
    """Numbers of many values, with the class that each decides; those of few values are found like categories."""
    for number in scan.numbers:
        if number.known < FEWEST:
            continue
        order = np.argsort(number.values, kind="stable")
        known = number.values[order][: number.known]
        if np.count_nonzero(known[1:] != known[:-1]) < MOST_LEVELS:
            continue
        for target in scan.classes:
            if _decides(known, scan.table.columns[target.name][order]):
                yield number.name, target.name


def _decides(known: Array, codes: Array) -> bool:
    """Whether sorted numbers cut the classes into a few long stretches; missing numbers come last, with one class."""
    here, rest = codes[: len(known)], codes[len(known) :]
    if len(rest) and (rest != rest[0]).any():
        return False
    changes = np.flatnonzero(here[1:] != here[:-1])
    if not len(changes) or (known[changes] == known[changes + 1]).any():
        return False
    stretches = np.diff(np.concatenate([[-1], changes, [len(here) - 1]]))
    few = len(stretches) <= MOST_STRETCHES * len(np.unique(here))
    return bool(few and stretches.min() >= FEWEST_BETWEEN)


def dependences(scan: Scan, determined: Arrows) -> Search:
    """The fewest links from which all arrows follow."""
    leader = leaders(determined, scan.levels)
    alike: dict[str, list[str]] = {}
    for name, first in leader.items():
        if name != first:
            alike.setdefault(first, []).append(name)
    between = {
        name: {leader.get(other, other) for other in others} - {name}
        for name, others in determined.items()
        if leader.get(name, name) == name
    }
    links = []
    for name in sorted({*between, *alike}):
        direct = [other for other in between.get(name, ()) if not through_another(name, other, between)]
        follows = tuple(sorted([*direct, *alike.get(name, [])]))
        if follows:
            links.append(_found(Determines(name, follows), scan, alike.get(name, ())))
    return Search(tuple(links))


def leaders(determined: Arrows, levels: Mapping[str, Levels]) -> dict[str, str]:
    """Of columns that determine each other the one to name first: a category before a number, then by name."""
    leader: dict[str, str] = {}
    for name, others in determined.items():
        same = [name, *(other for other in others if name in determined.get(other, ()))]
        leader[name] = min(same, key=lambda each: (each not in levels or not levels[each].categorical, each))
    return leader


def through_another(name: str, other: str, between: Mapping[str, set[str]]) -> bool:
    """Whether an arrow follows from two others, by a column between its ends."""
    return any(other in between.get(middle, ()) for middle in between[name] if middle not in {name, other})


def _found(link: Determines, scan: Scan, alike: Sequence[str]) -> FoundLink:
    if link.given not in scan.levels:
        return FoundLink(link, scan.rows)
    counts = scan.levels[link.given].counts
    support = int(counts[counts > 1].sum())
    back = f"; {listed(alike)} determines it too" if alike else ""
    return FoundLink(link, support, f", {len(counts):,} values of {link.given}{back}")


def constants(scan: Scan, within: str) -> Search:
    """The columns that have one value in every group of records."""
    groups = _groups_of(scan.table, within)
    sizes = np.bincount(groups)
    support, several = int(sizes[sizes > 1].sum()), int((sizes > 1).sum())
    order = np.argsort(groups, kind="stable")
    same = _neighbours(groups[order])
    names = []
    for attribute in scan.attributes:
        column = scan.table.columns[attribute.name]
        words = words_of(column)[order]
        if not np.array_equal(words[1:][same], words[:-1][same]):
            continue
        levels = levels_of(attribute, column, most=scan.rows)
        if levels is None or not levels.varied:
            continue
        if convincing(log_chance_of_one_value(sizes, levels.counts / scan.rows), len(scan.attributes)):
            names.append(attribute.name)
    if not names:
        return Search()
    link = Constant(within, tuple(sorted(names)))
    return Search((FoundLink(link, support, f" in {several:,} groups"),))


def _groups_of(table: Table, within: str) -> Integers:
    """The group of every record, as numbers from 0; the column may be one that is not released."""
    if within in table.columns:
        return np.unique(words_of(table.columns[within]), return_inverse=True)[1].astype(np.int64)
    return table.carried[within].rank("dense").fill_null(0).to_numpy().astype(np.int64)
