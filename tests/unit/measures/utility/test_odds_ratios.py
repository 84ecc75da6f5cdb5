"""Odds ratios kept: identical, hopeless, by hand, by counting, and where the class is rare."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from hushwood.measures.protocol import Measurement, NotComputable
from hushwood.measures.utility.odds_ratios import LEAST, SHOWN, OddsRatios
from hushwood.tables.table import Table
from oracles import odds_ratios as oracle
from support.intruders import people, unrelated
from support.mixed_tables import category, mixed_table, number, table_of, target
from support.noisy_tables import cells, noisy
from support.rearranged_tables import column_by_column_shuffled, shuffled_rows
from support.table_pairs import context_for


def answer(original: Table, released: Table) -> Measurement | NotComputable:
    return OddsRatios().compute(original, released, context_for(original, released, paired=False))


def measured(original: Table, released: Table) -> Measurement:
    found = answer(original, released)
    assert isinstance(found, Measurement), found
    return found


def two_by_two(both: int, ill: int, old: int, neither: int) -> Table:
    """The class and one more column, with these counts of records."""
    counts = [both, ill, old, neither]
    return table_of(
        {
            "care": (category("care", ("no", "yes")), np.repeat([1, 0, 1, 0], counts).tolist()),
            "died": (target("died", ("no", "yes")), np.repeat([1, 1, 0, 0], counts).tolist()),
        }
    )


def test_an_identical_release_keeps_all() -> None:
    table = people(1, 600)
    found = measured(table, shuffled_rows(table, 2))
    assert found.value == pytest.approx(1.0)
    assert found.details["shown"] == found.details["kept"] == found.details["overlapping"] > 3


def test_a_hopeless_release_keeps_nothing() -> None:
    table = people(1, 3000)
    for released in (column_by_column_shuffled(table, 3), unrelated(table, 3)):
        found = measured(table, released)
        assert found.value < 0.1
        assert found.details["kept"] == 0
    assert measured(table, people(2, 3000)).value > 0.7


def test_by_hand() -> None:
    """Odds of 20.5/40.5 against 10.5/300.5 before, of 10.5/40.5 against 10.5/300.5 after."""
    before, after = two_by_two(20, 10, 40, 300), two_by_two(10, 10, 40, 300)
    found = measured(before, after)
    old, new = 20.5 * 300.5 / (10.5 * 40.5), 10.5 * 300.5 / (10.5 * 40.5)
    assert found.value == pytest.approx(1 - np.log(old / new) / np.log(old))
    (row,) = found.details["associations"]
    assert (row["of"], row["where"]) == ("died = yes", "care = yes")
    assert (row["before"], row["after"]) == pytest.approx((old, new))
    half = 1.96 * sum(1 / n for n in (20.5, 10.5, 40.5, 300.5)) ** 0.5
    assert row["interval_before"] == pytest.approx([old / np.exp(half), old * np.exp(half)])


def test_a_rare_class_that_no_tree_sees_is_seen() -> None:
    """3,000 patients of whom one in 26 dies, with intensive care four times as often: 4.4 before, 1.1 after."""
    before, after = two_by_two(44, 71, 352, 2533), two_by_two(16, 99, 380, 2505)
    found = measured(before, after)
    assert found.details["associations"][0]["before"] == pytest.approx(4.4, abs=0.1)
    assert found.details["associations"][0]["after"] == pytest.approx(1.1, abs=0.1)
    assert found.value < 1 / 3


def test_where_nothing_is_associated_nothing_can_be_kept() -> None:
    even = two_by_two(50, 50, 50, 50)
    found = measured(even, even)
    assert (found.value, found.details["shown"]) == (1.0, 0)
    assert "no clear association" in OddsRatios().says_nothing(found.details)
    assert not OddsRatios().says_nothing({"shown": 3})
    alone = table_of({"x": (number("x", 0, 9), [1.0, 2.0, 3.0])})
    assert isinstance(answer(alone, alone), NotComputable)


@pytest.mark.parametrize("seed", range(3))
def test_as_counting_says(seed: int) -> None:
    original = mixed_table(seed, 400)
    released = noisy(original, seed, gaps=seed == 2)
    sides = cells(original), cells(released)
    schema = original.schema
    classes = {attribute.name for attribute in schema.classes}
    statements: list[tuple[str, list[list[bool | None]]]] = []
    for attribute in schema.kept:
        given = [side[attribute.name] for side in sides]
        if attribute.kind == "numeric":
            known = [float(value) for value in given[0] if value is not None]
            if 2 * len(known) > original.rows and len(set(known)) > 1:
                cut = float(np.median(known))
                holds = [[None if v is None else float(v) > cut for v in side] for side in given]
                statements.append((attribute.name, holds))
            continue
        order = sorted(attribute.categories, key=lambda name: -given[0].count(name))
        statements += [
            (attribute.name, [[value == name for value in side] for side in given])
            for name in order[1:]
            if given[0].count(name) >= LEAST
        ]
    old, new, error = [], [], []
    for (one, first), (other, second) in combinations(statements, 2):
        if one != other and (not classes or (one in classes) != (other in classes)):
            (before, wide), (after, _) = (oracle.log_odds(first[side], second[side]) for side in (0, 1))
            old.append(before)
            new.append(after)
            error.append(wide)
    shown = [abs(b) > SHOWN * e for b, e in zip(old, error, strict=True)]
    found = measured(original, released)
    if not any(shown):
        shown = [True] * len(old)
        assert found.details["shown"] == 0
    else:
        assert found.details["shown"] == sum(shown)
    change, strength = (
        sum(abs(n) for n, s in zip(numbers, shown, strict=True) if s)
        for numbers in ([a - b for a, b in zip(new, old, strict=True)], old)
    )
    assert found.details["compared"] == len(old)
    assert found.value == pytest.approx(max(0.0, 1 - change / strength))


def test_outsiders_see_no_category() -> None:
    table = people(1, 600)
    measure, found = OddsRatios(), measured(table, shuffled_rows(table, 2))
    assert "Odds ratio of" in measure.remarks(found.details)
    _, shown = measure.publishable(found.value, found.details, 600)
    assert set(shown) == {"compared", "shown", "kept", "overlapping"}
    assert "Odds ratio of" not in measure.remarks(shown)
    assert measure.tables(shown) == ()
    assert len(measure.tables(found.details)) == 1
