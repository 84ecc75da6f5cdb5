"""Links between columns counted before and after, from the released file alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from hushwood.releasing.certifying.compared import Compared
from hushwood.tables.links.counting import LinkCounts, countable
from hushwood.tables.links.links import Link, kind_of, publicly
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table
from hushwood.techniques.laws.promises import Promise

_UNKNOWN = "\0unknown"
COARSE = ("generalised", "ranges")  # values that are not those of the table, so that nothing can be counted


class LinkChecks:
    """Records that break each link; `kept` are the links that the release claims to keep."""

    def __init__(
        self,
        schema: Schema,
        links: Sequence[Link],
        kept: Collection[Link],
        promises: Mapping[str, Promise],
    ) -> None:
        names = [a.name for a in schema.kept]
        fine = [name for name in names if promises[name].values not in COARSE]
        self.links, self.kept = countable(links, names), frozenset(kept)
        self.before, self.after = LinkCounts(self.links), LinkCounts(countable(links, fine))
        used = {name for link in self.after.links for name in link.columns}
        self._schema = Schema(tuple(_with_unknown(schema[name]) for name in names if name in used))

    def add(self, original: Table, released: Mapping[str, Compared]) -> None:
        """Count more records."""
        if not self.links:
            return
        self.before.add(original)
        columns = {name: released[name].values for name in self._schema.names}
        if columns:
            self.after.add(Table(self._schema, columns, pl.DataFrame(), original.rows))

    def said(self) -> list[dict[str, Any]]:
        """What the manifest says of every link; no count after where values became ranges or groups."""
        before, after, new = self.before.broken(), self.after.broken(self.before), self.after.new(self.before)
        return [
            {
                "kind": kind_of(link),
                "columns": list(link.columns),
                "says": publicly(link),
                "broken_before": before[link],
                "broken_after": after.get(link),
                "newly_broken": new.get(link),
                "kept": link in self.kept,
            }
            for link in self.links
        ]

    def faults(self) -> tuple[str, ...]:
        """A sentence for every link that is claimed to be kept, and is not."""
        return tuple(
            f"the link {publicly(link)!r} is broken by {count:,} records as by none of the original"
            for link, count in self.after.new(self.before).items()
            if link in self.kept and count
        )


def _with_unknown(attribute: Attribute) -> Attribute:
    """A column with a code for all texts that the original does not have."""
    if attribute.kind == "numeric":
        return attribute
    return replace(attribute, categories=(*attribute.categories, _UNKNOWN))
