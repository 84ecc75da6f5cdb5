"""Everything that a folder to hand out tells, packed or not, as one stretch of bytes to search."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq


def shared_bytes(folder: Path) -> bytes:
    """The names of all files under a folder, what is in them, and what their readers find in them."""
    found = b""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        raw = path.read_bytes()
        found += path.name.encode() + b"\n" + raw
        if path.suffix == ".gz":
            found += gzip.decompress(raw)
        elif path.suffix == ".parquet":
            plain = [field.name for field in pq.read_schema(path) if not pa.types.is_nested(field.type)]
            file = pq.ParquetFile(path, read_dictionary=plain)
            found += repr((file.metadata.metadata, file.metadata.created_by)).encode()
            found += arrow_bytes(file.read())
        elif path.suffix in {".arrow", ".feather"}:
            found += arrow_bytes(pa.ipc.open_file(path).read_all())
    return found


def arrow_bytes(table: Any) -> bytes:
    """The notes, the values and the dictionaries of an Arrow table."""
    notes = [table.schema.metadata, *(field.metadata for field in table.schema)]
    dictionaries = [
        chunk.dictionary.to_pylist()
        for column in table.columns
        if pa.types.is_dictionary(column.type)
        for chunk in column.chunks
    ]
    return repr((notes, table.schema, table.to_pydict(), dictionaries)).encode()
