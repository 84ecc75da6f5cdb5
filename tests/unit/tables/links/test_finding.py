"""Links that are planted are found, all of them and nothing else; what nearly looks like one is not."""

from __future__ import annotations

import tomllib

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.arrays import Array
from hushwood.tables.links.finding import find_links, search_links
from hushwood.tables.links.links import Condition, Constant, Determines, Link, Order, Sum, kind_of
from hushwood.tables.reading import read
from hushwood.tables.table import Table
from support.linked_tables import LINKED_TABLES, Linked, numbers, texts
from support.real_data import data_folder, existing
from support.unlinked_tables import UNLINKED_TABLES


def table_of(linked: Linked) -> Table:
    return read(linked.frame, target=linked.target).table


@pytest.mark.parametrize("name", LINKED_TABLES)
def test_all_planted_links_are_found_and_nothing_else(name: str) -> None:
    linked = LINKED_TABLES[name]()
    search = search_links(table_of(linked), linked.within)
    assert set(search.links) == set(linked.links)
    assert search.not_looked_for == ()
    for found in search.found:
        assert 0 < found.support <= linked.frame.height
        assert f"{found.support:,}" in found.says


@pytest.mark.parametrize("name", UNLINKED_TABLES)
def test_what_nearly_looks_like_a_link_is_none(name: str) -> None:
    assert find_links(table_of(UNLINKED_TABLES[name]())) == ()


@pytest.mark.parametrize("name", LINKED_TABLES)
def test_the_order_of_rows_and_columns_does_not_matter(name: str) -> None:
    linked = LINKED_TABLES[name]()
    turned = linked.frame.sample(fraction=1, shuffle=True, seed=5).select(linked.frame.columns[::-1])
    again = find_links(table_of(linked._replace(frame=turned)), linked.within)
    assert again == find_links(table_of(linked), linked.within)


@given(seed=st.integers(0, 10_000), rows=st.integers(60, 800))
def test_nothing_is_found_among_independent_columns(seed: int, rows: int) -> None:
    chance = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "a": texts("u v w x", chance.choice(4, rows, p=[0.6, 0.3, 0.08, 0.02])),
            "b": texts("no yes", (chance.random(rows) < 0.04).astype(int)),
            "c": numbers(chance.integers(0, 5, rows) * 1.0, 0, chance.random(rows) < 0.3),
            "d": numbers(chance.gamma(1.0, 5.0, rows)),
            "e": numbers(chance.gamma(2.0, 9.0, rows), 0, chance.random(rows) < 0.2),
        }
    )
    assert find_links(read(frame).table) == ()


def test_an_equal_column_is_a_sum_of_one_part() -> None:
    linked = LINKED_TABLES["cities"]()
    frame = linked.frame.with_columns(pl.col("weight").alias("weight again"))
    assert Sum("weight again", ("weight",)) in search_links(table_of(linked._replace(frame=frame))).links


def test_sums_that_follow_from_shorter_ones_are_left_out() -> None:
    chance = np.random.default_rng(3)
    a, b, c = (chance.integers(1, 1000, 400) for _ in range(3))
    frame = pl.DataFrame({"a": a, "b": b, "c": c, "t": a + b, "u": a + b + c})
    assert search_links(read(frame).table).links == (Sum("t", ("a", "b")), Sum("u", ("c", "t")))


def test_what_decides_about_several_columns_is_named_once() -> None:
    chance = np.random.default_rng(4)
    work = chance.choice(3, 900, p=[0.2, 0.2, 0.6])
    frame = pl.DataFrame(
        {
            "work": texts("idle retired works", work),
            "trade": texts("art law food", chance.integers(0, 3, 900), work < 2),
            "wage": numbers(chance.gamma(3.0, 800.0, 900), 0, work < 2),
        }
    )
    assert set(search_links(read(frame).table).links) == {
        Condition("work", ("idle", "retired"), "trade", (None,)),
        Condition("work", ("works",), "trade", ("art", "food", "law")),
        Condition("work", ("idle", "retired"), "wage", (None,)),
    }


def test_columns_that_are_missing_together_are_linked_even_if_a_third_decides_for_some() -> None:
    chance = np.random.default_rng(4)
    work, refused = chance.choice(2, 900, p=[0.4, 0.6]), chance.random(900) < 0.2
    frame = pl.DataFrame(
        {
            "work": texts("idle works", work),
            "trade": texts("art law food", chance.integers(0, 3, 900), (work == 0) | refused),
            "wage": numbers(chance.gamma(3.0, 800.0, 900), 0, (work == 0) | refused),
        }
    )
    assert set(search_links(read(frame).table).links) == {
        Condition("trade", (None,), "wage", (None,)),
        Condition("work", ("idle",), "trade", (None,)),
        Condition("work", ("idle",), "wage", (None,)),
    }


@pytest.mark.parametrize(("name", "target"), [("cities", "state"), ("grades", "word"), ("areas", "county")])
def test_a_class_follows_or_decides_like_any_column(name: str, target: str) -> None:
    linked = LINKED_TABLES[name]()._replace(target=target)
    assert set(search_links(table_of(linked)).links) == set(linked.links)


def test_roles_keep_columns_out_of_links() -> None:
    linked = LINKED_TABLES["cities"]()
    for role in ("identifier", "ignored"):
        table = read(linked.frame, target=linked.target, roles={"state": role}).table
        assert find_links(table) == ()


def test_a_group_may_be_a_column_that_is_not_released() -> None:
    linked = LINKED_TABLES["households"]()
    table = read(linked.frame, target=linked.target, roles={"household": "identifier"}).table
    assert Constant("household", ("income", "region", "rooms")) in search_links(table, "household").links


def test_branches_of_an_order_become_several_chains() -> None:
    chance = np.random.default_rng(6)
    low = chance.gamma(4.0, 100.0, 900)
    left, right = low + chance.gamma(1.0, 80.0, 900), low + chance.gamma(1.0, 80.0, 900)
    frame = pl.DataFrame({"low": numbers(low), "left": numbers(left), "right": numbers(right)})
    assert set(search_links(read(frame).table).links) == {Order(("low", "left")), Order(("low", "right"))}


def test_a_wide_table_says_what_was_not_looked_for() -> None:
    chance = np.random.default_rng(8)
    values = chance.normal(size=(120, 260)).round(3)
    frame = pl.DataFrame({f"n{i:03}": values[:, i] for i in range(260)})
    assert search_links(read(frame).table).not_looked_for == ("Sums among 60 further columns",)


# All links that are found in the papers' tables; docs/links.md lists them and says what they mean.
IN_THE_PAPERS: dict[str, set[tuple[str, ...]]] = {
    "adult": {
        ("condition", "marital-status", "relationship"),
        ("condition", "workclass", "occupation"),
        ("determines", "education", "education-num"),
    },
    "crx": {("determines", "A11", "A10"), ("determines", "A4", "A5")},
    "abalone": {("order", "Viscera_weight", "Whole_weight")},
}


@pytest.mark.parametrize(
    "name", ["adult", "wbc", "boston", "wine", "crx", "cmc", "abalone", "mushroom", "iris", "bupa"]
)
def test_links_of_the_papers_tables_are_those_that_are_listed(name: str) -> None:
    described = tomllib.loads((data_folder() / "tables.toml").read_text(encoding="utf-8"))[name]
    table = read(existing(data_folder() / described["file"]), target=described["class"]).table
    found = search_links(table)
    assert {(kind_of(link), *link.columns) for link in found.links} == IN_THE_PAPERS.get(name, set())
    # In the mushrooms nearly every pair of columns excludes something: kinds of mushrooms, not rules.
    assert bool(found.not_looked_for) == (name == "mushroom")


CHANCE = np.random.default_rng(12)
SCORE = CHANCE.normal(50, 9, 800).round(3)


def found(classes: Array, score: Array = SCORE) -> list[Link]:
    other = CHANCE.normal(0, 1, len(score))
    frame = pl.DataFrame({"score": score, "other": other, "class": ["no" if c else "yes" for c in classes]})
    return [each.link for each in find_links(read(frame.fill_nan(None), target="class").table)]


def test_a_class_that_is_a_limit_of_a_number_follows_from_it() -> None:
    assert found(SCORE > 45) == [Determines("score", ("class",))]
    assert found((SCORE > 45) & (SCORE < 60)) == [Determines("score", ("class",))]


def test_one_record_on_the_wrong_side_is_enough() -> None:
    classes = SCORE > 45
    classes[3] = not classes[3]
    assert found(classes) == []


def test_a_limit_that_few_records_pass_says_nothing() -> None:
    assert found(np.sort(SCORE)[-5] < SCORE) == []


def test_missing_numbers_need_one_class() -> None:
    score = np.where(np.arange(800) % 40 == 0, np.nan, SCORE)
    assert found(np.isnan(score) | (score > 45), score) == [Determines("score", ("class",))]
    assert found(np.where(np.isnan(score), np.arange(800) % 80 == 0, score > 45), score) == []
