from __future__ import annotations

from random import Random

import pytest

from hushwood.measures.models.rule_matching import inner_shapes, match_rules, shape_of
from hushwood.trees.forest import Forest
from hushwood.trees.model_file import forest_to_json
from oracles import rule_types as oracle
from support.mixed_tables import category, number
from support.nested_trees import Nested, forest_of

P, Q, R = (number(name, 1, 10) for name in "PQR")
S = category("S", ("s1", "s2", "s3"))
# The example of the thesis, 7.3; R is totally innocent.
ORIGINAL: Nested = ("P", 5, "c2", ("Q", 2, ("S", {"s1": "c1", "s2": "c2", "s3": "c1"}), "c2"))


def forest(tree: Nested) -> Forest:
    return forest_of([tree], (P, Q, R, S), ("c1", "c2"))


def types(tree: Nested, original: Nested = ORIGINAL) -> str:
    return "".join(found.type for found in match_rules(forest(original), forest(tree)))


def types_if_shortened(tree: Nested, original: Nested = ORIGINAL) -> str:
    return "".join(found.type_if_shortened for found in match_rules(forest(original), forest(tree)))


def test_the_same_tree_has_only_type_a() -> None:
    assert types(ORIGINAL) == "AAAAA"


def test_the_order_of_the_tests_does_not_matter() -> None:
    swapped = ("Q", 2, ("P", 5, "c2", ("S", {"s1": "c1", "s2": "c2", "s3": "c1"})), ("P", 5, "c2", "c2"))
    assert types(swapped)[1:4] == "AAA"


def test_other_constants_make_type_b() -> None:
    assert types(("P", 6, "c2", ("Q", 2, ("S", {"s1": "c1", "s2": "c2", "s3": "c1"}), "c2"))) == "BBBBB"


def test_the_constant_of_a_deep_test_changes_only_the_rules_below_it() -> None:
    assert types(("P", 5, "c2", ("Q", 3, ("S", {"s1": "c1", "s2": "c2", "s3": "c1"}), "c2"))) == "ABBBB"


def test_rules_that_join_over_categories_are_type_b() -> None:
    # The thesis' R_p(21) and R_p(22): together P > 6 and Q > 4 gives c2.
    split = ("S", {"s1,s2": "c2", "s3": "c2"})
    assert types(("P", 6, "c2", ("Q", 4, "c1", split))) == "BCBB"


def test_rules_that_join_over_a_number_are_type_b() -> None:
    split = ("Q", 2, ("S", {"s1": "c1", "s2": "c2", "s3": "c1"}), ("Q", 7, "c2", "c2"))
    assert types(("P", 5, "c2", split)) == "AAAABB"


def test_part_of_a_run_of_intervals_may_join() -> None:
    original: Nested = ("P", 4, "c1", ("P", 6, "c2", "c1"))
    assert types(("P", 2, "c1", ("P", 4, "c1", ("P", 6, "c2", "c1"))), original) == "BBAA"


def test_rules_of_different_classes_do_not_join() -> None:
    assert types(("P", 6, "c2", ("Q", 4, "c1", ("S", {"s1,s2": "c2", "s3": "c1"})))) == "BCCC"


def test_a_leaf_without_training_records_is_in_nobodys_way() -> None:
    split = ("S", {"s1": "c2", "s2": "c2", "s3": "(c1)"})
    assert types(("P", 6, "c2", ("Q", 4, "c1", split)))[2:4] == "BB"


def test_joined_values_that_are_not_all_of_the_domain_count_as_a_condition() -> None:
    original: Nested = ("S", {"s1,s2": "c1", "s3": "c2"})
    assert types(("S", {"s1": "c1", "s2": "c1", "s3": "c2"}), original) == "BBA"
    assert types(("S", {"s1": "c1", "s2": "c2", "s3": "c2"}), original) == "CCA"


def test_another_class_makes_type_c() -> None:
    assert types(("P", 5, "c1", "c2")) == "CC"


def test_a_totally_innocent_attribute_makes_type_d() -> None:
    assert types(("P", 8, "c2", ("Q", 2, ("R", 3, "c1", "c2"), "c2"))) == "BDDB"


def test_an_innocent_test_is_type_d_even_if_its_rules_would_join() -> None:
    assert types(("P", 5, ("R", 3, "c2", "c2"), "c1")) == "DDC"


def test_a_rule_that_lost_its_last_condition_is_c_or_in_the_other_reading_b() -> None:
    shorter: Nested = ("P", 5, "c2", ("Q", 2, "c1", "c2"))
    assert types(shorter) == "ACA"
    assert types_if_shortened(shorter) == "ABA"


def test_a_rule_that_lost_another_condition_is_c_in_both_readings() -> None:
    shorter: Nested = ("Q", 2, ("S", {"s1": "c1", "s2": "c2", "s3": "c1"}), "c2")
    assert types_if_shortened(shorter)[:3] == "CCC"


def test_the_last_test_may_be_one_of_two_of_the_same_attribute() -> None:
    original: Nested = ("P", 3, "c1", ("P", 6, "c2", "c1"))
    assert types(("P", 3, "c1", "c2"), original) == "AC"
    assert types_if_shortened(("P", 3, "c1", "c2"), original) == "AB"


def random_tree(chance: Random, depth: int) -> Nested:
    """Small trees over few constants, so that equal, similar and joining rules all happen."""
    if depth == 0 or chance.random() < 0.2:
        return chance.choice(("c1", "c2", "c2", "(c1)"))
    name = chance.choice("PPQS") if chance.random() < 0.95 else "R"
    if name != "S":
        threshold = float(chance.choice((3, 5)))
        return (name, threshold, random_tree(chance, depth - 1), random_tree(chance, depth - 1))
    groups = chance.choice((("s1", "s2", "s3"), ("s1,s2", "s3"), ("s1", "s2,s3")))
    return (name, {group: random_tree(chance, depth - 1) for group in groups})


@pytest.mark.parametrize("seed", range(150))
def test_types_equal_the_oracle(seed: int) -> None:
    chance = Random(seed)  # noqa: S311 - test data, not secrets
    before, after = forest(random_tree(chance, 3)), forest(random_tree(chance, 3))
    original, released = (forest_to_json(f)["trees"][0]["nodes"] for f in (before, after))
    wanted = oracle.types(original, released, {"S": S.categories})
    matched = match_rules(before, after)
    assert {found.leaf: found.type for found in matched} == wanted
    lost = oracle.shortened(original, released)
    again = {leaf: "B" if kind == "C" and leaf in lost else kind for leaf, kind in wanted.items()}
    assert {found.leaf: found.type_if_shortened for found in matched} == again


def test_the_random_trees_show_every_type() -> None:
    seen = set()
    for seed in range(150):
        chance = Random(seed)  # noqa: S311 - test data, not secrets
        before, after = forest(random_tree(chance, 3)), forest(random_tree(chance, 3))
        seen |= {(found.type, found.type_if_shortened) for found in match_rules(before, after)}
    assert {*seen} == {("A", "A"), ("B", "B"), ("C", "B"), ("C", "C"), ("D", "D")}


def test_inner_shapes_are_the_rules_of_a_tree_cut_back() -> None:
    """Above the leaves are the root, P > 5, and P > 5 and Q <= 2; each with all labels below."""
    root: frozenset[tuple[object, ...]] = frozenset()
    above = frozenset({("P", True, False)})
    last = above | {("Q", False, True)}
    wanted = {(shape, label) for shape in (root, above, last) for label in ("c1", "c2")}
    assert inner_shapes(forest(ORIGINAL)) == wanted
    assert inner_shapes(forest("c1")) == frozenset()


def test_a_shape_forgets_the_constants() -> None:
    found = match_rules(forest(ORIGINAL), forest(("P", 7, "c2", ("Q", 1, "c1", "c2"))))
    assert [shape_of(matched.rule) in inner_shapes(forest(ORIGINAL)) for matched in found] == [
        False,
        True,
        False,
    ]
