"""The gate of a release: columns that look as if they identify people are declared, or nothing is released."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from hushwood.errors import InputError
from hushwood.jobs.inputs import check_named
from hushwood.policies.advice import GROUPED, Change
from hushwood.policies.policy import EVERYONE, Policy
from hushwood.tables.columns.identifying import Suspicion, can_identify, suspicion
from hushwood.tables.frames.storage import column_of
from hushwood.tables.recoding.rare_levels import FEWEST_OF_A_LEVEL, RareLevels
from hushwood.tables.schema import Schema
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
