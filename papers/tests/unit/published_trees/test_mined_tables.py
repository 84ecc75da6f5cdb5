"""What methods learn from, and unseen people in the values of a release."""

from __future__ import annotations

import numpy as np
import polars as pl

from hushwood.demo.synthetic_tables import credit_risk
from hushwood.tables.reading import read
from hushwood.tables.table import Table
from hushwood.tree_publishing.options import PublishOptions
from hushwood.tree_publishing.publish import publish
from hushwood.trees.routing import predictions
from hushwood_papers.published_trees.fold_runs import in_original_terms, mondrian_release, parts_of
from hushwood_papers.published_trees.mined_tables import (
    BY_CUTS,
    ORIGINAL,
    SAME_K,
    SAME_SIZE,
    TPP,
    TPP_PLAIN,
    generalised,
    learnt_from,
)


def people(ages: list[int], towns: list[str], rich: list[str]) -> Table:
    return read(pl.DataFrame({"age": ages, "town": towns, "rich": rich}), target="rich").table


def split() -> tuple[Table, Table]:
    table = credit_risk(900, bytes(32))
    return table.take(np.arange(600)), table.take(np.arange(600, 900))


def test_people_get_the_nearest_number_and_the_set_most_records_have() -> None:
    whole = people(
        [20, 21, 40, 42, 43, 26, 36], ["a", "b", "a", "c", "a", "d", "c"], ["no"] * 2 + ["yes"] * 5
    )
    training, unseen = whole.take(np.arange(5)), whole.take(np.array([5, 6]))
    released = mondrian_release(training, parts_of(training, 2))
    assert released.columns["age"].tolist() == [20.5, 20.5, *[125 / 3] * 3]
    found = generalised(released, training, unseen)
    assert found["age"].tolist() == [20.5, 125 / 3], "31.08 is halfway"
    assert found["town"].tolist() == [-1, released.columns["town"][2]], "no record of the training has d"
    own = generalised(released, training, training)["town"]
    assert own[0] == released.columns["town"][2] != released.columns["town"][0], (
        "two of three have the other set"
    )


def test_generalised_people_go_where_the_published_tree_sends_them() -> None:
    training, unseen = split()
    published = publish(training, PublishOptions(k=5, threads=1))
    tree = in_original_terms(published.forest, published.table, training)
    assert len(published.forest.trees[0].leaves) > 3
    found = generalised(published.table, training, unseen)
    numbers = {n: column for n, column in found.items() if training.schema[n].kind == "numeric"}
    assert any((column != unseen.columns[name]).any() for name, column in numbers.items())
    moved = predictions(tree, unseen.with_columns(numbers))
    assert np.array_equal(moved, predictions(tree, unseen))


def test_every_table_has_the_training_records_and_no_other() -> None:
    training, unseen = split()
    made = learnt_from(training, unseen)
    assert [tuple(one.unseen) for one in made.tables] == [
        (ORIGINAL,),
        (TPP, TPP_PLAIN),
        (SAME_SIZE, SAME_SIZE + BY_CUTS),
        (SAME_K, SAME_K + BY_CUTS),
    ]
    for one in made.tables:
        assert len(one.training) == len(one.classes) == 600
        assert {matrix.shape for matrix in one.unseen.values()} == {(300, one.training.shape[1])}
    groups = [len(np.unique(one.training, axis=0)) for one in made.tables]
    assert groups[2] == made.leaves <= groups[1] < groups[3] < groups[0]
    for one in made.tables[1:]:
        assert np.unique(one.training, axis=0, return_counts=True)[1].min() >= 5
