"""Any input as Parquet files that can be read in batches: CSV in blocks of whole records, Arrow by its batches.

Parquet files are used as they are. Everything else is written once to a scratch folder, in bounded memory, with the
types that reading it whole would give.
"""

from __future__ import annotations

import codecs
import gzip
import hashlib
import re
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

import polars as pl

from hushwood.errors import InputError
from hushwood.tables.csv.file import read_texts
from hushwood.tables.csv.source import CsvSource, sniff_separator
from hushwood.tables.csv.types import possible_types, typed_as
from hushwood.tables.formats.binary_files import arrow_batches, damaged
from hushwood.tables.formats.files import FORMATS, suffix_of
from hushwood.tables.formats.input_files import check_ordinary
from hushwood.tables.long.files import ParquetFiles, files_in

BLOCK_BYTES = 1 << 26  # of a text file that is read at a time
SPOOL_ROWS = 1 << 19
_LINE = re.compile(r"(?<=, line )\d+")


@dataclass(frozen=True, slots=True)
class Spooled:
    """The files to read in batches, how a text file was written, the ending of the release, and the SHA-256.

    What is no file has no SHA-256; that of its rows in the order of their ids is taken.
    """

    files: ParquetFiles
    separator: str | None
    suffix: str
    sha256: bytes | None


def spooled(
    path: Path,
    scratch: Path,
    *,
    missing: Sequence[str] = (),
    encoding: str = "utf-8",
    separator: str | None = None,
    as_text: Collection[str] = (),
) -> Spooled:
    """A file, or a folder of files of one format, ready to be read in batches."""
    paths = [path]
    if path.is_dir():
        paths = files_in(path, FORMATS)
        if not paths:
            raise InputError(
                f"{path} is a folder without tables. It must hold files in {', '.join(FORMATS)}."
            )
    else:
        check_ordinary(path)
    suffixes = {suffix_of(each) for each in paths}
    if len(suffixes) > 1:
        raise InputError(
            f"{path} holds files of several formats ({', '.join(sorted(suffixes))}). Give one format."
        )
    suffix = suffixes.pop()
    kind, digest = FORMATS[suffix], _digest(path, paths)
    if kind == "parquet":
        return Spooled(_not_empty(ParquetFiles.of(paths, missing), path), None, suffix, digest)
    if kind == "ipc":
        files = written((pl.DataFrame(batch) for each in paths for batch in _batches(each)), scratch)
        return Spooled(_not_empty(ParquetFiles.of(files, missing), path), None, suffix, digest)
    blocks = CsvBlocks(paths, encoding, separator, tuple(missing))
    files = written(_typed(blocks, as_text), scratch)
    return Spooled(_not_empty(ParquetFiles.of(files), path), blocks.separator, suffix, digest)


def _not_empty(files: ParquetFiles, path: Path) -> ParquetFiles:
    if not files.total:
        raise InputError(f"{path} has no records. There is nothing to read.")
    return files


def _digest(path: Path, paths: Sequence[Path]) -> bytes:
    """SHA-256 of a file, or of the names and digests of all files of a folder."""
    digests = []
    for each in paths:
        with each.open("rb") as file:
            digests.append(hashlib.file_digest(file, "sha256").digest())
    if not path.is_dir():
        return digests[0]
    whole = hashlib.sha256()
    for each, digest in zip(paths, digests, strict=True):
        whole.update(hashlib.sha256(each.relative_to(path).as_posix().encode()).digest() + digest)
    return whole.digest()


def _batches(path: Path) -> Iterator[Any]:
    import pyarrow as pa

    try:
        for batch in arrow_batches(path, None):
            batch.validate(full=True)
            yield batch
    except (pa.ArrowException, OSError, ValueError) as fault:
        raise damaged(path, "ipc", fault) from None


def written(frames: Iterable[pl.DataFrame], scratch: Path) -> list[Path]:
    """The frames as numbered Parquet files."""
    paths: list[Path] = []
    for frame in frames:
        for begin in range(0, frame.height, SPOOL_ROWS):
            path = scratch / f"{len(paths):08}.parquet"
            frame[begin : begin + SPOOL_ROWS].write_parquet(path, compression="lz4")
            paths.append(path)
    return paths


@dataclass
class CsvBlocks:
    """Text files as frames of texts, block by block; all files have the same header."""

    paths: Sequence[Path]
    encoding: str
    separator: str | None
    missing: tuple[str, ...]

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
                yield frame

    def _frames(self, path: Path) -> Iterator[pl.DataFrame]:
        header, lines = b"", 0
        for block in _whole_records(path, self.encoding):
            if not header:
                if self.separator is None:
                    self.separator = sniff_separator(CsvSource(path, "utf-8", block).sample)
                header, _, _ = block.partition(b"\n")
                header += b"\n"
            text = block if lines == 0 else header + block
            try:
                yield read_texts(CsvSource(path, "utf-8", text), self.separator or ",", self.missing)
            except InputError as fault:
                raise InputError(_shifted(str(fault), max(lines - 1, 0))) from None
            lines += block.count(b"\n")
        if not header:
            raise InputError(f"{path} is empty. A table needs a header line and at least one record.")


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
    decode = codecs.getincrementaldecoder("utf-8-sig" if plain else encoding)()
    first = True
    try:
        with _opened(path) as file:
            while raw := file.read(BLOCK_BYTES):
                if plain and not first:
                    yield raw
                    continue
                if plain:
                    yield raw.removeprefix(codecs.BOM_UTF8)
                else:
                    text = decode.decode(raw)
                    yield (text.removeprefix("\ufeff") if first else text).encode("utf-8")
                first = False
    except UnicodeError:
        raise InputError(
            f"{path} is not {encoding} text. Give the file's encoding, for example --encoding latin-1."
        ) from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as fault:
        raise InputError(f"{path} is a damaged gzip file ({fault}). Compress or download it again.") from None


def _opened(path: Path) -> AbstractContextManager[IO[bytes]]:
    if path.suffix.lower() == ".gz":
        return cast("AbstractContextManager[IO[bytes]]", gzip.open(path))
    return path.open("rb")


def _typed(blocks: CsvBlocks, as_text: Collection[str]) -> Iterator[pl.DataFrame]:
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
