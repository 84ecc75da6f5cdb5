"""What is done to the records of a table before anything is learnt from them: coarser values, then rare levels.

Every engine prepares every batch in the same way, and whoever compares a release with its original prepares it too. The
same value always becomes the same, in tables, frames, counts and schemas.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl

from hushwood.errors import InputError
from hushwood.tables.columns.value_texts import value_text
from hushwood.tables.frames.storage import column_of_numbers, numbers_of, texts_of
from hushwood.tables.links.links import Link, link_from_plain, link_to_plain
from hushwood.tables.recoding.meaning import recodings
from hushwood.tables.recoding.rare_levels import RareLevels, rare_levels_from_json, without_rare_levels
from hushwood.tables.recoding.recodings import (
    CategoryGroups,
    Moments,
    Recoding,
    RoundedNumbers,
    coarse_attribute,
)
from hushwood.tables.recoding.rules import CoarseningRule
from hushwood.tables.recoding.taxonomies import Taxonomy
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table

COARSENED, RARE_LEVELS, LINKS = "coarsened", "rare_levels", "links"


@dataclass(frozen=True, slots=True)
class CoarseColumns:
    """What becomes of the values of some columns, in all records alike."""

    recodings: Mapping[str, Recoding] = field(default_factory=dict)

    @classmethod
    def of(
        cls, rules: Sequence[CoarseningRule], table: Table, hierarchies: Mapping[str, Taxonomy] | None = None
    ) -> CoarseColumns:
        """Look up what rules mean for a table; percentiles are those of its records."""
        found = recodings(rules, table.schema, table.columns, hierarchies, classes=True)
        for name, how in found.items():
            _check_class(table.schema[name], how)
        return cls(found)

    def __bool__(self) -> bool:
        return bool(self.recodings)

    def on_schema(self, schema: Schema) -> Schema:
        """The schema of the coarser table."""
        for name, how in self.recodings.items():
            if name in schema.names:
                schema = schema.with_attribute(coarse_attribute(schema[name], how))
        return schema

    def on_table(self, table: Table) -> Table:
        """The coarser table; columns that it does not have are ignored."""
        there = {name: how for name, how in self.recodings.items() if name in table.columns}
        if not there:
            return table
        columns = {
            name: how.among_labels[table.columns[name]]
            if isinstance(how, CategoryGroups)
            else how.recode(table.columns[name])
            for name, how in there.items()
        }
        return table.with_columns(columns, self.on_schema(table.schema))

    def on_frame(self, frame: pl.DataFrame, schema: Schema) -> pl.DataFrame:
        """The coarser records of a frame with the columns of that schema; unknown categories stay."""
        changed = []
        for name, how in self.recodings.items():
            if name not in frame.columns or name not in schema.names:
                continue
            column = frame.get_column(name)
            if isinstance(how, CategoryGroups):
                known = dict(zip(schema[name].categories, how.labels(), strict=True))
                texts = texts_of(column).to_list()
                values = [None if text is None else known.get(text, text) for text in texts]
                changed.append(pl.Series(name, values, pl.String))
            else:
                numbers = numbers_of(column, schema[name].precision)
                changed.append(column_of_numbers(how.recode(numbers), how.coarse).alias(name))
        return frame.with_columns(changed)

    def on_counts(self, counts: Mapping[str, Mapping[str, int]], schema: Schema) -> dict[str, dict[str, int]]:
        """The records of every category of the coarser table, from those of the `schema` before."""
        found = {name: dict(own) for name, own in counts.items()}
        for name, how in self.recodings.items():
            if name in counts and isinstance(how, CategoryGroups):
                found[name] = {}
                for text, label in zip(schema[name].categories, how.labels(), strict=True):
                    found[name][label] = found[name].get(label, 0) + counts[name].get(text, 0)
        return found

    def says(self, name: str) -> str:
        """What becomes of a column, in words: "rounded to multiples of 5; 90 for everything above"."""
        how = self.recodings[name]
        if isinstance(how, CategoryGroups):
            return how.how
        if isinstance(how, Moments):
            return f"first day of the {how.unit}" if how.unit != "day" else "start of the day"
        storage = how.attribute.storage
        said = [] if how.step is None else [f"rounded to multiples of {how.step:g}"]
        said += [] if how.bottom is None else [f"{value_text(how.bottom, storage)} for everything below"]
        said += [] if how.top is None else [f"{value_text(how.top, storage)} for everything above"]
        return "; ".join(said)

    def to_json(self) -> dict[str, Any]:
        """For plan.json, which stays private: enough to do the same again."""
        return {name: _plain(how) for name, how in self.recodings.items()}


def coarse_columns_from_json(said: Mapping[str, Mapping[str, Any]], schema: Schema) -> CoarseColumns:
    """What plan.json says, for the columns of a table as it is read now; those of another kind are ignored."""
    found: dict[str, Recoding] = {}
    for name, one in said.items():
        attribute = schema[name] if name in schema.names else None
        if attribute is None or attribute.carried:
            continue
        if "labels" in one:
            if attribute.kind == "categorical":
                labels = [one["labels"].get(text, text) for text in attribute.categories]
                found[name] = CategoryGroups.of(attribute, labels, one.get("how", ""))
        elif attribute.kind == "numeric":
            numbers = RoundedNumbers(attribute, one.get("step"), one.get("top"), one.get("bottom"))
            found[name] = Moments(attribute, one["unit"]) if "unit" in one else numbers
    return CoarseColumns(found)


def _plain(how: Recoding) -> dict[str, Any]:
    if isinstance(how, Moments):
        return {"unit": how.unit}
    if isinstance(how, RoundedNumbers):
        given = {"step": how.step, "top": how.top, "bottom": how.bottom}
        return {word: value for word, value in given.items() if value is not None}
    texts = how.categories[: len(how.code_of) - 1]
    labels = dict(zip(texts, how.labels(), strict=True))
    return {"how": how.how, "labels": labels}


def _check_class(attribute: Attribute, how: Recoding) -> None:
    """A class may be coarser if it is still one."""
    if attribute.role != "class":
        return
    if attribute.bins and attribute.kind == "categorical":
        raise InputError(
            f"The class {attribute.name!r} is cut into bins; choose them with --class-bins instead of coarsening."
        )
    if isinstance(how, CategoryGroups) and len(set(how.labels())) < 2:
        raise InputError(f"Of the class {attribute.name!r} only one value would be left; coarsen it less.")


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
