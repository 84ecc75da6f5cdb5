"""The family of errors, their exit codes, and the sentence about names that do not exist."""

from __future__ import annotations

import pytest

from hushwood.errors import (
    BrokenCertificate,
    HushwoodError,
    InputError,
    InternalFault,
    unknown_name,
    visible,
    visible_everywhere,
)


@pytest.mark.parametrize(
    ("kind", "code"), [(HushwoodError, 2), (InputError, 2), (InternalFault, 3), (BrokenCertificate, 3)]
)
def test_exit_codes(kind: type[HushwoodError], code: int) -> None:
    assert issubclass(kind, HushwoodError)
    assert kind("Something was wrong.").exit_code == code


def test_wrong_input_and_internal_faults_are_told_apart() -> None:
    assert not issubclass(InputError, InternalFault)
    assert not issubclass(InternalFault, InputError)


def test_the_nearest_name_is_offered_and_all_are_listed_in_order() -> None:
    error = unknown_name("column", "agee", ["sex", "age"])
    assert isinstance(error, InputError)
    assert str(error) == "There is no column 'agee'. Did you mean 'age'? Known: age, sex."


def test_where_there_is_no_name_at_all_none_are_listed() -> None:
    assert str(unknown_name("parameter of swap", "p", [])) == (
        "There is no parameter of swap 'p', and no other; omit it."
    )


def test_no_name_is_offered_if_none_is_near() -> None:
    assert str(unknown_name("role", "xyz", iter(["class"]))) == "There is no role 'xyz'. Known: class."


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


def test_wrong_input_is_a_value_error_and_a_broken_promise_is_none() -> None:
    assert issubclass(InputError, ValueError)
    assert not issubclass(InternalFault, ValueError)
