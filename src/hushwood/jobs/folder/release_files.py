"""The files of a release: which tables can be released, how files are named and written, and the order of the rows.

`release` and `publish_tree` both write their folder through a `Writer`; the folder itself is made in `whole_folders`.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np
from numpy.lib import format as npy

from hushwood.arrays import Array, Integers
from hushwood.errors import InputError
from hushwood.jobs.folder.exchange import sync
from hushwood.jobs.folder.manifests import VERSION, keyed_checksum, sealed, table_digest
from hushwood.jobs.folder.whole_folders import (
    KEY,
    MANIFEST,
    MANIFEST_FORMAT,
    NOT_CLEARED,
    PLAN,
    PRIVATE,
    PRIVATE_MODE,
    ROW_ORDER,
    SCHEMA,
    SHARE,
)
from hushwood.random_streams import Rows, Streams
from hushwood.tables.columns.warnings import IDENTIFYING, MANY_CATEGORIES
from hushwood.tables.formats.schema_file import write_schema_file
from hushwood.tables.reading import Reading
from hushwood.tables.table import Table, missing_values

PRIVATE_FILE_MODE = 0o600
FEWEST = 10  # fewer values are often sorted by chance


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes the files of a release into its folder-to-be, under its key.

    What may not be handed out is held back when all its files but the manifest are written:

        if not verdict.cleared:
            writer = writer.hold_back()
        manifest = writer.write_manifest(about, certificate, verdict=verdict.to_json())
    """

    folder: Path
    reading: Reading
    streams: Streams
    escape_formulas: bool = False
    part: str = SHARE

    @property
    def share(self) -> Path:
        """The part to hand out, or what is held back in its place."""
        return self.folder / self.part

    def hold_back(self) -> Writer:
        """Rename share/ to not-cleared/, which only its owner opens, and go on with the writer that is returned."""
        held = replace(self, part=NOT_CLEARED)
        self.share.rename(held.share)
        held.share.chmod(PRIVATE_MODE)
        return held

    @property
    def private(self) -> Path:
        """The part to keep."""
        return self.folder / PRIVATE

    @property
    def released(self) -> Path:
        """The released table: it has the ending of the input's name; a frame is released as Parquet."""
        return self.share / f"released{self.reading.suffix}"

    def keep_order(self, order: Integers) -> None:
        """Note the table's row of every released row in the private part."""
        with self.row_order(len(order)) as note:
            note(order)

    @contextmanager
    def row_order(self, rows: int) -> Iterator[Callable[[Integers], None]]:
        """The same for some rows after the other."""
        with (self.private / ROW_ORDER).open("wb") as file:
            npy.write_array_header_1_0(file, {"descr": "<i8", "fortran_order": False, "shape": (rows,)})
            yield lambda places: np.asarray(places, np.int64).tofile(file)

    def write_table(self, table: Table) -> None:
        """Write the released table."""
        from hushwood.tables.formats.files import write_frame
        from hushwood.tables.frames.table_frames import released_frame

        write_frame(
            released_frame(table),
            self.released,
            dialect=self.reading.dialect,
            escape_formulas=self.escape_formulas,
            sheet=self.reading.sheet,
            labels=self.reading.labels,
        )

    def write_private(self, plan: Mapping[str, Any]) -> None:
        """Write key, schema and plan, and let only the owner read private files."""
        write_text(self.private / KEY, self.streams.secret.hex() + "\n")
        write_schema_file(self.reading.table.schema, self.private / SCHEMA)
        head = {"format": "hushwood-plan", "version": 1, "manifest_version": VERSION}
        write_json(self.private / PLAN, head | dict(plan))
        for path in self.private.iterdir():
            path.chmod(PRIVATE_FILE_MODE)

    def write_manifest(
        self,
        about: Mapping[str, Any],
        certificate: Mapping[str, Any],
        *,
        made_up: bool = False,
        verdict: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Seal what was done, what a policy says of it, and all files written so far."""
        from hushwood.version import __version__

        content = {
            "format": MANIFEST_FORMAT,
            "version": VERSION,
            "hushwood": __version__,
            **about,
            "key_id": self.streams.key_id,
            "input": {"keyed_checksum": keyed_checksum(table_digest(self.reading), self.streams)},
            "output": {
                "file": self.released.name,
                "records": certificate["records"],
                "escaped_formulas": self.escape_formulas,
                "records_have_partners": not made_up,
            },
            "certificate": certificate,
        } | ({} if verdict is None else {"verdict": verdict})
        manifest = sealed(content, self.folder, self.streams, self.part)
        write_json(self.share / MANIFEST, manifest)
        return manifest


def check_table(reading: Reading) -> None:
    """Refuse what cannot be hidden or learnt from."""
    schema = reading.table.schema
    if reading.table.rows < 2:
        raise InputError(
            "The table has one record; nothing can be hidden in it. Release more records together."
        )
    if not schema.kept:
        raise InputError("No column is left to release; declare fewer columns as identifier or ignored.")
    if not schema.inputs:
        raise InputError(
            f"Only the class {', '.join(repr(a.name) for a in schema.classes)} is left, and no column to learn rules "
            "from; declare fewer columns as identifier or ignored."
        )


def input_warnings(
    reading: Reading, escape_formulas: bool, coarsened: Collection[str] = ()
) -> tuple[str, ...]:
    """The doubts about the columns that the request does not settle; the gate has settled who is identified."""
    settled = IDENTIFYING | ({"formula"} if escape_formulas else frozenset())
    return tuple(
        warning.sentence
        for warning in reading.warnings
        if warning.code not in settled
        and not (warning.code == MANY_CATEGORIES and warning.column in coarsened)
    )


class RowOrder:
    """Which columns the rows are sorted by, found batch by batch."""

    def __init__(self, but: Sequence[str] = ()) -> None:
        self.but = frozenset(but)
        self._columns: dict[str, _Order] = {}

    def add(self, table: Table) -> None:
        """Look at the next records; columns in `but` are public anyway."""
        for attribute in table.schema.kept:
            if attribute.name not in self.but:
                order = self._columns.setdefault(attribute.name, _Order())
                order.add(np.asarray(table.columns[attribute.name]))

    def warnings(self) -> Iterator[str]:
        """A sentence for every column that the rows are sorted by."""
        for name, order in self._columns.items():
            if order.sorted:
                yield (
                    f"The rows are sorted by {name!r}, so a row's position reveals its value; "
                    "--shuffle-rows breaks the order."
                )


@dataclass(slots=True)
class _Order:
    """Whether the known values of a column never fall, or never rise, and how many there are."""

    known: int = 0
    rises: bool = False
    falls: bool = False
    last: Array | None = None

    def add(self, column: Array) -> None:
        if self.rises and self.falls:
            return
        known = column[~missing_values(column)]
        self.known += len(known)
        values = known if self.last is None else np.concatenate([self.last, known])
        steps = np.diff(values)
        self.rises |= bool((steps > 0).any())
        self.falls |= bool((steps < 0).any())
        self.last = values[-1:]

    @property
    def sorted(self) -> bool:
        return self.known >= FEWEST and self.rises != self.falls


def order_warnings(table: Table, but: Sequence[str] = ()) -> Iterator[str]:
    """A sentence for every column that the rows are sorted by, except columns whose values are public anyway."""
    order = RowOrder(but)
    order.add(table)
    return order.warnings()


def tie_warnings(table: Table) -> Iterator[str]:
    """A sentence for every ignored column that tells the rows of a shuffled release apart."""
    for name in table.schema.in_role("ignored"):
        if table.carried[name].n_unique() > 1:
            yield (
                f"The ignored column {name!r} ties each row to the record that it was made from: the random "
                "order of the rows hides little from those who know its values."
            )


def secret_order(rows: Rows, streams: Streams) -> Integers:
    """A keyed permutation: position i of the release holds row `secret_order[i]` of the table."""
    return streams.order("row order", "", rows)


def read_order(path: Path) -> Integers:
    """The permutation that a release kept; a file that holds anything else is refused."""
    try:
        with path.open("rb") as file:
            if npy.read_magic(file) != (1, 0):
                raise ValueError
            shape, _, kind = npy.read_array_header_1_0(file)
            # What the header claims is believed only if the file is as long as that.
            if kind != np.int64 or shape != ((path.stat().st_size - file.tell()) // 8,):
                raise ValueError
            order = np.fromfile(file, np.int64)
        if not np.array_equal(np.sort(order), np.arange(len(order))):
            raise ValueError
    except (OSError, ValueError, SyntaxError, RecursionError, TokenError) as fault:
        raise InputError(
            f"{path} is damaged: it does not say where each row came from; fetch or make the release again."
        ) from fault
    return order


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write a JSON object, one line a key unless laws make it long."""
    write_text(path, json.dumps(content, ensure_ascii=False, indent=None if "laws" in content else 1) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write a text as UTF-8."""
    path.write_text(text, encoding="utf-8")


def write_whole(text: str, path: Path, mode: int = 0o666) -> None:
    """Write a file of its own, whole or not at all: under an unforeseeable name, then to disk, then renamed.

    The umask may take more from the mode.
    """
    place = Path(os.path.realpath(path))
    aside = place.parent / f".hushwood-{secrets.token_hex(8)}"
    try:
        if place.exists() and not place.is_file():
            raise InputError(f"{path} is not a file that can be replaced; give another file.")
        descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(place)
        sync(place.parent)
    except OSError as fault:
        raise InputError(f"{path} could not be written: {fault.strerror}; give another file.") from fault
    finally:
        with suppress(OSError):
            aside.unlink(missing_ok=True)


def check_separate(path: Path, inputs: Iterable[Path]) -> None:
    """Refuse to write over a table that was read, or into a release, whose files are listed in its manifest."""
    for other in inputs:
        if path.exists() and other.exists() and path.samefile(other):
            raise InputError(f"{path} is the table itself; give another file to write to.")
        if other.is_dir() and path.resolve().is_relative_to(other.resolve()):
            raise InputError(f"{path} lies in the release {other}; give a file outside of it.")
