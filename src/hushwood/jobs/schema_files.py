"""A schema saved to a file of its own: whole or not at all, and never over the table it describes."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from hushwood.errors import InputError
from hushwood.tables.schema import Schema
from hushwood.tables.schema_file import schema_to_toml


def save_schema(schema: Schema, path: Path, table: Path, force: bool) -> None:
    """Write the schema; an existing file is replaced only when asked."""
    if path.exists() and path.samefile(table):
        raise InputError(f"{path} is the table itself; give another file to save the schema to.")
    if path.exists() and not force:
        raise InputError(f"{path} is there already; give another file, or replace it with --force.")
    aside = path.with_name(f".{path.name}.part")
    try:
        aside.write_text(schema_to_toml(schema), encoding="utf-8")
        aside.replace(path)
    except OSError as fault:
        raise InputError(
            f"{path} could not be written: {fault.strerror}; give another file to save the schema to."
        ) from fault
    finally:
        with suppress(OSError):
            aside.unlink(missing_ok=True)
