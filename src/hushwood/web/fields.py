"""Fields of forms: what they hold, and which of them is wrong, so that the sentence stands next to it."""

from __future__ import annotations

from collections.abc import Mapping

from hushwood.errors import InputError


class BadField(InputError):
    """What one field says cannot be used; the rest of the form is kept."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field = field


def whole_number(form: Mapping[str, str], field: str, what: str) -> int | None:
    """A number from a form; None if nothing was typed."""
    text = form.get(field, "")
    if not text.strip():
        return None
    try:
        return int(text)
    except ValueError:
        raise BadField(field, f"{what} is a whole number; {text!r} was given.") from None


def number(form: Mapping[str, str], field: str, what: str) -> float | None:
    """A number from a form; None if nothing was typed."""
    text = form.get(field, "")
    if not text.strip():
        return None
    try:
        return float(text)
    except ValueError:
        raise BadField(field, f"{what} is a number; {text!r} was given.") from None


def text_of(form: Mapping[str, str], field: str, sentence: str) -> str:
    """What a field holds, if it holds anything; the sentence asks for it."""
    text = form.get(field, "").strip()
    if not text:
        raise BadField(field, sentence)
    return text
