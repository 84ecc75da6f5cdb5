"""Links as plain data: they come back as they were, and mistakes are named."""

from __future__ import annotations

from typing import Any

import pytest

from hushwood.errors import InputError
from hushwood.tables.links.links import Condition, Constant, Link
from hushwood.tables.links.plain_links import link_from_plain, link_to_plain
from support.linked_tables import LINKED_TABLES

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
