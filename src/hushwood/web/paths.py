"""Files from a browser: names that never leave the folder in which the server was started, and uploads.

Uploads are streamed to disk as they come, into folders that only the user can look into.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from hushwood.errors import InputError
from hushwood.web.fields import BadField

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks


# Those of `tables.formats.files`, which the server does not import because it needs Polars; a test compares them.
# Without .txt: most such files are notes.
_TEXTS, _PACKED = (".csv", ".tsv"), ("", ".gz", ".zst", ".zip")
ENDINGS = (
    *(text + packed for text in _TEXTS for packed in _PACKED),
    *(".parquet", ".arrow", ".ipc", ".feather", ".jsonl", ".ndjson", ".xlsx", ".xlsm", ".ods"),
    *(".dta", ".sav", ".zsav", ".sas7bdat", ".xpt"),
)
# Names that mean a device on Windows, whatever follows the first dot.
_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
_FORBIDDEN = frozenset('\\:*?"<>|')
_LONGEST = 120
_MOST_FILES = 500
_DEEPEST = 3
_LONGEST_FIELD = 64 << 10
_MOST_PARTS = 50
_CUT_OFF = "The file did not arrive whole; choose it again."


def inside(root: Path, text: str) -> Path:
    """The file or folder of that name below `root`; anything that could lead elsewhere is refused."""
    if not text or text.startswith(("/", "~")) or not all(map(_is_plain, text.split("/"))):
        raise InputError(f"{text!r} is not the name of a file below the folder that Hushwood was started in.")
    try:
        found, home = (root / text).resolve(), root.resolve()
    except (OSError, ValueError, RuntimeError):
        raise InputError(f"{text!r} cannot be opened; choose another file.") from None
    if found == home or not found.is_relative_to(home):
        raise InputError(f"{text!r} leads out of the folder that Hushwood was started in.")
    return root / text


def _is_plain(part: str) -> bool:
    """Whether a part of a path means the same name everywhere: no parent, no device, no stream, nothing hidden."""
    return (
        bool(part)
        and part.isprintable()
        and not part.startswith(".")
        and not part.endswith((".", " "))
        and not _FORBIDDEN & set(part)
        and not _DEVICES.fullmatch(part)
    )


def new_folder(root: Path, text: str) -> Path:
    """A folder to be made directly below `root`."""
    try:
        path = inside(root, text.strip())
    except InputError as fault:
        raise BadField("output", str(fault)) from None
    if "/" in text or path.exists() or path.is_symlink():
        raise BadField(
            "output", f"{text!r} is taken or not a plain name; choose another name for the folder."
        )
    return path


def free_name(root: Path, wanted: str) -> str:
    """The wanted name, or the first one with a number that nothing has."""
    names = numbered(wanted)
    return next(name for name in names if not (root / name).exists() and not (root / name).is_symlink())


def numbered(wanted: str, most: int = 10_000) -> Iterator[str]:
    """A name, and the same with numbers before its ending.

    >>> list(numbered("a.b/people.csv", 2))
    ['a.b/people.csv', 'a.b/people-2.csv']
    """
    around, slash, name = wanted.rpartition("/")
    stem, dot, ending = name.partition(".")
    yield wanted
    yield from (f"{around}{slash}{stem}-{number}{dot}{ending}" for number in range(2, most + 1))


def plain_name(text: str) -> str:
    """A name for an uploaded file that is safe on every system, and like the given one.

    >>> plain_name("C:\\\\data\\\\people.csv"), plain_name("../../.ssh"), plain_name("a\\x00b?.csv")
    ('people.csv', 'ssh', 'a_b_.csv')
    """
    last = re.split(r"[/\\]", text)[-1].strip().lstrip(".")
    kept = "".join(c if c.isprintable() and c not in _FORBIDDEN else "_" for c in last)
    kept = kept[-_LONGEST:].strip(". ") or "table.csv"
    return f"_{kept}" if _DEVICES.fullmatch(kept) else kept


def stem_of(name: str) -> str:
    """The name of a table without its ending."""
    return name.partition(".")[0] or "table"


def tables_below(root: Path) -> list[str]:
    """Files below the folder that look like tables, not too deep and not too many; links are not followed."""
    found = (path for path in _walk(root, _DEEPEST) if path.name.lower().endswith(ENDINGS))
    names = (path.relative_to(root).as_posix() for path in found)
    return sorted((name for name in names if all(map(_is_plain, name.split("/")))), key=str.lower)[
        :_MOST_FILES
    ]


def releases_below(root: Path) -> list[str]:
    """Folders directly below that hold a release, the newest first."""
    found = []
    for folder in _folders(root):
        if _is_plain(folder.name):
            manifests = [folder / part / "manifest.json" for part in ("share", "not-cleared")]
            found += [(path.stat().st_mtime, folder.name) for path in manifests if path.is_file()]
    return [name for _, name in sorted(found, reverse=True)]


def _walk(folder: Path, deeper: int) -> Iterator[Path]:
    folders = _folders(folder)
    names = {inner.name for inner in folders}
    if {"private"} & names and {"share", "not-cleared"} & names:
        return  # a release, not a place for tables
    try:
        yield from (path for path in folder.iterdir() if path.is_file() and not path.is_symlink())
    except OSError:
        return
    if deeper:
        for inner in folders:
            yield from _walk(inner, deeper - 1)


def _folders(folder: Path) -> list[Path]:
    try:
        inner = (path for path in folder.iterdir() if path.is_dir() and not path.is_symlink())
        return sorted(path for path in inner if not path.name.startswith("."))
    except OSError:
        return []


@dataclass
class Received:
    """What a form sent: its fields, and its files by the name of their field."""

    fields: dict[str, str] = field(default_factory=dict)
    files: dict[str, Path] = field(default_factory=dict)


async def received(content_type: str, body: AsyncIterator[bytes], folder: Path) -> Received:
    """Read a form with files; every file gets a folder of its own below `folder`, so that it can keep its name."""
    kind, options = parse_options_header(content_type)
    if kind != b"multipart/form-data" or not options.get(b"boundary"):
        raise InputError("This form did not come as a form with files; choose the file again.")
    parts = _Parts(folder)
    try:
        parser = MultipartParser(options[b"boundary"], parts.callbacks())
        async for chunk in body:
            parser.write(chunk)
        parser.finalize()
        if not parts.ended:
            raise InputError(_CUT_OFF)
    except FormParserError:
        parts.discard()
        raise InputError(_CUT_OFF) from None
    except BaseException:
        parts.discard()
        raise
    return parts.found


class _Parts:
    """Called by the parser: writes files, and collects fields."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.found = Received()
        self.ended = False
        self._count = 0
        self._name = self._value = b""
        self._headers: dict[bytes, bytes] = {}
        self._field: str | None = None
        self._text = bytearray()
        self._file: BinaryIO | None = None

    def callbacks(self) -> MultipartCallbacks:
        return {
            "on_part_begin": self._begin,
            "on_header_field": self._header_name,
            "on_header_value": self._header_value,
            "on_header_end": self._header_end,
            "on_headers_finished": self._headers_finished,
            "on_part_data": self._data,
            "on_part_end": self._end,
            "on_end": self._all,
        }

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def discard(self) -> None:
        """Remove what arrived of a form that is refused."""
        self.close()
        for path in self.found.files.values():
            shutil.rmtree(path.parent, ignore_errors=True)

    def _begin(self) -> None:
        self._count += 1
        if self._count > _MOST_PARTS:
            raise InputError("This form has too many parts.")
        self._headers, self._text, self._field = {}, bytearray(), None

    def _header_name(self, data: bytes, start: int, end: int) -> None:
        self._name += data[start:end]

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _header_end(self) -> None:
        self._headers[self._name.lower()] = self._value
        self._name = self._value = b""

    def _headers_finished(self) -> None:
        _, options = parse_options_header(self._headers.get(b"content-disposition", b""))
        self._field = options.get(b"name", b"").decode("utf-8", "replace")
        given = options.get(b"filename")
        if given:
            aside = self.folder / f"{self._count}-{os.urandom(4).hex()}"
            aside.mkdir(mode=0o700)
            path = aside / plain_name(given.decode("utf-8", "replace"))
            self._file = os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb")
            self.found.files[self._field] = path

    def _data(self, data: bytes, start: int, end: int) -> None:
        if self._file is not None:
            self._file.write(data[start:end])
            return
        self._text += data[start:end]
        if len(self._text) > _LONGEST_FIELD:
            raise InputError("A field of this form is too long.")

    def _end(self) -> None:
        if self._file is None and self._field is not None:
            self.found.fields[self._field] = self._text.decode("utf-8", "replace")
        self.close()

    def _all(self) -> None:
        self.ended = True
