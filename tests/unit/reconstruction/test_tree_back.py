"""Which tree a miner wins back, and how it is judged on original records."""

from __future__ import annotations

import numpy as np

from hushwood.reconstruction.disguised import Disguise
from hushwood.reconstruction.estimators import recover_added_noise
from hushwood.reconstruction.recovered import Known, Recovered
from hushwood.reconstruction.trees_back import accuracy, plain_tree, regrown, tree_back
from hushwood.tables.table import Table
from hushwood.techniques.added_noise import Sadp
from hushwood.trees.options import Builder, GrowOptions
from support.announced_columns import perturbed
from support.disguised_tables import answers_table, disguised, people
from support.mixed_tables import category, number, table_of, target

BUILDER = Builder(GrowOptions(min_leaf=20))


def patients(size: int = 2_000) -> Table:
    """Ill if the dose lies in the middle of its range."""
    dose = np.rint(np.random.default_rng(5).uniform(0, 100, size))
    ill = ((dose > 30) & (dose <= 70)).astype(int)
    return table_of(
        {"dose": (number("dose", 0, 100), dose.tolist()), "ill": (target("ill", ("no", "yes")), ill.tolist())}
    )


def with_noise(table: Table, technique: Sadp) -> Table:
    dose = Table(table.schema, {"dose": table.columns["dose"]}, table.carried, table.rows)
    return table.with_columns({"dose": perturbed(dose, technique).columns["dose"]})


def test_added_noise_is_undone_by_class() -> None:
    technique, original = Sadp(noise=0.5, bounded=False), patients()
    released = with_noise(original, technique)
    found = recover_added_noise(Known(released, "dose", (technique,)))
    assert isinstance(found, Recovered)
    back = tree_back(released, {"dose": found}, None, BUILDER)
    assert not back.plain
    assert "byclass" in back.way
    assert accuracy(back.forest, original) > accuracy(plain_tree(released, BUILDER), original) + 0.03


def test_disguised_answers_have_their_own_tree() -> None:
    true = people(4_000, 1)
    said = disguised(true, 0.8, [[column] for column in range(5)], 2)
    disguise = Disguise(0.8, tuple((name,) for name in "abcde"))
    back = tree_back(answers_table(said), {}, disguise, BUILDER)
    assert "Du and Zhan" in back.way
    assert accuracy(back.forest, answers_table(true)) > 0.95


def test_otherwise_the_released_values_are_all_there_is() -> None:
    table = patients(400)
    back = tree_back(table, {}, Disguise(0.8), BUILDER)  # doses are no answers
    assert back.plain
    assert accuracy(back.forest, table) == 1.0
    assert len(regrown(table, BUILDER, [a.name for a in table.schema.classes]).trees) >= 1


def test_classes_and_categories_are_compared_by_name() -> None:
    """The original has its categories in another order, one more category, and a record without a class."""
    grown_on = table_of(
        {
            "city": (category("city", ("Arm", "Mel")), [0] * 30 + [1] * 30),
            "ill": (target("ill", ("no", "yes")), [0] * 30 + [1] * 30),
        }
    )
    forest = plain_tree(grown_on, Builder(GrowOptions(min_leaf=5)))
    original = table_of(
        {
            "city": (category("city", ("Mel", "Arm", "Syd")), [0, 1, 1, 0]),
            "ill": (target("ill", ("yes", "no")), [0, 1, 0, -1]),
        }
    )
    assert accuracy(forest, original) == 2 / 3
