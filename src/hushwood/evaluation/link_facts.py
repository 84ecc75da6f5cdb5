"""Links between columns in a release, whoever made it: how many records break each, before and after."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Annotated

from hushwood.evaluation.plain_data import OPTIONAL
from hushwood.tables.links.counting import LinkCounts, countable
from hushwood.tables.links.links import Link, kind_of, publicly
from hushwood.tables.table import Table


@dataclass(frozen=True, slots=True)
class LinkFacts:
    """A link, the records that break it before and after, and those that do so in a way in which none did before.

    A number is None where nothing could be counted: a column is gone, or its values became ranges or groups. `kept`
    says whether the release claims to keep it; None if nobody said so.
    """

    kind: str
    columns: tuple[str, ...]
    says: str
    broken_before: int | None
    broken_after: int | None
    newly_broken: int | None
    kept: Annotated[bool | None, OPTIONAL] = None


class LinkTally:
    """Links counted while records of both tables, in one coding, go by; `kept` are those that the release claims."""

    def __init__(self, links: Iterable[Link], kept: Collection[Link] | None = None) -> None:
        self.links, self.kept = tuple(links), kept
        self._sides: tuple[LinkCounts, LinkCounts] | None = None

    def add(self, original: Table, released: Table, coarse: Collection[str] = ()) -> None:
        """Count more records; nothing can be counted in `coarse` columns."""
        if self._sides is None:
            there = countable(self.links, original.columns)
            fine = countable(there, (name for name in released.columns if name not in coarse))
            self._sides = LinkCounts(there), LinkCounts(fine)
        before, after = self._sides
        before.add(original)
        after.add(released)

    def facts(self) -> tuple[LinkFacts, ...]:
        """What was counted."""
        if self._sides is None:
            return ()
        before, after = self._sides
        broken, left, new = before.broken(), after.broken(before), after.new(before)
        return tuple(
            LinkFacts(
                kind_of(link),
                link.columns,
                publicly(link),
                broken.get(link),
                left.get(link),
                new.get(link),
                None if self.kept is None else link in self.kept,
            )
            for link in self.links
        )
