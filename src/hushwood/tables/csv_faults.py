"""Where a delimited file goes wrong: records with too few or too many fields, blank lines, stray quotes.

`csv_file` asks here only when its fast reading left a doubt.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hushwood.errors import InputError

_NEWLINE, _RETURN, _QUOTE = b'\n\r"'


@dataclass(frozen=True, slots=True)
class Layout:
    """For every record after the header: its number of fields, its first line, whether it is blank."""

    fields: NDArray[np.int64]
    lines: NDArray[np.int64]
    blank: NDArray[np.bool_]


def layout(data: bytes, separator: str) -> Layout:
    """Count fields and lines of all records at once; quoted separators and line ends do not count."""
    codes = np.frombuffer(data if data.endswith(b"\n") else data + b"\n", dtype=np.uint8)
    outside = (np.cumsum(codes == _QUOTE, dtype=np.uint8) & 1) == 0
    newlines = np.flatnonzero(codes == _NEWLINE)
    ends = newlines[outside[newlines]]
    if not len(ends) or ends[-1] != len(codes) - 1:
        ends = np.append(ends, len(codes) - 1)
    starts = np.append(0, ends[:-1] + 1)
    separators = np.flatnonzero((codes == ord(separator)) & outside)
    fields = np.diff(np.searchsorted(separators, np.append(0, ends))) + 1
    lengths = ends - starts
    blank = (lengths == 0) | ((lengths == 1) & (codes[starts] == _RETURN))
    header = int(np.argmin(blank))
    lines = np.searchsorted(newlines, starts) + 1
    return Layout(fields[header + 1 :], lines[header + 1 :], blank[header + 1 :])


def surely_whole(data: bytes, separator: str, width: int, rows: int) -> bool:
    """Whether counting bytes shows that no record is short, if none is too long and none holds a quote."""
    return b'"' not in data and data.count(separator.encode()) == (width - 1) * (rows + 1)


def check_widths(found: Layout, width: int, path: Path) -> None:
    """Refuse the first record that has another number of fields than the header."""
    ragged = np.flatnonzero((found.fields != width) & ~found.blank)
    if len(ragged):
        raise _ragged(path, int(found.lines[ragged[0]]), int(found.fields[ragged[0]]), width)


def requoted(data: bytes, separator: str, width: int, path: Path) -> bytes:
    """The same records with every quote where the standard wants it: the slow road for stray quotes."""
    reader = csv.reader(io.StringIO(data.decode("utf-8"), newline=""), delimiter=separator, strict=True)
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    line = 1
    try:
        for record in reader:
            if record and len(record) != width:
                raise _ragged(path, line, len(record), width)
            if record or width == 1:
                writer.writerow(record)
            line = reader.line_num + 1
    except csv.Error as fault:
        raise InputError(
            f"{path}, line {line}: the quotes of this record cannot be understood ({fault}); "
            "close every quoted field and double the quotes inside it."
        ) from None
    return out.getvalue().encode("utf-8")


def _ragged(path: Path, line: int, fields: int, width: int) -> InputError:
    return InputError(
        f"{path}, line {line}: this record has {fields} {'field' if fields == 1 else 'fields'}, but the "
        f"header has {width}; quote values that hold the separator, or name another one with --separator."
    )
