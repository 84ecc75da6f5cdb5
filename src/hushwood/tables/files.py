"""Tables on disk: which format a file name stands for, and reading and writing it as a Polars frame.

Delimited text has its own neighbour, `csv_file`; what the columns mean is guessed in `inference`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from hushwood.errors import InputError
from hushwood.tables.binary_files import read_binary
from hushwood.tables.csv_file import read_csv, write_csv
from hushwood.tables.input_files import check_ordinary, check_size

if TYPE_CHECKING:
    import polars as pl

Format = Literal["csv", "parquet", "ipc"]
FORMATS: dict[str, Format] = {
    **dict.fromkeys((".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz"), "csv"),
    ".parquet": "parquet",
    **dict.fromkeys((".arrow", ".feather", ".ipc"), "ipc"),
}


def suffix_of(path: Path) -> str:
    """The part of a file name that tells its format, `.gz` included; unknown ones are refused.

    >>> suffix_of(Path("people.v2.csv.gz"))
    '.csv.gz'
    """
    suffixes = [suffix.lower() for suffix in path.suffixes]
    suffix = "".join(suffixes[-2:] if suffixes[-1:] == [".gz"] else suffixes[-1:])
    if suffix not in FORMATS:
        raise InputError(f"{path} is of no known kind; the name must end in one of {', '.join(FORMATS)}.")
    return suffix


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
    """Read a file; `missing` texts are nulls, and columns of a CSV named in `as_text` keep their texts.

    `escaped_formulas` says that a CSV was written with `escape_formulas`; `raw` are the bytes of the file if `read_raw`
    has fetched them: then nothing else is looked at.
    """
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
        raise InputError(f"{path} has no records; give a table that has some.")
    return without_texts(frame, missing)


def read_raw(path: Path) -> bytes:
    """All bytes of a file of a known kind, read once: what is hashed and what is parsed cannot differ."""
    _check_there(path)
    suffix_of(path)
    try:
        return path.read_bytes()
    except OSError as fault:
        raise InputError(f"{path} cannot be read: {fault.strerror or fault}.") from None


def write_frame(
    frame: pl.DataFrame, path: Path, *, separator: str = ",", escape_formulas: bool = False
) -> None:
    """Write a frame to this path and nowhere else, in the format of its name; a CSV on request without formulas."""
    import polars as pl

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
    """The frame with nulls where a text column says one of the `missing` texts."""
    import polars as pl
    import polars.selectors as cs

    if not missing:
        return frame
    text = cs.string() | cs.categorical() | cs.enum()
    return frame.with_columns(pl.when(~text.cast(pl.String).is_in(list(missing))).then(text).name.keep())


def _check_there(path: Path) -> None:
    check_ordinary(path)
    size = path.stat().st_size
    if not size:
        raise InputError(f"{path} is empty; it needs a header line and records.")
    check_size(path, size)


class ColumnsOnDisk:
    """A file of our own whose columns are read one at a time; a CSV file has to be read whole."""

    def __init__(
        self,
        path: Path,
        *,
        separator: str | None = None,
        as_text: Collection[str] = (),
        escaped_formulas: bool = False,
    ) -> None:
        import polars as pl

        self.path, self.kind = path, FORMATS[suffix_of(path)]
        self.frame = None
        if self.kind == "csv":
            self.frame = read_frame(
                path, separator=separator, as_text=as_text, escaped_formulas=escaped_formulas
            )
            self.height, self.schema = self.frame.height, self.frame.schema
        else:
            scan = pl.scan_parquet(path) if self.kind == "parquet" else pl.scan_ipc(path)
            self.schema = scan.collect_schema()
            self.height = int(scan.select(pl.len()).collect().item())

    def __getitem__(self, name: str, /) -> pl.Series:
        import polars as pl

        if self.frame is not None:
            return self.frame[name]
        # By place, not by name, which Polars may take for a pattern.
        place = [self.schema.names().index(name)]
        if self.kind == "parquet":
            return pl.read_parquet(self.path, columns=place).to_series()
        return pl.read_ipc(self.path, columns=place).to_series()
