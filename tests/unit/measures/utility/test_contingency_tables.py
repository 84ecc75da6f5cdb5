"""Contingency tables: identical, hopeless, by hand and by plain counting."""

from __future__ import annotations

from itertools import combinations
from statistics import fmean

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.measures.protocol import NotComputable
from hushwood.measures.utility.contingency_tables import WIDEST, ContingencyTables
from oracles import joint_cells as oracle
from support.intruders import people, unrelated
from support.mixed_tables import category, mixed_table, number, table_of
from support.noisy_tables import cells
from support.rearranged_tables import column_by_column_shuffled, shuffled_rows
from support.table_pairs import context_for, measuring

measured = measuring(ContingencyTables, paired=False)


def test_an_identical_release_has_the_same_tables() -> None:
    table = people(1, 300)
    found = measured(table, shuffled_rows(table, 2))
    assert found.value == 0.0
    assert found.details["two_way"] == {"tables": 15, "total_variation": 0.0, "kl": 0.0, "count_error": 0.0}
    assert found.details["three_way"] == {"tables": 20, "total_variation": 0.0, "kl": 0.0, "count_error": 0.0}


def test_dependence_and_noise_show() -> None:
    table = people(1, 3000)
    fresh, shuffled, noise = (
        measured(table, other).value
        for other in (people(2, 3000), column_by_column_shuffled(table, 3), unrelated(table, 3))
    )
    assert fresh < 0.1 < shuffled < noise


def test_by_hand() -> None:
    """ab, ba became aa, bb: nothing is where it was, and KL sees half a record in the empty cells."""
    c, d = category("c", "ab"), category("d", "ab")
    original = table_of({"c": (c, [0, 0, 1, 1]), "d": (d, [1, 1, 0, 0])})
    released = table_of({"c": (c, [0, 1]), "d": (d, [0, 1])})
    found = measured(original, released)
    assert found.value == 1.0
    # Cells after: 1.5, 1.5 for the new ones and 0.5, 0.5 for the two of the original.
    assert found.details["two_way"] == {
        "tables": 1,
        "total_variation": 1.0,
        "kl": pytest.approx(np.log2(0.5 / (0.5 / 4))),
        "count_error": 1.0,
    }
    assert found.details["three_way"]["tables"] == 0


@pytest.mark.parametrize("seed", range(3))
def test_as_plain_counting_says(seed: int) -> None:
    original, released = mixed_table(seed, 80), mixed_table(seed + 9, 60)
    measure = ContingencyTables(cells=3, triples=7, least=0.05)
    details = measured(original, released, measure).details
    before, after = cells(original), cells(released)
    was, now = (
        {
            name: oracle.cell_words(before[name], rows[name], original.schema[name].categories or (), 3)
            for name in original.schema.names
        }
        for rows in (before, after)
    )
    names = original.schema.names
    pairs = [oracle.compared(was, now, pair, 0.05) for pair in combinations(names, 2)]
    assert measured(original, released, measure).value == pytest.approx(
        fmean(pair["total_variation"] or 0.0 for pair in pairs)
    )
    score = {
        triple: sum(oracle.mutual_information(was[a], was[b]) for a, b in combinations(triple, 2))
        for triple in combinations(names, 3)
    }
    chosen = sorted(score, key=lambda triple: -round(score[triple], 9))[:7]
    triples = [oracle.compared(was, now, triple, 0.05) for triple in chosen]
    for way, found in (("two_way", pairs), ("three_way", triples)):
        assert details[way]["tables"] == len(found)
        for key in ("total_variation", "kl", "count_error"):
            there = [number for one in found if (number := one[key]) is not None]
            assert details[way][key] == pytest.approx(fmean(there))


def test_a_wide_table_is_sampled() -> None:
    chance = np.random.default_rng(1)
    columns = {
        f"c{i}": (category(f"c{i}", "ab"), chance.integers(0, 2, 30).tolist()) for i in range(WIDEST + 5)
    }
    table = table_of(columns)
    details = measured(table, column_by_column_shuffled(table, 1)).details
    assert details["left_out"] == 5
    assert details["two_way"]["tables"] == WIDEST * (WIDEST - 1) // 2
    assert details["three_way"]["tables"] == 100


def test_what_cannot_be_counted_says_why() -> None:
    table = table_of({"x": (number("x", 0, 9), [1.0, 2.0])})
    found = ContingencyTables().compute(table, table, context_for(table, table))
    assert isinstance(found, NotComputable)
    assert "two columns" in found.reason
    with pytest.raises(InputError, match="cells must be"):
        ContingencyTables(cells=1)
