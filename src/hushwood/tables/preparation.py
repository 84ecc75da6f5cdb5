"""What is done to the records of a table before anything is learnt from them: coarser values, then rare levels.

Every engine prepares every batch in the same way, and whoever compares a release with its original prepares it too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl

from hushwood.tables.coarse.columns import CoarseColumns, coarse_columns_from_json
from hushwood.tables.columns.rare_levels import RareLevels, rare_levels_from_json, without_rare_levels
from hushwood.tables.links.links import Link, link_from_plain, link_to_plain
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table

COARSENED, RARE_LEVELS, LINKS = "coarsened", "rare_levels", "links"


@dataclass(frozen=True, slots=True)
class Preparation:
    """How a table is prepared: which columns become coarser, and what becomes of the levels that are rare then.

    `links` hold between the columns of the prepared table, and the release keeps them.
    """

    coarse: CoarseColumns = field(default_factory=CoarseColumns)
    rare: RareLevels = field(default_factory=lambda: RareLevels("keep", 1, {}))
    links: tuple[Link, ...] = ()

    @property
    def changed(self) -> tuple[str, ...]:
        """The columns that have other values afterwards."""
        return tuple(dict.fromkeys((*self.coarse.recodings, *self.rare.changed)))

    def on_table(self, table: Table) -> Table:
        """The table as it is learnt from and perturbed; columns that it does not have are ignored."""
        changed = without_rare_levels(self.coarse.on_table(table), self.rare)
        return replace(changed, schema=replace(changed.schema, links=self.links))

    def on_schema(self, schema: Schema) -> Schema:
        """The schema of the prepared table."""
        empty = {a.name: np.zeros(0, np.float64 if a.kind == "numeric" else np.int32) for a in schema.kept}
        return self.on_table(Table(schema, empty, pl.DataFrame(), 0)).schema

    def says(self, name: str) -> list[str]:
        """What was done to a column before it was perturbed, in sentences for recipients."""
        said = []
        if name in self.coarse.recodings:
            said.append(f"Before that, coarsened: {self.coarse.says(name)}.")
        return [*said, self.rare.says(name)] if name in self.rare.changed else said

    def warnings(self) -> Sequence[str]:
        """What a release says about it to its owner."""
        if not self.coarse:
            return self.rare.warnings()
        columns = "; ".join(f"{name!r}: {self.coarse.says(name)}" for name in self.coarse.recodings)
        said = (
            f"Columns were coarsened before the rules were learnt: {columns}. All comparisons are with the coarser "
            "table; the report says what coarsening took."
        )
        return (said, *self.rare.warnings())

    def to_json(self) -> dict[str, Any]:
        """For plan.json, which stays private."""
        found: dict[str, Any] = {COARSENED: self.coarse.to_json()} if self.coarse else {}
        found |= {RARE_LEVELS: self.rare.to_json()} if self.rare.changed else {}
        return found | {LINKS: [link_to_plain(link) for link in self.links]}

    def announced(self) -> dict[str, Any]:
        """For the manifest: which columns were changed and how, not which values they had."""
        coarse = {name: self.coarse.says(name) for name in self.coarse.recodings}
        found: dict[str, Any] = {COARSENED: coarse} if coarse else {}
        return found | ({RARE_LEVELS: self.rare.announced()} if self.rare.changed else {})


def preparation_from_json(plan: Mapping[str, Any], schema: Schema) -> Preparation:
    """What plan.json says, for a table as it is read now."""
    coarse = coarse_columns_from_json(plan.get(COARSENED) or {}, schema)
    links = tuple(link_from_plain(link, LINKS) for link in plan.get(LINKS, ()))
    if not plan.get(RARE_LEVELS):
        return Preparation(coarse, links=links)
    return Preparation(coarse, rare_levels_from_json(plan[RARE_LEVELS]), links)
