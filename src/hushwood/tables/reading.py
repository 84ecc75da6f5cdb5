"""One entry point for all data: a file or a frame becomes a table, with warnings about its columns."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar

import polars as pl

from hushwood.errors import InputError
from hushwood.tables.columns.inference import Declarations, declared_by_schema, infer_schema
from hushwood.tables.columns.warnings import ColumnWarning, odd_numbers, weight_warnings
from hushwood.tables.csv.dialect import Dialect, TextForm
from hushwood.tables.csv.file import formula_warnings, read_csv
from hushwood.tables.formats import input_files
from hushwood.tables.formats.files import (
    FORMATS,
    SUBSTITUTES,
    is_read_whole,
    read_frame,
    read_other,
    read_raw,
    suffix_of,
    without_texts,
)
from hushwood.tables.formats.program_files import Labels
from hushwood.tables.formats.schema_file import read_schema_file, with_declared_links
from hushwood.tables.frames.any_frame import (
    index_note,
    like,
    names_of_columns,
    to_polars,
    unordered_categories,
)
from hushwood.tables.frames.storage import TEXT_STORAGES, frame_from_table
from hushwood.tables.frames.table_frames import table_from_frame
from hushwood.tables.read_options import ReadOptions, read_options
from hushwood.tables.schema import CARRIED_ROLES, Role, Schema
from hushwood.tables.table import Table, with_present_categories

if TYPE_CHECKING:
    from hushwood.tables.recoding.preparation import Preparation

AnyReading = TypeVar("AnyReading", bound="Reading")
_BATCH = 1 << 19  # rows of a folder of files that are read at a time


@dataclass(frozen=True, slots=True)
class Reading:
    """A table, warnings about its columns, and its source, so that a release can have the same form.

    `form` holds the arguments of `read` that describe how the file is written; `sha256` is of the bytes parsed.
    """

    table: Table
    warnings: tuple[ColumnWarning, ...] = ()
    path: Path | None = None
    dialect: Dialect | None = None
    form: Mapping[str, Any] = field(default_factory=dict)
    sha256: bytes | None = field(default=None, repr=False)
    ending: str = ""
    sheet: str = ""
    labels: Labels | None = None

    @property
    def separator(self) -> str | None:
        """What separates the fields of a text file."""
        return None if self.dialect is None else self.dialect.separator

    @property
    def released_form(self) -> TextForm | None:
        """How a released text file is written: as the one that was read."""
        return None if self.dialect is None else self.dialect.form

    @property
    def suffix(self) -> str:
        """How the name of the released table ends: as that of the file, unless that format can only be read."""
        if self.ending:
            return self.ending
        found = ".parquet" if self.path is None else suffix_of(self.path)
        return SUBSTITUTES.get(found, found)

    @property
    def notes(self) -> tuple[str, ...]:
        """What to say about the format of the release."""
        if self.dialect is not None:
            return self.dialect.notes
        own = "" if self.path is None or self.ending else suffix_of(self.path)
        if own not in SUBSTITUTES:
            note = index_note(self.table.source)
            return () if note is None else (note,)
        return (f"{own} files can only be read, so the release is an {SUBSTITUTES[own]} file.",)

    @property
    def name(self) -> str:
        """The file's name, or a description of a table in memory."""
        return self.path.name if self.path else "a table in memory"

    def of_present_categories(self) -> Self:
        """The same data without the names of absent categories, which must not be published."""
        return replace(self, table=with_present_categories(self.table))

    def prepared(self, preparation: Preparation) -> Self:
        """The same with coarser columns and without rare levels."""
        return replace(self, table=preparation.on_table(self.table))

    def batches(self, names: tuple[str, ...]) -> Iterable[Table]:
        """All records, in batches with these columns at least: here in one."""
        return [self.table]

    def frame_like(self, released: pl.DataFrame) -> Any:
        """Released columns as the kind of frame that was read; a Polars frame for a file."""
        return released if self.table.source is None else like(self.table.source, released)


def read(source: object, **arguments: Any) -> Reading:
    """Read a file (by its path), a frame or a table, with warnings about its columns; `ReadOptions` says how."""
    asked = read_options(arguments)
    asked = replace(asked, target=names_of_columns(source, asked.target))
    if isinstance(source, Table) and not asked.about_columns:
        return Reading(source)
    done = _reading(source, declared_columns(_given(source, asked.schema)), asked)
    linked = with_declared_links(done.table.schema, _given(source, asked.schema))
    return replace(done, table=replace(done.table, schema=linked))


def _reading(source: object, declared: Declarations, asked: ReadOptions) -> Reading:
    """Read with what is said about the columns, and about how a file is written."""
    path = Path(source) if isinstance(source, str | Path) else None
    fetched = _fetched(source, path, asked, text_only(declared, asked.roles or {}))
    unordered = unordered_categories(source) | frozenset(fetched.labels.codes if fetched.labels else ())
    schema, warnings = infer_schema(fetched.frame, asked, declared=declared, unordered=unordered)
    if fetched.dialect is not None:
        warnings += tuple(formula_warnings(fetched.frame, schema))
    table = table_from_frame(fetched.frame, schema, infinite=asked.infinite)
    warnings += (*weight_warnings(table), *odd_numbers(table))
    native = source.source if isinstance(source, Table) else None if path else source
    return Reading(
        replace(table, source=native),
        warnings,
        path,
        fetched.dialect,
        asked.form(fetched.dialect),
        fetched.sha256,
        fetched.ending,
        sheet=fetched.sheet,
        labels=fetched.labels,
    )


def read_table(source: object, *, max_bytes: int | None = None, **arguments: Any) -> Table:
    """Read a table as `hushwood.read_table` does; the default limit of a file is 4 GiB once it is unpacked."""
    with input_files.max_bytes(max_bytes):
        return read(source, **arguments).table


def _given(source: object, schema: Schema | Path | str | None) -> Schema | Path | str | None:
    """The schema that was given, or that of a table."""
    return source.schema if schema is None and isinstance(source, Table) else schema


def declared_columns(schema: Schema | Path | str | None) -> Declarations:
    """What a schema, or a schema file, says about columns."""
    if schema is None:
        return {}
    return declared_by_schema(schema) if isinstance(schema, Schema) else read_schema_file(Path(schema))


class _Fetched(NamedTuple):
    """The columns and what goes with them: of a file the SHA-256 of the bytes parsed, and how it is written."""

    frame: pl.DataFrame
    dialect: Dialect | None = None
    sha256: bytes | None = None
    sheet: str = ""
    labels: Labels | None = None
    ending: str = ""


def _fetched(source: object, path: Path | None, asked: ReadOptions, as_text: Collection[str]) -> _Fetched:
    """The columns of a table, a frame or a file, which is read once."""
    missing, sheet, form = asked.missing, asked.sheet, TextForm.of(vars(asked))
    if isinstance(source, Table):
        return _Fetched(frame_from_table(source, identifiers=True))
    if path is None:
        return _Fetched(without_texts(to_polars(source), missing))
    if path.is_dir():
        return _fetched_folder(path, missing, form, as_text)
    raw = read_raw(path)
    digest, kind = hashlib.sha256(raw).digest(), FORMATS[suffix_of(path)]
    if sheet is not None and kind != "spreadsheet":
        raise InputError(f"--sheet names a sheet of a spreadsheet, but {path} is not a spreadsheet; omit it.")
    if kind == "csv":
        frame, dialect = read_csv(path, missing=missing, form=form, as_text=as_text, raw=raw)
        return _Fetched(frame, dialect, digest)
    if is_read_whole(path):
        found = read_other(path, raw, sheet)
        if not found.frame.width or found.frame.is_empty():
            raise InputError(f"{path} has no records. There is nothing to read.")
        return _Fetched(without_texts(found.frame, missing), None, digest, found.sheet, found.labels)
    return _Fetched(read_frame(path, missing=missing, raw=raw), None, digest)


def _fetched_folder(path: Path, missing: Sequence[str], form: TextForm, as_text: Collection[str]) -> _Fetched:
    """The columns of all files of a folder, which together are one table."""
    from hushwood.tables.long.files import spooled

    with tempfile.TemporaryDirectory(prefix="hushwood-read-") as scratch:
        found = spooled(path, Path(scratch), missing=missing, form=form, as_text=as_text)
        input_files.check_size(path, sum(each.stat().st_size for each in found.files.paths))
        frame = without_texts(pl.concat(frame for _, frame in found.files.frames(_BATCH)), missing)
    return _Fetched(frame, found.dialect, found.sha256, ending=found.suffix)


def text_only(declared: Declarations, roles: Mapping[str, Role]) -> set[str]:
    """Columns of a CSV that must not be read as numbers: identifiers, ignored ones, and those declared as texts."""
    carried = {name for name, role in roles.items() if role in CARRIED_ROLES}
    for name, fields in declared.items():
        as_category = fields.get("kind") == "categorical" and fields.get("storage", "String") in TEXT_STORAGES
        if as_category or (fields.get("role") in CARRIED_ROLES and name not in roles):
            carried.add(name)
    return carried
