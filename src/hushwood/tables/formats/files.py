"""Tables on disk: which format a file name stands for, and reading and writing it as a Polars frame."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Literal

import polars as pl
import polars.selectors as cs

from hushwood.errors import InputError
from hushwood.tables.csv.file import read_csv, write_csv
from hushwood.tables.formats.binary_files import read_binary
from hushwood.tables.formats.input_files import check_ordinary, check_size

Format = Literal["csv", "parquet", "ipc"]
FORMATS: dict[str, Format] = {
    **dict.fromkeys((".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz"), "csv"),
    ".parquet": "parquet",
    **dict.fromkeys((".arrow", ".feather", ".ipc"), "ipc"),
}


def suffix_of(path: Path) -> str:
    """The end of a file name that names its format, `.gz` included.

    >>> suffix_of(Path("people.v2.csv.gz"))
    '.csv.gz'
    """
    suffixes = [suffix.lower() for suffix in path.suffixes]
    suffix = "".join(suffixes[-2:] if suffixes[-1:] == [".gz"] else suffixes[-1:])
    if suffix not in FORMATS:
        raise InputError(
            f"The format of {path} is unknown. File names must end in one of {', '.join(FORMATS)}."
        )
    return suffix


def parts_of(path: Path) -> list[Path]:
    """The numbered files of a Parquet table that was written in parts, as Spark does; none for an ordinary file."""
    if path.suffix.lower() != ".parquet" or not path.is_dir():
        return []
    return sorted(part for part in path.glob("part-*.parquet") if part.is_file())


def read_frame(
    path: Path,
    *,
    missing: Sequence[str] = (),
    encoding: str = "utf-8",
    separator: str | None = None,
    as_text: Collection[str] = (),
    escaped_formulas: bool = False,
    raw: bytes | None = None,
) -> pl.DataFrame:
    """Read a file; `missing` texts become nulls, and the CSV columns in `as_text` stay texts.

    `escaped_formulas` says that a CSV was written with `escape_formulas`; `raw` holds the bytes of the file if
    `read_raw` has read them, and nothing else is then read.
    """
    parts = parts_of(path)
    if parts:
        return pl.concat([read_frame(part, missing=missing) for part in parts])
    _check_there(path)
    kind = FORMATS[suffix_of(path)]
    try:
        if kind == "csv":
            return read_csv(
                path,
                missing=missing,
                encoding=encoding,
                separator=separator,
                as_text=as_text,
                escaped_formulas=escaped_formulas,
                raw=raw,
            )
        frame = read_binary(path, kind, raw)
    except OSError as fault:
        raise InputError(f"{path} cannot be read: {fault.strerror or fault}.") from None
    if not frame.width or frame.is_empty():
        raise InputError(f"{path} has no records. There is nothing to read.")
    return without_texts(frame, missing)


def read_raw(path: Path) -> bytes:
    """All bytes of a file of a known format, read once, so that the bytes hashed and parsed cannot differ."""
    _check_there(path)
    suffix_of(path)
    try:
        return path.read_bytes()
    except OSError as fault:
        raise InputError(f"{path} cannot be read: {fault.strerror or fault}.") from None


def write_frame(
    frame: pl.DataFrame, path: Path, *, separator: str = ",", escape_formulas: bool = False
) -> None:
    """Write a frame to this path in the format of its name; `escape_formulas` makes a CSV safe for spreadsheets."""
    kind = FORMATS[suffix_of(path)]
    try:
        if kind == "csv":
            write_csv(frame, path, separator, escape_formulas=escape_formulas)
        elif kind == "parquet":
            frame.write_parquet(path)
        else:
            frame.write_ipc(path)
    except (OSError, pl.exceptions.PolarsError) as fault:
        reason = getattr(fault, "strerror", None) or str(fault).splitlines()[0]
        raise InputError(f"{path} could not be written: {reason}.") from None


def without_texts(frame: pl.DataFrame, missing: Sequence[str]) -> pl.DataFrame:
    """The frame with nulls where a text column holds one of the `missing` texts."""
    if not missing:
        return frame
    text = cs.string() | cs.categorical() | cs.enum()
    return frame.with_columns(pl.when(~text.cast(pl.String).is_in(list(missing))).then(text).name.keep())


def _check_there(path: Path) -> None:
    check_ordinary(path)
    size = path.stat().st_size
    if not size:
        raise InputError(f"{path} is empty. A table needs a header line and at least one record.")
    check_size(path, size)


class BatchesOnDisk:
    """A file that we wrote, read some rows at a time; the types of a CSV file are rough."""

    def __init__(
        self,
        path: Path,
        *,
        separator: str | None = None,
        as_text: Collection[str] = (),
        escaped_formulas: bool = False,
    ) -> None:
        self.path, self.kind = path, FORMATS[suffix_of(path)]
        self.separator, self.as_text, self.escaped_formulas = separator, as_text, escaped_formulas

    @property
    def typed(self) -> bool:
        """Whether the file says what types its columns have."""
        return self.kind != "csv"

    def batches(self, rows: int) -> Iterator[pl.DataFrame]:
        """The rows in their order, up to `rows` at a time."""
        if self.kind == "csv":
            return self._texts(rows)
        scan = pl.scan_parquet if self.kind == "parquet" else pl.scan_ipc
        # A path with an asterisk or an equals sign is a path here.
        whole = scan(parts_of(self.path) or self.path, glob=False, hive_partitioning=False)
        return iter(whole.collect_batches(chunk_size=rows, maintain_order=True))

    def _texts(self, rows: int) -> Iterator[pl.DataFrame]:
        from hushwood.tables.csv.blocks import CsvBlocks, typed_blocks

        blocks = CsvBlocks([self.path], separator=self.separator, escaped_formulas=self.escaped_formulas)
        for frame in typed_blocks(blocks, self.as_text):
            yield from frame.iter_slices(rows)
