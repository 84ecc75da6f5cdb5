from __future__ import annotations

import pytest

from hushwood.tables.category_texts import CategoryReader
from hushwood.tables.taxonomies import Taxonomy

STATES = ("Divorced", "Married-AF", "Married-civ", "Never", "13053", "13068", "1305")
WAYS = Taxonomy(
    "state",
    {
        "Divorced": ("Divorced", "alone", "*"),
        "Never": ("Never", "alone", "*"),
        "Married-AF": ("Married-AF", "pair", "*"),
        "Widowed": ("Widowed", "alone", "*"),
    },
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Never", ["Never"]),
        (" Never ", ["Never"]),
        ("*", list(STATES)),
        ("Any", list(STATES)),
        ("{Never, Divorced}", ["Divorced", "Never"]),
        ("[Never;Divorced]", ["Divorced", "Never"]),
        ("Never|Divorced", ["Divorced", "Never"]),
        ("Never; Divorced", ["Divorced", "Never"]),
        ("{Never}", ["Never"]),
        ("Married*", ["Married-AF", "Married-civ"]),
        ("130**", ["13053", "13068"]),
        ("13***", ["13053", "13068"]),
        ("1305*", ["13053", "1305"]),
        ("130*", ["13053", "13068", "1305"]),
        ("13**", ["1305"]),
        ("Ma**", ["Married-AF", "Married-civ"]),
        ("alone", ["Divorced", "Never"]),
        ("{alone, Married-civ}", ["Divorced", "Married-civ", "Never"]),
        ("{Never, missing}", ["Never"]),
        ("{missing; Divorced; Never}", ["Divorced", "Never"]),
    ],
)
def test_texts_stand_for_categories(text: str, expected: list[str]) -> None:
    read = CategoryReader.of(STATES, WAYS).read(text)
    assert sorted(STATES[i] for i in read) == sorted(expected)


@pytest.mark.parametrize(
    "text",
    ["", "Separated", "{Never, Separated}", "X*", "Never, Divorced", "Never|", "{}", "N*r", "{missing}"],
)
def test_unknown_texts_stand_for_nothing(text: str) -> None:
    assert list(CategoryReader.of(STATES, WAYS).read(text)) == []


def test_a_category_is_itself_however_it_looks() -> None:
    names = ("a", "b", "a|b", "*", "{a, b}", "all")
    reader = CategoryReader.of(names, None)
    assert [list(reader.read(name)) for name in names] == [[i] for i in range(len(names))]
