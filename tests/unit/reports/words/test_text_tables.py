"""Columns and paragraphs that fit a terminal."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hushwood.reports.words.text_tables import WIDEST, columns, wrapped

WORDS = st.lists(st.text("ab", min_size=1, max_size=12), max_size=30).map(" ".join)


def test_cells_stand_below_each_other_and_the_head_above() -> None:
    assert columns([("one", "1", "x"), ("three", "33", "y")], ("", "number", "z")) == [
        "         number  z",
        "  one    1       x",
        "  three  33      y",
    ]


def test_a_long_last_cell_goes_on_below_itself() -> None:
    first, second = columns([("one", "1", "word " * 25)])

    assert first.startswith("  one  1  word word")
    assert second.startswith("          word")


def test_nothing_gives_nothing() -> None:
    assert (columns([]), wrapped("")) == ([], [])


def test_paragraphs_set_in_go_on_deeper() -> None:
    lines = wrapped("word " * 40, indent=2)

    assert [len(line) - len(line.lstrip()) for line in lines] == [2, 4, 4]
    assert wrapped("word " * 30)[1].startswith("word")


@given(st.lists(st.tuples(WORDS, st.text("ab", max_size=9), WORDS), max_size=5))
def test_no_line_is_too_wide_and_no_word_is_lost(rows: list[tuple[str, str, str]]) -> None:
    lines = columns(rows)

    assert all(len(line) <= WIDEST for line in lines)
    assert sorted(" ".join(lines).split()) == sorted(" ".join(" ".join(row) for row in rows).split())
