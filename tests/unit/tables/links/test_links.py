"""The kinds of links, and the tables in which they are planted."""

from __future__ import annotations

import pytest

from hushwood.tables.links.links import Combinations, Condition, Constant, Determines, Order, Sum
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
