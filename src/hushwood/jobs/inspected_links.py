"""The links of a table as `inspect` shows and saves them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import cast, get_args

from hushwood.errors import unknown_name
from hushwood.tables.links.finding import Wanted, chosen_links
from hushwood.tables.links.links import Link, says
from hushwood.tables.links.scan import FoundLink
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table

_HOW = (
    "A release keeps these links. To turn one off, save the schema with --save FILE, set keep = false in its [[link]], "
    "and use it with --schema FILE; --links none turns all off."
)


@dataclass(frozen=True, slots=True)
class InspectedLinks:
    """The schema with the links of its table, those that were found in it, and what else is to be said."""

    schema: Schema
    found: Mapping[Link, FoundLink]
    notes: tuple[str, ...] = ()
    not_looked_for: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """A line for every link and note."""
        links = self.schema.links
        lines = ["Links between columns:"] if links else []
        for link in links:
            found = self.found.get(link)
            lines.append(f"- {says(link)} (declared)" if found is None else f"- {found.says}")
        lines += [_HOW] if links else []
        lines += [f"- {says(link)} (turned off by the schema)" for link in self.schema.unlinked]
        lines += [f"! {note}" for note in self.notes]
        return lines + [
            f"Not looked for, because it would take too long: {text}." for text in self.not_looked_for
        ]


def inspected_links(table: Table, wanted: str) -> InspectedLinks:
    """The links that a release of the table would keep."""
    if wanted not in get_args(Wanted):
        raise unknown_name("choice of links", wanted, get_args(Wanted))
    chosen = chosen_links(cast("Wanted", wanted), table.schema, table, lambda _: [table])
    found = {each.link: each for each in chosen.search.found}
    schema = replace(table.schema, links=chosen.links)
    return InspectedLinks(schema, found, chosen.notes, chosen.search.not_looked_for)
