"""One tree while it grows: which split wins, which leaf comes next, what stays together, when it stops."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, nextafter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.tree_publishing.growth import Growth, Split, midpoint, needs_fixed_order
from hushwood.tree_publishing.kernels.splits import LEFT, RIGHT
from hushwood.tree_publishing.records import Records
from hushwood.trees.binary import CELLS_FOR_THREADS
from support.mixed_tables import category, number, table_of, target

FINITE = st.floats(allow_nan=False, allow_infinity=False)
CRITERIA = ("information_gain", "gain_ratio", "gini")


def numeric_table(classes: str, **columns: Sequence[float]) -> Table:
    """Integer columns and a class written as a word: one letter a record."""
    known = sorted(set(classes))
    inputs = {name: (number(name, min(v), max(v)), v) for name, v in columns.items()}
    return table_of({**inputs, "class": (target("class", known), [known.index(c) for c in classes])})


def word_table(classes: str, words: str) -> Table:
    """One categorical column and the class, a letter a record in both."""
    known, labels = sorted(set(words)), sorted(set(classes))
    return table_of(
        {
            "w": (category("w", known), [known.index(w) for w in words]),
            "class": (target("class", labels), [labels.index(c) for c in classes]),
        }
    )


def growth_of(table: Table, criterion: str = "information_gain", **options: object) -> Growth:
    names = [a.name for a in table.schema.inputs]
    records = Records.of(table, names)
    return Growth(records, criterion, range(len(names)), **options)  # type: ignore[arg-type]


def best(growth: Growth, node: int = 0) -> Split:
    found = growth.nodes[node].best
    assert found is not None
    return found


def members(growth: Growth, node: int) -> list[int]:
    found = growth.nodes[node]
    return sorted(growth.rows(found).tolist())


@pytest.mark.parametrize(
    ("criterion", "gain"), [("information_gain", 1.0), ("gain_ratio", 1.0), ("gini", 0.5)]
)
def test_a_perfect_cut_of_two_even_classes(criterion: str, gain: float) -> None:
    growth = growth_of(numeric_table("aaabbb", x=[1, 2, 3, 10, 11, 12]), criterion)
    found = best(growth)
    assert (found.below, found.above, found.midpoint) == (2, 3, 6.5)
    assert found.gain == pytest.approx(gain)
    assert growth.nodes[0].worth == pytest.approx(6 * gain)


def test_the_gain_of_the_variance_is_the_variance_that_goes() -> None:
    """Responses 1, 1, 5, 9: cut behind the second the variance falls from 11 to 2."""
    pay = Attribute("pay", "numeric", "class", low=1, high=9)
    table = table_of({"x": (number("x", 0, 3), [0, 1, 2, 3]), "pay": (pay, [1, 1, 5, 9])})
    growth = growth_of(table, "variance")
    assert best(growth).midpoint == 1.5
    unit = np.ptp(growth.records.response) / 8
    assert best(growth).gain / unit**2 == pytest.approx(9)


def test_the_first_attribute_wins_among_equals() -> None:
    """u and v part the classes equally well; w is v again, better sorted but later."""
    table = numeric_table("aabb", u=[9, 9, 1, 1], v=[1, 1, 2, 2], w=[1, 2, 3, 4])
    assert best(growth_of(table)).attribute == 0
    records = Records.of(table, ["u", "v", "w"])
    assert best(Growth(records, "gini", [2, 1])).attribute == 2


def test_a_better_later_attribute_wins() -> None:
    table = numeric_table("aabb", u=[1, 2, 2, 3], v=[5, 5, 6, 6])
    assert best(growth_of(table)).attribute == 1


def test_columns_that_a_tree_may_not_test_are_not_searched() -> None:
    table = numeric_table("aabb", u=[1, 2, 2, 3], v=[5, 5, 6, 6])
    assert best(Growth(Records.of(table, ["u", "v"]), "gini", [0])).attribute == 0


def test_a_pure_node_is_not_split() -> None:
    table = table_of({"x": (number("x", 0, 2), [0, 1, 2]), "y": (target("y", "ab"), [1, 1, 1])})
    assert growth_of(table).nodes[0].best is None


def test_a_node_without_different_values_is_not_split() -> None:
    assert growth_of(numeric_table("abab", x=[3, 3, 3, 3])).nodes[0].best is None


def test_a_split_that_tells_nothing_is_not_made() -> None:
    """Each side has as many of both classes."""
    assert growth_of(numeric_table("abab", x=[1, 1, 2, 2])).nodes[0].best is None


def test_a_constant_response_is_not_split() -> None:
    pay = Attribute("pay", "numeric", "class", low=4, high=4)
    table = table_of({"x": (number("x", 0, 3), [0, 1, 2, 3]), "pay": (pay, [4, 4, 4, 4])})
    assert growth_of(table, "variance").nodes[0].best is None


@pytest.mark.parametrize(("min_leaf", "cut"), [(1, 1.5), (2, 2.5), (3, 3.5)])
def test_leaves_have_at_least_min_leaf_records(min_leaf: int, cut: float) -> None:
    table = numeric_table("abbbbb", x=[1, 2, 3, 4, 5, 6])
    assert best(growth_of(table, min_leaf=min_leaf)).midpoint == cut


def test_fewer_than_two_leaves_of_records_are_one_leaf() -> None:
    assert growth_of(numeric_table("aabb", x=[1, 2, 3, 4]), min_leaf=3).nodes[0].best is None


@pytest.mark.parametrize(("max_depth", "leaves"), [(0, 1), (1, 2), (2, 3), (None, 3)])
def test_the_depth_is_limited(max_depth: int | None, leaves: int) -> None:
    growth = growth_of(numeric_table("aabba", x=[1, 2, 3, 4, 5]), max_depth=max_depth)
    while (leaf := growth.next_leaf()) is not None:
        growth.split_node(leaf)
    assert len(growth.leaves()) == leaves


def test_records_are_divided_between_two_children() -> None:
    growth = growth_of(numeric_table("babab", x=[9, 1, 8, 2, 7]))
    growth.split_node(0)
    left, right = growth.nodes[1:]
    assert (members(growth, 1), members(growth, 2)) == ([1, 3], [0, 2, 4])
    assert (growth.total(left).tolist(), growth.total(right).tolist()) == ([2, 0], [0, 3])
    assert (left.depth, left.size, right.size) == (1, 2, 3)
    assert growth.nodes[0].children == (1, 2)
    assert growth.leaves() == [1, 2]


def test_the_leaf_worth_most_is_next_and_closed_ones_are_left_out() -> None:
    """u parts 12 records into a mixed eight and a mixed four; the eight gain more together."""
    table = numeric_table("aaaabbbb" + "bbba", u=[1] * 8 + [2] * 4, v=[1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4])
    records = Records.of(table, ["u", "v"])
    growth = Growth(records, "information_gain", [0, 1])
    growth.nodes[0].best = Split(0, 0.0, 0, 1, 0, 1.5)
    growth.split_node(0)
    assert growth.nodes[1].worth == pytest.approx(8)
    assert growth.nodes[1].worth > growth.nodes[2].worth > 0
    assert growth.next_leaf() == 1
    growth.nodes[1].closed = True
    assert growth.next_leaf() == 2
    growth.nodes[2].closed = True
    assert growth.next_leaf() is None


def test_of_equal_leaves_the_first_made_is_next() -> None:
    growth = growth_of(numeric_table("abab", x=[1, 2, 1, 2], z=[0, 0, 1, 1]))
    growth.nodes[0].best = Split(1, 0.0, 0, 1, 0, 0.5)
    growth.split_node(0)
    assert growth.nodes[1].worth == growth.nodes[2].worth
    assert growth.next_leaf() == 1


def test_a_split_knows_the_largest_value_of_the_whole_column_up_to_its_midpoint() -> None:
    """Below z = 0.5 the values are 1 and 10, parted at 5.5; elsewhere in the column there are 4 and 7."""
    growth = growth_of(numeric_table("aabbcc", x=[1, 1, 10, 10, 4, 7], z=[0, 0, 0, 0, 1, 1]))
    growth.nodes[0].best = Split(1, 0.0, 0, 1, 0, 0.5)
    growth.split_node(0)
    found = best(growth, 1)
    values = growth.records.values[0]
    assert values is not None
    assert values[[found.below, found.middle, found.above]].tolist() == [1, 4, 10]
    assert found.midpoint == 5.5


@pytest.mark.parametrize("criterion", CRITERIA)
def test_categories_go_where_their_class_is(criterion: str) -> None:
    found = best(growth_of(word_table("aabbab", "ppqqrs"), criterion))
    assert found.sides is not None
    assert found.sides.tolist() == [LEFT, RIGHT, LEFT, RIGHT]


@pytest.mark.parametrize(("larger", "side"), [("left", LEFT), ("right", RIGHT)])
def test_a_category_that_the_node_lacks_goes_with_the_larger_part(larger: str, side: int) -> None:
    """The category r is declared, but nobody has it; even parts count as a larger left one."""
    codes, classes = ([0, 0, 1], [0, 0, 1]) if larger == "left" else ([0, 1, 1], [0, 1, 1])
    table = table_of({"w": (category("w", "pqr"), codes), "y": (target("y", "ab"), classes)})
    found = best(growth_of(table))
    assert found.sides is not None
    assert found.sides.tolist() == [LEFT, RIGHT, side]
    even = table_of({"w": (category("w", "pqr"), [0, 1]), "y": (target("y", "ab"), [0, 1])})
    sides = best(growth_of(even)).sides
    assert sides is not None
    assert sides[2] == LEFT


def test_missing_values_go_with_a_side_like_a_category() -> None:
    table = table_of({"w": (category("w", "pq"), [0, 1, -1, -1]), "y": (target("y", "ab"), [0, 0, 1, 1])})
    growth = growth_of(table)
    growth.split_node(0)
    assert (members(growth, 1), members(growth, 2)) == ([0, 1], [2, 3])


def test_a_fixed_order_groups_neighbours_only() -> None:
    """Shares of a, the most frequent class: p 3/4, q 2/4, r 1/4. Class c would part q from p and r."""
    words, classes = "ppppqqqqrrrr", "aaabaaccabbb"
    free, fixed = (
        growth_of(word_table(classes, words), "gini", fixed_order=order) for order in (False, True)
    )
    assert free.fixed[0].size == 0
    assert fixed.fixed[0].tolist() == [0.75, 0.5, 0.25]
    sides = best(free).sides
    assert sides is not None
    assert sides.tolist() == [LEFT, RIGHT, LEFT]
    sides = best(fixed).sides
    assert sides is not None
    assert sides.tolist() == [RIGHT, RIGHT, LEFT]


@given(
    st.lists(st.tuples(st.sampled_from("pqrstu"), st.sampled_from("abc")), min_size=4, max_size=40),
    st.sampled_from(CRITERIA),
)
def test_groups_in_a_fixed_order_are_stretches_of_it_at_every_node(
    records: list[tuple[str, str]], criterion: str
) -> None:
    growth = growth_of(
        word_table("".join(c for _, c in records), "".join(w for w, _ in records)),
        criterion,
        fixed_order=True,
    )
    while (leaf := growth.next_leaf()) is not None:
        growth.split_node(leaf)
    ascending = np.argsort(growth.fixed[0], kind="stable")
    for node in growth.nodes:
        if node.split is not None and node.split.sides is not None:
            assert np.ptp(growth.fixed[0]) > 0
            assert (np.diff(node.split.sides[ascending].astype(int)) >= 0).all()


@given(
    st.lists(
        st.tuples(st.integers(0, 6), st.integers(0, 6), st.sampled_from("abc")), min_size=2, max_size=30
    ),
    st.permutations(range(30)),
    st.sampled_from(CRITERIA),
)
def test_the_order_of_the_records_does_not_matter(
    records: list[tuple[int, int, str]], order: list[int], criterion: str
) -> None:
    shuffled = [records[place] for place in order if place < len(records)]
    trees = []
    for rows in (records, shuffled):
        table = numeric_table(
            "".join(c for _, _, c in rows), x=[x for x, _, _ in rows], z=[z for _, z, _ in rows]
        )
        growth = growth_of(table, criterion)
        while (leaf := growth.next_leaf()) is not None:
            growth.split_node(leaf)
        trees.append([(node.size, growth.total(node).tolist(), node.split) for node in growth.nodes])
    assert trees[0] == trees[1]


def test_several_threads_grow_the_same_tree() -> None:
    rows = CELLS_FOR_THREADS // 2
    chance = np.random.default_rng(5)
    columns = {f"x{n}": (number(f"x{n}", 0, 99), chance.integers(0, 100, rows).tolist()) for n in range(3)}
    classes = chance.integers(0, 2, rows).tolist()
    table = table_of({**columns, "y": (target("y", "ab"), classes)})
    trees = []
    for threads in (1, 2):
        growth = growth_of(table, threads=threads, max_depth=2)
        growth.split_node(0)
        trees.append(
            [(node.start, node.stop, growth.total(node).tolist(), node.best) for node in growth.nodes]
        )
    assert trees[0] == trees[1]


@pytest.mark.parametrize(
    ("low", "high", "middle"),
    [(1, 2, 1.5), (-3, 3, 0), (0.1, 0.2, (0.1 + 0.2) / 2), (1e308, 1.5e308, 1e308), (0, 5e-324, 0)],
)
def test_midpoints_by_hand(low: float, high: float, middle: float) -> None:
    assert midpoint(low, high) == middle


@given(FINITE, FINITE)
def test_a_midpoint_parts_the_values(one: float, other: float) -> None:
    low, high = min(one, other), max(one, other)
    if low < high:
        assert low <= midpoint(low, high) < high
        assert low <= midpoint(low, nextafter(low, inf)) < nextafter(low, inf)


@pytest.mark.parametrize(
    ("criteria", "classes", "min_leaf", "fixed"),
    [
        (["gini"], 2, 1, False),
        (["information_gain", "gini"], 2, 1, False),
        (["variance"], 0, 1, False),
        (["gini"], 2, 2, True),
        (["variance"], 0, 5, True),
        (["gini"], 3, 1, True),
        (["gini", "gain_ratio"], 2, 1, True),
    ],
)
def test_only_where_a_nodes_own_order_gives_the_best_of_all_subsets_is_it_used(
    criteria: list[str], classes: int, min_leaf: int, fixed: bool
) -> None:
    assert needs_fixed_order(criteria, classes, min_leaf) is fixed


def test_the_fixed_order_of_a_regression_is_that_of_the_means() -> None:
    """Means 5, 2 and 8 in the whole table, of which the middle is 5."""
    pay = Attribute("pay", "numeric", "class", low=0, high=10)
    table = table_of(
        {"w": (category("w", "pqr"), [0, 0, 1, 1, 2, 2]), "pay": (pay, [4, 6, 4, 0, 10, 6])},
    )
    growth = growth_of(table, "variance", fixed_order=True)
    unit = np.ptp(growth.records.response) / 10
    assert (growth.fixed[0] / unit).tolist() == pytest.approx([0, -3, 3])
    sides = best(growth).sides
    assert sides is not None
    assert sides.tolist() == [RIGHT, LEFT, RIGHT]
