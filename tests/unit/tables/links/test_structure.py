"""Which columns lead and which follow, worked out by hand."""

from __future__ import annotations

from hushwood.tables.links.links import Combinations, Condition, Constant, Determines, Link, Order, Sum
from hushwood.tables.links.structure import After, JoinedColumns, Looked, Structure, Total, structure_of
from hushwood.tables.schema import Attribute, Schema

NUMBERS = {
    name: Attribute(name, "numeric", low=0.0, high=high)
    for name, high in zip("abcde", (5, 4, 3, 2, 1), strict=True)
}
CATEGORIES = {name: Attribute(name, "categorical", categories=("x", "y")) for name in "klmn"}


def found(*links: Link) -> Structure:
    klass = Attribute("class", "categorical", "class", categories=("no", "yes"))
    return structure_of(Schema((*NUMBERS.values(), *CATEGORIES.values(), klass), links=links))


def test_without_links_there_is_nothing_to_keep() -> None:
    assert found() == Structure() and found().empty


def test_linked_categories_change_places_as_one() -> None:
    assert found(Determines("k", ("l",)), Combinations(("l", "m"))).together == (
        JoinedColumns(("k", "l", "m")),
    )
    assert found(Condition("k", ("x",), "l", ("y",))).together == (JoinedColumns(("k", "l")),)
    assert found(Determines("k", ("l",)), Determines("m", ("n",))).together == (
        JoinedColumns(("k", "l")),
        JoinedColumns(("m", "n")),
    )


def test_a_number_follows_from_a_category() -> None:
    assert found(Determines("k", ("a",))).together == (JoinedColumns(("k",), ("a",)),)
    assert found(Constant("k", ("a", "l"))).together == (JoinedColumns(("k", "l"), ("a",)),)


def test_what_follows_from_a_number_is_looked_up() -> None:
    assert found(Determines("a", ("k", "b"))).derived == (Looked("b", "a"), Looked("k", "a"))


def test_what_follows_from_a_category_that_a_number_decides_follows_from_the_number() -> None:
    both = found(Determines("a", ("k",)), Determines("k", ("l",)))
    assert both.derived == (Looked("k", "a"), Looked("l", "a"))
    assert not both.together and not both.lost


def test_orders_give_distances_in_an_order_in_which_they_can_be_computed() -> None:
    chain = found(Order(("c", "b", "a")))
    assert chain.derived == (After("b", ("c",)), After("a", ("b",)))
    fork = found(Order(("a", "c")), Order(("b", "c")))
    assert fork.derived == (After("c", ("a", "b")),)
    assert not chain.computed, "trees may test numbers that come after others"


def test_a_circle_of_orders_cannot_be_kept() -> None:
    circle = found(Order(("a", "b")), Order(("b", "a")))
    assert circle.derived == (After("b", ("a",)),) and circle.lost == (Order(("b", "a")),)


def test_a_total_is_computed_and_never_tested() -> None:
    total = found(Sum("a", ("b", "c")))
    assert total.derived == (Total("a", ("b", "c")),)
    assert total.computed == {"a"}
    assert found(Sum("a", ("b", "c")), Order(("a", "d"))).computed == {"a", "d"}


def test_a_second_sum_of_the_same_total_gives_its_widest_part() -> None:
    both = found(Sum("a", ("b", "c")), Sum("a", ("e", "d")))
    assert both.derived == (Total("a", ("b", "c")), Total("d", ("a", "e"), remains=True))
    assert not both.lost


def test_a_sum_implies_that_its_parts_are_not_above_it() -> None:
    assert not found(Sum("a", ("b", "c")), Order(("b", "a"))).lost
    assert found(Sum("a", ("b", "c")), Order(("d", "a"))).lost == (Order(("d", "a")),)


def test_columns_that_must_be_missing() -> None:
    gap = Condition("k", ("x",), "a", (None,))
    assert found(gap).known_if == (gap,)
    first, second = Condition("l", ("x", None), "a", (None,)), Condition("k", ("x",), "l", (None,))
    assert found(first, second).known_if == (second, first), "what decides comes first"


def test_a_gap_of_a_category_that_moves_with_others_moves_with_them() -> None:
    both = found(Determines("l", ("m",)), Condition("k", ("x",), "l", (None,)))
    assert both.together == (JoinedColumns(("k", "l", "m")),) and not both.known_if


def test_links_of_columns_that_are_gone_are_left_out() -> None:
    assert found(Order(("a", "gone"))) == Structure()


def test_a_class_moves_with_what_it_is_linked_to() -> None:
    structure = found(Determines("k", ("class",)))
    assert structure.together == (JoinedColumns(("class", "k")),)
    looked = found(Determines("a", ("class",)))
    assert looked.derived == (Looked("class", "a"),)
