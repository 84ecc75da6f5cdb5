"""The columns of a table made coarser by declared rules, the same value always the same: tables, frames and schemas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl

from hushwood.arrays import Codes
from hushwood.errors import InputError
from hushwood.tables.coarse.meaning import recodings
from hushwood.tables.coarse.recodings import Groups, Moments, Numbers, Recoding
from hushwood.tables.coarse.rules import Rule
from hushwood.tables.columns.value_texts import value_text
from hushwood.tables.frames.storage import TEXT_STORAGES, column_of_numbers, numbers_of, texts_of
from hushwood.tables.generalised.taxonomies import Taxonomy
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table


@dataclass(frozen=True, slots=True)
class CoarseColumns:
    """What becomes of the values of some columns, in all records alike."""

    recodings: Mapping[str, Recoding] = field(default_factory=dict)

    @classmethod
    def of(
        cls, rules: Sequence[Rule], table: Table, hierarchies: Mapping[str, Taxonomy] | None = None
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
            name: coarse_codes(how)[table.columns[name]]
            if isinstance(how, Groups)
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
            if isinstance(how, Groups):
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
            if name in counts and isinstance(how, Groups):
                found[name] = {}
                for text, label in zip(schema[name].categories, how.labels(), strict=True):
                    found[name][label] = found[name].get(label, 0) + counts[name].get(text, 0)
        return found

    def says(self, name: str) -> str:
        """What becomes of a column, in words: "rounded to multiples of 5; 90 for everything above"."""
        how = self.recodings[name]
        if isinstance(how, Groups):
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
                found[name] = Groups.of(attribute, labels, one.get("how", ""))
        elif attribute.kind == "numeric":
            numbers = Numbers(attribute, one.get("step"), one.get("top"), one.get("bottom"))
            found[name] = Moments(attribute, one["unit"]) if "unit" in one else numbers
    return CoarseColumns(found)


def coarse_attribute(attribute: Attribute, how: Recoding) -> Attribute:
    """The attribute of the coarser values; it has only the categories that others became."""
    if not isinstance(how, Groups):
        return replace(how, attribute=attribute).coarse
    labels = tuple(dict.fromkeys(how.labels()))
    # A flag stored as 0 and 1 cannot hold a word.
    storage = attribute.storage if attribute.storage in TEXT_STORAGES else "String"
    # Groups are no codes any more, and nobody says that they have an order.
    return replace(attribute, categories=labels, storage=storage, ordered=False, hierarchy="")


def coarse_codes(how: Groups) -> Codes:
    """The code of every category among the labels alone; last, that of missing values."""
    labels = how.labels()
    place = {label: code for code, label in enumerate(dict.fromkeys(labels))}
    return np.array([*(place[label] for label in labels), -1], np.int32)


def _plain(how: Recoding) -> dict[str, Any]:
    if isinstance(how, Moments):
        return {"unit": how.unit}
    if isinstance(how, Numbers):
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
    if isinstance(how, Groups) and len(set(how.labels())) < 2:
        raise InputError(f"Of the class {attribute.name!r} only one value would be left; coarsen it less.")
