from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hushwood.attacks.protocol import Knowledge
from hushwood.attacks.search.secret_models import learnt_secret, most_likely
from hushwood.tables.table import Table
from support.intruders import knowing, people
from support.mixed_tables import category, mixed_table, number, table_of, target


def jobs(wages: list[float], codes: list[int]) -> Table:
    return table_of(
        {
            "job": (category("job", ("cook", "nurse", "pilot")), codes),
            "wage": (number("wage", -100, 100, None), wages),
        }
    )


def wanting(table: Table, names: list[str], wants: str) -> Knowledge:
    return knowing(table, names, wants=wants)


def test_a_number_is_guessed_as_the_median_of_those_alike() -> None:
    wages = [-50.0, -49.0, -10.0, 5.0, 6.0, 9.0, 70.0, 80.0, 90.0] * 4
    table = jobs(wages, [0, 0, 0, 1, 1, 1, 2, 2, 2] * 4)
    targets = jobs([0.0, 0.0, 0.0], [2, 0, 1])
    assert learnt_secret(wanting(targets, ["job"], "wage"), table).tolist() == [80.0, -49.0, 6.0]


def test_a_category_is_guessed_from_a_number() -> None:
    wages = [-50.0, -49.0, -48.0, 5.0, 6.0, 7.0, 70.0, 80.0, 90.0] * 4
    table = jobs(wages, [0, 0, 0, 1, 1, 1, 2, 2, 2] * 4)
    targets = jobs([75.0, -60.0, 6.5], [0, 0, 0])
    assert learnt_secret(wanting(targets, ["wage"], "job"), table).tolist() == [2, 0, 1]


def test_binned_classes_are_told_apart_by_bin_and_guessed_as_a_value_in_it() -> None:
    score = replace(target("score", ("1", "2", "3", "4")), bins=(2.0,))
    age = number("age", 0, 100, None)
    # In the lower bin "2" is more frequent, in the upper "4".
    table = table_of(
        {
            "age": (age, [*range(20, 30), *range(60, 70)]),
            "score": (score, [0] * 4 + [1] * 6 + [2] * 3 + [3] * 7),
        }
    )
    targets = table_of({"age": (age, [21.0, 65.0]), "score": (score, [0, 0])})
    assert learnt_secret(wanting(targets, ["age"], "score"), table).tolist() == [1, 3]
    assert most_likely(table.schema, "score", table.columns["score"]) in (1, 3)
    # And a binned class may be what is known.
    known = learnt_secret(wanting(targets, ["score"], "age"), table)
    assert known.tolist() == [24.5, 24.5]


@pytest.mark.parametrize(
    ("codes", "expected"),
    [([0, 1, 1, 2], 1), ([2, 2, 1, 1, 0], 1), ([-1, -1, 0], -1), ([-1, 0], 0), ([-1, -1], -1), ([], -1)],
)
def test_the_most_likely_category(codes: list[int], expected: int) -> None:
    table = jobs([0.0] * len(codes), codes)
    assert most_likely(table.schema, "job", table.columns["job"]) == expected


@pytest.mark.parametrize(
    ("wages", "expected"),
    [
        ([1.0, 5.0, 9.0], 5.0),
        ([1.0, 2.0], 1.5),
        ([np.nan, np.nan, 1.0], np.nan),
        ([np.nan, 1.0], 1.0),
        ([], np.nan),
    ],
)
def test_the_most_likely_number(wages: list[float], expected: float) -> None:
    table = jobs(wages, [0] * len(wages))
    np.testing.assert_equal(most_likely(table.schema, "wage", table.columns["wage"]), expected)


@pytest.mark.parametrize(
    "wants", ["count", "price", "ratio", "constant", "void", "city", "job", "nothing", "risk"]
)
@pytest.mark.parametrize("rows", [1, 2, 60])
def test_messy_tables_break_nothing(wants: str, rows: int) -> None:
    table = mixed_table(4, rows)
    names = [name for name in table.columns if name != wants]
    guessed = learnt_secret(wanting(table, names, wants), table)
    assert guessed.dtype == table.columns[wants].dtype
    assert len(guessed) == rows


def test_too_many_categories_are_not_learnt() -> None:
    many = category("name", tuple(f"n{i}" for i in range(1500)))
    table = table_of({"name": (many, [*range(1500), 7]), "age": (number("age", 0, 1500), range(1501))})
    assert set(learnt_secret(wanting(table, ["age"], "name"), table).tolist()) == {7}
    assert len(set(learnt_secret(wanting(table, ["name"], "age"), table).tolist())) == 1


def test_the_tree_is_better_than_the_most_likely_value() -> None:
    table, others = people(1, 1000), people(2, 1000)
    guessed = learnt_secret(wanting(others, ["age", "school", "town"], "rich"), table)
    assert (guessed == others.columns["rich"]).mean() > 0.85
