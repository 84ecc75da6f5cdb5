"""What a job reads before it begins: the table, with every named column there; and the schema file it can save."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from threading import Thread
from typing import Any

from hushwood.errors import InputError
from hushwood.jobs.folder.release_files import check_separate, write_whole
from hushwood.tables.formats.saved_schema import saved_schema
from hushwood.tables.reading import Reading, read
from hushwood.tables.schema import Schema

LARGE = 5_000_000  # bytes of a file that takes long enough to read


def read_input(table: object, arguments: Mapping[str, Any]) -> Reading:
    """Read a table with the arguments of `read`, and check that every column named for a role is there."""
    reading = read(table, **arguments)
    check_named(reading.table.schema, arguments.get("roles") or ())
    return reading


def check_named(schema: Schema, names: Iterable[str]) -> None:
    """Refuse a role for a column that is not there: a misspelt identifier would otherwise be released.

    A schema file may name identifiers that are gone, a request may not.
    """
    for name in names:
        schema[name]


def save_schema(reading: Reading, path: Path, table: Path, force: bool) -> None:
    """Write a schema file without anybody's values; an old file is replaced only when asked, the table never."""
    check_separate(path, [table])
    if path.exists() and not force:
        raise InputError(f"{path} already exists; give another file, or replace it with --force.")
    write_whole(saved_schema(reading), path)


def load_kernels_for(table: object) -> Thread | None:
    """Load numba in the background while a large file is read: that takes most of a second."""
    if not isinstance(table, Path) or not table.is_file() or table.stat().st_size < LARGE:
        return None
    thread = Thread(target=_load_kernels, name="load kernels")
    thread.start()
    return thread


def _load_kernels() -> None:
    import numpy as np

    from hushwood.kernels.keyed_numbers import normals_from_words
    from hushwood.trees.kernels.records import route

    normals_from_words(np.zeros(1, np.uint64), np.zeros(1))
    leaf, leaves = np.full(1, -1, np.int64), np.zeros(1, np.int32)
    route(
        np.zeros((1, 1)),
        leaf,
        np.zeros(1, bool),
        np.zeros(1),
        np.zeros(2, np.int64),
        np.zeros(0, np.int32),
        np.zeros(1, np.int32),
        leaves,
    )
