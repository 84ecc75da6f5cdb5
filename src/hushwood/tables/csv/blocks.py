"""Delimited text files in blocks of whole records, however long they are.

Every column has the type that all its values have, as if the file had been read whole.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from hushwood.errors import InputError
from hushwood.tables.csv.file import read_texts
from hushwood.tables.csv.formula_cells import unescaped
from hushwood.tables.csv.source import CsvSource, sniff_separator
from hushwood.tables.csv.types import possible_types, typed_as
from hushwood.tables.formats.packed_text import unpacked

BLOCK_BYTES = 1 << 26  # of a file that is read at a time
_LINE = re.compile(r"(?<=, line )\d+")


@dataclass
class CsvBlocks:
    """Text files as frames of texts, block by block; all files have the same header."""

    paths: Sequence[Path]
    encoding: str = "utf-8"
    separator: str | None = None
    missing: tuple[str, ...] = ()
    escaped_formulas: bool = False

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
        for piece in _whole_records(path, self.encoding):
            block, first = before + piece, not header
            header, before = header or _header(block), b""
            if not header:
                before = block  # nothing but blank lines so far
                continue
            source = CsvSource(path, "utf-8", block if first else header + block, unpacked=True)
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


def _whole_records(path: Path, encoding: str) -> Iterator[bytes]:
    """A text file as UTF-8, in blocks that end where a record ends: at a line end outside of quotes."""
    waiting, inside = b"", False
    for piece in _utf8(path, encoding):
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
                f"{path}: a record takes more than {len(waiting):,} bytes. Close every quoted field, or give the right "
                "--separator."
            )
    if waiting.strip():
        yield waiting if waiting.endswith(b"\n") else waiting + b"\n"


def _utf8(path: Path, encoding: str) -> Iterator[bytes]:
    """The bytes of a file in pieces, decompressed, as UTF-8 without a byte order mark and with line feeds."""
    plain = CsvSource(path, encoding).utf8
    decode = codecs.getincrementaldecoder(encoding)()
    first, old_mac = True, False
    try:
        with unpacked(path) as file:
            while raw := file.read(BLOCK_BYTES):
                piece = raw if plain else decode.decode(raw).encode("utf-8")
                if first:
                    piece = piece.removeprefix(codecs.BOM_UTF8)
                    # A return at the end may be the first half of a line end.
                    old_mac = b"\r" in piece[:-1] and b"\n" not in piece
                first = False
                yield piece.replace(b"\r", b"\n") if old_mac else piece
        if not plain:
            decode.decode(b"", final=True)
    except UnicodeError:
        raise InputError(
            f"{path} is not {encoding} text. Give the file's encoding, for example --encoding latin-1."
        ) from None


def typed_blocks(blocks: CsvBlocks, as_text: Collection[str]) -> Iterator[pl.DataFrame]:
    """The blocks with a type for every column that all its values have, so the file is read twice."""
    possible = _possible_types(blocks, as_text)
    for frame in blocks:
        columns = [typed_as(frame[name], possible[name], blocks.missing) for name in frame.columns]
        yield frame.with_columns([column for column in columns if column is not None])


def _possible_types(blocks: CsvBlocks, as_text: Collection[str]) -> dict[str, str | None]:
    """The narrowest type that every value of a column has; None for texts."""
    order: dict[str, list[str]] = {}
    seen: set[str] = set()
    for frame in blocks:
        for name in frame.columns:
            if name in as_text or (name in seen and not order[name]):
                order.setdefault(name, [])
                continue
            texts = frame[name]
            if texts.null_count() == len(texts):
                continue
            likely = possible_types(texts, order[name] if name in seen else None)
            order[name] = [kind for kind in likely if typed_as(texts, kind, blocks.missing) is not None]
            seen.add(name)
        for name in frame.columns:
            order.setdefault(name, [])
    return {name: (kinds[0] if kinds else None) for name, kinds in order.items()}
