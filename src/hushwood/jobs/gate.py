"""The gate of a release: nothing goes out while columns seem to identify people, or rows to repeat them, undeclared.

Such columns are declared or kept for a reason, and people with several rows are named or explained.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from hushwood.errors import InputError
from hushwood.jobs.folder.keys import RELEASED_BEFORE
from hushwood.jobs.inputs import check_named
from hushwood.policies.advice import GROUPED, Change
from hushwood.policies.policy import EVERYONE, Policy
from hushwood.tables.columns.header_words import ACCOUNTS, DOCUMENTS, RECORDS, said_by
from hushwood.tables.columns.identifying import Suspicion, can_identify, suspicion
from hushwood.tables.frames.storage import column_of
from hushwood.tables.persons.repetition import (
    FEWEST_ROWS,
    constant_of,
    repeated_share,
    repetition,
    rows_alike,
    rows_of_each,
)
from hushwood.tables.persons.units import Units, unit_columns, units_of
from hushwood.tables.reading import Reading
from hushwood.tables.recoding.rare_levels import FEWEST_OF_A_LEVEL, RareLevels
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table


def check_declared(table: Table, keep: Mapping[str, str], hidden: Collection[str] = ()) -> None:
    """Refuse a table with columns that look identifying and are neither declared by a role nor kept for a reason.

    `hidden` are columns whose values cannot go out, whatever they are.
    """
    _check_kept(table.schema, keep)
    settled = {*keep, *hidden}
    open_columns = [a for a in table.schema.attributes if a.name not in settled and can_identify(a)]
    found = [suspicion(attribute, column_of(table, attribute)) for attribute in open_columns]
    suspects = [each for each in found if each is not None]
    if suspects:
        raise InputError(_sentence(suspects, table.schema.in_role("class")))


def _check_kept(schema: Schema, keep: Mapping[str, str]) -> None:
    check_named(schema, keep)
    for name, reason in keep.items():
        if not isinstance(reason, str) or not reason.strip():
            raise InputError(
                f'No reason is given to keep column {name!r}; add one: --keep {shlex.quote(name)}="reason".'
            )
        if schema[name].role == "identifier":
            raise InputError(f"Column {name!r} cannot be both dropped as identifier and kept; choose one.")


class HeldBack(NamedTuple):
    """Reasons to hold a release back that no limit is about, and changes that settle them."""

    blocking: tuple[str, ...] = ()
    settling: tuple[Change, ...] = ()


NOTHING = HeldBack()


def rare_levels_kept(rare: RareLevels, keep: Collection[str], schema: Schema, policy: Policy) -> HeldBack:
    """Why a release is not for everyone: its levels of a few records, which "mayor of Ulm" may be one of.

    Under a contract they are only warned of. A reason to keep the column settles it, and grouping does if no class is
    among them.
    """
    open_columns = {name: count for name, count in rare.telling.items() if name not in keep}
    if policy.recipient != EVERYONE or not open_columns:
        return NOTHING
    listed = ", ".join(f"{name!r} ({count:,})" for name, count in open_columns.items())
    said = (
        f"Levels that fewer than {FEWEST_OF_A_LEVEL} records have would go out to everyone: {listed}. Put them "
        "together with --rare group, blank them with --rare suppress, or keep a column with --keep "
        'COLUMN="reason"; a class can only be kept.'
    )
    grouped = rare.rule == "keep" and not open_columns.keys() & set(schema.in_role("class"))
    return HeldBack((said,), (GROUPED,) if grouped else ())


def drawn_before(held_back: HeldBack, left: Sequence[str]) -> HeldBack:
    """The same with the reason that people and counts of a table that has left the house were drawn again."""
    if RELEASED_BEFORE not in left:
        return held_back
    said = (
        "Another draw of this table has left the house. Two draws have half of the noise, and more have less: hand out "
        "the first one again, which --seed-file with its private/key makes again, or say why with `hushwood accept`."
    )
    return held_back._replace(blocking=(*held_back.blocking, said))


def _sentence(suspects: Sequence[Suspicion], classes: Sequence[str]) -> str:
    several = len(suspects) > 1
    subject = (
        f"{len(suspects)} columns look as if they identify"
        if several
        else "A column looks as if it identifies"
    )
    listed = ", ".join(f"{each.column!r} ({each.kind})" for each in suspects)
    drop = [f"--identifier {shlex.quote(each.column)}" for each in suspects if each.column not in classes]
    ways = [f"drop {'them' if len(drop) > 1 else 'it'} with {' '.join(drop)}"] if drop else []
    if len(drop) < len(suspects):
        ways.append(f"choose another class than {classes[0]!r}")
    ways.append('or keep one with --keep COLUMN="reason"')
    return f"{subject} people and {'are' if several else 'is'} not declared: {listed}; {', '.join(ways)}."


_FEWEST_PEOPLE = 20
_REPEATED, _CONSTANT = 0.2, 2
_NUMBERS_OF_PEOPLE = frozenset({RECORDS, ACCOUNTS, DOCUMENTS})


@dataclass(frozen=True, slots=True)
class _Found:
    """What betrays people with several rows, in words, and the rows that seem to be one person's."""

    says: str
    rows: Units


def with_people_apart(reading: Reading, reason: str | None, keep: Mapping[str, str]) -> Reading:
    """Refuse a table in which people evidently have several rows, unless a column or a reason says how that is.

    With a reason, the table notes which rows seem to be one person's.
    """
    table = reading.table
    if reason is not None and not reason.strip():
        raise InputError('--rows-are-people needs a reason, which is published: --rows-are-people="reason".')
    held = unit_columns(table.schema)
    if held and reason is not None:
        raise InputError(
            f"Column {held[0]!r} says which rows belong together, and --rows-are-people says that none do; omit one."
        )
    found = None if held else _of_identifiers(table, keep) or _of_numbers(table)
    if found is None:
        return reading
    if reason is None:
        raise InputError(
            f'{found.says}, or say why every row is another person with --rows-are-people="reason".'
        )
    return replace(reading, table=replace(table, groups=found.rows.of_row))


def said_of_groups(table: Table) -> tuple[str, ...]:
    """That rows which look like one person's are taken for several people, if they are."""
    if table.groups is None:
        return ()
    people = int(table.groups.max()) + 1
    said = (
        f"The {table.rows:,} rows look like those of {people:,} people, and each is taken for another person, as "
        "declared. Throw-away releases leave rows that look like one person's on one side."
    )
    return (said,)


def _of_identifiers(table: Table, keep: Mapping[str, str]) -> _Found | None:
    """A column of identifiers whose values repeat, as patient numbers do in a table of stays."""
    if table.rows < FEWEST_ROWS:
        return None
    for attribute in table.schema.attributes:
        name = attribute.name
        if attribute.role != "identifier" and name not in keep:
            continue
        column = column_of(table, attribute)
        if column.null_count() == table.rows:
            continue  # of a long table, identifiers are not read
        units = units_of(column)
        repeats = units.count >= _FEWEST_PEOPLE and repeated_share(units.of_row) >= _REPEATED
        if repeats and _names_people(attribute, table, units):
            says = (
                f"Column {name!r} identifies people, who have about {rows_of_each(units.of_row):,.0f} rows each, and "
                "each of those rows would be taken for another person. Name the column with --person "
                f"{shlex.quote(name)} (fresh numbers go out in its place)"
            )
            return _Found(says, units)
    return None


def _names_people(attribute: Attribute, table: Table, units: Units) -> bool:
    """Whether a column whose values repeat stands for persons, by its name or by what is the same in their rows.

    A first name and the address of a family repeat as well, but little is the same in all of their rows.
    """
    said = said_by(attribute.name)
    if said in _NUMBERS_OF_PEOPLE:
        return True
    same, columns = constant_of(table, units)
    other = said is not None or attribute.role != "identifier"
    return same >= (columns / 2 if other else _CONSTANT)


def _of_numbers(table: Table) -> _Found | None:
    found = repetition(table)
    if found is None:
        return None
    *others, last = map(repr, found.columns)
    says = (
        f"Rows evidently repeat people: {', '.join(others)} and {last} have the same values in about {found.rows:,.0f} "
        "rows at a time, far more often than chance allows, and each of those rows would be taken for another "
        "person. Name the column that says whose row it is with --person COLUMN; add one if there is none"
    )
    return _Found(says, rows_alike(table, found.columns))
