"""The text of a delimited file before it becomes columns: bytes, encoding, separator, line ends and header."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path

from hushwood.errors import InputError
from hushwood.tables.csv.dialect import AUTO, UTF8, Dialect, Quoting
from hushwood.tables.csv.encodings import Encoding, NotText, encoding_of
from hushwood.tables.formats.input_files import bytes_of
from hushwood.tables.formats.packed_text import is_packed, unpacked
from hushwood.tables.schema import check_unique

SEPARATORS = (",", ";", "\t", "|")
_SAMPLE_BYTES = 1 << 20
_SAMPLE_RECORDS = 50
_PIECE_BYTES = 1 << 24
_LINE_END = re.compile(r"\r\n|\n|\r")
_NUMBER = re.compile(r"[+-]?[\d.,' ]+([eE][+-]?\d+)?")


@dataclass(frozen=True)
class CsvSource:
    """A delimited file as UTF-8 bytes, whatever its compression and encoding on disk.

    `raw` holds the file's bytes if they have already been read; the file is then not opened again. If they are
    `unpacked`, they are UTF-8 already, and a part of the file.
    """

    path: Path
    encoding: str = AUTO
    raw: bytes | None = field(default=None, repr=False)
    unpacked: bool = False

    @cached_property
    def found(self) -> Encoding:
        """The encoding, found in the bytes unless it was given; what is no text is refused with its line."""
        if self.unpacked:
            return Encoding()
        try:
            return encoding_of(self._pieces(), self.encoding)
        except NotText as fault:
            what = "UTF-8 text like the rest" if fault.damaged else "UTF-8, UTF-16 or Windows-1252 text"
            raise InputError(
                f"{self.path}, line {fault.line} is not {what}. Correct it, or give the file's encoding, for example "
                "--encoding cp850."
            ) from None

    @property
    def utf8(self) -> bool:
        """Whether the file is UTF-8; an unknown encoding is refused."""
        return self.found.codec == UTF8

    @cached_property
    def plain(self) -> bool:
        """Whether a reader can take the file as it is: UTF-8, not compressed, usual line ends."""
        if (is_packed(self.path) and not self.unpacked) or not self.utf8:
            return False
        return not _old_mac(self._head)

    @cached_property
    def data(self) -> bytes:
        """The whole file as UTF-8 without a byte order mark, with line feeds."""
        raw = self._unpacked
        if not self.utf8:
            raw = self._decode(raw, self.found.codec).removeprefix("\ufeff").encode("utf-8")
        raw = raw.removeprefix(codecs.BOM_UTF8)
        return raw.replace(b"\r", b"\n") if _old_mac(raw) else raw

    @cached_property
    def sample(self) -> str:
        """The first records as text, cut at a line end unless that is the whole file."""
        if self.plain:
            head, more = self._head, len(self._head) == _SAMPLE_BYTES
        else:
            head, more = self.data[:_SAMPLE_BYTES], len(self.data) > _SAMPLE_BYTES
        if more:
            head = head[: head.rfind(b"\n") + 1] or head
        return self._decode(head.removeprefix(codecs.BOM_UTF8))

    @property
    def reader_input(self) -> Path | bytes:
        """What to give to a reader: the file if it is plain, else its UTF-8 bytes."""
        if not self.plain:
            return self.data
        return self.path if self.raw is None else self.raw

    def check_text(self) -> None:
        """Refuse bytes that are not text in the declared encoding, with their line."""
        self._decode(self.data)

    def dialect(self, separator: str) -> Dialect:
        """How the file is written, all but its columns."""
        with unpacked(self.path, self.raw) as file:
            head = file.read(_SAMPLE_BYTES).removeprefix(self.found.mark)
        text = head.decode(self.found.codec, "ignore")
        return Dialect(
            separator,
            self.found.codec,
            bool(self.found.mark),
            line_end_of(text),
            quoting_of(text, separator),
        )

    @cached_property
    def _unpacked(self) -> bytes:
        return self.raw if self.unpacked and self.raw is not None else bytes_of(self.path, self.raw)

    def _pieces(self) -> Iterator[bytes]:
        if self.raw is not None:
            yield self._unpacked
            return
        with unpacked(self.path) as file:
            while piece := file.read(_PIECE_BYTES):
                yield piece

    @property
    def _head(self) -> bytes:
        if self.raw is not None:
            return self.raw[:_SAMPLE_BYTES]
        with self.path.open("rb") as file:
            return file.read(_SAMPLE_BYTES)

    def _decode(self, raw: bytes, encoding: str = UTF8) -> str:
        try:
            return raw.decode(encoding)
        except UnicodeError as fault:
            start = fault.start if isinstance(fault, UnicodeDecodeError) else 0
            line = raw.count(b"\n", 0, start) + 1
            raise InputError(
                f"{self.path}, line {line} is not {encoding} text. "
                "Give the file's encoding, for example --encoding latin-1."
            ) from None


def line_end_of(text: str) -> str:
    """How the lines of a text end, judged by the first.

    >>> line_end_of("a;b\\r\\n1;2\\r\\n")
    '\\r\\n'
    """
    first = _LINE_END.search(text)
    return "\n" if first is None else first[0]


def quoting_of(text: str, separator: str) -> Quoting:
    """What is in quotes: all fields, all texts, or what must be.

    >>> quoting_of('"a","b"\\n"x",1\\n', ","), quoting_of('a,b\\n"x, y",1\\n', ",")
    ('non_numeric', 'necessary')
    """
    lines = text.splitlines()[: _SAMPLE_RECORDS + 1]
    if len(lines) < 2 or not all(_quoted(field) for field in lines[0].split(separator)):
        return "necessary"
    fields = [field for line in lines[1:-1] or lines[1:] for field in line.split(separator)]
    if all(map(_quoted, fields)):
        return "always"
    bare = [field for field in fields if not _quoted(field)]
    return "non_numeric" if all(not field or _NUMBER.fullmatch(field) for field in bare) else "necessary"


def _quoted(field: str) -> bool:
    return len(field) > 1 and field[0] == field[-1] == '"'


def sniff_separator(sample: str) -> str:
    """The separator that splits the header and the first records into the same number of fields.

    >>> sniff_separator('name;"born, died"\\nA;"1,2"\\n')
    ';'
    """
    scores = {separator: _score(sample, separator) for separator in SEPARATORS}
    return max(SEPARATORS, key=lambda separator: scores[separator])


def _score(sample: str, separator: str) -> tuple[float, int, int]:
    """Share of records as wide as the header, then few fields with an unpaired quote, then the width."""
    found = list(islice(records(sample, separator), _SAMPLE_RECORDS))
    width = len(found[0]) if found else 0
    if width < 2:
        return (0.0, 0, 0)
    torn = sum(field.count('"') % 2 for record in found for field in record)
    return (sum(len(record) == width for record in found) / len(found), -torn, width)


def header_names(sample: str, separator: str, path: Path) -> list[str]:
    """Column names from the first record; duplicate and empty names are refused."""
    names = next(records(sample, separator), [])
    if not names:
        raise InputError(f"{path} is empty. A table needs a header line and at least one record.")
    blank = [place for place, name in enumerate(names, 1) if not name.strip()]
    if blank:
        raise InputError(
            f"{path}: column {blank[0]} has no name. Name it, or remove it if it only numbers the rows."
        )
    check_unique(names, str(path))
    return names


def records(text: str, separator: str) -> Iterator[list[str]]:
    """The records of a text, without blank ones, up to the first that cannot be read."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        yield from (record for record in reader if record)
    except csv.Error:
        return


def _old_mac(raw: bytes) -> bool:
    return b"\r" in raw[:_SAMPLE_BYTES] and b"\n" not in raw[:_SAMPLE_BYTES]
