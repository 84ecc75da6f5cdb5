"""What is said about how a file is written, and what is said about it."""

from __future__ import annotations

from typing import Any

import pytest

from hushwood.errors import InputError
from hushwood.tables.csv.dialect import Dialect, TextForm
from hushwood.tables.csv.ways import Way


def test_an_ordinary_file_needs_no_word() -> None:
    assert Dialect().notes == ()
    assert (
        Dialect(mark=True, ways={"a": Way("decimal", places=2), "b": Way("boolean", pattern="TRUE")}).notes
        == ()
    )


def test_notes() -> None:
    ways = {
        **{name: Way("decimal", ",") for name in "abcd"},
        "e": Way("whole", ".", " "),
        "f": Way("date", pattern="%d.%m.%Y"),
    }
    assert Dialect(encoding="utf-16-le", ways=ways).notes == (
        "The file is UTF-16 text, and so is the release.",
        "Numbers have decimal commas in 'a', 'b', 'c' and 1 more; the release has them too.",
        "Numbers are written with separators between thousands in 'e', in the release too.",
        "Dates are written as dd.mm.yyyy in 'f'; the release has them like that.",
    )


def test_a_release_is_read_as_it_was_written() -> None:
    way = Way("moment", pattern="%d.%m.%Y %H:%M")
    form = Dialect(";", "cp1252", ways={"a": way}).form
    assert (form.separator, form.encoding, form.known) == (";", "cp1252", {"a": way.written})
    assert TextForm(separator=";", known={"a": way}).for_release() == TextForm(known={"a": way.written})


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"decimal": "x"}, "'x' cannot be a decimal sign"),
        ({"separator": ";;"}, "one character"),
        ({"date_format": "dd"}, "must name day, month and year"),
        ({"date_format": ["a=%Y"]}, "must name day, month and year"),
    ],
)
def test_what_cannot_be_said(said: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        TextForm.of(said)


def test_formats_of_columns() -> None:
    form = TextForm.of({"date_format": ("dd.mm.yyyy", "a=b=mm/dd/yyyy hh:mm")})
    assert form.formats == {None: "%d.%m.%Y", "a=b": "%m/%d/%Y %H:%M"}
    assert [way.kind for way in form.ways_of("a=b")] == ["moment", "date"]
