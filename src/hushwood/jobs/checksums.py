"""Checksums of files: plain ones for what is handed out, keyed ones for what must not be recognised."""

from __future__ import annotations

import hashlib
import hmac
import io
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hushwood.random_streams import Streams
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Array, Table

if TYPE_CHECKING:
    from hushwood.tables.reading import Reading


def file_checksum(path: Path) -> str:
    """SHA-256 of a file."""
    return _file_digest(path).hex()


def table_digest(reading: Reading) -> bytes:
    """SHA-256 of the bytes that were parsed, or of a frame: it recognises the table, so it is never written down."""
    return hashlib.sha256(_frame_bytes(reading)).digest() if reading.sha256 is None else reading.sha256


def content_digest(table: Table, threads: int = 1) -> bytes:
    """SHA-256 of the values that a release protects: the same for a file and a frame of one table, in any format.

    Identifiers and ignored columns, the order of columns and that of categories do not count.
    """
    inside = [attribute for attribute in table.schema.attributes if attribute.name in table.columns]
    with ThreadPoolExecutor(threads) as pool:
        columns = pool.map(lambda attribute: _column_digest(attribute, table.columns[attribute.name]), inside)
        named = {
            hashlib.sha256(a.name.encode()).digest(): column
            for a, column in zip(inside, columns, strict=True)
        }
    return hashlib.sha256(b"".join(name + named[name] for name in sorted(named))).digest()


def _column_digest(attribute: Attribute, values: Array) -> bytes:
    if attribute.kind == "numeric":
        found = hashlib.sha256(b"numeric")
        plain = values + 0.0  # no negative zero
        plain[np.isnan(plain)] = np.nan  # one bit pattern for all that is missing
        found.update(plain.data)
        return found.digest()
    texts = [text.encode("utf-8", "surrogatepass") for text in attribute.categories]
    places = np.empty(len(texts) + 1, np.int32)
    order = sorted(range(len(texts)), key=texts.__getitem__)
    places[order], places[-1] = np.arange(len(texts)), -1
    found = hashlib.sha256(b"categorical")
    for place in order:
        found.update(len(texts[place]).to_bytes(8, "big") + texts[place])
    found.update(places[values].data)
    return found.digest()


def keyed_checksum(digest: bytes, streams: Streams) -> str:
    """The table's digest under the release's key: tells the owner, and nobody else, what was released."""
    return hmac.new(streams.derive("input digest", "", 0), digest, "sha256").hexdigest()


def is_input(manifest: Mapping[str, Any], source: Reading | Path, streams: Streams) -> bool:
    """Whether a release was made from this table; of a file that nobody needs parsed, the path is enough."""
    if manifest.get("version") == 1:
        found = _first_keyed_checksum(source, streams)
    else:
        found = keyed_checksum(
            _file_digest(source) if isinstance(source, Path) else table_digest(source), streams
        )
    return bool(found == manifest["input"]["keyed_checksum"])


def private_checksum(path: Path, streams: Streams) -> str:
    """HMAC-SHA256 of a private file under the release's key, so that a manifest can name it in public."""
    return _keyed_file(path, streams.derive("private file", path.name, 0))


def _first_keyed_checksum(source: Reading | Path, streams: Streams) -> str:
    """What manifests of version 1 hold: the whole table under the key, not its digest."""
    key = streams.derive("input checksum", "", 0)
    if isinstance(source, Path):
        return _keyed_file(source, key)
    if source.path is not None:
        return _keyed_file(source.path, key)
    return hmac.new(key, _frame_bytes(source), "sha256").hexdigest()


def _file_digest(path: Path) -> bytes:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()


def _keyed_file(path: Path, key: bytes) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hmac.new(key, digestmod="sha256")).hexdigest()


def _frame_bytes(reading: Reading) -> memoryview:
    from hushwood.tables.frames import frame_from_table

    data = io.BytesIO()
    frame_from_table(reading.table, identifiers=True).write_ipc(data)
    return data.getbuffer()
