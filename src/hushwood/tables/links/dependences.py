"""Finds columns that determine others: one value always comes with the same value of the other column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from hushwood.arrays import Array, Integers
from hushwood.tables.links.evidence import Found, convincing, log_chance_of_one_value
from hushwood.tables.links.levels import Levels, probed
from hushwood.tables.links.links import Determines
from hushwood.tables.links.sentences import listed

RECORDS_PER_VALUE = 5  # of what determines others; with fewer, nearly everything does
MOST_COLUMNS = 1500
Arrows = dict[str, set[str]]  # from a column to those that it determines


def arrows(levels: Mapping[str, Levels], rows: int) -> Arrows:
    """All columns that determine others, with what they determine."""
    usable = [each for each in levels.values() if each.varied][:MOST_COLUMNS]
    parents = [each for each in usable if rows >= RECORDS_PER_VALUE * len(each.counts)]
    few = np.stack([probed(each.codes) for each in usable], axis=1) if usable else np.zeros((0, 0))
    found: Arrows = {}
    for parent in parents:
        held = constant_within(probed(parent.codes), few)
        wanted = [child for child, kept in zip(usable, held, strict=True) if kept and child is not parent]
        order = np.argsort(parent.codes.astype(_smallest(len(parent.counts))), kind="stable")
        same = _neighbours(parent.codes[order])
        for child in wanted:
            codes = child.codes[order]
            if np.array_equal(codes[1:][same], codes[:-1][same]) and _is_no_accident(
                parent, child, len(usable) ** 2
            ):
                found.setdefault(parent.name, set()).add(child.name)
    return found


def constant_within(groups: Integers, columns: Array) -> Array:
    """Which columns have one value in every group."""
    order = np.argsort(groups, kind="stable")
    same = _neighbours(groups[order])
    values = columns[order]
    return np.asarray((values[1:][same] == values[:-1][same]).all(axis=0))


def _neighbours(ordered: Integers) -> Array:
    return np.asarray(ordered[1:] == ordered[:-1])


def _smallest(count: int) -> type[np.integer]:
    """A type that is sorted fast."""
    return np.uint8 if count <= 1 << 8 else np.uint16 if count <= 1 << 16 else np.int64


def _is_no_accident(parent: Levels, child: Levels, tried: int) -> bool:
    counts = parent.counts
    many = int(counts[counts >= RECORDS_PER_VALUE].sum())
    if many < 0.9 * int(counts.sum()):
        return False
    shares = child.counts / child.counts.sum()
    return convincing(log_chance_of_one_value(counts, shares), tried)


def dependences(found: Arrows, levels: Mapping[str, Levels], rows: int) -> tuple[Found, ...]:
    """The fewest links from which all arrows follow."""
    leader = leaders(found, levels)
    alike: dict[str, list[str]] = {}
    for name, first in leader.items():
        if name != first:
            alike.setdefault(first, []).append(name)
    between = {
        name: {leader.get(other, other) for other in others} - {name}
        for name, others in found.items()
        if leader.get(name, name) == name
    }
    links = []
    for name in sorted({*between, *alike}):
        direct = [other for other in between.get(name, ()) if not _through_another(name, other, between)]
        follows = tuple(sorted([*direct, *alike.get(name, [])]))
        if follows:
            links.append(_found(Determines(name, follows), levels, alike.get(name, ()), rows))
    return tuple(links)


def leaders(found: Arrows, levels: Mapping[str, Levels]) -> dict[str, str]:
    """Of columns that determine each other the one to name first: a category before a number, then by name."""
    leader: dict[str, str] = {}
    for name, others in found.items():
        same = [name, *(other for other in others if name in found.get(other, ()))]
        leader[name] = min(same, key=lambda each: (each not in levels or not levels[each].categorical, each))
    return leader


def _through_another(name: str, other: str, between: Mapping[str, set[str]]) -> bool:
    return any(other in between.get(middle, ()) for middle in between[name] if middle not in {name, other})


def _found(link: Determines, levels: Mapping[str, Levels], alike: Sequence[str], rows: int) -> Found:
    if link.given not in levels:
        return Found(link, rows)
    counts = levels[link.given].counts
    support = int(counts[counts > 1].sum())
    back = f"; {listed(alike)} determines it too" if alike else ""
    return Found(link, support, f", {len(counts):,} values of {link.given}{back}")
