"""Delimited text files in blocks of whole records, however long they are.

Every column has the type that all its values have, as if the file had been read whole.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import polars as pl

from hushwood.errors import InputError
from hushwood.tables.csv.dialect import UTF8, Dialect, TextForm
from hushwood.tables.csv.file import read_texts, unescaped
from hushwood.tables.csv.source import CsvSource, sniff_separator
from hushwood.tables.csv.types import possible_ways, settled, typed_as
from hushwood.tables.csv.ways import Way
from hushwood.tables.formats.input_files import unpacked
from hushwood.tables.frames.storage import literal

BLOCK_BYTES = 1 << 26  # of a file that is read at a time
_LINE = re.compile(r"(?<=, line )\d+")


@dataclass
class CsvBlocks:
    """Text files as frames of texts, block by block; all files have the same header.

    `separator` and `ways` are known once the files were looked at.
    """

    paths: Sequence[Path]
    form: TextForm = field(default_factory=TextForm)
    missing: tuple[str, ...] = ()
    escaped_formulas: bool = False
    separator: str | None = field(init=False)
    ways: Mapping[str, Way] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.separator = self.form.separator
        self._sources = {path: CsvSource(path, self.form.encoding) for path in self.paths}

    @property
    def dialect(self) -> Dialect:
        """How the first file is written."""
        return replace(self._sources[self.paths[0]].dialect(self.separator or ","), ways=self.ways)

    def __iter__(self) -> Iterator[pl.DataFrame]:
        names: list[str] | None = None
        for path in self.paths:
            for frame in self._frames(path):
                if names is not None and frame.columns != names:
                    raise InputError(
                        f"{path} has another header than {self.paths[0].name}, so they are not parts of one table. "
                        "Give files with the same columns."
                    )
                names = frame.columns
                yield unescaped(frame) if self.escaped_formulas else frame

    def _frames(self, path: Path) -> Iterator[pl.DataFrame]:
        header, before, lines = b"", b"", 0
        for piece in _whole_records(self._sources[path]):
            block, first = before + piece, not header
            header, before = header or _header(block), b""
            if not header:
                before = block  # nothing but blank lines so far
                continue
            source = CsvSource(path, UTF8, block if first else header + block, unpacked=True)
            self.separator = self.separator or sniff_separator(source.sample)
            try:
                yield read_texts(source, self.separator, self.missing)
            except InputError as fault:
                added = 0 if first else header.count(b"\n")
                raise InputError(_shifted(str(fault), lines - added)) from None
            lines += block.count(b"\n")
        if not header:
            raise InputError(f"{path} is empty. A table needs a header line and at least one record.")


def _header(block: bytes) -> bytes:
    """The first record that is not blank, in whose quoted names there may be line ends."""
    begin = len(block) - len(block.lstrip(b"\r\n"))
    end = block.find(b"\n", begin) + 1
    while end and block.count(b'"', begin, end) % 2:
        end = block.find(b"\n", end) + 1
    return block[begin : end or len(block)]


def _shifted(message: str, lines: int) -> str:
    """A message about a line of a block, about the line of the file."""
    return _LINE.sub(lambda found: str(int(found[0]) + lines), message)


def _whole_records(source: CsvSource) -> Iterator[bytes]:
    """A text file as UTF-8, in blocks that end where a record ends: at a line end outside of quotes."""
    waiting, inside = b"", False
    for piece in _utf8(source):
        data = waiting + piece
        cut = data.rfind(b"\n") + 1
        # In a quoted field a line end is part of the value.
        while cut and (data.count(b'"', 0, cut) % 2 == 1) != inside:
            cut = data.rfind(b"\n", 0, cut - 1) + 1
        if cut:
            yield data[:cut]
        waiting = data[cut:]
        if len(waiting) > 8 * BLOCK_BYTES:
            raise InputError(
                f"{source.path}: a record takes more than {len(waiting):,} bytes. Close every quoted field, or give "
                "the right --separator."
            )
    if waiting.strip():
        yield waiting if waiting.endswith(b"\n") else waiting + b"\n"


def _utf8(source: CsvSource) -> Iterator[bytes]:
    """The bytes of a file in pieces, decompressed, as UTF-8 without a byte order mark and with line feeds."""
    codec, mark = source.found
    decode = codecs.getincrementaldecoder(codec)()
    first, old_mac = True, False
    try:
        with unpacked(source.path) as file:
            while raw := file.read(BLOCK_BYTES):
                piece = raw.removeprefix(mark) if first else raw
                if codec != UTF8:
                    piece = decode.decode(piece).encode("utf-8")
                if first:
                    # A return at the end may be the first half of a line end.
                    old_mac = b"\r" in piece[:-1] and b"\n" not in piece
                first = False
                yield piece.replace(b"\r", b"\n") if old_mac else piece
        if codec != UTF8:
            decode.decode(b"", final=True)
    except UnicodeError:
        raise InputError(
            f"{source.path} is not {codec} text. Give the file's encoding, for example --encoding latin-1."
        ) from None


def typed_blocks(blocks: CsvBlocks, as_text: Collection[str]) -> Iterator[pl.DataFrame]:
    """The blocks with a type for every column that all its values have, so the file is read twice."""
    ways = _ways(blocks, as_text)
    blocks.ways = {name: way for name, way in ways.items() if not way.plain}
    for frame in blocks:
        columns = [typed_as(frame[name], ways.get(name), blocks.missing) for name in frame.columns]
        yield frame.with_columns([column for column in columns if column is not None])


def _ways(blocks: CsvBlocks, as_text: Collection[str]) -> dict[str, Way]:
    """The way that all values of a column are written in, as `columns.with_types` finds it; none for texts."""
    possible: dict[str, tuple[Way, ...]] = {}
    shown: dict[str, pl.Series] = {}
    for frame in blocks:
        for name in frame.columns:
            texts = frame[name]
            done = name in as_text or (name in possible and not possible[name])
            if done or texts.null_count() == len(texts):
                continue
            tried = blocks.form.ways_of(name)
            found = possible_ways(texts, possible.get(name), blocks.missing, tried)
            if found.known:
                possible[name] = found.ways
            shown[name] = literal(texts).drop_nulls().head(1)
    return settled(possible, blocks.form, shown)
