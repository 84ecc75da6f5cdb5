"""A schema saved to a file of its own: whole or not at all, and never over the table it describes."""

from __future__ import annotations

from pathlib import Path

from hushwood.errors import InputError
from hushwood.jobs.whole_files import check_other_file, write_whole
from hushwood.tables.schema import Schema
from hushwood.tables.schema_file import schema_to_toml


def save_schema(schema: Schema, path: Path, table: Path, force: bool) -> None:
    """Write the schema; an existing file is replaced only when asked."""
    check_other_file(path, [table])
    if path.exists() and not force:
        raise InputError(f"{path} is there already; give another file, or replace it with --force.")
    write_whole(schema_to_toml(schema), path)
