"""Finds links between the columns of a table: what holds in all records, and is no accident.

Better to miss a link than to find a false one. Every link holds in all records, and it would be found between columns
that have nothing to do with each other with a chance of one in a million at most, however many are tried. Links that
follow from others are left out.

A finder of one more kind of link is a function from a `Scan` to a `Search`, named in `search_links`.
"""

from __future__ import annotations

from hushwood.tables.links.arithmetic import orders, quotients, sums
from hushwood.tables.links.conditions import links_of_values
from hushwood.tables.links.dependences import arrows, constants, dependences
from hushwood.tables.links.scan import FEWEST, FoundLink, Scan, Search
from hushwood.tables.table import Table


def find_links(table: Table, within: str | None = None) -> tuple[FoundLink, ...]:
    """The links between the columns; `within` names a column that groups records, such as a household."""
    return search_links(table, within).found


def search_links(table: Table, within: str | None = None) -> Search:
    """The same with what was not looked for."""
    if table.rows < FEWEST:
        return Search()
    scan = Scan.of(table, () if within is None else (within,))
    determined = arrows(scan)
    totals = sums(scan)
    searches = [
        dependences(scan, determined),
        links_of_values(scan, determined),
        totals,
        quotients(scan),
        orders(scan, totals.found),
        Search() if within is None else constants(scan, within),
    ]
    found = sorted(
        (each for search in searches for each in search.found),
        key=lambda each: (type(each.link).__name__, repr(each.link)),
    )
    return Search(tuple(found), tuple(text for search in searches for text in search.not_looked_for))
