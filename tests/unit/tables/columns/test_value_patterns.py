"""Patterns and check digits of single texts."""

from __future__ import annotations

import polars as pl
import pytest

from hushwood.tables.columns.value_patterns import (
    are_dates,
    are_numbers,
    contact_data,
    is_iban,
    passes_luhn,
    personal_pattern,
    words_per_text,
)


# Account numbers from the registry's examples and one with two figures exchanged.
@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("GB82WEST12345698765432", True),
        ("FR1420041010050500013M02606", True),
        ("GB28WEST12345698765432", False),
        ("GB82", False),
        ("12345678901234567890", False),
    ],
)
def test_account_numbers(text: str, right: bool) -> None:
    assert is_iban(text) is right


def test_one_figure_changed_or_two_neighbours_exchanged_break_the_check_digit() -> None:
    assert passes_luhn("79927398713")
    assert not any(passes_luhn(f"7992739871{last}") for last in "012456789")
    assert not passes_luhn("97927398713")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("a.b@c.example", "e-mail addresses"),
        ("GB82 WEST 1234 5698 7654 32", "bank account numbers"),
        ("078-05-1120", "insurance, tax or identity card numbers"),
        ("12 010180 A 123", "insurance, tax or identity card numbers"),
        ("756.1234.5678.97", "insurance, tax or identity card numbers"),
        ("AB 12 34 56 C", "insurance, tax or identity card numbers"),
        ("a at b.example", None),
        ("12345678", None),
    ],
)
def test_contact_data(text: str, kind: str | None) -> None:
    assert contact_data(pl.Series([text])) == kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("+49 30 1234567", "phone numbers"),
        ("(030) 1234567", "phone numbers"),
        ("0171/1234567", "phone numbers"),
        ("555-123-4567", "phone numbers"),
        ("Bakaweg 12a", "postal addresses"),
        ("12 Baka Street", "postal addresses"),
        ("192.0.2.7", "network addresses"),
        ("2001:db8::7", "network addresses"),
        ("00:1b:44:11:3a:b7", "network addresses"),
        ("www.b.example", "web addresses"),
        ("123e4567-e89b-12d3-a456-426614174000", "unique codes"),
        ("Dr. Baka von Lido", "names of persons"),
        ("Lido, Baka", "names of persons"),
        ("01.02.1960", None),
        ("2020-01-31", None),
        ("12345-6789", None),
        ("0.1234567", None),
        ("I10.9", None),
        ("low", None),
    ],
)
def test_personal_patterns(text: str, kind: str | None) -> None:
    assert personal_pattern(pl.Series([text])) == kind


def test_dates_numbers_and_words() -> None:
    assert are_dates(pl.Series(["1.2.60", "01/02/1960", "1960-02-01 10:30"]))
    assert not are_dates(pl.Series(["1.2", "12345678"]))
    assert are_numbers(pl.Series(["1", "-2.5", "1e3"]))
    assert are_numbers(pl.Series(["1.234,5", "7"]))
    assert not are_numbers(pl.Series(["007", "8"]))
    assert not are_numbers(pl.Series(["1", "x"]))
    assert words_per_text(pl.Series(["a b c", "d"])) == 2
