"""Records that break links, counted as an oracle counts them one by one, and batch by batch."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from hushwood.tables.links.counting import LinkCounts, countable, violations
from hushwood.tables.links.links import Combinations, Condition, Constant, Determines, Link, Order, Sum
from hushwood.tables.reading import read
from hushwood.tables.table import Table
from oracles.links import broken
from support.linked_tables import LINKED_TABLES


def shuffled(table: Table, seed: int) -> Table:
    """Every column in another order, so that links are broken."""
    chance = np.random.default_rng(seed)
    columns = {name: values[chance.permutation(table.rows)] for name, values in table.columns.items()}
    return replace(table, columns=columns)


def rows_of(table: Table) -> list[dict[str, object]]:
    from hushwood.tables.frames.storage import frame_from_table

    return frame_from_table(table).to_dicts()


@pytest.mark.parametrize("name", LINKED_TABLES)
def test_counts_are_those_of_the_oracle(name: str) -> None:
    linked = LINKED_TABLES[name]()
    original = read(linked.frame, target=linked.target).table.take(np.arange(400))
    other = shuffled(original, 3)
    before, after = rows_of(original), rows_of(other)
    assert violations(linked.links, original) == dict.fromkeys(linked.links, 0)
    found = violations(linked.links, other, original)
    for link in linked.links:
        step = 0.01 if name in {"wages", "claims"} else 1.0
        assert found[link] == broken(link, after, before, step)
        assert found[link] > 0
    assert violations(linked.links, other) == {
        link: broken(link, after, None, 0.01 if name in {"wages", "claims"} else 1.0) for link in linked.links
    }


@pytest.mark.parametrize("name", LINKED_TABLES)
def test_batches_in_any_order_give_the_same_counts(name: str) -> None:
    linked = LINKED_TABLES[name]()
    original = read(linked.frame, target=linked.target).table
    other = shuffled(original, 4)
    parts = np.array_split(np.arange(original.rows), 5)
    reference, late = LinkCounts(linked.links), LinkCounts(linked.links)
    for place, rows in enumerate(parts):
        (reference if place % 2 else late).add(original.take(rows))
    reference.merge(late)
    counts, others = LinkCounts(linked.links), LinkCounts(linked.links)
    for place, rows in enumerate(reversed(parts)):
        (counts if place % 2 else others).add(other.take(rows))
    counts.merge(others)
    assert counts.records == original.rows
    assert counts.broken(reference) == violations(linked.links, other, original)
    assert reference.new(reference) == dict.fromkeys(linked.links, 0)
    assert all(0 < count <= counts.broken(reference)[link] for link, count in counts.new(reference).items())


def test_a_violation_is_new_unless_the_original_has_it_too() -> None:
    """Two of 100 men are entered as pregnant, and one city lies in two states."""
    links: tuple[Link, ...] = (
        Determines("city", ("state",)),
        Combinations(("city", "state")),
        Condition("sex", ("male",), "pregnant", ("no",)),
        Order(("came", "went")),
    )
    frame = pl.DataFrame(
        {
            "city": ["p"] * 60 + ["q"] * 40,
            "state": ["s"] * 59 + ["t"] * 41,
            "sex": ["male"] * 50 + ["female"] * 50,
            "pregnant": ["no"] * 48 + ["yes"] * 3 + ["maybe"] * 49,
            "came": [3, *[0, 1, 2] * 33],
            "went": [2] * 100,
        }
    )
    original = read(frame).table
    before = LinkCounts(links).add(original)
    assert before.broken() == dict(zip(links, (1, 0, 2, 1), strict=True))
    worse = frame.with_columns(
        pl.Series("state", ["s"] * 50 + ["t"] * 11 + ["s"] * 39),
        pl.Series("pregnant", ["no"] * 40 + ["yes"] * 9 + ["maybe"] * 51),
        pl.Series("came", [3] * 4 + [0, 1, 2] * 32),
    )
    after = LinkCounts(links).add(read(worse).table)
    assert after.broken(before) == dict(zip(links, (49, 39, 10, 4), strict=True))
    assert after.new(before) == dict(zip(links, (39, 39, 1, 3), strict=True))


def test_a_number_that_never_occurred_determines_nothing_but_a_category_does() -> None:
    links: tuple[Link, ...] = (Determines("grade", ("word",)), Determines("word", ("grade",)))
    frame = pl.DataFrame({"grade": [1, 2, 2], "word": ["a", "b", "b"]})
    table = read(frame).table
    released = table.with_columns({"grade": np.array([3.0, 2.0, 1.0])})
    assert violations(links, released, table) == {links[0]: 1, links[1]: 2}


def test_missing_values_break_neither_orders_nor_sums() -> None:
    table = read(pl.DataFrame({"a": [1, 5, None], "b": [2, None, 3], "c": [3, 1, 9]})).table
    assert violations([Order(("a", "b")), Sum("c", ("a", "b"))], table) == {
        Order(("a", "b")): 0,
        Sum("c", ("a", "b")): 0,
    }


def test_a_condition_may_ask_for_a_missing_value() -> None:
    link = Condition("smokes", ("no", None), "cigarettes", (None,))
    frame = pl.DataFrame({"smokes": ["no", "no", "yes", None], "cigarettes": [None, 3, 5, 7]})
    assert violations([link], read(frame).table) == {link: 2}


def test_links_with_a_column_that_is_gone_are_not_countable() -> None:
    links = (Combinations(("a", "b")), Constant("house", ("a",)))
    assert countable(links, ["a", "b"]) == (links[0],)


def test_a_group_may_be_a_column_that_is_not_released() -> None:
    frame = pl.DataFrame({"house": ["p", "p", "q", None], "rooms": [3, 4, 5, 6]})
    table = read(frame, roles={"house": "identifier"}).table
    link = Constant("house", ("rooms",))
    assert violations([link], table) == {link: 2}
