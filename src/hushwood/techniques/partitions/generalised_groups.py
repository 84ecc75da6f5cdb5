"""What the records of a group are released as: one number inside their range, one label for their categories.

`mondrian_parts` and `specialisation` make the groups; `tables.recoding.texts` writes the labels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from hushwood.arrays import Array, Codes, Floats
from hushwood.errors import InputError, unknown_name
from hushwood.tables.frames.storage import storable
from hushwood.tables.recoding.cells import Labelled, coded_labels, middle
from hushwood.tables.recoding.taxonomies import Taxonomy, check_complete, check_taxonomy
from hushwood.tables.recoding.texts import MISSING, can_be_ranges, set_labels
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table
from hushwood.techniques.laws.group_values import GroupValuesLaw, GroupValuesPerturber

Inside = Literal["mean", "median", "range"]


def group_numbers(values: Floats, ids: Array, count: int, attribute: Attribute, inside: Inside) -> Floats:
    """Mean (on the grid of the column) or lower median of every group's known numbers; NaN where it has none.

    A range is the middle of its ends here: it becomes a text when the table is written.
    """
    if inside == "range":
        return middle(*group_ends(values, ids, count))
    known = ~np.isnan(values)
    order = np.lexsort((values[known], ids[known]))
    line, group = values[known][order], ids[known][order]
    sizes = np.bincount(group, minlength=count)
    held, start = sizes > 0, np.cumsum(sizes) - sizes
    out = np.full(count, np.nan)
    low, high = line[start[held]], line[start[held] + sizes[held] - 1]
    if inside == "median":
        out[held] = line[start[held] + (sizes[held] - 1) // 2]
        return out
    # Distances from the smallest are added up, so that a group of equal numbers has exactly that mean.
    away = np.bincount(group, line - np.repeat(low, sizes[held]), minlength=count)[held]
    mean = storable(low + away / sizes[held], attribute) + 0.0
    out[held] = np.clip(mean, low, high)
    return out


def group_ends(values: Floats, ids: Array, count: int) -> tuple[Floats, Floats]:
    """The smallest and the largest known number of every group: what its released number stands for."""
    known = ~np.isnan(values)
    low, high = np.full(count, np.nan), np.full(count, np.nan)
    np.fmin.at(low, ids[known], values[known])
    np.fmax.at(high, ids[known], values[known])
    return low, high


def check_hierarchies(given: Mapping[str, Taxonomy], names: Sequence[str], schema: Schema) -> None:
    """Refuse hierarchies of columns that are not generalised, or of numbers, and those that lack a category."""
    for name, taxonomy in given.items():
        if name not in names:
            raise unknown_name("column to generalise by a hierarchy", name, names)
        if schema[name].kind == "numeric":
            raise InputError(
                f"Column {name!r} holds numbers, which are cut into intervals; a hierarchy is for categories. Omit it, "
                "or declare the column as categorical in a schema file."
            )
        check_taxonomy(taxonomy)
        check_complete(taxonomy, schema[name].categories)


def group_labels(
    codes: Array, ids: Array, count: int, attribute: Attribute, taxonomy: Taxonomy | None = None
) -> Labelled:
    """The label of every group: the set of its values; missing is a value too.

    With a taxonomy it is the narrowest group that holds all of them, missing ones aside.
    """
    width = len(attribute.categories) + 1
    filled = np.where(codes < 0, width - 1, codes).astype(np.int64)
    pairs = np.unique(ids.astype(np.int64) * width + filled)
    limits = np.searchsorted(pairs, np.arange(1, count) * width)
    sets = [tuple(part.tolist()) for part in np.split(pairs % width, limits)]
    names, present = (*attribute.categories, MISSING), len(np.unique(filled))
    different = {held: [names[code] for code in held] for held in dict.fromkeys(sets)}
    meant: list[Sequence[str]] = list(different.values())
    if taxonomy is None:
        texts = set_labels(meant, attribute.categories, present)
    else:
        texts, meant = _narrowest(meant, attribute, taxonomy)
    explained = dict(zip(texts, meant, strict=True))
    label: dict[tuple[int, ...], str | None] = dict(zip(different, texts, strict=True))
    if (width - 1,) in label:
        explained.pop(MISSING, None)
        label[(width - 1,)] = None
    return coded_labels([label[held] for held in sets], explained, attribute)


def _narrowest(
    sets: Sequence[Sequence[str]], attribute: Attribute, taxonomy: Taxonomy
) -> tuple[list[str], list[Sequence[str]]]:
    """The name of the narrowest group around every set of values, and the categories in that group."""
    known, labels = set(attribute.categories), []
    meant: list[Sequence[str]] = []
    for own in sets:
        ways = [taxonomy.levels[value] for value in own if value in known] or [(MISSING,)]
        level = next(at for at, names in enumerate(zip(*ways, strict=True)) if len(set(names)) == 1)
        label = ways[0][level]
        labels.append(label)
        meant.append([value for value in attribute.categories if label in taxonomy.levels[value][level:]])
    return labels, meant


def released_as_text(attribute: Attribute, inside: Inside) -> bool:
    """Whether numbers of the column go out as "20-30"; durations, which have no text, as the middle of the range."""
    return inside == "range" and can_be_ranges(attribute)


@dataclass(slots=True)
class GeneralisedColumns:
    """The columns of a release by groups, added one by one; `perturber` puts them together."""

    original: Table
    inside: Inside
    values: dict[str, Array] = field(default_factory=dict)
    ends: dict[str, tuple[Floats, Floats]] = field(default_factory=dict)
    labelled: dict[str, Labelled] = field(default_factory=dict)

    def add_numbers(self, name: str, ids: Array, count: int, part_of_group: Array | None = None) -> None:
        """A column of numbers, from the part of every record; a group has one part, its own unless said otherwise."""
        attribute, column = self.original.schema[name], self.original.columns[name]
        of_group = np.arange(count) if part_of_group is None else part_of_group
        low, high = group_ends(column, ids, count)
        self.values[name] = group_numbers(column, ids, count, attribute, self.inside)[of_group]
        self.ends[name] = low[of_group], high[of_group]

    def add_labels(self, name: str, found: Labelled) -> None:
        """A column of categories, from the label of every group."""
        self.values[name] = found.codes
        self.labelled[name] = found

    def perturber(self, members: Codes) -> GroupValuesPerturber:
        """What releases every record with the values of its group."""
        schema, names = self.original.schema, tuple(self.values)
        columns = {name: self.original.columns[name] for name in names}
        everywhere = np.zeros(self.original.rows, np.int64)
        law = GroupValuesLaw(names, "table", columns, everywhere, members, self.values, "generalised")
        new = {n: each for n, each in self.labelled.items() if each.categories != schema[n].categories}
        return GroupValuesPerturber(
            law,
            {name: each.categories for name, each in new.items()},
            self.ends,
            tuple(name for name in self.ends if released_as_text(schema[name], self.inside)),
            {name: each.key for name, each in new.items() if each.key},
        )
