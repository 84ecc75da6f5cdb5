"""A tree file that was changed anywhere is told from the one that its table gives, in words that say where.

What lies on disk is looked at again before anybody sees it: rules, tree, K and L.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from hushwood.errors import BrokenCertificate, InternalFault
from hushwood.jobs.publish_tree import PublishRequest, TreePublication, publish_tree
from hushwood.tables.reading import Reading, read
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.tree_publishing import rebuild
from hushwood.tree_publishing.options import PublishOptions, TreePlan
from hushwood.tree_publishing.publish import Published, publish
from hushwood.tree_publishing.rebuild import TreeVerdict, first_difference
from hushwood.trees.forest import Forest, Tree
from support.mixed_tables import category, number, table_of, target
from support.people_files import contents, write_people
from support.published_people import ugly_people

PAY = Attribute("pay", "numeric", "class", low=0, high=99, precision=0)


def ages(labels: str = "aabbcc", **options: Any) -> Published:
    """Two each of ages 1 and 2, 5 and 6, 11 and 12: cut at 3.5 first, then at 8.5."""
    known = sorted(set(labels))
    codes = [known.index(label) for label in labels]
    table = table_of({"age": (number("age", 0, 99), [1, 2, 5, 6, 11, 12]), "y": (target("y", known), codes)})
    return publish(table, PublishOptions(k=1, **options))


def towns(**options: Any) -> Published:
    """p and r are all of class a, q and s all of class b."""
    codes, classes = [0, 0, 1, 1, 2, 2, 3, 3], [0, 0, 1, 1, 0, 0, 1, 1]
    table = table_of({"town": (category("town", "pqrs"), codes), "y": (target("y", "ab"), classes)})
    return publish(table, PublishOptions(k=1, **options))


def pays() -> Published:
    table = table_of({"age": (number("age", 0, 99), [1, 2, 5, 6]), "pay": (PAY, [10, 20, 70, 80])})
    return publish(table, PublishOptions(k=2, trees=(TreePlan("variance"),)))


def changed(forest: Forest, field: str, at: Any, value: Any) -> Forest:
    """The same forest with one number of its first tree replaced."""
    array = getattr(forest.trees[0], field).copy()
    array[at] = value
    return replace(forest, trees=(replace(forest.trees[0], **{field: array}), *forest.trees[1:]))


def grown_otherwise(forest: Forest, **words: Any) -> Forest:
    return replace(forest, grown=dict(forest.grown) | words)


def with_class(table: Table, codes: Sequence[float]) -> Table:
    return table.with_columns({"y": np.array(codes, np.int32)})


def test_what_was_published_is_given_back() -> None:
    for published in (ages(), towns(), pays(), ages(mode="delta"), ages(thresholds="data")):
        assert len(published.forest.trees[0]) > 1
        assert first_difference(published.forest, published.table) is None
        assert first_difference(published.forest, published.table, threads=2) is None


def test_the_shape_that_the_other_tests_rely_on() -> None:
    (tree,) = ages().forest.trees
    assert tree.threshold[[0, 2]].tolist() == [3.5, 8.5]
    assert towns().forest.attributes[0].categories == ("p", "q", "r", "s", "{p, r}", "{q, s}")


@pytest.mark.parametrize("towards", [-np.inf, np.inf])
def test_a_threshold_that_is_one_bit_off(towards: float) -> None:
    published = ages()
    other = float(np.nextafter(3.5, towards))
    assert first_difference(changed(published.forest, "threshold", 0, other), published.table) == (
        f"Node 0 is published as the test age ≤ {other!r}, but the best split of the released table is "
        "age ≤ 3.5 (gain 0.9182958341)."
    )


def test_a_deeper_threshold_is_told_by_its_node() -> None:
    published = ages()
    said = first_difference(changed(published.forest, "threshold", 2, 8.0), published.table)
    assert said is not None
    assert said.startswith("Node 2 is published as the test age ≤ 8.0, but the best split")


def test_a_test_of_another_column() -> None:
    """Both columns part the classes, and the first is taken; the tree file says the second."""
    columns = {name: (number(name, 0, 9), [1, 1, 2, 2]) for name in ("u", "v")}
    table = table_of({**columns, "y": (target("y", "ab"), [0, 0, 1, 1])})
    published = publish(table, PublishOptions(k=1, trees=(TreePlan(), TreePlan(columns=("v",)))))
    assert first_difference(published.forest, published.table) is None
    assert first_difference(changed(published.forest, "attribute", 0, 1), published.table) == (
        "Tree 1: Node 0 is published as the test v ≤ 1.5, but the best split of the released table is "
        "u ≤ 1.5 (gain 1)."
    )


@pytest.mark.parametrize("label", ["{p, r}", "{q, s}"])
def test_a_released_value_that_is_sent_the_other_way(label: str) -> None:
    published = towns()
    code = published.forest.attributes[0].categories.index(label)
    way = published.forest.trees[0].branches[code]
    said = first_difference(changed(published.forest, "branches", code, 3 - way), published.table)
    assert said is not None
    assert said.startswith("Node 0 is published as the test town in {")
    assert said.endswith("but the best split of the released table is town = {p, r} (gain 1).")


@pytest.mark.parametrize("name", ["p", "s"])
def test_an_original_value_that_is_sent_another_way_than_its_label(name: str) -> None:
    """No released record has it any more, but the tree file itself says what the label stands for."""
    published = towns()
    code = published.forest.attributes[0].categories.index(name)
    way = published.forest.trees[0].branches[code]
    said = first_difference(changed(published.forest, "branches", code, 3 - way), published.table)
    assert said is not None
    assert said.startswith(f"Node 0 sends {name!r} another way than '{{")


def test_a_category_called_missing_beside_missing_values_is_not_taken_for_them() -> None:
    table = table_of(
        {
            "town": (category("town", ["p", "missing"]), [0, 0, 1, 1, -1, -1]),
            "y": (target("y", "ab"), [0, 0, 1, 1, 0, 0]),
        }
    )
    published = publish(table, PublishOptions(k=1))
    assert published.forest.grown["labels"] == {"town": {"{p, missing}": ["p", "missing"]}}
    assert first_difference(published.forest, published.table) is None


@pytest.mark.parametrize("codes", [[0, 0, 1], [0, 1, 1]])
def test_missing_values_that_are_sent_the_other_way(codes: list[int]) -> None:
    table = table_of(
        {"town": (category("town", "pq"), [*codes, -1, -1]), "y": (target("y", "ab"), [0, 0, 0, 1, 1])}
    )
    published = publish(table, PublishOptions(k=1))
    assert first_difference(published.forest, published.table) is None
    way = published.forest.trees[0].missing_to[0]
    said = first_difference(changed(published.forest, "missing_to", 0, 3 - way), published.table)
    assert said is not None
    assert "is published as the test town" in said


@pytest.mark.parametrize("node", [0, 1, 4])
def test_changed_counts_of_any_node(node: int) -> None:
    published = ages()
    wanted = " · ".join(f"{count:.0f}" for count in published.forest.trees[0].counts[node])
    said = first_difference(changed(published.forest, "counts", node, [7, 1, 0]), published.table)
    assert said == (
        f"Node {node} is published with 7 · 1 · 0 records per class, the released table has {wanted} there."
    )


def test_a_flipped_class_of_a_record() -> None:
    published = ages()
    said = first_difference(published.forest, with_class(published.table, [0, 1, 1, 1, 2, 2]))
    assert (
        said
        == "Node 0 is published with 2 · 2 · 2 records per class, the released table has 1 · 3 · 2 there."
    )


def test_two_records_that_swap_their_classes() -> None:
    """The root has as many of each, but the best split is another."""
    published = ages()
    said = first_difference(published.forest, with_class(published.table, [0, 1, 0, 1, 2, 2]))
    assert said is not None
    assert said.startswith("Node 0 is published as the test age ≤ 3.5, but the best split")


def without_the_second_test(forest: Forest) -> Forest:
    """The tree of two leaves that is left when the node below the root becomes a leaf."""
    (tree,) = forest.trees
    stump = Tree(
        np.array([0, -1, -1], np.int32),
        np.array([tree.threshold[0], np.nan, np.nan]),
        np.array([0, 2, 2, 2], np.int64),
        np.array([1, 2], np.int32),
        np.array([2, -1, -1], np.int32),
        tree.counts[:3],
        tree.label[:3],
    )
    return replace(forest, trees=(stump,))


def test_a_dropped_node() -> None:
    published = ages()
    assert first_difference(without_the_second_test(published.forest), published.table) == (
        "Node 2 is published as a leaf, but the best split of the released table is age ≤ 8.5 (gain 1)."
    )


def test_a_dropped_node_of_a_closed_leaf_is_what_was_promised() -> None:
    published = ages()
    forest = without_the_second_test(published.forest)
    closed = replace(forest, trees=(replace(forest.trees[0], closed=frozenset({2})),))
    assert first_difference(closed, published.table) is None


def test_a_test_where_there_is_nothing_to_part() -> None:
    published = ages()
    same = published.table.with_columns({"age": np.full(6, 4.0)})
    assert first_difference(published.forest, same) == (
        "Node 0 is published as the test age ≤ 3.5, but the released table has no split worth making there."
    )


def test_limits_of_depth_and_of_leaf_size_count() -> None:
    published = ages()
    shallow = grown_otherwise(published.forest, max_depth=1)
    assert first_difference(shallow, published.table) == (
        "Node 2 is published as the test age ≤ 8.5, but the released table has no split worth making there."
    )
    large = grown_otherwise(published.forest, min_leaf=3)
    assert first_difference(large, published.table) is not None


class TestLimitOfLeaves:
    def test_a_tree_that_is_full_is_not_asked_for_more(self) -> None:
        published = ages(max_leaves=2)
        assert len(published.forest.trees[0].leaves) == 2
        assert first_difference(published.forest, published.table) is None

    def test_a_tree_that_is_not_full_is(self) -> None:
        """Of the table released for three leaves, not for two."""
        forest = grown_otherwise(without_the_second_test(ages().forest), max_leaves=3)
        said = first_difference(forest, ages().table)
        assert said is not None
        assert said.startswith("Node 2 is published as a leaf")

    def test_more_leaves_than_the_limit(self) -> None:
        published = ages()
        assert first_difference(grown_otherwise(published.forest, max_leaves=2), published.table) == (
            "Node 2 is published as the test age ≤ 8.5, but a tree of 2 leaves is full before."
        )

    def test_the_leaf_worth_most_must_have_been_split_first(self) -> None:
        """Left of 10 the cut is worth six records' bit, right of it four records'; three leaves have room for one."""
        x, y = [1, 1, 1, 2, 2, 2, 21, 21, 22, 22], [0, 0, 0, 1, 1, 1, 2, 2, 3, 3]
        table = table_of({"x": (number("x", 0, 99), x), "y": (target("y", "abcd"), y)})
        full = publish(table, PublishOptions(k=1))
        left = publish(table, PublishOptions(k=1, max_leaves=3))
        assert left.forest.trees[0].counts[[2, 3]].tolist() == [[3, 0, 0, 0], [0, 3, 0, 0]]
        assert first_difference(left.forest, left.table) is None
        whole = full.forest.trees[0]
        other = Tree(
            np.array([0, -1, 0, -1, -1], np.int32),
            np.array([whole.threshold[0], np.nan, whole.threshold[4], np.nan, np.nan]),
            np.array([0, 2, 2, 4, 4, 4], np.int64),
            np.array([1, 2, 3, 4], np.int32),
            np.array([1, -1, 3, -1, -1], np.int32),
            whole.counts[[0, 1, 4, 5, 6]],
            whole.label[[0, 1, 4, 5, 6]],
        )
        forest = grown_otherwise(replace(full.forest, trees=(other,)), max_leaves=3)
        assert first_difference(forest, full.table) == (
            "Node 1 is published as a leaf, but the best split of the released table is x ≤ 1.5 (gain 1)."
        )


class TestRegression:
    def test_a_changed_mean(self) -> None:
        published = pays()
        assert first_difference(changed(published.forest, "counts", 1, 15.001), published.table) == (
            "Node 1 is published with the mean 15.001, the released table has 15 there."
        )

    def test_the_last_bit_of_a_mean_does_not_matter(self) -> None:
        published = pays()
        near = changed(published.forest, "counts", 1, np.nextafter(15, 16))
        assert first_difference(near, published.table) is None

    def test_a_threshold_that_is_one_bit_off(self) -> None:
        published = pays()
        near = changed(published.forest, "threshold", 0, np.nextafter(3.5, 4))
        assert first_difference(near, published.table) is not None


def test_files_without_labels_can_be_rebuilt() -> None:
    published = towns()
    kept = {word: value for word, value in published.forest.grown.items() if word != "labels"}
    assert first_difference(replace(published.forest, grown=kept), published.table) is None


@pytest.fixture
def reading(tmp_path: Path) -> Reading:
    return read(write_people(tmp_path), target="ill")


def published(reading: Reading, output: Path | None = None, **options: Any) -> TreePublication:
    return publish_tree(reading, PublishRequest(PublishOptions(**options), output))


def spoilt(change: Callable[[pl.DataFrame], pl.DataFrame], monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written differs from what was published."""
    from hushwood.tables.formats import files

    write = files.write_frame
    monkeypatch.setattr(files, "write_frame", lambda frame, path, **how: write(change(frame), path, **how))


FLIPPED = pl.when(pl.int_range(pl.len()) == 0).then(pl.lit("yes")).otherwise("ill").alias("ill")


@pytest.mark.parametrize(
    ("change", "fault", "says"),
    [
        (pl.lit(18).alias("age"), BrokenCertificate, "nothing was released"),
        (FLIPPED, InternalFault, "does not give the tree: Node 0"),
        (pl.lit(1).alias("more"), InternalFault, "cannot be read back: The released table has other columns"),
    ],
    ids=["rules broken", "another tree", "not readable"],
)
def test_a_file_that_is_not_what_was_published_is_not_shown(
    tmp_path: Path,
    reading: Reading,
    monkeypatch: pytest.MonkeyPatch,
    change: pl.Expr,
    fault: type[Exception],
    says: str,
) -> None:
    spoilt(lambda frame: frame.with_columns(change), monkeypatch)
    before = contents(tmp_path)
    with pytest.raises(fault, match=says):
        published(reading, tmp_path / "out")
    assert contents(tmp_path) == before


def test_a_release_that_breaks_k_is_not_shown(
    tmp_path: Path, reading: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = published(reading)
    free = next(c["name"] for c in done.document["columns"] if c["what"] == "suppressed")
    assert free == "group"
    monkeypatch.setattr(rebuild, "verdict", lambda forest, table: TreeVerdict(None, 1, 1, 0))
    monkeypatch.setattr(rebuild, "read_released", lambda forest, released: None)
    alone = pl.when(pl.int_range(pl.len()) == 7).then(pl.lit("x")).otherwise("group").alias("group")
    spoilt(lambda frame: frame.with_columns(alone), monkeypatch)
    with pytest.raises(InternalFault, match="The smallest group has 1 records, fewer than K = 5"):
        published(reading, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_release_that_breaks_l_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rebuild, "counted", lambda *given: (5, {"job": 1.9}))
    with pytest.raises(InternalFault, match=r"'job' has L = 1\.9 in some group, less than 2"):
        published(read(ugly_people().drop("pay"), target="ill", roles={"job": "confidential"}), l=2.0)


def test_counting_again_by_hand() -> None:
    people = pl.DataFrame(
        {
            "a": [1, 1, 1, 2, 2, None, None],
            "b": ["x"] * 7,
            "s": ["p", "p", "q", None, None, "p", "q"],
            "c": list("yynynyn"),
        }
    )
    original = read(people, target="c", roles={"s": "confidential"}).table
    assert rebuild.counted(original, people, ["a", "b"]) == (2, {"s": 1.0})
    assert rebuild.counted(original, people, ["b"]) == (7, {"s": 7 / 3})
    assert rebuild.counted(original, people, []) == (7, {"s": 7 / 3})
