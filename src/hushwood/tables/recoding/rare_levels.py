"""Levels of categories that few records have: counted, put together as one, or blanked.

A level that one person has is that person's, on whatever record it is released. The class is never changed. Rare codes
are put together with those that begin alike, as narrowly as there are enough records.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from hushwood.arrays import Codes, Integers
from hushwood.tables.columns.codes import codes_in, grouped
from hushwood.tables.recoding.recodings import relabelled
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table

OTHER = "other"
FEWEST_OF_A_LEVEL = 5  # records, as for numbers that are blurred
FEWEST_DRAWN = 15  # where counts are drawn: a level of fewer people would come and go with them


def with_levels(schema: Schema) -> Sequence[Attribute]:
    """The columns whose rare levels are looked at, with the classes."""
    return [a for a in schema.kept if a.kind == "categorical"]


@dataclass(frozen=True, slots=True)
class RareLevels:
    """What is done with levels that fewer than `below` records have: by column their names, and their records in all.

    The `rule` is keep, group or suppress. `labels` are the levels that they become in every column; None is missing.
    Codes have `groups`: by column, the group that each rare code becomes, if not the column's label. `telling` counts
    the levels, of classes too, that go out although fewer than FEWEST_OF_A_LEVEL records have them.
    """

    rule: str
    below: int
    levels: Mapping[str, tuple[str, ...]]
    records: Mapping[str, int] = field(default_factory=dict)
    labels: Mapping[str, str | None] = field(default_factory=dict)
    groups: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    telling: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, table: Table, rule: str, below: int) -> RareLevels:
        """Find the rare levels of every categorical input of a table."""
        counts = {
            a.name: np.bincount(table.columns[a.name] + 1, minlength=len(a.categories) + 1)[1:]
            for a in with_levels(table.schema)
        }
        return cls.of_counts(table.schema, counts, rule, below)

    @classmethod
    def of_counts(cls, schema: Schema, counts: Mapping[str, Integers], rule: str, below: int) -> RareLevels:
        """The same from the records of every category, by column."""
        levels, records, labels, groups = {}, {}, {}, {}
        # Two levels are not put together: the rare one would only get another name, and a flag would be none.
        either_or = {
            name for name, count in counts.items() if rule == "group" and np.count_nonzero(count) <= 2
        }
        for attribute in schema.inputs:
            if attribute.name in counts:
                count = counts[attribute.name]
                rare = np.flatnonzero((count > 0) & (count < below))
                if len(rare) and attribute.name not in either_or:
                    levels[attribute.name] = tuple(attribute.categories[code] for code in rare)
                    records[attribute.name] = int(count[rare].sum())
                    labels[attribute.name] = _other_of(attribute) if rule == "group" else None
                    if rule == "group" and attribute.hierarchy:
                        groups[attribute.name] = _code_groups(attribute, rare, count, below)
        telling = {}
        for name, count in counts.items():
            stays = (count > 0) & (count < FEWEST_OF_A_LEVEL)
            if rule != "keep" and schema[name].role != "class" and name not in either_or:
                stays &= count >= below
            if stays.any():
                telling[name] = int(stays.sum())
        return cls(rule, below, levels, records, labels, groups, telling)

    @property
    def changed(self) -> tuple[str, ...]:
        """The columns that have other levels afterwards."""
        return () if self.rule == "keep" else tuple(self.levels)

    def to_json(self) -> dict[str, Any]:
        """For plan.json, which stays private: the levels by name."""
        columns: dict[str, dict[str, Any]] = {
            name: {"levels": list(levels), "label": self.labels.get(name)}
            for name, levels in self.levels.items()
        }
        for name, groups in self.groups.items():
            columns[name]["groups"] = dict(groups)
        return {"rule": self.rule, "below": self.below, "columns": columns}

    def announced(self) -> dict[str, Any]:
        """For the manifest: which columns were changed and how, not which levels they had."""
        return {
            "rule": self.rule,
            "below": self.below,
            "columns": {name: self.labels.get(name) for name in self.levels},
        }

    def says(self, name: str) -> str:
        """What was done with the rare levels of a changed column, in one sentence."""
        became = f"grouped as {self.labels[name]!r}" if self.rule == "group" else "blanked"
        if self.groups.get(name):
            became = f"grouped with codes that begin alike, or as {self.labels[name]!r}"
        return f"Before that, levels that fewer than {self.below} records had were {became}."

    def warnings(self) -> Sequence[str]:
        """What a release says about rare levels to its owner."""
        if not self.levels:
            return ()
        columns = ", ".join(
            f"{name!r} ({len(levels):,} level{'s' if len(levels) > 1 else ''}, {self.records[name]:,} records)"
            for name, levels in self.levels.items()
        )
        few = f"Levels that fewer than {self.below} records have"
        if self.rule == "keep":
            hint = "--rare group puts them together, --rare suppress blanks them."
            return (f"{few} are released as they are: {columns}. {hint}",)
        became = "were grouped" if self.rule == "group" else "were blanked"
        return (
            f"{few} {became} before the rules were learnt: {columns}. All comparisons are with that table.",
        )


def rare_levels_from_json(said: Mapping[str, Any]) -> RareLevels:
    """What plan.json says about rare levels."""
    columns = said["columns"]
    return RareLevels(
        said["rule"],
        said["below"],
        {name: tuple(one["levels"]) for name, one in columns.items()},
        labels={name: one["label"] for name, one in columns.items()},
        groups={name: one["groups"] for name, one in columns.items() if "groups" in one},
    )


def without_rare_levels(table: Table, rare: RareLevels) -> Table:
    """The table with rare levels put together or blanked; levels and columns that it does not have are ignored."""
    if not rare.changed:
        return table
    schema, columns = table.schema, {}
    for attribute in table.schema.inputs:
        name, levels = attribute.name, rare.levels.get(attribute.name, ())
        if attribute.kind == "numeric" or not levels:
            continue
        goals = dict.fromkeys(levels, rare.labels[name]) | dict(rare.groups.get(name, {}))
        changed, new_code = _changed(attribute, goals)
        schema = schema.with_attribute(changed)
        columns[name] = new_code[table.columns[name]]  # missing, -1, picks the last
    return table.with_columns(columns, schema)


def _changed(attribute: Attribute, goals: Mapping[str, str | None]) -> tuple[Attribute, Codes]:
    """The attribute without its rare levels, and the new code of every old one; last, that of missing values."""
    kept = [level for level in attribute.categories if level not in goals]
    new = [label for label in dict.fromkeys(goals.values()) if label is not None and label not in kept]
    labels = [goals.get(level, level) for level in attribute.categories]
    words = any(label is not None for label in goals.values())
    changed, codes = relabelled(attribute, labels, (*kept, *new), as_text=words)
    # A new level has no place in the order of the others.
    ordered = attribute.ordered and all(label in attribute.categories for label in new)
    return replace(changed, ordered=ordered), codes


def _code_groups(attribute: Attribute, rare: Integers, count: Integers, below: int) -> dict[str, str]:
    """The narrowest group of every rare code in which rare codes have enough records, for codes that have one."""
    kind, found = codes_in(attribute), dict[str, str]()
    if kind is None:
        return found
    names, taken = attribute.categories, set(attribute.categories)
    waiting = rare.tolist()
    for level in reversed(kind.level_names):
        label_of = dict(zip(waiting, grouped(kind, level, [names[code] for code in waiting]), strict=True))
        records: dict[str, int] = {}
        for code, label in label_of.items():
            records[label] = records.get(label, 0) + int(count[code])
        enough = {label for label, total in records.items() if total >= below and label not in taken}
        found |= {names[code]: label for code, label in label_of.items() if label in enough}
        waiting = [code for code in waiting if label_of[code] not in enough]
    return found


def _other_of(attribute: Attribute) -> str:
    """The level that stands for all rare ones: the column's own, if it has one of that name.

    >>> _other_of(Attribute("job", "categorical", categories=("clerk", "Other")))
    'Other'
    """
    return next((level for level in attribute.categories if level.strip().casefold() == OTHER), OTHER)
