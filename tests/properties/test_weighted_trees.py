"""A record with survey weight 3 is three people: trees learn from it as from three records that are the same."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from hushwood.errors import InputError
from hushwood.tables.reading import read_table
from hushwood.tables.table import Table
from hushwood.trees.forest import Tree, same_tests
from hushwood.trees.grow import grow_forest, grow_tree, learnt_forest
from hushwood.trees.options import Builder, GrowOptions, SysForOptions
from hushwood.trees.regression import RegressionSet, grow_regression_tree
from hushwood.trees.training import TrainingSet

# Four classes and at most 40 people: C4.5's own least side of a cut, a tenth of the mean class, is then one record.
CLASSES, CASES = "abcd", 25
UNPRUNED = GrowOptions(min_leaf=1, prune=False)
GINI = GrowOptions(min_leaf=1, prune=False, criterion="gini")
PRUNED = (GrowOptions(min_leaf=1), GrowOptions(min_leaf=1, variant="j48"))


def survey(case: int, *, gaps: bool = False) -> pl.DataFrame:
    """A small table with whole weights, some of them 0; the class depends on both inputs."""
    draw, rows = np.random.default_rng([7, case]), 14
    size = draw.integers(0, 8, rows).astype(float)
    kind = draw.choice(["p", "q"], rows)
    rule = (size // 2 + (kind == "q")).astype(int) % 4
    label = np.where(draw.random(rows) < 0.8, np.array(list(CLASSES))[rule], "a")
    weight = draw.integers(0, 4, rows)
    weight[:4] = 1
    if gaps:
        size[draw.random(rows) < 0.15] = np.nan
    frame = pl.DataFrame({"size": size, "kind": kind, "label": label, "w": weight})
    return frame.with_columns(pl.col("size").fill_nan(None), number=pl.Series(draw.normal(size=rows)))


def weighted(frame: pl.DataFrame, target: str = "label") -> Table:
    other = "number" if target == "label" else "label"
    return read_table(
        frame.drop(other), target=target, weight="w", response="auto" if other == "number" else "number"
    )


def repeated(table: Table) -> Table:
    """Every record as often as its weight says, in the same coding."""
    assert table.weights is not None
    many = table.take(np.repeat(np.arange(table.rows), table.weights.astype(np.int64)))
    return replace(
        many, schema=many.schema.with_attribute(replace(many.schema["w"], weight=False, role="ignored"))
    )


def in_own_weights(table: Table) -> TrainingSet:
    """The records with the weights of the table instead of weights with the mean 1."""
    training = TrainingSet.from_table(table)
    assert training.weights is not None
    return replace(training, weights=training.weights * training.scale, scale=1.0)


def equal(one: Tree, other: Tree) -> bool:
    return same_tests(one, other) and bool(np.allclose(one.counts, other.counts, rtol=1e-9, atol=1e-9))


@pytest.mark.parametrize("options", [UNPRUNED, GINI, *PRUNED])
def test_a_weight_is_a_record_repeated(options: GrowOptions) -> None:
    sizes = []
    for case in range(CASES):
        table = weighted(survey(case))
        tree = grow_tree(in_own_weights(table), options, 1)
        assert equal(tree, grow_tree(TrainingSet.from_table(repeated(table)), options, 1)), case
        sizes.append(len(tree))
    assert np.mean(sizes) > 5


def test_a_weight_is_a_record_repeated_in_a_forest() -> None:
    wanted, several = SysForOptions(trees=3), 0
    for case in range(CASES):
        table = weighted(survey(case))
        found = grow_forest(in_own_weights(table), UNPRUNED, wanted, 1)
        other = grow_forest(TrainingSet.from_table(repeated(table)), UNPRUNED, wanted, 1)
        assert len(found) == len(other)
        assert all(map(equal, found, other)), case
        several += len(found) > 1
    assert several > CASES / 2


def test_a_weight_is_a_record_repeated_in_a_regression_tree() -> None:
    for case in range(CASES):
        table = weighted(survey(case, gaps=True), "number")
        tree = grow_regression_tree(RegressionSet.from_table(table), UNPRUNED)
        assert equal(tree, grow_regression_tree(RegressionSet.from_table(repeated(table)), UNPRUNED)), case
        assert len(tree) > 3


def test_the_minimum_leaf_size_counts_people() -> None:
    """Where everybody stands for three, three times the leaf size of three times the records is the same."""
    for case in range(CASES):
        table = weighted(survey(case, gaps=True).with_columns(w=pl.lit(3)))
        tree = grow_tree(in_own_weights(table), replace(UNPRUNED, min_leaf=2), 1)
        many = TrainingSet.from_table(repeated(table))
        assert equal(tree, grow_tree(many, replace(UNPRUNED, min_leaf=6), 1)), case


@pytest.mark.parametrize("options", [UNPRUNED, GINI, *PRUNED])
def test_the_unit_of_weights_decides_nothing_but_the_counts(options: GrowOptions) -> None:
    """Equal weights of 250 grow, and prune, the tree of the records; counts are then 250 times as large."""
    for case in range(CASES):
        frame = survey(case, gaps=case % 2 == 1)
        plain = read_table(frame.drop("number", "w"), target="label")
        same = weighted(frame.with_columns(w=pl.lit(250.0)))
        tree, other = (grow_tree(TrainingSet.from_table(one), options, 1) for one in (plain, same))
        assert same_tests(tree, other), case
        assert np.allclose(250 * tree.counts, other.counts)


def test_a_forest_says_that_its_counts_are_weighted() -> None:
    frame = survey(1)
    forest = learnt_forest(weighted(frame), Builder(UNPRUNED, SysForOptions(trees=1)))
    plain = learnt_forest(
        read_table(frame.drop("number", "w"), target="label"), Builder(UNPRUNED, SysForOptions(trees=1))
    )
    assert forest.grown["counts"] == "weighted"
    assert "counts" not in plain.grown
    assert forest.trees[0].counts[0].sum() == frame["w"].sum()
    assert [a.name for a in forest.attributes] == ["size", "kind"]


@pytest.mark.parametrize("variant", ["see5", "credal"])
def test_variants_that_know_no_weights_refuse_them(variant: str) -> None:
    training = TrainingSet.from_table(weighted(survey(0)))
    for trees in (1, 3):
        with pytest.raises(InputError, match=r"take no weights\. Use --variant c45 or j48"):
            grow_forest(training, GrowOptions(variant=variant, min_leaf=1), SysForOptions(trees=trees), 1)
