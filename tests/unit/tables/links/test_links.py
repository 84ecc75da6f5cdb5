"""The kinds of links, and the tables in which they are planted."""

from __future__ import annotations

from typing import Any

import pytest

from hushwood.errors import InputError
from hushwood.tables.links.links import (
    Combinations,
    Condition,
    Constant,
    Determines,
    Link,
    Order,
    Sum,
    link_from_plain,
    link_to_plain,
    publicly,
    says,
)
from oracles.links import broken
from support.linked_tables import LINKED_TABLES


def test_a_link_knows_all_of_its_columns() -> None:
    assert Determines("city", ("state", "zone")).columns == ("city", "state", "zone")
    assert Combinations(("a", "b")).columns == ("a", "b")
    assert Order(("start", "end")).columns == ("start", "end")
    assert Sum("pay", ("net", "tax")).columns == ("pay", "net", "tax")
    assert Condition("sex", ("male",), "pregnant", ("no",)).columns == ("sex", "pregnant")
    assert Constant("household", ("rent",)).columns == ("household", "rent")


@pytest.mark.parametrize("name", LINKED_TABLES)
def test_planted_links_hold_in_all_records(name: str) -> None:
    table = LINKED_TABLES[name]()
    rows = table.frame.to_dicts()
    assert 500 <= len(rows) <= 3000
    assert table.links
    for link in table.links:
        assert broken(link, rows) == 0
        assert table.target not in link.columns


def test_every_kind_has_a_sentence() -> None:
    assert says(Determines("word", ("fee", "grade"))) == "word determines fee and grade"
    assert says(Combinations(("a", "b", "c"))) == "only some combinations of a, b and c occur"
    assert says(Order(("low", "usual", "high"))) == "low <= usual <= high"
    assert says(Constant("house", ("rooms",))) == "one value of rooms within house"
    assert says(Condition("smoker", ("never", None), "brand", (None,))) == (
        "if smoker is never or missing, brand is missing"
    )
    several = Condition("a", ("1", "2", "3", "4", "5"), "b", ("x", "y"))
    assert says(several) == "if a is 1, 2, 3 or 2 others, b is x or y"


def test_values_are_not_for_everybody() -> None:
    assert publicly(Condition("town", ("Zxqv",), "b", ("x",))) == "b depends on town"


ALL: list[Link] = [link for made in LINKED_TABLES.values() for link in made().links]
ALL += [
    Constant("house", ("rooms",)),
    Condition("work", (None, "idle"), "trade", ("art",)),
    Condition("work", ("idle",), "trade", (None, "art")),
]


@pytest.mark.parametrize("link", ALL, ids=repr)
def test_links_come_back_as_they_were(link: Link) -> None:
    assert link_from_plain(link_to_plain(link), "here") == link


def test_a_condition_without_allowed_values_asks_for_a_missing_one() -> None:
    plain = {"kind": "condition", "when": "smoker", "values": ["never"], "column": "brand"}
    assert link_from_plain(plain, "here") == Condition("smoker", ("never",), "brand", (None,))


@pytest.mark.parametrize(
    ("plain", "said"),
    [
        ("order", "every \\[\\[link\\]\\] needs a kind: determines, combinations, order"),
        ({"kind": "odrer"}, "no kind of link 'odrer'.*order"),
        ({"kind": "order", "columns": ["a"]}, "columns: a list of 2 or more names"),
        ({"kind": "order", "columns": ["a", "a"]}, "a column is named twice"),
        ({"kind": "sum", "total": "a", "parts": "b"}, "parts: a list of 1 or more names"),
        ({"kind": "sum", "total": 3, "parts": ["b"]}, "total: the name of a column is needed"),
        ({"kind": "sum", "total": "a", "parts": ["b"], "part": 1}, "no key 'part'"),
        ({"kind": "condition", "when": "a", "column": "b"}, "name the values of 'a' that decide"),
        ({"kind": "condition", "when": "a", "column": "b", "values": [1]}, "\\[1\\] is not allowed"),
        (
            {"kind": "condition", "when": "a", "column": "b", "values": ["x"], "or_missing": False},
            "name the values of 'b' that are allowed",
        ),
        ({"kind": "condition", "when": "a", "column": "b", "when_missing": 1}, "Use true or false"),
    ],
)
def test_mistakes_are_named(plain: Any, said: str) -> None:
    with pytest.raises(InputError, match=f"^my.toml.*{said}"):
        link_from_plain(plain, "my.toml")
