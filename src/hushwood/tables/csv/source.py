"""The text of a delimited file before it becomes columns: bytes, encoding, separator, line ends and header.

Of the encoding a byte order mark decides. Without one, text that is valid UTF-8 is UTF-8, a zero in every second byte
shows UTF-16, and what is left is Windows-1252, unless it has bytes that mean nothing there. The release has the same.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import IO, NamedTuple

from hushwood.errors import InputError
from hushwood.tables.csv.dialect import AUTO, UTF8, Dialect, Quoting, name_of
from hushwood.tables.formats.input_files import bytes_of, is_packed, unpacked
from hushwood.tables.schema import check_unique

SEPARATORS = (",", ";", "\t", "|")
_SAMPLE_BYTES = 1 << 20
_SAMPLE_RECORDS = 50
_PIECE_BYTES = 1 << 24
_LINE_END = re.compile(r"\r\n|\n|\r")
_NUMBER = re.compile(r"[+-]?[\d.,' ]+([eE][+-]?\d+)?")
WINDOWS = "cp1252"
# The longer mark first: that of UTF-32 begins like that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, UTF8),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_HEAD = 1 << 16
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\x0b\x0c\x1a\x1b"))


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
        """The encoding, found in the bytes unless it was given; what is not text is refused with its line."""
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


class Encoding(NamedTuple):
    """The codec of a text, and the byte order mark that it begins with."""

    codec: str = UTF8
    mark: bytes = b""


class NotText(ValueError):
    """Bytes that are not text in any encoding that can be found, from a line on."""

    def __init__(self, line: int, damaged: bool) -> None:
        super().__init__(line)
        self.line, self.damaged = line, damaged


def encoding_of(pieces: Iterable[bytes], given: str = AUTO) -> Encoding:
    """The encoding of a text in pieces: the one `given`, or else what its bytes say."""
    rest = iter(pieces)
    first = next(rest, b"")
    marked = next((Encoding(codec, mark) for mark, codec in _MARKS if first.startswith(mark)), None)
    if given != AUTO:
        codec = _known(given)
        # "utf-16" leaves the order of bytes to the mark.
        own = marked is not None and marked.codec.startswith(codec.removesuffix("-sig"))
        return marked if marked is not None and own else Encoding(codec.removesuffix("-sig"))
    if marked is not None:
        return marked
    if b"\0" in first[:_HEAD]:
        return Encoding(_wide(first[:_HEAD]))
    return Encoding(_narrow(first, rest))


def _known(given: str) -> str:
    try:
        "".encode(given)  # refuses unknown names and codecs that do not encode text
        return codecs.lookup(given).name
    except LookupError:
        raise InputError(
            f"There is no encoding {given!r}. Use a name such as utf-8, latin-1 or utf-16."
        ) from None


def _wide(head: bytes) -> str:
    """UTF-16 without a mark: most of a table are characters whose other byte is zero."""
    even, odd = head[::2].count(0), head[1::2].count(0)
    if 2 * odd > len(head) // 2 and not even:
        return "utf-16-le"
    if 2 * even > len(head) // 2 and not odd:
        return "utf-16-be"
    raise NotText(head[: head.index(0)].count(b"\n") + 1, damaged=False)


def _narrow(first: bytes, rest: Iterator[bytes]) -> str:
    """UTF-8, or else Windows-1252."""
    decoder = codecs.getincrementaldecoder(UTF8)()
    lines, piece = 1, b""
    try:
        for piece in chain([first], rest):
            if not piece.isascii() or decoder.getstate()[0]:
                decoder.decode(piece)
            lines += piece.count(b"\n")
        decoder.decode(b"", final=True)
    except UnicodeDecodeError as fault:
        return _windows(piece, rest, lines + piece.count(b"\n", 0, fault.start))
    return UTF8


def _windows(piece: bytes, rest: Iterator[bytes], line: int) -> str:
    """Windows-1252, unless most of the text is UTF-8 after all, or some bytes mean nothing."""
    shown = piece.decode(UTF8, "replace")
    strange = shown.count("\ufffd")
    foreign = len(shown.encode(UTF8)) - len(shown)  # bytes beyond the first of every character
    if foreign - 2 * strange > strange:
        raise NotText(line, damaged=True)
    for each in (piece, *rest):
        if each.translate(None, _CONTROLS) != each:
            raise NotText(line, damaged=False)
        try:
            each.decode(WINDOWS)
        except UnicodeDecodeError:
            raise NotText(line, damaged=False) from None
    return WINDOWS


def encoded(file: IO[bytes], dialect: Dialect) -> IO[bytes] | Encoded:
    """A file to write UTF-8 to, which then holds text in the encoding of a dialect."""
    if dialect.encoding == UTF8:
        if dialect.mark:
            file.write(codecs.BOM_UTF8)
        return file
    return Encoded(file, dialect.encoding, dialect.mark)


class Encoded:
    """A file to write UTF-8 to, which holds the text in another encoding."""

    def __init__(self, file: IO[bytes], encoding: str, mark: bool) -> None:
        self._file, self._encoding = file, encoding
        self._decoder = codecs.getincrementaldecoder(UTF8)()
        if mark:
            file.write(next(own for own, codec in _MARKS if codec == encoding))

    def write(self, data: bytes) -> int:
        """Write some bytes of UTF-8, perhaps with half a character at the end."""
        text = self._decoder.decode(bytes(data))
        try:
            self._file.write(text.encode(self._encoding))
        except UnicodeEncodeError as fault:
            raise InputError(
                f"The character {text[fault.start]!r} of a released value cannot be written as "
                f"{name_of(self._encoding)} text. Save the table as UTF-8, and release that."
            ) from None
        return len(data)

    def flush(self) -> None:
        """Pass everything on."""
        self._file.flush()
