"""Delimited files read and written: the usual ugly ones and the damaged ones."""

from __future__ import annotations

import csv
import gzip
import io
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.tables.csv.dialect import Dialect, TextForm
from hushwood.tables.csv.file import (
    RecordLayout,
    check_widths,
    layout,
    read_csv,
    requoted,
    styled,
    surely_whole,
    write_csv,
)
from hushwood.tables.csv.types import with_types
from hushwood.tables.csv.ways import Way

CELL = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=6).map(
    lambda text: "t" + text
)

PATH = Path("t.csv")


FIELD = st.text(st.sampled_from('ab,;"\n'), max_size=4)


def frame_of(folder: Path, data: bytes | str, name: str = "t.csv", **options: Any) -> pl.DataFrame:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    form = TextForm(**{name: options.pop(name) for name in ("separator", "encoding") if name in options})
    return read_csv(path, form=form, **options)[0]


def refusal(folder: Path, data: bytes | str, **options: Any) -> str:
    with pytest.raises(InputError) as caught:
        frame_of(folder, data, **options)
    return str(caught.value)


def test_missing_texts(tmp_path: Path) -> None:
    frame = frame_of(tmp_path, "a,b\n?,x\n2, NA\n3,y\n", missing=["?", "NA"])
    assert frame.to_dict(as_series=False) == {"a": [None, 2, 3], "b": ["x", None, "y"]}


def test_quoted_empty_fields(tmp_path: Path) -> None:
    frame = frame_of(tmp_path, 'n,s\n"1","x"\n"",""\n')
    assert frame.rows() == [(1, "x"), (None, "")]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_separator_is_found(tmp_path: Path, separator: str) -> None:
    text = separator.join(['"a,;|\t b"', "é"]) + "\n" + separator.join(['"1,2;3"', "4"]) + "\n"
    frame = frame_of(tmp_path, text)
    assert frame.columns == ["a,;|\t b", "é"]
    assert frame.row(0) == ("1,2;3", 4)
    assert read_csv(tmp_path / "t.csv")[1].separator == separator


@pytest.mark.parametrize("separator", ["::", "", "é", '"', "\n"])
def test_separators_that_are_refused(tmp_path: Path, separator: str) -> None:
    assert frame_of(tmp_path, "a:b\n1:2\n", separator=":").row(0) == (1, 2)
    assert "one character" in refusal(tmp_path, "a:b\n1:2\n", separator=separator)


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbfa,b\n1,x\n2,y\n",
        b"a,b\r\n1,x\r\n2,y\r\n",
        b"a,b\r1,x\r2,y\r",
        b"\n\na,b\n1,x\n\n2,y\n\n\n",
        b"a,b\n1,x\n2,y",
        b'"a","b"\n"1","x"\n"2","y"\n',
    ],
)
def test_ways_of_writing_the_same(tmp_path: Path, data: bytes) -> None:
    assert frame_of(tmp_path, data).to_dict(as_series=False) == {"a": [1, 2], "b": ["x", "y"]}


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ('a,b\n"x\n\ny",1\n"say ""hi""",\n', [("x\n\ny", 1), ('say "hi"', None)]),
        ('a,b\n5" pipe,1\nplain,2\n', [('5" pipe', 1), ("plain", 2)]),
        ("a\n1\n\n3\n", [(1,), (None,), (3,)]),
        ("a,b\r\n1,2\r\n\r\n3,\r\n", [(1, 2), (3, None)]),
    ],
    ids=["quoted newlines", "stray quotes", "blank lines of one column", "blank lines of two"],
)
def test_records(tmp_path: Path, text: str, rows: list[tuple[Any, ...]]) -> None:
    assert frame_of(tmp_path, text).rows() == rows


def test_encodings_and_gzip(tmp_path: Path) -> None:
    for encoding in ("latin-1", "utf-16"):
        frame = frame_of(tmp_path, "größe;b\nü;2\n".encode(encoding), encoding=encoding)
        assert frame.to_dict(as_series=False) == {"größe": ["ü"], "b": [2]}
    assert frame_of(tmp_path, gzip.compress(b"a,b\n1,2\n"), "t.csv.gz").row(0) == (1, 2)


def test_columns_kept_as_text_and_names_that_are_no_patterns(tmp_path: Path) -> None:
    frame_of(tmp_path, "a,b\n8,8\n", "weird 1.csv")
    assert frame_of(tmp_path, "a,b\n17,17\n", "we[i]rd *.csv", as_text=["a"]).row(0) == ("17", 17)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is empty"),
        (b"\n", "is empty"),
        (b"\xef\xbb\xbf", "is empty"),
        (b"a,b\n", "header but no records"),
        (b"a,b", "header but no records"),
        (b"a,b,a\n1,2,3\n", "these occur more than once: a"),
        (b"a,,c\n1,2,3\n", "column 2 has no name"),
        (b"a,b\n1,2\n3\n", "line 3: this record has 1 field"),
        (b'a,b\n"x\ny",\n3\n', "line 4: this record has 1 field"),
        (b"a,b\n1,2\n3,4,5\n", "line 3: this record has 3 fields"),
        (b"a,b\n1,x\n2,\x81\n", "line 3 is not UTF-8, UTF-16 or Windows-1252 text"),
        (b"a,\xe9\x9d\n1,x\n", "line 1 is not UTF-8"),
        (b'a,b\n1,2\n1,"x\n', "line 3: the quotes"),
        (b'a,b\n1,"x"y\n', "line 2: the quotes"),
    ],
)
def test_damaged_files_are_refused(tmp_path: Path, data: bytes, words: str) -> None:
    message = refusal(tmp_path, data)
    assert words in message
    assert "t.csv" in message


def test_writing(tmp_path: Path) -> None:
    moment = datetime(2020, 1, 1, 1, 2, 3)
    frame = pl.DataFrame({"a": [1], "b": ["x;y"], "t": [moment], "z": [moment.replace(tzinfo=UTC)]})
    write_csv(frame, tmp_path / "t.csv", Dialect(";"))
    text = 'a;b;t;z\n1;"x;y";2020-01-01T01:02:03;2020-01-01T01:02:03+00:00\n'
    assert (tmp_path / "t.csv").read_text() == text
    write_csv(frame, tmp_path / "t.csv.gz", Dialect(";"))
    packed = (tmp_path / "t.csv.gz").read_bytes()
    assert gzip.decompress(packed).decode() == text
    assert packed[4:8] == bytes(4), "the time of writing must not be in the file"


def test_what_a_delimited_file_cannot_hold(tmp_path: Path) -> None:
    for frame in (pl.DataFrame({"n": [1], "a": [[1]]}), pl.DataFrame({"a": [b"x"]})):
        with pytest.raises(InputError, match=r"Column 'a' holds .* Write Parquet instead"):
            write_csv(frame, tmp_path / "t.csv")
        assert not (tmp_path / "t.csv").exists()


@given(
    names=st.lists(CELL, min_size=2, max_size=4, unique=True),
    rows=st.lists(st.lists(CELL | st.none(), min_size=4, max_size=4), min_size=1, max_size=5),
    separator=st.sampled_from([",", ";", "\t", "|"]),
)
def test_any_texts_come_back(
    tmp_path_factory: pytest.TempPathFactory, names: list[str], rows: list[list[str | None]], separator: str
) -> None:
    path = tmp_path_factory.mktemp("csv") / "t.csv"
    data = {name: [row[place] for row in rows] for place, name in enumerate(names)}
    frame = pl.DataFrame(data, schema=dict.fromkeys(names, pl.String))
    write_csv(frame, path, Dialect(separator))
    assert read_csv(path, form=TextForm(separator=separator))[0].equals(frame)


@pytest.mark.parametrize(
    ("data", "fields", "lines", "blank"),
    [
        (b"a,b\n1,2\n3,4\n", [2, 2], [2, 3], [False, False]),
        (b"a,b\n1,2\n3", [2, 1], [2, 3], [False, False]),
        (b"a,b\n1,2,3\n,\n", [3, 2], [2, 3], [False, False]),
        (b"\n\na,b\n\n1,2\n", [1, 2], [4, 5], [True, False]),
        (b"a,b\r\n\r\n1,2\r\n", [1, 2], [2, 3], [True, False]),
        (b'a,b\n"x\n,y",1\n2,3\n', [2, 2], [2, 4], [False, False]),
        (b'a,b\n"x ""q"", y",1\n', [2], [2], [False]),
        (b'a,b\n1,"open\n2,3\n', [2], [2], [False]),
        (b"a,b\n", [], [], []),
    ],
)
def test_fields_and_lines_are_counted(
    data: bytes, fields: list[int], lines: list[int], blank: list[bool]
) -> None:
    found = layout(data, ",")
    assert found.fields.tolist() == fields
    assert found.lines.tolist() == lines
    assert found.blank.tolist() == blank


@given(st.lists(st.lists(FIELD, min_size=2, max_size=4), min_size=1, max_size=6))
def test_well_quoted_records_are_counted_as_written(records: list[list[str]]) -> None:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([["head", "er"], *records])
    assert layout(out.getvalue().encode(), ",").fields.tolist() == [len(record) for record in records]


@pytest.mark.parametrize(
    ("data", "sure"),
    [
        (b"a;b\n1;2\n3;4\n", True),
        (b"a;b\n1;2\n3\n", False),
        (b"a;b\n1;2\n\n", False),
        (b'a;b\n1;2\n"3";4\n', False),
    ],
)
def test_counting_separators_can_make_sure(data: bytes, sure: bool) -> None:
    assert surely_whole(data, ";", width=2, rows=2) is sure


def test_the_first_ragged_record_is_named_and_blank_lines_are_not() -> None:
    fields, lines = np.array([2, 1, 3, 1]), np.array([2, 3, 4, 5])
    blank = np.array([False, True, False, False])
    with pytest.raises(InputError, match=r"t.csv, line 4: this record has 3 fields, but the header has 2"):
        check_widths(RecordLayout(fields, lines, blank), 2, PATH)
    with pytest.raises(InputError, match="line 5: this record has 1 field,"):
        check_widths(RecordLayout(fields[[0, 1, 3]], lines[[0, 1, 3]], blank[[0, 1, 3]]), 2, PATH)


@pytest.mark.parametrize(
    ("data", "width", "expected"),
    [
        (b'a,b\n5" pipe,1\n', 2, b'a,b\n"5"" pipe",1\n'),
        (b'a,b\n\n"x\ny",1\n', 2, b'a,b\n"x\ny",1\n'),
        (b"a\n1\n\n3\n", 1, b"a\n1\n\n3\n"),
    ],
)
def test_quotes_are_put_where_they_belong(data: bytes, width: int, expected: bytes) -> None:
    assert requoted(data, ",", width, PATH) == expected


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b'a,b\n1,2\n1,"x\n', "line 3: the quotes"),
        (b'a,b\n1,"x"y\n', "line 2: the quotes"),
        (b'a,b\n\n"x\ny",1\n1,2,3\n', "line 5: this record has 3 fields"),
    ],
)
def test_what_cannot_be_repaired_is_named_by_line(data: bytes, words: str) -> None:
    with pytest.raises(InputError, match=words):
        requoted(data, ",", 2, PATH)


def again(texts: list[str | None]) -> list[str | None]:
    """The texts as they are after reading and writing."""
    frame, ways = with_types(pl.DataFrame({"a": texts}), missing=(), as_text=())
    written = styled(frame, ways).write_csv(quote_style="never")
    read = pl.read_csv(io.StringIO(written), infer_schema=False, separator="\0", quote_char=None)
    return read["a"].to_list()


@pytest.mark.parametrize(
    "texts",
    [
        ["27.60", "1.00", None],
        ["5", "5.5"],
        ["5.0", "5.25"],
        ["1.234,50", "-2,10", "1.234.567,00"],
        ["-1,234.5", "2"],
        ["1 234", "-1 234 567", "0"],
        ["1'234.50", "0.05"],
        ["01.02.2020", "31.12.2021", None],
        ["1/31/2020", "12/1/2021"],
        ["2020/01/31", "2021/12/01"],
        ["31.12.2020 10:00:00", "01.01.2021 00:30:10"],
        ["12/31/2020 9:05:00 PM", "1/1/2020 12:30:00 AM"],
        ["2020-01-01 10:30:00", "2021-12-31 11:00:00"],
        ["2020-01-01T10:30:00.250", "2021-12-31T11:00:00.000"],
        ["2020-01-01T10:30:00Z", "2021-12-31T11:00:00Z"],
        ["2020-01-01T10:30:00-05:30", "2021-12-31T23:00:00-05:30"],
        ["TRUE", "FALSE", None],
        ["True", "False"],
        ["0,001", "12,500"],
    ],
)
def test_texts_come_back(texts: list[str | None]) -> None:
    assert again(texts) == texts


def test_a_number_that_needs_more_decimals_shows_them() -> None:
    frame = pl.DataFrame({"a": [1.5, 2.125, 1e40, None]})
    assert styled(frame, {"a": Way("decimal", places=2)})["a"].to_list() == ["1.50", "2.125", "1e+40", None]


def test_columns_of_another_type_are_left_alone() -> None:
    frame = pl.DataFrame({"a": ["20-30"], "b": ["2020"], "c": [3]})
    ways = {"a": Way("decimal", ","), "b": Way("date", pattern="%d.%m.%Y"), "c": Way("decimal", places=2)}
    assert styled(frame, ways).equals(frame)


@given(st.lists(st.integers(-(10**12), 10**12), min_size=1), st.sampled_from(".,' "))
def test_thousands_are_grouped_as_python_does(numbers: list[int], sign: str) -> None:
    found = styled(pl.DataFrame({"a": numbers}), {"a": Way("whole", ".", sign)})["a"].to_list()
    assert found == [f"{number:,}".replace(",", sign) for number in numbers]
