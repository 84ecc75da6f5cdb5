"""Roles that were named for a request: every column named must be there."""

from __future__ import annotations

from collections.abc import Iterable

from hushwood.tables.schema import Schema


def check_named(schema: Schema, names: Iterable[str]) -> None:
    """Refuse a role for a column that is not there: a misspelt identifier would otherwise be released.

    A schema file may name identifiers that are gone, a request may not.
    """
    for name in names:
        schema[name]
