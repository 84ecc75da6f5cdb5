"""Numbers and texts of forms."""

from __future__ import annotations

import pytest

from hushwood.web.fields import BadField, number, text_of, whole_number

FORM = {"k": " 60 ", "noise": "0.5", "empty": " ", "word": "x", "name": " out "}


def test_what_a_field_holds() -> None:
    assert whole_number(FORM, "k", "K") == 60
    assert number(FORM, "noise", "The noise") == 0.5
    assert whole_number(FORM, "empty", "K") is number(FORM, "nothing", "K") is None
    assert text_of(FORM, "name", "Name it.") == "out"


def test_a_field_that_is_wrong_is_named() -> None:
    for reads, field in (
        (whole_number, "word"),
        (whole_number, "noise"),
        (number, "word"),
        (text_of, "empty"),
    ):
        with pytest.raises(BadField) as wrong:
            reads(FORM, field, "This")
        assert wrong.value.field == field
