from __future__ import annotations

import pytest

from hushwood.tables.columns.scales import in_scale_order


@pytest.mark.parametrize(
    "ascending",
    [
        ("Low", "Medium", "High"),
        ("sehr niedrig", "mittel", "hoch"),
        ("Strongly disagree", "Disagree", "Neither agree nor disagree", "Agree", "Strongly agree"),
        ("stimme gar nicht zu", "stimme eher nicht zu", "teils/teils", "stimme voll und ganz zu"),
        ("never", "sometimes", "VERY_OFTEN", "always"),
        ("XS", "S", "M", "L"),
    ],
)
def test_words_of_one_scale_are_put_in_order(ascending: tuple[str, ...]) -> None:
    assert in_scale_order(sorted(ascending)) == ascending
    assert in_scale_order(ascending[::-1]) == ascending


@pytest.mark.parametrize(
    "words",
    [
        ("low", "high"),  # two words may be anything
        ("low", "medium", "high", "don't know"),
        ("low", "good", "always"),
        ("medium", "moderate", "high"),  # two words for one place
        ("low", "LOW", "high"),
        (),
    ],
)
def test_anything_less_certain_has_no_order(words: tuple[str, ...]) -> None:
    assert in_scale_order(words) is None
