"""Linked columns changed as one: a table whose columns are free of each other, and the way back.

Techniques are given the free table: combinations of categories in the place of linked categories, distances in the
place of numbers that come after others, and no column that follows from the rest. What they release is turned back, so
whatever they do to single columns, the links hold.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from hushwood.arrays import Array, Flags, Floats
from hushwood.tables.links.links import Condition, listed, publicly
from hushwood.tables.links.numbers import (
    AllowedValues,
    StreamRows,
    computed,
    divided,
    largest,
    nearest,
    placed_after,
    summed,
)
from hushwood.tables.links.seen import Seen
from hushwood.tables.links.structure import After, JoinedColumns, Looked, Structure, Total
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table


@dataclass(frozen=True, slots=True)
class LinkedColumns:
    """The columns of a table that are linked, and what was seen of them.

    `free` describes the free table, in the order of the columns that its own stand for. `names` are those of
    combinations and distances there.
    """

    schema: Schema
    structure: Structure
    seen: Seen
    free: Schema
    names: Mapping[JoinedColumns | After, str]

    @classmethod
    def of(cls, schema: Schema, structure: Structure, seen: Seen) -> LinkedColumns:
        """The free columns of a table of which everything was seen."""
        names: dict[JoinedColumns | After, str] = {}
        taken = set(schema.names)
        made: list[JoinedColumns | After] = [*structure.together]
        made += [one for one in structure.derived if isinstance(one, After)]
        for one in made:
            name = one.name
            while name in taken:
                name += "'"
            taken.add(name)
            names[one] = name
        linked = cls(schema, structure, seen, schema, names)
        return replace(linked, free=linked._free()) if not structure.empty else linked

    @property
    def any(self) -> bool:
        """Whether any column is linked."""
        return not self.structure.empty

    def _free(self) -> Schema:
        """Every column, or what stands in its place there."""
        structure, found = self.structure, dict[str, Attribute]()
        for attribute in self.schema.attributes:
            name = attribute.name
            whole = next((t for t in structure.together if name in (*t.categories, *t.numbers)), None)
            derived = structure.derivation(name)
            if whole is not None:
                stands = self.names[whole]
                if stands not in found:
                    found[stands] = self.seen.combined[whole].attribute(stands, self.schema)
                continue
            if isinstance(derived, After):
                found[self.names[derived]] = self._distance(derived, attribute)
            if derived is None or name in self.seen.on_their_own:
                found[name] = replace(attribute, bins=()) if derived is not None else attribute
        return replace(self.schema, attributes=tuple(found.values()), links=())

    def _distance(self, after: After, attribute: Attribute) -> Attribute:
        decimals = [self.schema[name].precision for name in (after.column, *after.bases)]
        known = [places for places in decimals if places is not None]
        low, high = self.seen.distances[after]
        return Attribute(
            self.names[after],
            "numeric",
            attribute.role,
            "Float64",
            low,
            high,
            max(known) if len(known) == len(decimals) else None,
            noise=attribute.noise,
        )

    def sources(self, names: Iterable[str]) -> tuple[str, ...]:
        """The columns of the table that some free columns are made of."""
        made_of = {self.names[t]: (*t.categories, *t.numbers) for t in self.structure.together}
        afters = (one for one in self.structure.derived if isinstance(one, After))
        made_of |= {self.names[one]: (one.column, *one.bases) for one in afters}
        return tuple(dict.fromkeys(source for name in names for source in made_of.get(name, (name,))))

    def encoded(
        self, columns: Mapping[str, Array], names: Iterable[str] | None = None
    ) -> Mapping[str, Array]:
        """The free columns of some records, or those that are named."""
        if not self.any:
            return columns
        makers = {name: one for one, name in self.names.items()}
        found: dict[str, Array] = {}
        for name in (a.name for a in self.free.kept) if names is None else names:
            one = makers.get(name)
            if isinstance(one, JoinedColumns):
                found[name] = self.seen.combined[one].encoded(columns)
            elif isinstance(one, After):
                found[name] = distance_of(one, columns, self.free[name].precision)
            else:
                found[name] = columns[name]
        return found

    def free_table(self, table: Table) -> Table:
        """The table with its free columns; what is carried stays."""
        if not self.any:
            return table
        kept = tuple(a for a in self.free.attributes if not a.carried or a.name in table.schema.names)
        return replace(table, schema=replace(self.free, attributes=kept), columns=self.encoded(table.columns))

    def decoded(
        self, before: Mapping[str, Array], new: Mapping[str, Array], room: AllowedValues, place: StreamRows
    ) -> dict[str, Array]:
        """The released columns of the table, given those of the free table that were changed.

        `before` are the original records, `room` the values that each record's segment allows.
        """
        if not self.any:
            return dict(new)
        free = {**self.encoded(before), **new}
        self._settle(before, free, new.keys(), room, place)
        found = {name: values for name, values in free.items() if name in self.schema.names}
        for whole in self.structure.together:
            found |= self.seen.combined[whole].decoded(free[self.names[whole]])
        for one in self.structure.derived:
            if not new.keys() & {*self.stand_ins(one.column), one.column}:
                # Nothing changed, so records that break a link stay as they are.
                found[one.column] = before[one.column]
                continue
            own = free.get(one.column) if one.column in self.seen.on_their_own else None
            attribute = self.schema[one.column]
            if isinstance(one, After):
                bases = [found[name] for name in one.bases]
                found[one.column] = placed_after(bases, free[self.names[one]], own, attribute, room)
            elif isinstance(one, Total):
                parts = [found[name] for name in one.parts]
                if one.quotient is not None:
                    quotient = divided(parts[0], parts[1], one.quotient.power, one.quotient.shift)
                    found[one.column] = computed(quotient, own, attribute)
                else:
                    found[one.column] = summed(parts, own, attribute, remains=one.remains)
            else:
                found[one.column] = nearest(found[one.given], *self.seen.looked[one])
        return {a.name: found[a.name] for a in self.schema.kept if a.name in found}

    def _settle(
        self,
        before: Mapping[str, Array],
        free: dict[str, Array],
        changed: Collection[str],
        room: AllowedValues,
        place: StreamRows,
    ) -> None:
        """Blank columns that must be missing in the released record, and fill those that no longer need to be."""
        for condition in self.structure.known_if:
            if not {name for c in condition.columns for name in (c, *self.stand_ins(c))} & set(changed):
                continue
            now = self._holds(condition, self._released(condition.when, free))
            was = self._holds(condition, before[condition.when]) | place.anywhere
            filling = self.seen.fillings[condition]
            for name, points in self._leading(condition.column):
                values = free[name]
                gone = np.isnan(values) if values.dtype.kind == "f" else values < 0
                drawn = filling.drawn(points, self.free[name], room, place)
                if drawn is not None:
                    filled = was & ~now & gone & (place.uniform(f"known {name}") < filling.known)
                    values = np.where(filled, drawn, values).astype(values.dtype)
                free[name] = np.where(now, np.nan if values.dtype.kind == "f" else -1, values).astype(
                    values.dtype
                )

    def _leading(self, column: str) -> list[tuple[str, str]]:
        """The free columns that decide whether a column is missing, and what their fillings are called."""
        derived = self.structure.derivation(column)
        own = [(column, column)] if column in self.free.names else []
        return own + ([(self.names[derived], derived.name)] if isinstance(derived, After) else [])

    def _holds(self, condition: Condition, codes: Array) -> Flags:
        """Which records have one of the categories that a condition is about."""
        known = {text: code for code, text in enumerate(self.schema[condition.when].categories)}
        return np.isin(codes, [-1 if value is None else known.get(value, -2) for value in condition.values])

    def _released(self, name: str, free: Mapping[str, Array]) -> Array:
        """A categorical column of the table, of free columns."""
        whole = next((t for t in self.structure.together if name in t.categories), None)
        if whole is None:
            return free[name]
        return self.seen.combined[whole].decoded(free[self.names[whole]])[name]

    @property
    def following(self) -> frozenset[str]:
        """The columns that are not released as a technique made them."""
        moving = {name for t in self.structure.together for name in (*t.categories, *t.numbers)}
        moving |= {one.column for one in self.structure.derived}
        return frozenset(moving | {condition.column for condition in self.structure.known_if})

    def moves_with_others(self, column: str) -> bool:
        """Whether a column is a part of combinations that change places as one."""
        return any(column in (*t.categories, *t.numbers) for t in self.structure.together)

    def stand_ins(self, column: str) -> tuple[str, ...]:
        """The free columns that a column of the table is made from; itself, if it is not linked."""
        for whole in self.structure.together:
            if column in (*whole.categories, *whole.numbers):
                return (self.names[whole],)
        derived = self.structure.derivation(column)
        if derived is None:
            return (column,)
        if isinstance(derived, After):
            own = (self.names[derived],)
            return (*own, *(name for base in derived.bases for name in self.stand_ins(base)))
        sources = derived.parts if isinstance(derived, Total) else (derived.given,)
        return tuple(dict.fromkeys(name for source in sources for name in self.stand_ins(source)))

    def says(self, column: str) -> str:
        """How a column follows from others, before what is said of the technique that changed them."""
        derived = self.structure.derivation(column)
        if isinstance(derived, After):
            return f"Computed again: never below {listed(derived.bases)}; the distance to it is what changes."
        if isinstance(derived, Total):
            if derived.quotient is not None:
                return f"Computed again: {publicly(derived.quotient)}."
            if derived.remains:
                return f"Computed again as {derived.parts[0]} without {listed(derived.parts[1:])}."
            return f"Computed again as the sum of {listed(derived.parts)}."
        if isinstance(derived, Looked):
            return f"Follows from {derived.given}."
        for whole in self.structure.together:
            if column in (*whole.categories, *whole.numbers):
                others = [name for name in (*whole.categories, *whole.numbers) if name != column]
                return f"Changes together with {listed(others)}." if others else ""
        when = (c for c in self.structure.known_if if c.column == column)
        return f"Missing where {listed(dict.fromkeys(c.when for c in when))} says that it must be."


def distance_of(after: After, columns: Mapping[str, Array], precision: int | None) -> Floats:
    """How far a number lies after the largest of those before it; missing unless it and one of them are known."""
    base = largest([columns[name] for name in after.bases])
    found = np.asarray(columns[after.column] - base)
    return found if precision is None else np.rint(found * 10.0**precision) / 10.0**precision
