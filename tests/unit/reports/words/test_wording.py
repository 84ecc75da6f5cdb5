"""Numbers in words."""

from __future__ import annotations

import pytest

from hushwood.measures.publishing import percent
from hushwood.reports.words.wording import amount, part_of, short_number, things


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
