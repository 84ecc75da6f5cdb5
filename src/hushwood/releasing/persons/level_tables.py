"""One table for every level: of households, of persons, of rows.

A level's table holds its own columns, those of the levels above, and, where values are handed out again, hidden
columns: how many units lie below each unit, and what the columns below have in common in it. They are handed out with
the others, so that the rows of a person still resemble each other, and are gone in the release.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import polars as pl

from hushwood.arrays import Array
from hushwood.releasing.plan import Plan, Step
from hushwood.tables.links.links import Link, Order
from hushwood.tables.persons.units import UnitLevel, mean_of, most_frequent
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table
from hushwood.techniques.segment_shuffle import SegmentShuffle

HIDDEN = "\0"  # no column that is read from a file has a name with it
BELOW = f"{HIDDEN}below"


@dataclass(frozen=True, slots=True)
class LevelTable:
    """The table of one level; `own` are the columns that are perturbed here, hidden ones included."""

    level: UnitLevel
    table: Table
    own: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the release that are perturbed here."""
        return self.level.columns

    def above(self) -> tuple[str, ...]:
        """The columns of the levels above."""
        return tuple(name for name in self.table.schema.names if name not in self.own)


def level_tables(table: Table, levels: Sequence[UnitLevel], hidden: bool) -> list[LevelTable]:
    """The tables of all levels, the outermost first; with `hidden` columns where units have several rows."""
    found: list[LevelTable] = []
    known: dict[str, Attribute] = {}
    values: dict[str, Array] = {}  # of every row
    order = {name: place for place, name in enumerate(table.schema.names)}
    for place, level in enumerate(levels):
        own = {name: table.schema[name] for name in level.columns}
        mine: dict[str, Array] = {name: table.columns[name][level.units.first] for name in own}
        if hidden and level.units.count < table.rows:
            for attribute, column in _hidden(table, levels, place):
                own[attribute.name], mine[attribute.name] = attribute, column
        known |= own
        values |= {name: column[level.units.of_row] for name, column in mine.items()}
        columns = {name: column[level.units.first] for name, column in values.items()}
        attributes = sorted(known.values(), key=lambda a: order.get(a.name, len(order)))
        schema = Schema(tuple(attributes), table.schema.main, links_within(table.schema, level.columns))
        held = Table(schema, columns, pl.DataFrame(), level.units.count)
        found.append(LevelTable(level, held, tuple(own)))
    return found


def _hidden(table: Table, levels: Sequence[UnitLevel], place: int) -> list[tuple[Attribute, Array]]:
    """The hidden columns of a level that is not the last."""
    level, below = levels[place], levels[place + 1]
    counts = below.children
    texts, codes = np.unique(counts, return_inverse=True)
    found: list[tuple[Attribute, Array]] = []
    if len(texts) > 1:
        attribute = Attribute(
            f"{BELOW} {place}", "categorical", storage="String", categories=tuple(map(str, texts.tolist()))
        )
        found.append((attribute, codes.reshape(-1).astype(np.int32)))
    for name in (name for lower in levels[place + 1 :] for name in lower.columns):
        attribute = replace(
            table.schema[name], name=f"{HIDDEN}{place} {name}", role="ordinary", bins=(), weight=False
        )
        column = table.columns[name]
        if attribute.kind == "numeric":
            found.append((replace(attribute, precision=None), mean_of(column, level.units)))
        else:
            found.append((attribute, most_frequent(column, level.units)))
    return found


def growing_table(table: Table, level: UnitLevel) -> Table:
    """The units as trees see them: their constant columns, and of a class or weight that varies the most
    frequent or the mean."""
    first = table.take(level.units.first)
    columns: dict[str, Array] = {name: first.columns[name] for name in level.columns}
    for target in table.schema.classes:
        if target.name not in columns:
            summary = mean_of if target.kind == "numeric" else most_frequent
            columns[target.name] = summary(table.columns[target.name], level.units)
    weight, weights = table.schema.weight, table.weights
    if weight is not None and weights is not None:
        columns[weight.name] = mean_of(weights, level.units)
        weight = replace(weight, kind="numeric", role="ordinary")
    attributes = (weight if weight and a.name == weight.name else a for a in table.schema.attributes)
    kept = tuple(a for a in attributes if a.name in columns)
    schema = Schema(kept, table.schema.main, links_within(table.schema, level.columns))
    return Table(schema, columns, pl.DataFrame(), level.units.count)


def links_within(schema: Schema, names: Sequence[str]) -> tuple[Link, ...]:
    """The links that are between some columns alone."""
    return tuple(link for link in schema.links if set(link.columns) <= set(names))


def by_level(links: Sequence[Link], levels: Sequence[UnitLevel]) -> tuple[Link, ...]:
    """The links with every order across levels in pieces, so that its part within a level can be kept."""
    found: list[Link] = []
    place = {name: number for number, level in enumerate(levels) for name in level.columns}
    for link in links:
        if not isinstance(link, Order) or not set(link.columns) <= place.keys():
            found.append(link)
            continue
        for number in range(len(levels)):
            within = tuple(name for name in link.columns if place[name] == number)
            found += [Order(within)] if len(within) > 1 else []
        found += [Order(pair) for pair in pairwise(link.columns) if place[pair[0]] != place[pair[1]]]
    return tuple(dict.fromkeys(found))


def links_across(schema: Schema, levels: Sequence[UnitLevel]) -> list[tuple[str, ...]]:
    """The columns of links between columns of several levels."""
    kept = {a.name for a in schema.kept}
    within = [link for level in levels for link in links_within(schema, level.columns)]
    found = [tuple(n for n in link.columns if n in kept) for link in schema.links if link not in within]
    return [names for names in found if len(names) > 1]


def for_level(plan: Plan, names: Sequence[str], times: int) -> Plan:
    """The steps of a plan for some columns; leaves of proposal trees hold `times` as many of this level's records."""
    steps = []
    for step in plan.steps:
        own = tuple(name for name in step.attributes if name in names)
        technique = step.technique
        if isinstance(technique, SegmentShuffle):
            technique = replace(technique, k=technique.k * times)
            own = tuple(names)
        steps += [replace(step, technique=technique, attributes=own)] if own else []
    return replace(plan, steps=tuple(steps))


def said_of_level(plan: Plan, made: LevelTable, reported: Plan) -> tuple[Step, ...]:
    """The steps of a level as people read them: without hidden columns, and with the parameters of the release."""
    techniques = {step.technique.acronym: step.technique for step in reported.steps}
    steps = []
    for step in plan.steps:
        names = tuple(name for name in step.attributes if name in made.columns)
        technique = techniques.get(step.technique.acronym, step.technique)
        per = made.level.column
        steps += [replace(step, technique=technique, attributes=names, per=per)] if names else []
    return tuple(steps)
