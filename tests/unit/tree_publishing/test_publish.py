"""Tables small enough to publish by hand: which expansions are made, undone or barred, and what is released."""

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
from hushwood.tables.frames.table_frames import frame_from_table
from hushwood.tables.reading import read
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.tree_publishing.options import PublishOptions, TreePlan
from hushwood.tree_publishing.publish import Published, publish
from hushwood.tree_publishing.rebuild import first_difference
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
