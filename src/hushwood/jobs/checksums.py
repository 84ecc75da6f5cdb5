"""Checksums of files: plain ones for what is handed out, keyed ones for what must not be recognised."""

from __future__ import annotations

import hashlib
import hmac
import io
from pathlib import Path
from typing import TYPE_CHECKING

from hushwood.random_streams import Streams

if TYPE_CHECKING:
    from hushwood.tables.reading import Reading


def file_checksum(path: Path) -> str:
    """SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def keyed_checksum(reading: Reading, streams: Streams) -> str:
    """HMAC-SHA256 of the input under the release's key: tells the owner, and nobody else, what was released."""
    if reading.path is not None:
        return keyed_file_checksum(reading.path, streams)
    from hushwood.tables.frames import frame_from_table

    data = io.BytesIO()
    frame_from_table(reading.table, identifiers=True).write_ipc(data)
    return hmac.new(_key(streams), data.getbuffer(), "sha256").hexdigest()


def keyed_file_checksum(path: Path, streams: Streams) -> str:
    """The keyed checksum of a file, without reading what is in it."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hmac.new(_key(streams), digestmod="sha256")).hexdigest()


def _key(streams: Streams) -> bytes:
    return streams.derive("input checksum", "", 0)
