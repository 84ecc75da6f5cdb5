"""Numbers in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.measures.publishing import percent
from hushwood.reports.wording import WIDEST, amount, columns, part_of, short_number, things, wrapped


@pytest.mark.parametrize(
    ("share", "said"),
    [
        (0.0, "0 %"),
        (0.0009, "under 0.1 %"),
        (0.5, "50 %"),
        (0.333, "33.3 %"),
        (0.9995, "over 99.9 %"),
        (1.0, "100 %"),
        (None, "a few"),
    ],
)
def test_shares_are_not_called_none_or_all_unless_they_are(share: float | None, said: str) -> None:
    assert percent(share) == said.replace(" %", "\N{NO-BREAK SPACE}%")


def test_withheld_numbers_keep_their_noun() -> None:
    assert things(None, "category", "categories") == "fewer than 5 categories"
    assert part_of(3, 0) == "3"


def test_amounts_have_their_units() -> None:
    space = "\N{NO-BREAK SPACE}"

    assert amount(9.2288, "bits") == f"9.23{space}bits"
    assert amount(-2.345, "deviations") == f"-2.35{space}sd"
    assert amount(1234.0, "records") == "1,234"
    assert [amount(v) for v in (0.0, 1.0, 0.125, 0.0001, -0.0001, 1234.5)] == [
        "0",
        "1",
        "0.12",
        "about 0",
        "about 0",
        "1,230",
    ]


def test_numbers_of_tables_keep_three_digits() -> None:
    assert [short_number(v) for v in (0.0, -0.00173, 4.48e9, 1e-7, 12.0)] == [
        "0",
        "-0.00173",
        "4.48e+09",
        "1.00e-07",
        "12",
    ]


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
