"""Which links a release keeps: those declared and, unless they are unwanted, those found in the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from hushwood.errors import InputError
from hushwood.tables.links.counting import LinkCounts, countable
from hushwood.tables.links.declared import misfit, without_loose
from hushwood.tables.links.finding import search_links
from hushwood.tables.links.links import Determines, Link, Sum, says
from hushwood.tables.links.scan import Search
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table

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
