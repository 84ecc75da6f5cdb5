"""What is printed and drawn holds no character that hides, reorders or commands."""

from __future__ import annotations

import pytest

from hushwood.errors import InputError
from hushwood.visible_text import visible, visible_everywhere

HIDDEN = {
    "\x1b[2J": r"\x1b[2J",
    "\x9b31m": r"\x9b31m",
    "a\tb\rc\nd": r"a\tb\rc\nd",
    "\u202eevil\u2066": r"\u202eevil\u2066",
    "\u200e\u200f\u200b\ufeff": r"\u200e\u200f\u200b\ufeff",
    "\u2028\ud800": r"\u2028\ud800",
    "\U000e0041": r"\U000e0041",
}


@pytest.mark.parametrize("text", HIDDEN)
def test_hidden_characters_are_spelt_out(text: str) -> None:
    assert visible(text) == HIDDEN[text]
    assert visible(visible(text)) == visible(text)


@pytest.mark.parametrize("text", ["", "plain", "é ß 漢字 العربية 🙂", "5\u00a0%", "a\\nb", "<b>[bold]"])
def test_all_else_stays(text: str) -> None:
    assert visible(text) == text


def test_plain_data_is_gone_through() -> None:
    found = visible_everywhere({"a\x1b": ["\u202e", 1, None, {"b": ("\n",)}]})
    assert found == {r"a\x1b": [r"\u202e", 1, None, {"b": [r"\n"]}]}


def test_errors_are_safe_to_print() -> None:
    assert str(InputError("No column \x1b[31m.\n")) == r"No column \x1b[31m.\n"
