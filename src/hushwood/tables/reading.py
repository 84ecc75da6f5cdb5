"""One door for all data: a file or a frame becomes a table, with what was noticed on the way.

`files` and `any_frame` fetch the data, `inference` describes it, `frames` makes the table.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hushwood.tables import input_files
from hushwood.tables.class_column import Response
from hushwood.tables.column_warnings import ColumnWarning
from hushwood.tables.given import Given, given_by_schema
from hushwood.tables.inference import Infinite, infer_schema
from hushwood.tables.present_categories import with_present_categories
from hushwood.tables.schema import CARRIED_ROLES, Role, Schema
from hushwood.tables.storage import TEXT_STORAGES
from hushwood.tables.table import Table

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class Reading:
    """A table, the doubts about its columns, and what it came from, so that a release can go out alike.

    `form` are the words of `read` that said how the file is written; `sha256` is that of the bytes that were parsed.
    """

    table: Table
    warnings: tuple[ColumnWarning, ...] = ()
    path: Path | None = None
    separator: str | None = None
    form: Mapping[str, Any] = field(default_factory=dict)
    sha256: bytes | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        """The file's name, or what else to call the table."""
        return self.path.name if self.path else "a table in memory"

    def of_present_categories(self) -> Reading:
        """The same data without the names of categories that no record has: they must not be published."""
        return replace(self, table=with_present_categories(self.table))

    def frame_like(self, released: pl.DataFrame) -> Any:
        """Released columns as the kind of frame that was read; a Polars frame if it was a file."""
        from hushwood.tables.any_frame import like

        return released if self.table.source is None else like(self.table.source, released)


def read(
    source: object,
    *,
    target: str | None = None,
    schema: Schema | Path | str | None = None,
    roles: Mapping[str, Role] | None = None,
    missing: Sequence[str] = (),
    encoding: str = "utf-8",
    separator: str | None = None,
    infinite: Infinite = "refuse",
    class_bins: int | None = None,
    class_threshold: float | None = None,
    response: Response = "class",
) -> Reading:
    """Read a file (by its path), a frame or a table, with everything noticed on the way.

    `response` says whether a numeric class stays a "number", becomes a "class", or "either", as its values suggest.
    """
    from hushwood.tables.formula_cells import formula_warnings
    from hushwood.tables.frames import table_from_frame

    as_it_is = (
        target is None and schema is None and not roles and class_bins is None and class_threshold is None
    )
    if isinstance(source, Table) and as_it_is:
        return Reading(source)
    given = _given(source, schema)
    path = Path(source) if isinstance(source, str | Path) else None
    texts = _texts(given, roles or {})
    frame, separator, sha256 = _fetched(source, path, missing, encoding, separator, texts)
    found, warnings = infer_schema(
        frame,
        target=target,
        roles=roles,
        given=given,
        class_bins=class_bins,
        class_threshold=class_threshold,
        infinite=infinite,
        response=response,
    )
    if separator is not None:
        warnings += tuple(formula_warnings(frame, found))
    table = table_from_frame(frame, found, infinite=infinite)
    native = source.source if isinstance(source, Table) else None if path else source
    form = {"missing": list(missing), "encoding": encoding, "separator": separator, "infinite": infinite}
    if found.class_attribute is not None and found.class_attribute.kind == "numeric":
        form["response"] = "number"
    return Reading(replace(table, source=native), warnings, path, separator, form, sha256)


def read_table(
    source: object,
    *,
    target: str | None = None,
    schema: Schema | Path | str | None = None,
    roles: Mapping[str, Role] | None = None,
    missing: Sequence[str] = (),
    encoding: str = "utf-8",
    separator: str | None = None,
    infinite: Infinite = "refuse",
    class_bins: int | None = None,
    class_threshold: float | None = None,
    max_bytes: int | None = None,
) -> Table:
    """Read a table from a CSV, Parquet or Arrow file or from a frame; `target` names the class column.

    A file may take `max_bytes` once it is unpacked, 4 GiB unless said otherwise.

    >>> import polars as pl
    >>> table = read_table(pl.DataFrame({"age": [31, 45], "ill": ["no", "yes"]}), target="ill")
    >>> table.schema["age"].high, table.schema["ill"].categories
    (45.0, ('no', 'yes'))
    """
    with input_files.max_bytes(max_bytes):
        return read(
            source,
            target=target,
            schema=schema,
            roles=roles,
            missing=missing,
            encoding=encoding,
            separator=separator,
            infinite=infinite,
            class_bins=class_bins,
            class_threshold=class_threshold,
        ).table


def _given(source: object, schema: Schema | Path | str | None) -> Given:
    from hushwood.tables.schema_file import read_schema_file

    if schema is None:
        return given_by_schema(source.schema) if isinstance(source, Table) else {}
    return given_by_schema(schema) if isinstance(schema, Schema) else read_schema_file(Path(schema))


def _fetched(
    source: object,
    path: Path | None,
    missing: Sequence[str],
    encoding: str,
    separator: str | None,
    as_text: Collection[str],
) -> tuple[pl.DataFrame, str | None, bytes | None]:
    """The columns, the separator of a CSV file, and the SHA-256 of a file: all from the same bytes, read once."""
    from hushwood.tables.any_frame import to_polars
    from hushwood.tables.csv_file import separator_of
    from hushwood.tables.files import FORMATS, read_frame, read_raw, suffix_of, without_texts
    from hushwood.tables.frames import frame_from_table

    if isinstance(source, Table):
        return frame_from_table(source, identifiers=True), None, None
    if path is None:
        return without_texts(to_polars(source), missing), None, None
    raw = read_raw(path)
    frame = read_frame(
        path, missing=missing, encoding=encoding, separator=separator, as_text=as_text, raw=raw
    )
    if FORMATS[suffix_of(path)] == "csv" and separator is None:
        separator = separator_of(path, encoding, raw)
    return frame, separator, hashlib.sha256(raw).digest()


def _texts(given: Given, roles: Mapping[str, Role]) -> set[str]:
    """Columns of a CSV that must not be taken for numbers: carried as they are, or declared as texts."""
    carried = {name for name, role in roles.items() if role in CARRIED_ROLES}
    for name, fields in given.items():
        as_category = fields.get("kind") == "categorical" and fields.get("storage", "String") in TEXT_STORAGES
        if as_category or (fields.get("role") in CARRIED_ROLES and name not in roles):
            carried.add(name)
    return carried
