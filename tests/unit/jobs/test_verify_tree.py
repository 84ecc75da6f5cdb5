"""A published tree against its released table alone: the same, the first difference, or files that are none."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from hushwood.errors import InputError
from hushwood.jobs.publish_tree import PublishRequest, publish_tree
from hushwood.jobs.release import ReleaseRequest, release
from hushwood.jobs.verify_tree import verify_tree
from hushwood.tables.reading import read
from hushwood.tree_publishing.options import PublishOptions, TreePlan
from hushwood.tree_publishing.rebuild import TreeVerdict
from hushwood.trees.model_file import forest_from_json
from support.people_files import write_people
from support.published_people import ugly_people

Model = dict[str, Any]


@pytest.fixture(scope="module")
def share(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A released table with its tree; both tests numbers and sets of categories."""
    folder = tmp_path_factory.mktemp("published")
    people = ugly_people(600).drop("pay", "size", "same")
    people.write_csv(folder / "people.csv")
    found = read(folder / "people.csv", target="ill", roles={"job": "confidential"})
    publish_tree(found, PublishRequest(PublishOptions(k=4), folder / "out"))
    return folder / "out" / "share"


@pytest.fixture
def model(share: Path) -> Model:
    content: Model = json.loads((share / "tree.json").read_text("utf-8"))
    return content


@pytest.fixture
def table(share: Path) -> pl.DataFrame:
    return pl.read_csv(share / "released.csv", try_parse_dates=True)


def node_where(model: Model, kind: str) -> dict[str, Any]:
    """The first node that tests a number, or a category, or is a leaf."""
    for node in model["trees"][0]["nodes"]:
        found = "leaf" if "test" not in node else "number" if "threshold" in node["test"] else "category"
        if found == kind:
            chosen: dict[str, Any] = node
            return chosen
    raise AssertionError(f"no {kind} in the tree")


def test_the_same_in_every_dress(share: Path, model: Model, table: pl.DataFrame) -> None:
    forest = forest_from_json(model)
    for released in (
        share,
        share.parent,
        share / "released.csv",
        str(share / "released.csv"),
        table,
        table.lazy(),
    ):
        for tree in (share / "tree.json", str(share / "tree.json"), model, forest):
            found = verify_tree(released, tree)
            assert found
            assert found.difference is None
    whole = read(share / "released.csv", target="ill").table
    assert verify_tree(whole, model)
    leaves, closed = len(forest.trees[0].leaves), len(forest.trees[0].closed)
    assert (found.inner_nodes, found.leaves, found.closed) == (leaves - 1, leaves, closed)
    assert found.sentence.startswith(f"The same: the {leaves - 1} inner nodes' tests are those that")
    assert f"({leaves} leaves, {closed} closed)" in found.sentence


def test_the_order_of_rows_and_columns_is_no_matter(model: Model, table: pl.DataFrame) -> None:
    assert verify_tree(table.reverse().select(reversed(table.columns)), model)


def move_threshold(model: Model) -> None:
    test = node_where(model, "number")["test"]
    test["threshold"] = float(np.nextafter(test["threshold"], np.inf))


def other_attribute(model: Model) -> None:
    node = node_where(model, "number")
    node["test"]["attribute"] = next(
        a["name"]
        for a in model["attributes"]
        if a["kind"] == "numeric" and a["name"] != node["test"]["attribute"]
    )


def swap_children(model: Model) -> None:
    children = node_where(model, "number")["children"]
    children["le"], children["gt"] = children["gt"], children["le"]


def flip_one_category(model: Model) -> None:
    node = node_where(model, "category")
    children = node["children"]
    one, other = sorted(set(children.values()))
    released = [key for key in children if key.startswith(("{", "true", "false"))] or list(children)
    key = released[0]
    children[key] = other if children[key] == one else one


def change_count(model: Model) -> None:
    node_where(model, "leaf")["counts"][0] += 1


def flip_label(model: Model) -> None:
    node = node_where(model, "leaf")
    node["label"] = next(name for name in model["classes"] if name != node["label"])


def open_leaf(model: Model) -> None:
    for node in model["trees"][0]["nodes"]:
        node.pop("closed", None)


def cut_off(model: Model) -> None:
    """The root becomes a leaf."""
    root = model["trees"][0]["nodes"][0]
    model["trees"][0]["nodes"] = [{key: root[key] for key in ("id", "counts", "label")}]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (move_threshold, "best split of the released table is"),
        (other_attribute, "best split of the released table is"),
        (swap_children, "records per class"),
        (flip_one_category, "Node"),
        (change_count, "records per class, the released table has"),
        (flip_label, "most records there are"),
        (open_leaf, "is published as a leaf, but the best split"),
        (cut_off, "Node 0 is published as a leaf, but the best split"),
    ],
)
def test_a_tree_that_was_changed(
    share: Path, model: Model, change: Callable[[Model], None], says: str
) -> None:
    before = copy.deepcopy(model)
    change(model)
    assert model != before
    found = verify_tree(share / "released.csv", model)
    assert not found
    assert found.difference is not None
    assert says in found.difference
    assert found.sentence.startswith("The released table does not give the published tree. ")


def test_every_flipped_class_is_found(share: Path, model: Model, table: pl.DataFrame) -> None:
    for row in (0, 299, 599):
        other = pl.when(pl.int_range(pl.len()) != row).then("ill")
        flipped = other.when(pl.col("ill") == "no").then(pl.lit("yes")).otherwise(pl.lit("no"))
        found = verify_tree(table.with_columns(ill=flipped), model)
        assert found.difference is not None
        assert "Node 0 is published with" in found.difference


def test_a_value_that_moved(model: Model, table: pl.DataFrame) -> None:
    node = node_where(model, "number")
    name, threshold = node["test"]["attribute"], node["test"]["threshold"]
    numbers = table[name].to_physical()
    side = (numbers <= threshold).arg_true()[0]
    above = numbers.filter(numbers > threshold).min()
    moved = numbers.scatter(side, above).cast(table.schema[name])
    assert not verify_tree(table.with_columns(moved), model)


def test_a_row_too_many_or_too_few(model: Model, table: pl.DataFrame) -> None:
    assert not verify_tree(table.head(-1), model)
    assert not verify_tree(pl.concat([table, table.head(1)]), model)


def test_regression_and_several_trees(tmp_path: Path) -> None:
    people = ugly_people().drop("ill", "job")
    plans = (TreePlan("variance"), TreePlan("variance", ("born", "city")))
    found = read(people, target="pay", response="number")
    done = publish_tree(found, PublishRequest(PublishOptions(trees=plans)))
    assert verify_tree(done.frame, done.forest)
    moved = done.frame.with_columns(
        pl.when(pl.int_range(pl.len()) != 3).then("pay").otherwise(pl.lit(9e3)).alias("pay")
    )
    difference = verify_tree(moved, done.forest).difference
    assert difference is not None
    assert difference.startswith("Tree 1: ")
    with pytest.raises(InputError, match="'pay' holds no numbers"):
        verify_tree(done.frame.with_columns(pay=pl.lit("much")), done.forest)


def test_categories_that_are_numbers_or_moments(tmp_path: Path) -> None:
    people = ugly_people(400).select(
        grade=(pl.col("age") % 3).cast(pl.Float64), day="born", smoker="smoker", ill="ill"
    )
    people = people.with_columns(
        ill=pl.when(pl.col("grade") != 1).then("ill").otherwise(pl.lit("no")),
        at=pl.when(pl.col("grade") < 2)
        .then(pl.datetime(2020, 1, 1))
        .otherwise(pl.datetime(2021, 5, 5, 7, 30)),
    )
    people.write_csv(tmp_path / "people.csv")
    schema = tmp_path / "schema.toml"
    schema.write_text(
        "".join(f'[[attribute]]\nname = "{n}"\nkind = "categorical"\n' for n in ("grade", "at")), "utf-8"
    )
    for source in (people, tmp_path / "people.csv"):
        found = read(source, target="ill", schema=schema)
        out = tmp_path / ("out" if source is people else "out2")
        done = publish_tree(found, PublishRequest(PublishOptions(k=4), out))
        assert verify_tree(out, out / "share" / "tree.json")
        assert verify_tree(done.frame, done.forest)


def test_other_columns(model: Model, table: pl.DataFrame) -> None:
    with pytest.raises(
        InputError, match=r"other columns than the tree file: it has no 'age'; give the table"
    ):
        verify_tree(table.drop("age"), model)
    with pytest.raises(InputError, match=r"the tree file does not know 'height'"):
        verify_tree(table.with_columns(height=pl.lit(3)), model)
    with pytest.raises(
        InputError, match=r"it has no 'score', 'born', 'smoker' and 3 more and the tree file does not"
    ):
        verify_tree(pl.DataFrame({"age": [1], "x": [1]}), model)


def test_values_that_the_tree_does_not_know(model: Model, table: pl.DataFrame) -> None:
    with pytest.raises(InputError, match=r"Column 'city' .* does not know, such as 'Atlantis'"):
        verify_tree(table.with_columns(city=pl.lit("Atlantis")), model)
    with pytest.raises(InputError, match=r"Column 'ill' .* does not know, such as 'perhaps'"):
        verify_tree(table.with_columns(ill=pl.lit("perhaps")), model)
    with pytest.raises(InputError, match=r"Column 'age' .* holds 'old', but the tree file has numbers"):
        verify_tree(table.with_columns(age=pl.lit("old")), model)
    gone = pl.when(pl.int_range(pl.len()) > 2).then("age").alias("age")
    with pytest.raises(InputError, match=r"Column 'age' .* lacks 3 numbers"):
        verify_tree(table.with_columns(gone), model)
    nobody = pl.when(pl.int_range(pl.len()) > 2).then("ill").alias("ill")
    with pytest.raises(InputError, match=r"The class 'ill' .* lacks 3 values"):
        verify_tree(table.with_columns(nobody), model)


def test_numbers_that_the_tree_does_not_know(model: Model, table: pl.DataFrame) -> None:
    known = {a["name"]: a for a in model["attributes"] if a["kind"] == "numeric"}
    assert {"age", "born"} <= known.keys()
    for name, attribute in known.items():
        numbers = table[name].to_physical()
        step = 10.0 ** -attribute.get("precision", 1)
        for strange in (attribute["low"] - step, attribute["high"] + step):
            changed = numbers.cast(pl.Float64).scatter(7, strange).cast(numbers.dtype).cast(table[name].dtype)
            says = rf"Column '{name}' .* does not know, such as {re.escape(str(changed[7]))}; give the table"
            with pytest.raises(InputError, match=says):
                verify_tree(table.with_columns(changed), model)


def test_a_suppressed_number_stays_what_it_is(tmp_path: Path) -> None:
    people = ugly_people().select("age", "ill", noise=pl.lit(0.5) + (pl.int_range(pl.len()) % 2))
    found = read(people, target="ill")
    plans = (TreePlan("information_gain", ("age",)),)
    done = publish_tree(found, PublishRequest(PublishOptions(trees=plans)))
    assert verify_tree(done.frame, done.forest)
    assert done.frame["noise"].n_unique() == 1
    with pytest.raises(InputError, match=r"Column 'noise' .* such as 7"):
        verify_tree(done.frame.with_columns(noise=pl.lit(7.0)), done.forest)


@pytest.mark.parametrize("mode", ["anchored", "delta"])
@pytest.mark.parametrize("k", [2, 20, 140])
def test_released_numbers_are_always_known(tmp_path: Path, mode: str, k: int) -> None:
    """Columns of every type, tested and suppressed, in every dress that a release may get."""
    i = pl.int_range(300, eager=True)
    value = np.random.default_rng(k).normal(3e5, 2e5, 300)
    people = pl.DataFrame({"i": i, "v": value}).select(
        single=pl.col("v").cast(pl.Float32),
        small=(pl.col("v") / 1e12).cast(pl.Float32),
        double="v",
        tenths=(pl.col("v").reverse() / 1e4).round(1).cast(pl.Float32),
        money=pl.col("v").reverse().cast(pl.Decimal(20, 4)),
        day=pl.lit(date(1950, 1, 1)) + pl.duration(days=pl.col("i") * 101 % 9000),
        moment=pl.datetime(2000, 1, 1) + pl.duration(microseconds=pl.col("v").cast(pl.Int64) * 999_983),
        huge=pl.col("v").cast(pl.Int64) * 10**9,
        ill=(pl.col("v") > 2e5) ^ (pl.col("i") % 7 == 0),
    )
    people.write_csv(tmp_path / "people.csv")
    for source in (people, people.to_pandas(), people.to_arrow(), tmp_path / "people.csv"):
        done = publish_tree(
            read(source, target="ill"), PublishRequest(PublishOptions(k=k, mode=mode, max_leaves=5))
        )
        assert verify_tree(done.frame, done.forest)


def test_no_records(share: Path, model: Model, table: pl.DataFrame, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="The released table has no records; give the table"):
        verify_tree(table.head(0), model)
    for suffix in (".csv", ".parquet"):
        path = tmp_path / f"released{suffix}"
        empty = table.head(0)
        empty.write_csv(path) if suffix == ".csv" else empty.write_parquet(path)
        with pytest.raises(InputError, match="no records"):
            verify_tree(path, model)


@pytest.mark.parametrize("rows", [599, "600", None])
def test_another_number_of_records(table: pl.DataFrame, model: Model, rows: Any) -> None:
    model["grown"]["rows"] = rows
    found = verify_tree(table, model)
    assert found.difference == f"The tree file counts {rows} records, the released table has 600."


def without(*keys: str) -> Callable[[Model], None]:
    def change(model: Model) -> None:
        for key in keys:
            del model["grown"][key]

    return change


def give(**words: Any) -> Callable[[Model], None]:
    return lambda model: model.update(words)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (without("criteria"), r"how its trees can be rebuilt \(grown: variant tpp, criteria\)"),
        (without("variant"), "does not say how it was grown"),
        (
            lambda model: model["grown"].update(variant="c45"),
            "grown by 'c45'; only trees of `hushwood publish-tree`",
        ),
        (lambda model: model["grown"].update(criteria=[]), "damaged"),
        (lambda model: model["grown"].update(criteria=["luck"]), "damaged"),
        (lambda model: model["grown"].update(columns=[["height"]]), "damaged"),
        (lambda model: model["grown"].update(min_leaf="few"), "damaged"),
        (lambda model: model["grown"].update(other_columns=None), "damaged"),
        (lambda model: model["grown"].update(other_columns=[3]), "damaged: other_columns"),
        (lambda model: model["grown"].update(class_bins=["x"]), "damaged: class_bins"),
        (lambda model: model["grown"].update(class_bins=[3.5]), "damaged: class_bins"),
        (give(trees=[]), "holds no tree"),
        (give(format="pmml"), "no tree file"),
        (give(version=7), "has version 7"),
        (give(attributes=[]), "damaged"),
        (give(grown=[]), "does not say how it was grown"),
    ],
)
def test_trees_that_are_none(
    table: pl.DataFrame, model: Model, change: Callable[[Model], None], says: str
) -> None:
    change(model)
    with pytest.raises(InputError, match=says):
        verify_tree(table, model)


def test_files_that_are_none(share: Path, tmp_path: Path) -> None:
    for content, says in (
        ("age,ill\n", "is not JSON"),
        ("[1]", "does not hold a JSON object"),
        ("{}", "no tree file"),
    ):
        path = tmp_path / "tree.json"
        path.write_text(content, "utf-8")
        with pytest.raises(InputError, match=says):
            verify_tree(share, path)
    with pytest.raises(InputError, match="cannot be read"):
        verify_tree(share, tmp_path / "nowhere.json")
    with pytest.raises(InputError, match="is a folder"):
        verify_tree(share, share)
    with pytest.raises(InputError, match="There is no file"):
        verify_tree(tmp_path / "nowhere.csv", share / "tree.json")
    with pytest.raises(InputError, match="holds no release"):
        verify_tree(tmp_path, share / "tree.json")
    with pytest.raises(InputError, match="is not a table"):
        verify_tree(17, share / "tree.json")


def test_the_forest_of_a_release_with_noise(tmp_path: Path) -> None:
    release(
        read(write_people(tmp_path), target="ill"), ReleaseRequest(output=tmp_path / "out", evidence="none")
    )
    with pytest.raises(InputError, match="grown by 'c45'"):
        verify_tree(tmp_path / "out", tmp_path / "out" / "private" / "forest.json")


def test_one_leaf_in_words() -> None:
    assert TreeVerdict(None, 0, 1, 0).sentence.startswith("The same: the published tree is one leaf")
    assert "1 inner node's test is the one that the same search finds" in TreeVerdict(None, 1, 2, 0).sentence
    assert not TreeVerdict("Node 0 differs.", 1, 2, 0)
