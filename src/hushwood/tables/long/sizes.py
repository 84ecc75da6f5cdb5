"""How much memory a table in a file is going to take, judged before it is read."""

from __future__ import annotations

from pathlib import Path

_BYTES_PER_CELL = 8
_UNPACKED = {
    ".gz": 8,
    ".zst": 8,
    ".zip": 8,
    ".arrow": 1,
    ".feather": 1,
    ".ipc": 1,
}  # times the size of the file
_TEXT = 2  # of a text file, whose numbers take less room than their digits and whose texts take more


def expected_bytes(path: Path) -> int:
    """Bytes of the table as arrays, roughly; 0 for what cannot be judged, which the reader then refuses."""
    try:
        if path.suffix.lower() == ".parquet":
            return _of_parquet(path)
        return path.stat().st_size * _UNPACKED.get(path.suffix.lower(), 1) * _TEXT
    except OSError:
        return 0


def _of_parquet(path: Path) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        found = pq.read_metadata(path)
    except (pa.ArrowException, OSError):
        return 0
    return int(found.num_rows * found.num_columns * _BYTES_PER_CELL)
