"""Bytes, encoding, separator and header of a delimited file."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.tables.csv import source as csv_source
from hushwood.tables.csv.dialect import Dialect
from hushwood.tables.csv.source import (
    SEPARATORS,
    CsvSource,
    Encoding,
    NotText,
    encoded,
    encoding_of,
    header_names,
    records,
    sniff_separator,
)


def source_of(folder: Path, data: bytes, name: str = "t.csv", encoding: str = "utf-8") -> CsvSource:
    (folder / name).write_bytes(data)
    return CsvSource(folder / name, encoding)


@pytest.mark.parametrize(
    ("data", "name", "encoding", "plain"),
    [
        ("é,b\n1,2\n".encode(), "t.csv", "utf-8", True),
        ("é,b\n1,2\n".encode(), "t.csv", "UTF8", True),
        ("\ufeffé,b\n1,2\n".encode(), "t.csv", "utf-8", True),
        ("é,b\r1,2\r".encode(), "t.csv", "utf-8", False),
        ("é,b\n1,2\n".encode("latin-1"), "t.csv", "latin-1", False),
        ("é,b\n1,2\n".encode("cp1252"), "t.csv", "cp1252", False),
        ("é,b\n1,2\n".encode("utf-16"), "t.csv", "utf-16", False),
        (gzip.compress("é,b\n1,2\n".encode()), "t.csv.gz", "utf-8", False),
        (gzip.compress("é,b\n1,2\n".encode("utf-16")), "t.csv.GZ", "utf-16", False),
    ],
    # Without names of their own the tests would be called after the bytes, and gzip's begin with the time.
    ids=["utf-8", "UTF8", "byte-order-mark", "old-mac", "latin-1", "cp1252", "utf-16", "gzip", "gzip-utf-16"],
)
def test_all_files_become_the_same_text(
    tmp_path: Path, data: bytes, name: str, encoding: str, plain: bool
) -> None:
    source = source_of(tmp_path, data, name, encoding)
    assert source.data == "é,b\n1,2\n".encode()
    assert source.sample == "é,b\n1,2\n"
    assert source.plain is plain
    assert source.reader_input == (tmp_path / name if plain else source.data)


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz"])
def test_a_sample_ends_at_a_line_end(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_source, "_SAMPLE_BYTES", 11)
    data = "a,b\n1,2\n3,é\n4,5\n".encode()
    source = source_of(tmp_path, gzip.compress(data) if name.endswith("gz") else data, name)
    assert source.sample == "a,b\n1,2\n"


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"line 3 is not utf-8 text.*--encoding latin-1"):
        source_of(tmp_path, b"a,b\n1,x\n2,\xff\n").check_text()
    with pytest.raises(InputError, match="line 1 is not utf-16"):
        _ = source_of(tmp_path, b"\xff\xfea", encoding="utf-16").data
    with pytest.raises(InputError, match="no encoding 'klingon'"):
        _ = source_of(tmp_path, b"a\n", encoding="klingon").plain
    for packed in (gzip.compress(b"a,b\n1,2\n" * 99)[:-9], b"a,b\n1,2\n"):
        with pytest.raises(InputError, match="is a damaged gzip file"):
            _ = source_of(tmp_path, packed, "t.csv.gz").sample


@pytest.mark.parametrize(
    ("sample", "separator"),
    [
        ("a,b\n1,2\n", ","),
        ("a;b\n1,5;2,5\n", ";"),
        ("a\tb\nx, y\tz\n", "\t"),
        ("a|b|c\n1|2|3\n", "|"),
        ('"a;b;c",d\n"1;2;3",4\n', ","),
        ('a;"x,y,z"\n1;"2,3,4"\n', ";"),
        ("a;b,c\n1;2\n3;4\n", ";"),
        ("one column\n1\n", ","),
        ("", ","),
    ],
)
def test_separators(sample: str, separator: str) -> None:
    assert sniff_separator(sample) == separator


NAME = st.text(st.sampled_from('abc 1."'), max_size=5)
FIELD = st.text(st.sampled_from('abc 1.,;|\t"'), max_size=5)


@given(
    width=st.integers(2, 4),
    names=st.lists(NAME, min_size=4, max_size=4),
    rows=st.lists(st.lists(FIELD, min_size=4, max_size=4), min_size=1, max_size=4),
    separator=st.sampled_from(SEPARATORS),
)
def test_the_separator_written_is_found(
    width: int, names: list[str], rows: list[list[str]], separator: str
) -> None:
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator="\n").writerows(row[:width] for row in [names, *rows])
    assert sniff_separator(out.getvalue()) == separator


def test_header_names() -> None:
    assert header_names('\n"a ""b""";"line\nbreak"\n1;2\n', ";", Path("t.csv")) == ['a "b"', "line\nbreak"]


@pytest.mark.parametrize(
    ("sample", "words"),
    [
        ("", "t.csv is empty"),
        ("\n\n", "t.csv is empty"),
        ("a,,c\n", "column 2 has no name"),
        ("a, \n", "column 2 has no name"),
        ("a,b,a,b\n", "these occur more than once: a, b"),
    ],
)
def test_bad_headers_are_refused(sample: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        header_names(sample, ",", Path("t.csv"))


def test_records_end_where_they_cannot_be_read() -> None:
    assert list(records("a,b\n\n1,2\n", ",")) == [["a", "b"], ["1", "2"]]
    too_long = "x" * (csv.field_size_limit() + 1)
    assert list(records(f"a,b\n{too_long},2\n3,4\n", ",")) == [["a", "b"]]


def test_codecs_that_are_no_text_encodings_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes(b"a,b\n1,2\n")
    with pytest.raises(InputError, match="no encoding 'hex'"):
        CsvSource(path, "hex").check_text()


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
