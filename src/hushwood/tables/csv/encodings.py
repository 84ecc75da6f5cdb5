"""The encoding of a text file: found in its bytes, and used again for the release.

A byte order mark decides. Without one, text that is valid UTF-8 is UTF-8, a zero in every second byte shows UTF-16,
and what is left is Windows-1252, unless it has bytes that mean nothing there.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import IO, NamedTuple

from hushwood.errors import InputError
from hushwood.tables.csv.dialect import AUTO, UTF8, Dialect, name_of

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


class Encoding(NamedTuple):
    """The codec of a text, and the byte order mark that it begins with."""

    codec: str = UTF8
    mark: bytes = b""


class NotText(ValueError):
    """Bytes that are no text in any encoding that can be found, from a line on."""

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
        "".encode(given)  # refuses unknown names and codecs that are no text encodings
        return codecs.lookup(given).name
    except LookupError:
        raise InputError(
            f"There is no encoding {given!r}. Use a name such as utf-8, latin-1 or utf-16."
        ) from None


def _wide(head: bytes) -> str:
    """UTF-16 without a mark: most of a table are signs whose other byte is zero."""
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
    foreign = len(shown.encode(UTF8)) - len(shown)  # bytes beyond the first of every sign
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
            file.write(next(sign for sign, codec in _MARKS if codec == encoding))

    def write(self, data: bytes) -> int:
        """Write some bytes of UTF-8, perhaps with half a sign at the end."""
        text = self._decoder.decode(bytes(data))
        try:
            self._file.write(text.encode(self._encoding))
        except UnicodeEncodeError as fault:
            raise InputError(
                f"The sign {text[fault.start]!r} of a released value cannot be written as {name_of(self._encoding)} "
                "text, which the table is. Save the table as UTF-8, and release that."
            ) from None
        return len(data)

    def flush(self) -> None:
        """Pass everything on."""
        self._file.flush()
