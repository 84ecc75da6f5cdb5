"""Records of a delimited text that have too few or too many fields, and quotes that stray."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.tables.csv_faults import Layout, check_widths, layout, requoted, surely_whole

PATH = Path("t.csv")


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


FIELD = st.text(st.sampled_from('ab,;"\n'), max_size=4)


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
        check_widths(Layout(fields, lines, blank), 2, PATH)
    with pytest.raises(InputError, match="line 5: this record has 1 field,"):
        check_widths(Layout(fields[[0, 1, 3]], lines[[0, 1, 3]], blank[[0, 1, 3]]), 2, PATH)


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
