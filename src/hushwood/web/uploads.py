"""Files from the browser: streamed to disk as they come, into folders that only the user can look into."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from hushwood.errors import InputError
from hushwood.web.paths import plain_name

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

_LONGEST_FIELD = 64 << 10
_MOST_PARTS = 50
_CUT_OFF = "The file did not arrive whole; choose it again."


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
