"""Finds links between the columns of a table: what holds in all records, and is no accident.

A false link is worse than a missed one. Every link holds in all records, and it would be found between columns that
have nothing to do with each other with a chance of one in a million at most, however many are tried. Links that follow
from others are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Integers
from hushwood.tables.links.cells import MOST_NAMES, pairs_of
from hushwood.tables.links.conditions import linked_pairs
from hushwood.tables.links.deciding_numbers import deciding_numbers
from hushwood.tables.links.dependences import Arrows, arrows, dependences, leaders
from hushwood.tables.links.evidence import FEWEST, Found, convincing, log_chance_of_one_value
from hushwood.tables.links.known_values import known_only_if
from hushwood.tables.links.levels import Levels, coded, levels_of, linkable, words_of
from hushwood.tables.links.links import Constant, Link, Sum
from hushwood.tables.links.orders import chains, ordered_pairs
from hushwood.tables.links.quotients import quotients
from hushwood.tables.links.structure import linkable_columns
from hushwood.tables.links.sums import is_date, sums
from hushwood.tables.links.three_columns import linked_threes
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table, missing_values

__all__ = ["Found", "Search", "find_links", "search_links"]


@dataclass(frozen=True, slots=True)
class Search:
    """The links that were found, and sentences on what was not looked for because it would take too long."""

    found: tuple[Found, ...] = ()
    not_looked_for: tuple[str, ...] = ()

    @property
    def links(self) -> tuple[Link, ...]:
        """The links alone."""
        return tuple(each.link for each in self.found)


def find_links(table: Table, within: str | None = None) -> tuple[Found, ...]:
    """The links between the columns; `within` names a column that groups records, such as a household."""
    return search_links(table, within).found


def search_links(table: Table, within: str | None = None) -> Search:
    """The same with what was not looked for."""
    if table.rows < FEWEST:
        return Search()
    attributes = linkable(table, () if within is None else (within,))
    classes = [a for a in linkable_columns(table.schema) if a.role == "class"]
    levels = levels_of(table, (*attributes, *classes))
    determined = arrows(levels, table.rows)
    for one, other in deciding_numbers(table, attributes, classes):
        determined.setdefault(one, set()).add(other)
    # What never occurs together with a class is what trees are for.
    pairs, cut = _pairs(
        table, attributes, {a.name: levels[a.name] for a in attributes if a.name in levels}, determined
    )
    added, columns_left = sums(table, attributes)
    in_order, orders_left = ordered_pairs(table, attributes)
    found = [*dependences(determined, levels, table.rows), *pairs, *added]
    found += quotients(table, attributes)
    found += chains(in_order, _larger_totals(table, added))
    found += [] if within is None else _constant(table, within, attributes)
    left = (
        *cut,
        *((f"Sums among {columns_left:,} further columns",) if columns_left else ()),
        *((f"The order of {orders_left:,} further pairs of columns",) if orders_left else ()),
    )
    return Search(tuple(sorted(found, key=lambda each: (type(each.link).__name__, repr(each.link)))), left)


def _pairs(
    table: Table, attributes: Sequence[Attribute], levels: dict[str, Levels], determined: Arrows
) -> tuple[list[Found], Iterator[str]]:
    """Conditions and combinations."""
    leader = leaders(determined, levels)
    few = [
        each
        for name, each in levels.items()
        if each.categorical and 1 < len(each.counts) <= MOST_NAMES and leader.get(name, name) == name
    ]
    known = [each for a in attributes if (each := _known(a, table)) is not None]
    pairs, too_many = pairs_of([*few, *known], table.rows)

    def implied(one: str, other: str) -> bool:
        return other in determined.get(one, ()) or one in determined.get(other, ())

    two, usual = linked_pairs(pairs, implied)
    two += () if usual else known_only_if(pairs, implied)
    linked = {frozenset(each.link.columns) for each in two}
    direct = [each for each in two if not _follows(each, linked, determined)]
    three, not_tried = (
        ((), 0)
        if usual
        else linked_threes(pairs, lambda one, other: implied(one, other) or frozenset((one, other)) in linked)
    )
    left = [f"Conditions between {too_many:,} further columns"] if too_many else []
    left += [f"Combinations of {not_tried:,} further groups of three columns"] if not_tried else []
    left += (
        [f"Conditions and combinations, which {usual:,} pairs of columns have: too many to be rules"]
        if usual
        else []
    )
    return [*direct, *three], iter(left)


def _follows(found: Found, linked: set[frozenset[str]], determined: Arrows) -> bool:
    """Whether a link of two columns follows from that of a column which one of them determines."""
    one, other = found.link.columns
    return any(frozenset((coarse, other)) in linked for coarse in determined.get(one, ())) or any(
        frozenset((coarse, one)) in linked for coarse in determined.get(other, ())
    )


def _known(attribute: Attribute, table: Table) -> Levels | None:
    """Whether a number is known, as two levels; None if it always or never is."""
    if attribute.kind != "numeric":
        return None
    missing = missing_values(table.columns[attribute.name])
    if missing.all() or not missing.any():
        return None
    codes = np.where(missing, 0, 1).astype(np.int64)
    return Levels(attribute, codes, np.bincount(codes, minlength=2), (None, "known"))


def _larger_totals(table: Table, added: Sequence[Found]) -> dict[str, set[str]]:
    """Which totals every part is at most, because the other parts are never negative."""
    found: dict[str, set[str]] = {}
    for each in added:
        if not isinstance(each.link, Sum):
            continue
        for part in each.link.parts:
            others = [other for other in each.link.parts if other != part]
            if all(_never_negative(table, other) for other in others):
                found.setdefault(part, set()).add(each.link.total)
                if not others:
                    found.setdefault(each.link.total, set()).add(part)
    return found


def _never_negative(table: Table, name: str) -> bool:
    return not is_date(table.schema[name]) and not bool((table.columns[name] < 0).any())


def _constant(table: Table, within: str, attributes: Sequence[Attribute]) -> Iterator[Found]:
    groups = groups_of(table, within)
    sizes = np.bincount(groups)
    support, several = int(sizes[sizes > 1].sum()), int((sizes > 1).sum())
    order = np.argsort(groups, kind="stable")
    same = groups[order][1:] == groups[order][:-1]
    found = []
    for attribute in attributes:
        words = words_of(table.columns[attribute.name])[order]
        if not np.array_equal(words[1:][same], words[:-1][same]):
            continue
        levels = coded(attribute, table.columns[attribute.name], most=table.rows)
        if levels is None or not levels.varied:
            continue
        if convincing(log_chance_of_one_value(sizes, levels.counts / table.rows), len(attributes)):
            found.append(attribute.name)
    if found:
        link = Constant(within, tuple(sorted(found)))
        yield Found(link, support, f" in {several:,} groups")


def groups_of(table: Table, within: str) -> Integers:
    """The group of every record, as numbers from 0; the column may be one that is not released."""
    if within in table.columns:
        return np.unique(words_of(table.columns[within]), return_inverse=True)[1].astype(np.int64)
    return table.carried[within].rank("dense").fill_null(0).to_numpy().astype(np.int64)
