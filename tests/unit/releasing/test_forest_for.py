from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from hushwood.demo.synthetic_tables import credit_risk
from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.releasing.forest_for import (
    Learning,
    builder_of,
    check_fits,
    forest_behind,
    forest_for,
    most_predictable,
    one_label,
    predicted_columns,
    sampled_rows,
    with_large_leaves,
)
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.plan import Plan
from hushwood.tables.reading import read_table
from hushwood.tables.schema import Attribute, Schema
from hushwood.trees.model_file import forest_to_json
from hushwood.trees.options import Builder, GrowOptions, SysForOptions, default_min_leaf
from hushwood.trees.routing import leaves_reached
from support.small_trees import income_forest

STREAMS = Streams(bytes(32))
TABLE = credit_risk(400, bytes(32))
NARROW = read_table(
    pl.DataFrame(
        {"age": [*range(20), *range(20)], "ill": ["no"] * 10 + ["yes"] * 10 + ["no"] * 10 + ["yes"] * 10}
    ),
    target="ill",
)


def plan(trees: int) -> Plan:
    return Plan("some", "leaves", (), trees)


def test_min_leaf_has_a_floor_and_a_ceiling() -> None:
    assert [default_min_leaf(n) for n in (2, 222, 223, 1000, 4444, 10**6)] == [10, 10, 10, 45, 200, 200]


def test_a_tree_and_a_forest() -> None:
    one, nothing = forest_for(TABLE, plan(1), Builder(GrowOptions(min_leaf=20)), STREAMS)
    assert (len(one.trees), nothing) == (1, ())
    three, _ = forest_for(TABLE, plan(3), Builder(GrowOptions(min_leaf=20)), STREAMS)
    assert len(three.trees) == 3
    assert three.class_name == "Credit Risk"
    assert three.grown["rows"] == 400
    assert three.grown["min_leaf"] == 20
    assert (three.grown["trees"], three.grown["goodness"]) == (3, 0.5)
    assert "goodness" not in one.grown


def test_what_grew_a_forest_is_read_from_the_forest() -> None:
    used = Builder(GrowOptions("j48", min_leaf=20), SysForOptions(goodness=0.4, separation=0.1))
    forest, _ = forest_for(TABLE, plan(3), used, STREAMS)
    assert builder_of(forest, plan(3), Builder()) == used
    one, _ = forest_for(TABLE, plan(1), used, STREAMS)
    assert builder_of(one, plan(1), used) == used.with_trees(1)
    assert builder_of(replace(forest, grown={}), plan(3), used.with_trees(9)) == used


def test_fewer_trees_than_asked_for() -> None:
    forest, warnings = forest_for(NARROW, plan(3), Builder(GrowOptions(min_leaf=5)), STREAMS)
    found = len(forest.trees)
    assert found < 3
    assert warnings == (f"The forest has {found} instead of 3 trees: the table has no more good splits.",)
    with pytest.raises(InputError, match=f"3 trees were asked for.*only {found}; ask for --trees {found}"):
        forest_for(NARROW, plan(3), Builder(GrowOptions(min_leaf=5)), STREAMS, exactly=True)
    forest_for(NARROW, plan(found), Builder(GrowOptions(min_leaf=5)), STREAMS, exactly=True)


def test_no_rules_at_all_are_told() -> None:
    forest, warnings = forest_for(NARROW, plan(1), Builder(GrowOptions(min_leaf=30)), STREAMS)
    assert len(forest.trees[0]) == 1
    assert "whole table is one segment" in warnings[0]


def sample(streams: Streams, rows: int = 1000, most: int = 100) -> list[int]:
    chosen = sampled_rows(range(rows), most, streams)
    assert chosen is not None
    return [int(row) for row in chosen]


def test_samples_are_keyed_and_in_order() -> None:
    assert sampled_rows(range(10), 10, STREAMS) is None
    rows = sample(STREAMS)
    assert len(rows) == 100
    assert rows == sorted(set(rows))
    assert rows == sample(STREAMS)
    assert rows != sample(Streams(b"\x01" * 32))


def test_a_sample_follows_the_identities_of_the_rows_and_not_their_places() -> None:
    ids = np.arange(1000) * 7 + 3
    places = sampled_rows(ids, 100, STREAMS)
    assert places is not None
    backwards = sampled_rows(ids[::-1].copy(), 100, STREAMS)
    assert backwards is not None
    assert set(ids[places].tolist()) == set(ids[::-1][backwards].tolist())


def test_the_forest_of_a_sample_is_grown_as_for_the_whole_table() -> None:
    """The size of leaves follows from the rows of the table, not from those of the sample."""
    rows = np.array(sample(STREAMS, 400, 150))
    options = PerturbOptions(technique="framework")
    forest, warnings = forest_behind(Learning(TABLE.take(rows), 1_000), plan(1), options, STREAMS, None)
    assert forest.grown["rows"] == 150
    assert forest.grown["min_leaf"] == default_min_leaf(1_000) > default_min_leaf(150)
    same, _ = forest_for(TABLE.take(rows), plan(1), options.builder(1_000), STREAMS)
    assert forest_to_json(forest)["trees"] == forest_to_json(same)["trees"]
    assert warnings == ()


def test_a_forest_of_another_table_is_refused() -> None:
    age, sex = Attribute("age", "numeric"), Attribute("sex", "categorical", categories=("Female",))
    target = Attribute("income", "categorical", "class")
    check_fits(income_forest(), Schema((age, sex, target)))
    with pytest.raises(InputError, match="tests 'sex' as a categorical column"):
        check_fits(income_forest(), Schema((age, target)))
    with pytest.raises(InputError, match="tests 'age' as a numeric column"):
        check_fits(income_forest(), Schema((replace(age, kind="categorical"), sex, target)))
    with pytest.raises(InputError, match="tests 'age' as a numeric column"):
        check_fits(income_forest(), Schema((replace(age, role="identifier"), sex, target)))
    with pytest.raises(InputError, match="no trees"):
        check_fits(replace(income_forest(), trees=()), Schema((age, sex)))


def test_a_forest_that_leads_nowhere_is_refused() -> None:
    forest = income_forest()
    schema = Schema((Attribute("age", "numeric"), Attribute("sex", "categorical")))
    first = forest.trees[0]
    for odd in (np.nan, np.inf):
        endless = replace(first, threshold=np.full(len(first), odd))
        with pytest.raises(InputError, match="node 0 has no finite threshold"):
            check_fits(replace(forest, trees=(endless,)), schema)


def test_small_leaves_are_merged_and_a_table_without_rules_left_is_told() -> None:
    forest, _ = forest_for(TABLE, plan(1), Builder(GrowOptions(min_leaf=10)), STREAMS)
    assert len(forest.trees[0]) > 1
    same, quiet = with_large_leaves(forest, TABLE, None)
    assert (same, quiet) == (forest, ())
    least = TABLE.rows // 6
    merged, quiet = with_large_leaves(forest, TABLE, least)
    sizes = np.unique(leaves_reached(merged, TABLE)[0], return_counts=True)[1]
    assert quiet == ()
    assert len(sizes) > 1
    assert sizes.min() >= least
    alone, told = with_large_leaves(forest, TABLE, TABLE.rows)
    assert len(alone.trees[0]) == 1
    (sentence,) = told
    assert sentence.startswith("No rule leaves 400 records on every side, so the whole table is one segment;")
    assert with_large_leaves(alone, TABLE, TABLE.rows) == (alone, ())


def frame(rows: int = 400) -> pl.DataFrame:
    rng = np.random.default_rng(3)
    x = rng.normal(size=rows)
    return pl.DataFrame(
        {
            "noise": rng.normal(size=rows).round(2),
            "half": np.where(rng.random(rows) < 0.2, "?", np.where(x > 0, "up", "down")),
            "x": x.round(3),
            "same": np.where(x > 0, "plus", "minus"),
            "constant": ["one"] * rows,
        }
    )


def test_the_most_predictable_columns_come_first_and_constants_are_left_out() -> None:
    found = most_predictable(read_table(frame()), STREAMS)
    assert found[0] == "same"
    assert found[-1] == "noise"
    assert "constant" not in found
    assert predicted_columns(read_table(frame()), 2, STREAMS) == found[:2]


def test_declared_classes_win() -> None:
    table = read_table(frame(), target=["noise", "half"])
    assert predicted_columns(table, 1, STREAMS) == ("noise", "half")


def test_one_column_alone_predicts_itself() -> None:
    assert most_predictable(read_table(pl.DataFrame({"a": [1, 2, 3]})), STREAMS) == ("a",)


def test_one_tree_for_several_classes_predicts_their_combinations() -> None:
    table = read_table(
        pl.DataFrame({"a": ["x", "y", None, "y"], "n": [1.0, 2.0, 3.0, 4.0], "b": ["u", "v", "u", "u"]}),
        target=["a", "b"],
    )
    label = one_label(table)
    assert label is not None
    assert label.name == "a and b"
    assert label.classes == ("x, u", "x, v", "y, u", "y, v")
    assert label.codes.tolist() == [0, 3, -1, 2]
    assert one_label(read_table(frame(), target="half")) is None


def test_without_a_class_the_principal_score_stands_in() -> None:
    label = one_label(read_table(frame()))
    assert label is not None
    assert label.name == "the first principal score"
    assert set(label.codes.tolist()) <= {0, 1, 2}
