"""Files in every format, the usual ugly ones and the damaged ones."""

from __future__ import annotations

import gzip
from datetime import date, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.tables.csv_file import separator_of
from hushwood.tables.files import read_frame, write_frame


def frame_of(folder: Path, data: bytes | str, name: str = "t.csv", **options: Any) -> pl.DataFrame:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return read_frame(path, **options)


def refusal(folder: Path, data: bytes | str, name: str = "t.csv", **options: Any) -> str:
    with pytest.raises(InputError) as caught:
        frame_of(folder, data, name, **options)
    return str(caught.value)


def test_types_are_found(tmp_path: Path) -> None:
    first, second = "1,00202,1.5,.28,true,2020-01-31,2020-01-31T10:00:00,x", ",1,2,3,false,,2020-02-01 11:30,"
    text = f"i,z,f,p,b,d,t,s\n{first}\n{second}\n"
    frame = frame_of(tmp_path, text)
    assert frame.row(0) == (1, 202, 1.5, 0.28, True, date(2020, 1, 31), datetime(2020, 1, 31, 10), "x")
    assert frame.row(1) == (None, 1, 2.0, 3.0, False, None, datetime(2020, 2, 1, 11, 30), None)
    assert [str(dtype.base_type()) for dtype in frame.dtypes] == [
        *("Int64", "Int64", "Float64", "Float64", "Boolean", "Date", "Datetime", "String")
    ]


def test_types_need_all_rows(tmp_path: Path) -> None:
    text = "late_float,late_text\n" + "1,2\n" * 5000 + "1.5,x\n"
    assert frame_of(tmp_path, text).dtypes == [pl.Float64, pl.String]


@pytest.mark.parametrize(
    "texts", [["nan", "1"], ["12/31/2020"], ["2020-02-30"], ["1,5"], ["1_0"], ["yes", "no"]]
)
def test_what_is_no_number_stays_text(tmp_path: Path, texts: list[str]) -> None:
    frame = frame_of(tmp_path, "a;b\n" + "".join(f"{text};1\n" for text in texts))
    assert frame["a"].to_list() == texts


def test_moments_with_an_offset_are_utc(tmp_path: Path) -> None:
    frame = frame_of(tmp_path, "t\n2020-01-01T00:00:00Z\n2020-01-01T02:00:00+02:00\n")
    assert frame.schema["t"] == pl.Datetime("us", "UTC")
    assert frame["t"].n_unique() == 1


def test_missing_texts(tmp_path: Path) -> None:
    frame = frame_of(tmp_path, "a,b\n?,x\n2, NA\n3,y\n", missing=["?", "NA"])
    assert frame.to_dict(as_series=False) == {"a": [None, 2, 3], "b": ["x", None, "y"]}


def test_missing_texts_in_parquet(tmp_path: Path) -> None:
    pl.DataFrame({"a": ["?", "x"], "n": [1, 2]}).write_parquet(tmp_path / "t.parquet")
    assert read_frame(tmp_path / "t.parquet", missing=["?"])["a"].to_list() == [None, "x"]


def test_quoted_empty_fields(tmp_path: Path) -> None:
    frame = frame_of(tmp_path, 'n,s\n"1","x"\n"",""\n')
    assert frame.rows() == [(1, "x"), (None, "")]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_separator_is_found(tmp_path: Path, separator: str) -> None:
    text = separator.join(['"a,;|\t b"', "é"]) + "\n" + separator.join(['"1,2;3"', "4"]) + "\n"
    frame = frame_of(tmp_path, text)
    assert frame.columns == ["a,;|\t b", "é"]
    assert frame.row(0) == ("1,2;3", 4)
    assert separator_of(tmp_path / "t.csv") == separator


def test_separator_can_be_given(tmp_path: Path) -> None:
    assert frame_of(tmp_path, "a:b\n1:2\n", separator=":").row(0) == (1, 2)
    assert "one character" in refusal(tmp_path, "a:b\n1:2\n", separator="::")


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


def test_quoted_newlines_and_quotes(tmp_path: Path) -> None:
    frame = frame_of(tmp_path, 'a,b\n"x\n\ny",1\n"say ""hi""",\n')
    assert frame.rows() == [("x\n\ny", 1), ('say "hi"', None)]


def test_stray_quotes_are_kept(tmp_path: Path) -> None:
    assert frame_of(tmp_path, 'a,b\n5" pipe,1\nplain,2\n')["a"].to_list() == ['5" pipe', "plain"]


def test_blank_lines_in_one_column_are_missing(tmp_path: Path) -> None:
    assert frame_of(tmp_path, "a\n1\n\n3\n")["a"].to_list() == [1, None, 3]


def test_names_with_quotes_and_newlines(tmp_path: Path) -> None:
    assert frame_of(tmp_path, '"a ""b""","line\nbreak"\n1,2\n').columns == ['a "b"', "line\nbreak"]


def test_encodings(tmp_path: Path) -> None:
    for encoding in ("latin-1", "cp1252", "utf-16"):
        frame = frame_of(tmp_path, "größe;b\nü;2\n".encode(encoding), encoding=encoding)
        assert frame.to_dict(as_series=False) == {"größe": ["ü"], "b": [2]}


def test_gzip(tmp_path: Path) -> None:
    assert frame_of(tmp_path, gzip.compress(b"a,b\n1,2\n"), "t.csv.gz").row(0) == (1, 2)
    assert "gzip" in refusal(tmp_path, gzip.compress(b"a,b\n1,2\n" * 99)[:-9], "t.csv.gz")
    assert "gzip" in refusal(tmp_path, b"a,b\n1,2\n", "t.csv.gz")


def test_columns_kept_as_text(tmp_path: Path) -> None:
    assert frame_of(tmp_path, "a,b\n007,007\n", as_text=["a"]).row(0) == ("007", 7)


def test_file_names_are_no_patterns(tmp_path: Path) -> None:
    assert frame_of(tmp_path, "a,b\n1,2\n", "we[i]rd *.csv").row(0) == (1, 2)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is empty"),
        (b"\n \n"[:1], "is empty"),
        (b"\xef\xbb\xbf", "is empty"),
        (b"a,b\n", "header but no records"),
        (b"a,b", "header but no records"),
        (b"a,b,a\n1,2,3\n", "these occur twice: a"),
        (b"a,,c\n1,2,3\n", "column 2 has no name"),
        (b"a,b\n1,2\n3\n", "line 3: this record has 1 field"),
        (b'a,b\n"x\ny",\n3\n', "line 4: this record has 1 field"),
        (b"a,b\n1,2\n3,4,5\n", "line 3: this record has 3 fields"),
        (b"a,b\n1,x\n2,\xff\n", "line 3: these bytes are not utf-8"),
        (b"a,\xe9\n1,x\n", "line 1: these bytes are not utf-8"),
        (b'a,b\n1,2\n1,"x\n', "line 3: the quotes"),
        (b'a,b\n1,"x"y\n', "line 2: the quotes"),
    ],
)
def test_damaged_csv_is_refused(tmp_path: Path, data: bytes, words: str) -> None:
    message = refusal(tmp_path, data)
    assert words in message
    assert "t.csv" in message


def test_undecodable_bytes_name_the_option(tmp_path: Path) -> None:
    assert "--encoding" in refusal(tmp_path, b"a\n\xff\n")
    assert "no encoding 'klingon'" in refusal(tmp_path, b"a\n1\n", encoding="klingon")


@pytest.mark.parametrize("name", ["t.parquet", "t.arrow", "t.feather", "t.ipc"])
def test_damaged_binary_files_are_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    write_frame(pl.DataFrame({"a": [1, 2, 3]}), path)
    whole = path.read_bytes()
    for data in (whole[: len(whole) // 2], whole[:9], b"nonsense"):
        assert "is not a whole" in refusal(tmp_path, data, name)


def test_files_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no file"):
        read_frame(tmp_path / "nothing.csv")
    with pytest.raises(InputError, match="is a folder"):
        read_frame(tmp_path)
    assert ".parquet" in refusal(tmp_path, b"a", "t.xlsx")
    assert ".parquet" in refusal(tmp_path, b"a", "t.gz")
    pl.DataFrame({"a": []}).write_parquet(tmp_path / "none.parquet")
    with pytest.raises(InputError, match="no records"):
        read_frame(tmp_path / "none.parquet")


def test_arrow_streams(tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": [1, 2]})
    frame.write_ipc_stream(tmp_path / "t.arrow")
    assert read_frame(tmp_path / "t.arrow").equals(frame)


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.txt", "t.csv.gz", "t.parquet", "t.arrow", "t.feather"])
def test_written_files_read_the_same(tmp_path: Path, name: str) -> None:
    frame = pl.DataFrame(
        {
            "i": [1, None, 3],
            "f, g": [0.1, None, 2.25],
            "b": [True, None, False],
            'é "q"': ["x\ny", None, 'a,"b'],
            "d": [date(2020, 1, 1), None, date(1900, 12, 31)],
            "t": [datetime(2020, 1, 1, 1, 2, 3), None, datetime(2020, 1, 1, 0, 0, 0, 500000)],
        }
    ).with_columns(z=pl.col("t").dt.replace_time_zone("UTC"))
    write_frame(frame, tmp_path / name)
    first = (tmp_path / name).read_bytes()
    assert read_frame(tmp_path / name).equals(frame)
    write_frame(frame, tmp_path / name)
    assert (tmp_path / name).read_bytes() == first
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_writing_with_a_separator(tmp_path: Path) -> None:
    write_frame(pl.DataFrame({"a": [1], "b": ["x;y"]}), tmp_path / "t.csv", separator=";")
    assert (tmp_path / "t.csv").read_text() == 'a;b\n1;"x;y"\n'


def test_what_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="could not be written"):
        write_frame(pl.DataFrame({"a": [1]}), tmp_path / "no folder" / "t.csv")
    with pytest.raises(InputError, match="write Parquet instead"):
        write_frame(pl.DataFrame({"a": [[1]]}), tmp_path / "t.csv")
    with pytest.raises(InputError, match="no known kind"):
        write_frame(pl.DataFrame({"a": [1]}), tmp_path / "t.xls")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.parquet", "t.arrow"])
def test_disk_full(tmp_path: Path, name: str) -> None:
    (tmp_path / name).symlink_to("/dev/full")
    with pytest.raises(InputError, match="No space left"):
        write_frame(pl.DataFrame({"a": [1]}), tmp_path / name)


CELL = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=6).map(
    lambda t: "t" + t
)


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
    write_frame(frame, path, separator=separator)
    assert read_frame(path, separator=separator).equals(frame)
