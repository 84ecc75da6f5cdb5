"""Association rules kept: identical, hopeless, by hand and by looking at every set of items."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.measures.protocol import NotComputable
from hushwood.measures.utility.association_rules import MOST_ITEMS, AssociationRules
from hushwood.tables.table import Table
from oracles import item_rules
from oracles import joint_cells as oracle
from support.intruders import people, unrelated
from support.mixed_tables import category, mixed_table, table_of
from support.noisy_tables import cells, noisy
from support.rearranged_tables import column_by_column_shuffled, shuffled_rows
from support.table_pairs import context_for, measuring

measured = measuring(AssociationRules, paired=False)


def test_an_identical_release_keeps_all_rules() -> None:
    table = people(1, 300)
    found = measured(table, shuffled_rows(table, 2))
    assert found.value == 1.0
    assert found.details["rules"]["kept"] == found.details["rules"]["before"] > 10
    assert found.details["support_change"] == found.details["confidence_change"] == 0.0
    assert found.details["lost"] == found.details["spurious"] == []


def test_a_hopeless_release_keeps_none() -> None:
    table = people(1, 3000)
    assert measured(table, column_by_column_shuffled(table, 3)).value < 0.05
    assert measured(table, unrelated(table, 3)).value < 0.05
    assert measured(table, people(2, 3000)).value > 0.5


def test_by_hand() -> None:
    """Of ten records a goes with x four times and b with y six times; after one swap of x and y, three and five."""
    c, d = category("c", "ab"), category("d", "xy")
    first = [0] * 4 + [1] * 6
    original = table_of({"c": (c, first), "d": (d, first)})
    released = table_of({"c": (c, first), "d": (d, [1, 0, 0, 0, 0, 1, 1, 1, 1, 1])})
    found = measured(original, released, AssociationRules(support=0.4, confidence=0.8))
    # a → x, x → a, b → y, y → b before; a and x fall to a support of 0.3, b → y and y → b to a confidence of 5/6.
    assert found.details["sets"] == {"before": 2, "after": 1, "kept": 1, "lost": 1, "spurious": 0}
    assert found.details["rules"] == {"before": 4, "after": 2, "kept": 2, "lost": 2, "spurious": 0}
    assert found.value == 0.5
    assert found.details["support_change"] == pytest.approx(0.1)
    assert found.details["confidence_change"] == pytest.approx((0.25 + 0.25 + 1 / 6 + 1 / 6) / 4)
    assert {(row["if"][0], row["then"]) for row in found.details["lost"]} == {
        ("c = a", "d = x"),
        ("d = x", "c = a"),
    }
    # With a confidence of 0.9 no rule is left, and the lift of b → y is 5/6 : 6/10.
    assert measured(original, released, AssociationRules(support=0.4, confidence=0.9)).value == 0.0
    assert measured(original, released, AssociationRules(support=0.5, lift=1.4)).value == 0.0
    assert measured(original, released, AssociationRules(support=0.5, lift=1.38)).value == 1.0


def records(original: Table, table: Table, count: int) -> list[set[str]]:
    """Every record as the set of its items, by the words of plain cells."""
    before, rows = cells(original), cells(table)
    words = {
        name: oracle.cell_words(before[name], rows[name], original.schema[name].categories, count)
        for name in original.schema.names
    }
    return [
        {
            f"{name} {words[name][place]}"
            for name in words
            if words[name][place] not in (oracle.MISSING, oracle.REST)
        }
        for place in range(table.rows)
    ]


@pytest.mark.parametrize("seed", range(3))
def test_as_a_look_at_every_set_says(seed: int) -> None:
    original = mixed_table(seed, 70)
    released = noisy(original, seed, gaps=True)
    measure = AssociationRules(support=0.1, confidence=0.6, lift=1.05, cells=3)
    sets = [records(original, table, 3) for table in (original, released)]
    items = sorted(set().union(*sets[0], *sets[1]))
    was, now = (item_rules.rules(some, items, 0.1, 0.6, 1.05) for some in sets)
    found = measured(original, released, measure)
    both = was.keys() & now.keys()
    assert found.value == pytest.approx(len(both) / len(was.keys() | now.keys()))
    assert found.details["rules"] == {
        "before": len(was),
        "after": len(now),
        "kept": len(both),
        "lost": len(was) - len(both),
        "spurious": len(now) - len(both),
    }
    before, after = (item_rules.frequent(some, items, 0.1) for some in sets)
    assert found.details["sets"]["kept"] == len(before & after)
    assert found.details["sets"]["lost"] == len(before - after)
    changes = []
    for rule, (support, confidence) in was.items():
        together = item_rules.support(sets[1], rule.first | {rule.last})
        given = item_rules.support(sets[1], rule.first)
        changes.append((abs(together - support), abs((together / given if given else 0) - confidence)))
    assert found.details["support_change"] == pytest.approx(np.mean([change for change, _ in changes]))
    assert found.details["confidence_change"] == pytest.approx(np.mean([change for _, change in changes]))


def test_spurious_rules_count() -> None:
    c, d = category("c", "ab"), category("d", "xy")
    original = table_of({"c": (c, [0, 0, 1, 1]), "d": (d, [0, 1, 0, 1])})
    released = table_of({"c": (c, [0, 0, 1, 1]), "d": (d, [0, 0, 1, 1])})
    found = measured(original, released)
    assert found.value == 0.0
    assert found.details["rules"]["spurious"] == 4
    assert found.details["support_change"] is None
    assert "has 0 rules and the release 4; they share 0" in AssociationRules().remarks(found.details)


def test_a_wide_table_has_a_limited_number_of_items() -> None:
    chance = np.random.default_rng(1)
    columns = {}
    for place in range(70):
        codes = chance.integers(0, 4, 100)
        columns[f"c{place}"] = (category(f"c{place}", "wxyz"), codes.tolist())
    table = table_of(columns)
    details = measured(table, table).details
    assert details["items"] == MOST_ITEMS
    assert details["left_out"] == 10


def test_tables_without_rules_say_so() -> None:
    table = table_of({"c": (category("c", "a"), [0, 0, 0]), "d": (category("d", "xyz"), [0, 1, 2])})
    found = AssociationRules().compute(table, table, context_for(table, table))
    assert isinstance(found, NotComputable)
    assert "Neither table has a rule" in found.reason
    with pytest.raises(InputError, match="support must be"):
        AssociationRules(support=0.0)
