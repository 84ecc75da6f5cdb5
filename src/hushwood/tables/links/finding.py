"""Finds links between the columns of a table: what holds in all records, and is no accident.

Better to miss a link than to find a false one. Every link holds in all records, and it would be found between columns
that have nothing to do with each other with a chance of one in a million at most, however many are tried. Links that
follow from others are left out.

A finder of one more kind of link is a function from a `Scan` to a `Search`, named in `search_links`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from hushwood.errors import InputError
from hushwood.tables.links.arithmetic import orders, quotients, sums
from hushwood.tables.links.conditions import links_of_values
from hushwood.tables.links.counting import LinkCounts, countable
from hushwood.tables.links.declared import misfit, without_loose
from hushwood.tables.links.dependences import arrows, constants, dependences
from hushwood.tables.links.links import Determines, Link, Sum, says
from hushwood.tables.links.scan import FEWEST, FoundLink, Scan, Search
from hushwood.tables.schema import Schema
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


Wanted = Literal["auto", "declared", "none"]
Batches = Callable[[tuple[str, ...]], Iterable[Table]]  # of the columns that are named
MOST_BROKEN = 0.5  # of the records; what is declared then is more likely a mistake than a rule


@dataclass(frozen=True, slots=True)
class ChosenLinks:
    """The links to keep, what their owner should know about them, and what was found in the table."""

    links: tuple[Link, ...] = ()
    notes: tuple[str, ...] = ()
    search: Search = field(default_factory=Search)


def chosen_links(wanted: Wanted, read_as: Schema, sample: Table, batches: Batches) -> ChosenLinks:
    """Links of a table that is prepared for its release.

    `read_as` declares some; others are found in the sample, and hold in all `batches` of the table, given columns.
    """
    if wanted == "none":
        return ChosenLinks()
    declared = tuple(link for link in read_as.links if not misfit(link, sample.schema))
    search = search_links(sample) if wanted == "auto" else Search()
    wished = without_loose(search.links, read_as.unlinked)
    found = tuple(left for link in wished if (left := _undeclared(link, declared)) is not None)
    counts = LinkCounts(countable((*declared, *found), sample.columns))
    if counts.links:
        for batch in batches(tuple({name: None for link in counts.links for name in link.columns})):
            counts.add(batch)
    broken = counts.broken()
    _check(declared, broken, counts.records)
    kept = (*declared, *(link for link in found if not broken.get(link, 0)))
    return ChosenLinks(kept, tuple(_notes(read_as.links, declared, broken, counts.records)), search)


def _undeclared(link: Link, declared: tuple[Link, ...]) -> Link | None:
    """What a link that was found adds to those declared."""
    for own in declared:
        if isinstance(link, Determines) and isinstance(own, Determines) and link.given == own.given:
            link = replace(link, follows=tuple(name for name in link.follows if name not in own.follows))
        elif (
            isinstance(link, Sum) and isinstance(own, Sum) and set(link.columns) == set(own.columns)
        ) or link == own:
            return None
    return None if isinstance(link, Determines) and not link.follows else link


def _check(declared: Iterable[Link], broken: dict[Link, int], records: int) -> None:
    for link in declared:
        count = broken.get(link, 0)
        if count > MOST_BROKEN * records:
            raise InputError(
                f"The declared link {says(link)!r} does not hold in {count:,} of {records:,} records; correct "
                "it in the schema, or remove it."
            )


def _notes(
    given: Iterable[Link], declared: tuple[Link, ...], broken: dict[Link, int], records: int
) -> Iterable[str]:
    for link in given:
        count = broken.get(link, 0)
        if link not in declared:
            yield f"The declared link {says(link)!r} is not kept: its columns were coarsened."
        elif count:
            yield (
                f"The declared link {says(link)!r} does not hold in {count:,} of {records:,} records of the table; the "
                "release breaks it in no other way than they do."
            )
