"""How often the gate finds identifying columns in seven languages, and how often it stops harmless ones."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.gate_languages import HARMLESS, IDENTIFYING, found, lines, stops

LANGUAGES = ("English", "German", "French", "Spanish", "Italian", "Dutch", "Polish")
PAGE = Path(__file__).parents[4] / "docs" / "gate.md"


def test_the_list_of_headers_is_whole() -> None:
    assert {spoken for spoken, _, _ in lines()} == set(LANGUAGES)
    assert {kind for _, _, kind in lines()} == {*IDENTIFYING, *HARMLESS, "given", "family"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_states_what_is_found(language: str) -> None:
    named, nameless = found(language), found(language, nameless=True)
    row = re.search(rf"\| {language} \|(.*)\|\n", PAGE.read_text("utf-8"))
    assert row is not None
    stated = [cell.strip() for cell in row[1].split("|")]
    assert stated[3:] == [
        f"{named.stopped} of {named.identifying}",
        f"{named.stopped_in_vain} of {named.harmless}",
        f"{nameless.stopped} of {nameless.identifying}",
        f"{nameless.stopped_in_vain} of {nameless.harmless}",
    ]
    assert named.recall >= 0.95 and named.precision >= 0.95


def test_a_gate_that_stops_everything_or_nothing_would_show() -> None:
    assert stops("French", "Prénom", "first_name") and not stops("French", "x", "age")
    assert not stops("French", "Âge", "age")
