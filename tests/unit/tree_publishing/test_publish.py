"""Tables small enough to publish by hand: which expansions are made, undone or barred, and what is released.

Grown trees as the published model: their numbers, tests, counts, and the way of both tables' records.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.tables.frames.storage import frame_from_table
from hushwood.tables.reading import read
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.tree_publishing.growth import PublishedGrowth
from hushwood.tree_publishing.intervals import Recoding
from hushwood.tree_publishing.options import PublishOptions, TreePlan
from hushwood.tree_publishing.publish import Published, publish, published_forest
from hushwood.tree_publishing.rebuild import first_difference
from hushwood.tree_publishing.records import Records
from hushwood.tree_publishing.released import released_columns, released_table
from hushwood.trees.forest import Forest, Tree
from hushwood.trees.model_file import forest_from_json, forest_to_json
from hushwood.trees.routing import leaf_of_each
from support.mixed_tables import category, mixed_table, number, table_of, target
from support.published_people import smallest_diversity, smallest_group, ugly_people

AGES = (20, 21, 22, 23, 50, 51, 52, 53)


def secret(values: str, name: str = "job") -> tuple[Attribute, list[float]]:
    known = sorted(set(values))
    attribute = Attribute(name, "categorical", "confidential", "String", categories=tuple(known))
    return attribute, [known.index(value) for value in values]


def classes(values: str) -> tuple[Attribute, list[float]]:
    known = sorted(set(values))
    return target("y", known), [known.index(value) for value in values]


def eight_people(labels: str = "aaaabbbb", **more: tuple[Attribute, Sequence[float]]) -> Table:
    """Ages 20 to 23 and 50 to 53; class a is the young ones."""
    return table_of({"age": (number("age", 20, 53), AGES), **more, "y": classes(labels)})


def thresholds(published: Published, tree: int = 0) -> list[float]:
    found = published.forest.trees[tree].threshold
    return [float(value) for value in found[~np.isnan(found)]]


class TestEightPeople:
    def test_one_split_and_two_groups(self) -> None:
        published = publish(eight_people(), PublishOptions(k=4))
        assert thresholds(published) == [36.5]
        assert published.table.columns["age"].tolist() == [23] * 4 + [50] * 4
        assert published.groups.ids.tolist() == [0] * 4 + [1] * 4
        assert (published.k, published.k_with_class, published.l) == (4, 4, {})
        assert (published.tried, published.barred) == (1, 0)
        assert published.stopped == "No remaining split would say more about the class."
        assert published.warnings == ()

    def test_where_no_leaf_can_be_large_enough_nothing_is_tried(self) -> None:
        published = publish(eight_people(), PublishOptions(k=5, min_leaf=5))
        assert (published.tried, published.barred, published.k) == (0, 0, 8)
        assert published.forest.trees[0].closed == frozenset()
        assert len(set(published.table.columns["age"].tolist())) == 1
        assert published.warnings == (
            "The published tree is one leaf: no column predicts the class in leaves of the size asked for.",
        )

    def test_an_expansion_that_breaks_k_is_undone_and_its_leaf_closed(self) -> None:
        published = publish(eight_people(), PublishOptions(k=5))
        assert (published.tried, published.barred, published.k) == (1, 1, 8)
        assert published.forest.trees[0].closed == frozenset({0})
        assert published.stopped.startswith("Splitting any further leaf would violate K or L")
        assert published.warnings == (
            "The published tree is one leaf: no split satisfies K and L; ask for a smaller K or L.",
        )

    @pytest.mark.parametrize("limit", [{"max_leaves": 1}, {"max_depth": 0}])
    def test_one_leaf_that_was_asked_for(self, limit: dict[str, int]) -> None:
        published = publish(eight_people(), PublishOptions(k=1, **limit))  # type: ignore[arg-type]
        assert published.warnings == ("The published tree is one leaf: no larger tree was asked for.",)

    def test_an_expansion_that_breaks_l_is_undone(self) -> None:
        """All young ones have one job: half of all, but all of the young."""
        table = eight_people(job=secret("ppppqqqq"))
        published = publish(table, PublishOptions(k=2, l=2))
        assert (published.barred, published.l) == (1, {"job": 2})
        assert len(published.forest.trees[0]) == 1
        free = publish(table, PublishOptions(k=2, l=1))
        assert (free.barred, free.l, thresholds(free)) == (0, {"job": 1}, [36.5])

    def test_l_is_counted_on_the_original_values(self) -> None:
        table = eight_people(job=secret("ppqqppqr"))
        published = publish(table, PublishOptions(k=2, l=2))
        assert published.groups.l["job"].tolist() == [2, 2]
        assert published.table.schema["job"].categories == ("ALL",)

    def test_every_sensitive_attribute_counts(self) -> None:
        table = eight_people(job=secret("pqpqpqpq"), faith=secret("sssstttt", "faith"))
        published = publish(table, PublishOptions(k=2, l=2))
        assert published.l == {"job": 2, "faith": 2}
        assert published.barred == 1

    def test_sensitive_numbers_are_values_too(self) -> None:
        pay = Attribute("pay", "numeric", "confidential", low=0, high=9)
        published = publish(eight_people(pay=(pay, [1, 1, 2, 3, 4, 5, 6, 7])), PublishOptions(k=2, l=2))
        assert published.l == {"pay": 2}
        assert len(set(published.table.columns["pay"].tolist())) == 1

    @pytest.mark.parametrize(
        ("options", "says"),
        [
            ({"k": 9}, "the smallest group has 8 of 8 records, fewer than K = 9; ask for less"),
            ({"k": 2, "l": 3}, r"one value of 'job' has more than 1/3 of a group \(L = 2\); ask for less"),
        ],
    )
    def test_a_promise_that_the_whole_table_cannot_keep_is_refused(
        self, options: dict[str, Any], says: str
    ) -> None:
        with pytest.raises(InputError, match=f"K and L cannot be reached even with every column .*{says}"):
            publish(eight_people(job=secret("ppppqqrr")), PublishOptions(**options))


class TestClassInGroups:
    """One of each four is of the other class."""

    TABLE = eight_people("aaabbbba")

    def test_by_default_the_class_is_not_part_of_the_groups(self) -> None:
        published = publish(self.TABLE, PublishOptions(k=2, min_leaf=4))
        assert thresholds(published) == [36.5]
        assert (published.k, published.k_with_class) == (4, 1)

    def test_with_it_the_lonely_class_bars_the_split(self) -> None:
        published = publish(self.TABLE, PublishOptions(k=2, min_leaf=4, class_in_groups=True))
        assert published.barred == 1
        assert (published.k, published.k_with_class) == (8, 4)

    def test_groups_are_told_without_the_class(self) -> None:
        published = publish(eight_people(), PublishOptions(k=2, class_in_groups=True))
        assert published.groups.sizes.tolist() == [4, 4]

    def test_a_rare_class_alone_makes_the_request_infeasible(self) -> None:
        with pytest.raises(
            InputError, match=r"1 of 8 records, fewer than K = 2.* without --class-in-groups it does not"
        ):
            publish(eight_people("aaaaaaab"), PublishOptions(k=2, class_in_groups=True))


def twenty_people() -> Table:
    """x parts classes a, b from c, d. Then u would part two b from eight a, and v, less well, c from d."""
    return table_of(
        {
            "x": (number("x", 0, 1), [0] * 10 + [1] * 10),
            "u": (number("u", 0, 1), [0] * 8 + [1] * 2 + [0] * 10),
            "v": (number("v", 0, 1), [0] * 10 + [0] * 5 + [1] * 5),
            "y": classes("aaaaaaaabb" + "ccccd" + "dddcd"),
        }
    )


class TestBarredExpansions:
    """K = 3: two people cannot be told apart from the others by u."""

    def test_the_others_go_on(self) -> None:
        published = publish(twenty_people(), PublishOptions(k=3))
        (tree,) = published.forest.trees
        assert [published.forest.attributes[a].name for a in tree.attribute if a >= 0] == ["x", "v"]
        assert (published.tried, published.barred, published.k) == (3, 1, 5)
        assert tree.closed == frozenset({1})
        assert set(published.table.columns["u"].tolist()) == {0}
        assert [column.tested for column in published.columns] == [True, False, True]

    def test_unless_growth_stops_at_the_first_failure(self) -> None:
        published = publish(twenty_people(), PublishOptions(k=3, stop_at_first_failure=True))
        (tree,) = published.forest.trees
        assert (len(tree), published.tried, published.barred, published.k) == (3, 2, 1, 10)
        assert tree.closed == frozenset({1, 2}), "also the leaf that was not tried any more"
        assert published.stopped == (
            "The first expansion that failed ended growth: the smallest group has 2 of 20 records, fewer than K = 3."
        )

    @pytest.mark.parametrize("stop", [False, True])
    def test_the_release_gives_the_tree_back(self, stop: bool) -> None:
        options = PublishOptions(k=3, stop_at_first_failure=stop)
        published = publish(twenty_people(), options)
        assert first_difference(published.forest, published.table) is None

    def test_a_limit_of_leaves_ends_growth_and_closes_nothing(self) -> None:
        published = publish(twenty_people(), PublishOptions(k=2, max_leaves=2))
        assert len(published.forest.trees[0].leaves) == 2
        assert published.stopped == "Growth ended at the limit of 2 leaves."
        assert published.forest.trees[0].closed == frozenset()

    def test_a_limit_of_depth(self) -> None:
        published = publish(twenty_people(), PublishOptions(k=2, max_depth=1))
        assert len(published.forest.trees[0].leaves) == 2
        assert published.barred == 0


class TestSeveralTrees:
    """The first may test the age only, the second the height only."""

    TABLE = eight_people(height=(number("height", 150, 190), [150, 151, 180, 181, 152, 182, 183, 190]))
    PLANS = TreePlan("gini", ("age",)), TreePlan("gain_ratio", ("height",))

    def test_each_is_preserved_in_one_table(self) -> None:
        published = publish(self.TABLE, PublishOptions(k=1, min_leaf=2, max_leaves=2, trees=self.PLANS))
        assert thresholds(published) == [36.5]
        assert thresholds(published, 1) == [181.5]
        assert published.groups.sizes.tolist() == [4, 1, 3]
        assert first_difference(published.forest, published.table) is None
        assert published.forest.grown["columns"] == [["age"], ["height"]]
        assert published.forest.grown["criteria"] == ["gini", "gain_ratio"]

    def test_they_share_one_promise(self) -> None:
        """Together they would leave one person alone, so the second stays a leaf."""
        published = publish(self.TABLE, PublishOptions(k=2, max_leaves=2, trees=self.PLANS))
        assert [len(tree) for tree in published.forest.trees] == [3, 1]
        assert [tree.closed for tree in published.forest.trees] == [frozenset(), frozenset({0})]
        assert published.k == 4

    def test_a_column_that_is_not_there_or_sensitive_is_refused(self) -> None:
        with pytest.raises(InputError, match="no testable column 'agee'"):
            publish(self.TABLE, PublishOptions(k=1, trees=(TreePlan(columns=("agee",)),)))
        table = eight_people(job=secret("pqpqpqpq"))
        with pytest.raises(InputError, match="no testable column 'job'"):
            publish(table, PublishOptions(k=1, trees=(TreePlan(columns=("job",)),)))


def test_a_regression_tree() -> None:
    """Pay 10 and 20 in turn below the cut, 80 and 90 above it."""
    pay = Attribute("pay", "numeric", "class", low=10, high=90, precision=0)
    table = table_of({"age": (number("age", 20, 53), AGES), "pay": (pay, [10, 20, 10, 20, 80, 90, 80, 90])})
    published = publish(table, PublishOptions(k=4, trees=(TreePlan("variance"),)))
    assert thresholds(published) == [36.5]
    assert published.forest.trees[0].counts.tolist() == [[50], [15], [85]]
    assert published.table.columns["pay"].tolist() == table.columns["pay"].tolist()
    assert (published.k, published.k_with_class) == (4, 2)


def test_sensitive_attributes_are_never_tested() -> None:
    """The job tells the class, the age nothing."""
    table = table_of(
        {"age": (number("age", 1, 1), [1] * 8), "job": secret("ppppqqqq"), "y": classes("aaaabbbb")}
    )
    published = publish(table, PublishOptions(k=2))
    assert len(published.forest.trees[0]) == 1
    assert [a.name for a in published.forest.attributes] == ["age"]


class TestDeclaredQuasiIdentifiers:
    """The town is nobody's business, the age is what an intruder may know."""

    AGE = Attribute("age", "numeric", "quasi-identifier", low=20, high=53, precision=0)
    TABLE = eight_people(
        "aaaabbcb", town=(category("town", "pqr"), [0, 0, 0, 0, 0, 0, 1, 0]), age=(AGE, AGES)
    )

    def test_only_they_form_groups(self) -> None:
        published = publish(self.TABLE, PublishOptions(k=4))
        names = {published.forest.attributes[a].name for a in published.forest.trees[0].attribute if a >= 0}
        assert names == {"age", "town"}, "one person may be told by the town"
        assert published.groups.sizes.tolist() == [4, 4]

    def test_undeclared_the_town_counts(self) -> None:
        table = eight_people("aaaabbcb", town=(category("town", "pqr"), [0, 0, 0, 0, 0, 0, 1, 0]))
        published = publish(table, PublishOptions(k=4))
        assert set(published.table.columns["town"].tolist()) == {0}
        assert published.table.schema["town"].categories == ("ALL",)


@pytest.mark.parametrize("mode", ["anchored", "delta"])
def test_extremes_of_a_column_are_told_nowhere(mode: str) -> None:
    published = publish(eight_people(), PublishOptions(k=2, mode=mode))
    (attribute,), (column,) = published.forest.attributes, published.columns
    told = {attribute.low, attribute.high, *published.table.columns["age"].tolist()}
    told |= {number for part in column.parts for number in (part.low, part.high, part.released)}
    told |= {published.table.schema["age"].low, published.table.schema["age"].high}
    assert not told & {20, 53}


def test_missing_categories_are_a_value() -> None:
    table = table_of(
        {"town": (category("town", "pq"), [0, 1, 0, 1, -1, -1, -1, -1]), "y": classes("aaaabbbb")}
    )
    published = publish(table, PublishOptions(k=4))
    assert published.warnings == ("Column 'town' lacks 4 values; missing is treated as a value.",)
    assert published.table.columns["town"].tolist() == [2] * 4 + [-1] * 4
    assert published.table.schema["town"].categories == ("p", "q", "{p, q}")
    assert first_difference(published.forest, published.table) is None


def test_missing_numbers_are_refused_or_suppressed() -> None:
    heights = (number("height", 150, 190), [150.0, float("nan"), *[160.0] * 5, 190.0])
    table = eight_people(height=heights)
    with pytest.raises(InputError, match="'height' lacks 1 numbers"):
        publish(table, PublishOptions(k=4))
    published = publish(table, PublishOptions(k=4, missing_numbers="suppress"))
    assert len(set(published.table.columns["height"].tolist())) == 1
    assert thresholds(published) == [36.5]
    assert "height" not in {a.name for a in published.forest.attributes}
    assert "height" in published.forest.grown["other_columns"]
    assert [column.name for column in published.columns] == ["age", "height"]


def test_thresholds_that_are_data_values_are_kept() -> None:
    published = publish(eight_people(), PublishOptions(k=4, thresholds="data"))
    assert thresholds(published) == [23]
    assert first_difference(published.forest, published.table) is None


class TestPeopleOfAllKinds:
    """A frame with dates, booleans, an Enum, odd texts and gaps."""

    FRAME = ugly_people()

    def published(self, mode: str = "anchored", **roles: Any) -> tuple[Published, pl.DataFrame]:
        frame = self.FRAME.drop("pay").with_columns(name=pl.int_range(pl.len()).cast(pl.String))
        table = read(frame, target="ill", roles={"job": "confidential", "name": "identifier", **roles}).table
        published = publish(table, PublishOptions(k=5, l=2, mode=mode))
        return published, frame_from_table(published.table)

    @pytest.mark.parametrize("mode", ["anchored", "delta"])
    def test_columns_keep_their_types_where_they_can(self, mode: str) -> None:
        published, frame = self.published(mode)
        for name in ("age", "score", "born", "ill"):
            assert frame.schema[name] == self.FRAME.schema[name]
        assert published.table.schema["age"].integer
        assert frame["ill"].to_list() == self.FRAME["ill"].to_list()
        assert isinstance(frame["born"][0], date)

    @pytest.mark.parametrize("mode", ["anchored", "delta"])
    def test_k_and_l_counted_again_and_the_tree_built_again(self, mode: str) -> None:
        published, frame = self.published(mode)
        by = ["age", "score", "born", "smoker", "city", "size", "same"]
        assert smallest_group(frame, by) == published.k >= 5
        assert smallest_diversity(frame, by, self.FRAME["job"]) == published.l["job"] >= 2
        assert first_difference(published.forest, published.table) is None

    def test_identifiers_and_ignored_columns_take_no_part(self) -> None:
        published, _ = self.published(same="ignored")
        told = {column.name for column in published.columns} | {a.name for a in published.forest.attributes}
        assert not told & {"name", "same"}
        assert published.table.carried.columns == ["same", "name"]

    def test_original_records_find_the_leaves_of_their_released_ones(self) -> None:
        published, _ = self.published()
        table = read(self.FRAME.drop("pay"), target="ill", roles={"job": "confidential"}).table
        for tree in published.forest.trees:
            ways = [leaf_of_each(tree, published.forest, t.columns) for t in (table, published.table)]
            assert ways[0].tolist() == ways[1].tolist()


def test_stages_are_told() -> None:
    told: list[str] = []
    publish(eight_people(), PublishOptions(k=4), lambda name, done, total: told.append(name))
    assert told == ["reading the columns", "growing the tree", "generalising the table"]


def complete(table: Table) -> Table:
    """Only records without missing numbers and class."""
    known = np.ones(table.rows, bool)
    for name in ("count", "price", "ratio", "risk"):
        column = table.columns[name]
        known &= ~np.isnan(column) if column.dtype.kind == "f" else column >= 0
    return table.take(np.flatnonzero(known))


@settings(max_examples=15)
@given(
    st.integers(0, 10**6),
    st.sampled_from(["information_gain", "gain_ratio", "gini"]),
    st.sampled_from(["anchored", "delta"]),
)
def test_the_order_of_the_records_and_the_threads_do_not_matter(seed: int, criterion: str, mode: str) -> None:
    table = complete(mixed_table(seed, 150))
    order = np.random.default_rng(seed).permutation(table.rows)
    plan = TreePlan(criterion, ("count", "price", "ratio", "city", "job"))
    options: dict[str, Any] = {"k": 4, "mode": mode, "trees": (plan,), "missing_numbers": "suppress"}
    first = publish(table, PublishOptions(threads=1, **options), streams=Streams(bytes(32)))
    other = publish(table.take(order), PublishOptions(threads=2, **options), streams=Streams(bytes(32)))
    mine, theirs = first.forest.trees[0], other.forest.trees[0]
    for field in ("attribute", "threshold", "branches", "missing_to", "counts", "label"):
        np.testing.assert_array_equal(getattr(mine, field), getattr(theirs, field))
    assert mine.closed == theirs.closed
    assert first.groups.ids[order].tolist() == other.groups.ids.tolist()
    assert Counter(first.groups.sizes.tolist()) == Counter(other.groups.sizes.tolist())
    for name in ("count", "price", "city", "job"):
        assert first.table.columns[name][order].tolist() == other.table.columns[name].tolist()
    assert first.columns[0] == other.columns[0]


PAY = Attribute("pay", "numeric", "class", low=0, high=99)


def modelled(table: Table, names: Sequence[str], leaves: int = 99, **options: Any) -> tuple[Forest, Table]:
    """One tree grown without any promise, and the table that goes with it."""
    wanted = PublishOptions(k=1, **options)
    records = Records.of(table, names)
    growth = PublishedGrowth(records, wanted.trees[0].criterion, range(len(names)))
    recodings = {a: Recoding.untested(records.counts_of_values(a)) for a in range(len(names))}
    while len(growth.leaves()) < leaves and (leaf := growth.next_leaf()) is not None:
        best = growth.nodes[leaf].best
        assert best is not None
        recodings[best.attribute] = recodings[best.attribute].with_test(best, wanted.anchored)
        growth.split_node(leaf)
    for leaf in growth.leaves():
        growth.nodes[leaf].closed = growth.nodes[leaf].best is not None
    columns = released_columns(table, records, recodings, wanted.anchored, Streams(bytes(32)))
    return published_forest(table, records, [growth], columns, wanted), released_table(table, columns)


def ages(classes: str, *values: float) -> Table:
    known = sorted(set(classes))
    codes: list[float] = [known.index(c) for c in classes]
    return table_of({"age": (number("age", 0, 99), values), "y": (target("y", known), codes)})


def words(known: str, codes: Sequence[float], classes: Sequence[float]) -> Table:
    return table_of({"w": (category("w", known), codes), "y": (target("y", "ab"), classes)})


def children(tree: Tree, node: int = 0) -> list[int]:
    return [int(child) for child in tree.branches_of(node)]


def test_a_leaf_alone() -> None:
    forest, _ = modelled(ages("aab", 5, 5, 5), ["age"])
    (tree,) = forest.trees
    assert (len(tree), tree.counts.tolist(), tree.label.tolist()) == (1, [[2, 1]], [0])
    assert tree.closed == frozenset()


def test_nodes_are_numbered_in_preorder_not_as_they_were_made() -> None:
    """The root parts the last four from the rest; then the left child is split, before or after the right one."""
    forest, _ = modelled(ages("aabbaabb", 1, 2, 3, 4, 11, 12, 13, 14), ["age"])
    (tree,) = forest.trees
    for parent, child in tree.edges():
        assert child > parent
    inner = [node for node in range(len(tree)) if len(tree.branches_of(node))]
    assert all(children(tree, node)[0] == node + 1 for node in inner)
    assert tree.counts[0].tolist() == [4, 4]
    assert tree.counts[tree.leaves].sum(axis=0).tolist() == [4, 4]


@pytest.mark.parametrize(("thresholds", "threshold"), [("midpoint", 6.0), ("data", 2.0)])
def test_a_threshold_is_the_midpoint_or_the_largest_value_up_to_it(thresholds: str, threshold: float) -> None:
    forest, _ = modelled(ages("aabb", 1, 2, 10, 11), ["age"], thresholds=thresholds)
    (tree,) = forest.trees
    assert tree.threshold[0] == threshold
    assert np.isnan(tree.threshold[1:]).all()
    assert children(tree) == [1, 2]


def test_closed_leaves_are_told_by_their_published_numbers() -> None:
    """Two leaves of three are allowed: a, b and a again; the one that is still mixed is closed."""
    forest, _ = modelled(ages("aabba", 1, 2, 3, 4, 5), ["age"], leaves=2)
    (tree,) = forest.trees
    assert tree.counts.tolist() == [[3, 2], [2, 0], [1, 2]]
    assert tree.closed == frozenset({2})


def test_without_a_number_missing_values_go_with_the_larger_part() -> None:
    few, many = (modelled(ages(c, 1, 2, 3, 4), ["age"])[0].trees[0] for c in ("abbb", "aaab"))
    assert (few.missing_to.tolist(), many.missing_to.tolist()) == ([2, -1, -1], [1, -1, -1])


def test_a_set_of_values_has_a_branch_for_every_original_value_and_every_label() -> None:
    forest, _ = modelled(words("pqr", [0, 1, 2], [0, 1, 0]), ["w"])
    (tree,) = forest.trees
    assert forest.attributes[0].categories == ("p", "q", "r", "{p, r}")
    assert children(tree) == [1, 2, 1, 1]
    assert np.isnan(tree.threshold[0])
    assert forest.grown["labels"] == {"w": {"{p, r}": ["p", "r"]}}


def test_missing_categories_follow_their_own_branch_alone() -> None:
    forest, _ = modelled(words("pq", [0, 1, 1, -1], [0, 0, 0, 1]), ["w"])
    (tree,) = forest.trees
    assert tree.missing_to[0] == 2, "the smaller part"
    assert forest.attributes[0].categories == ("p", "q", "{p, q}", "missing")
    assert children(tree) == [1, 1, 1, 2], "every child is some category's"


def test_a_forest_with_missing_values_alone_can_be_written_and_read() -> None:
    forest, released = modelled(words("pq", [0, 1, 1, -1], [0, 0, 0, 1]), ["w"])
    again = forest_from_json(forest_to_json(forest))
    assert again.attributes[0].categories == forest.attributes[0].categories
    assert leaf_of_each(again.trees[0], again, released.columns).tolist() == [1, 1, 1, 2]


def test_missing_values_beside_a_category_called_missing() -> None:
    table = table_of(
        {"w": (category("w", ["p", "missing"]), [0, 1, -1]), "y": (target("y", "ab"), [0, 0, 1])}
    )
    forest, released = modelled(table, ["w"])
    assert forest.attributes[0].categories == ("p", "missing", "{p, missing}", "missing (no value)")
    assert leaf_of_each(forest.trees[0], forest, released.columns).tolist() == [1, 1, 2]


def test_missing_categories_follow_their_own_branch_merged() -> None:
    """r and the missing ones are of class b, and together the smaller part."""
    table = words("pqr", [0, 0, 1, 2, -1], [0, 0, 0, 1, 1])
    forest, released = modelled(table, ["w"])
    (tree,) = forest.trees
    assert forest.attributes[0].categories[-2:] == ("{p, q}", "{r, missing}")
    assert tree.missing_to[0] == 2
    assert leaf_of_each(tree, forest, table.columns).tolist() == [1, 1, 1, 2, 2]
    assert leaf_of_each(tree, forest, released.columns).tolist() == [1, 1, 1, 2, 2]


def test_original_and_released_records_end_in_the_same_leaves() -> None:
    chance = np.random.default_rng(8)
    columns: dict[str, Any] = {
        "x": (number("x", 0, 40), chance.integers(0, 40, 200).tolist()),
        "w": (category("w", "pqrstu"), chance.integers(-1, 6, 200).tolist()),
        "z": (number("z", 0, 1, None), chance.random(200).tolist()),
        "y": (target("y", "ab"), chance.integers(0, 2, 200).tolist()),
    }
    table = table_of(columns)
    for mode in ("anchored", "delta"):
        forest, released = modelled(table, ["x", "w", "z"], leaves=20, mode=mode)
        (tree,) = forest.trees
        leaves = leaf_of_each(tree, forest, table.columns)
        assert leaves.tolist() == leaf_of_each(tree, forest, released.columns).tolist()
        found = np.zeros_like(tree.counts)
        np.add.at(found, (leaves, table.columns["y"]), 1)
        assert found[tree.leaves].tolist() == tree.counts[tree.leaves].tolist()


def test_a_regression_tree_has_means_and_no_classes() -> None:
    table = table_of({"x": (number("x", 0, 9), [1, 2, 8, 9]), "pay": (PAY, [10, 20, 40, 90])})
    forest, _ = modelled(table, ["x"], leaves=2, trees=(TreePlan("variance"),))
    (tree,) = forest.trees
    assert (forest.class_name, forest.classes) == ("pay", ())
    assert tree.counts[0].tolist() == [40]
    assert tree.label.tolist() == [0] * len(tree)


def test_means_of_a_regression_tree_are_those_of_its_records() -> None:
    """9 alone has 90: the cut before it takes most of the variance."""
    table = table_of({"x": (number("x", 0, 9), [1, 2, 8, 9]), "pay": (PAY, [10, 20, 30, 90])})
    (tree,) = modelled(table, ["x"], leaves=2, trees=(TreePlan("variance"),))[0].trees
    assert tree.threshold[0] == 8.5
    assert tree.counts.tolist() == [[37.5], [20], [90]]


def test_other_columns_are_named_but_for_the_class_and_identifiers() -> None:
    table = table_of(
        {
            "age": (number("age", 0, 9), [1, 2]),
            "job": (Attribute("job", "categorical", "confidential", "String", categories=("s", "t")), [0, 1]),
            "y": (target("y", "ab"), [0, 1]),
        }
    )
    carried = [Attribute("name", "categorical", "identifier"), Attribute("note", "categorical", "ignored")]
    schema = type(table.schema)((*table.schema.attributes, *carried))
    frame = pl.DataFrame({"name": ["Ann", "Bob"], "note": ["-", "-"]})
    forest, _ = modelled(Table(schema, table.columns, frame, 2), ["age"])
    assert forest.grown["other_columns"] == ["job", "note"]
    assert forest.grown["rows"] == 2
    assert forest.grown["columns"] == [["age"]]
    assert [a.name for a in forest.attributes] == ["age"]
