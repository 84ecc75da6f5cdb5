"""The encoding of a text, found in its bytes, and written again."""

from __future__ import annotations

import codecs
import io

import pytest

from hushwood.errors import InputError
from hushwood.tables.csv.dialect import Dialect
from hushwood.tables.csv.encodings import Encoding, NotText, encoded, encoding_of

TEXT = "Größe;Straße\n1;Köln\n"


@pytest.mark.parametrize(
    ("codec", "mark"),
    [
        ("utf-8", b""),
        ("utf-8", codecs.BOM_UTF8),
        ("cp1252", b""),
        ("utf-16-le", b""),
        ("utf-16-be", b""),
        ("utf-16-le", codecs.BOM_UTF16_LE),
        ("utf-16-be", codecs.BOM_UTF16_BE),
        ("utf-32-le", codecs.BOM_UTF32_LE),
    ],
)
@pytest.mark.parametrize("size", [4, 7, 1000])
def test_the_encoding_is_found_and_written_again(codec: str, mark: bytes, size: int) -> None:
    data = mark + TEXT.encode(codec)
    pieces = [data[:12]] + [data[at : at + size] for at in range(12, len(data), size)]
    assert encoding_of(pieces) == Encoding(codec, mark)
    out = io.BytesIO()
    file = encoded(out, Dialect(encoding=codec, mark=bool(mark)))
    for at in range(0, len(TEXT.encode()), size):
        file.write(TEXT.encode()[at : at + size])
    assert out.getvalue() == data


def test_a_given_encoding_is_believed() -> None:
    assert encoding_of([TEXT.encode("cp1252")], "latin-1") == Encoding("iso8859-1")
    marked = codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be")
    assert encoding_of([marked], "utf-16") == Encoding("utf-16-be", codecs.BOM_UTF16_BE)
    assert encoding_of([codecs.BOM_UTF8 + b"a"], "utf-8") == Encoding("utf-8", codecs.BOM_UTF8)
    with pytest.raises(InputError, match="no encoding 'utf-9'"):
        encoding_of([b"a"], "utf-9")


@pytest.mark.parametrize(
    ("data", "line", "damaged"),
    [
        (b"a;b\n1;\x81\n", 2, False),
        (b"a;b\n1;2\n\xe9\x01\n", 3, False),
        (b"a\0b\n", 1, False),
        ("Köln Düren Münster\n".encode() + b"\xff\n", 2, True),
        ("Köln Düren Münster\n".encode() + "ü".encode()[:1], 2, True),
    ],
)
def test_what_is_no_text(data: bytes, line: int, damaged: bool) -> None:
    with pytest.raises(NotText) as caught:
        encoding_of([data])
    assert (caught.value.line, caught.value.damaged) == (line, damaged)


def test_a_text_that_does_not_exist_in_the_encoding() -> None:
    file = encoded(io.BytesIO(), Dialect(encoding="cp1252"))
    with pytest.raises(InputError, match="'≥' of a released value cannot be written as Windows-1252"):
        file.write("≥ 90".encode())
