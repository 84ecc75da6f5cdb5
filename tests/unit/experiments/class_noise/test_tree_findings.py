"""The numbers of chapter 4 from a hand-made repeat, whose right answers can be read off."""

from __future__ import annotations

from typing import Any

from hushwood.experiments.class_noise.tree_findings import findings_of


def tree(**changes: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "root": "LSTAT",
        "root_cut": 5.49,
        "attributes": ["LSTAT", "NOX", "RM"],
        "leaves": 4,
        "depth": 3,
        "errors": 9,
        "nodes": {
            "LSTAT >, RM <=": {"records": 248.0, "errors": 8.0},
            "LSTAT >": {"records": 258.0, "cut": 7.041},
        },
        "kept": [True, True, True, False],
        "leading_kept": True,
        "new_share": 0.0,
        "changed": 10,
        "class_totals_kept": True,
        "minority_changed": 9,
        "minority_expected": 9.0,
    }
    return plain | changes


def repeat() -> dict[str, Any]:
    alpt = [
        tree(
            errors=20,
            attributes=["LSTAT", "TAX"],
            kept=[False] * 4,
            leading_kept=False,
            leaves=8,
            new_share=0.9,
        ),
        tree(errors=27, attributes=["LSTAT"], kept=[False] * 4, new_share=0.5, nodes={}),
        tree(errors=21, attributes=["LSTAT"], kept=[False] * 4, new_share=0.5),
    ]
    ppt = [
        tree(errors=6),
        tree(errors=13, kept=[True, False, False, False], new_share=0.05, class_totals_kept=False),
    ]
    rpt = [tree(root_cut=5.39, changed=8), tree(errors=11, changed=12, kept=[True, True, False, True])]
    subsets = [
        tree(),
        tree(attributes=["LSTAT", "NOX", "PTRATIO", "RM"], leaves=7),
        tree(root="RM", root_cut=6.5),
        tree(root_cut=5.0),
    ]
    return {
        "expected_changes": 10.0,
        "original": tree(kept=[True] * 4),
        "subsets": subsets,
        "RPT": rpt,
        "PPT": ppt,
        "ALPT": alpt,
    }


def test_counts_are_taken_within_a_repeat() -> None:
    numbers = findings_of({"records 1": repeat()}).numbers
    assert numbers["RPT, fewest errors of its trees"] == [9]
    assert numbers["RPT, most errors of its trees"] == [11]
    assert numbers["RPT, rules of the original in every tree"] == [2]
    assert numbers["RPT, attributes of the original in every tree"] == [3]
    assert numbers["RPT, lowest cut of LSTAT at the root"] == [5.39]
    assert numbers["RPT, highest cut of LSTAT at the root"] == [5.49]
    assert numbers["PPT, trees with 5 % of the records or more under new rules"] == [1]
    assert numbers["ALPT, attributes of the original in every tree"] == [1]
    assert numbers["ALPT, trees with the third attribute"] == [0]
    assert numbers["ALPT, trees with the rule of Leaf 1"] == [2]
    assert numbers["ALPT, errors of a tree with the rule of Leaf 1"] == [27, 21]
    assert numbers["ALPT, fewest errors of its trees with the rule of Leaf 1"] == [21]
    assert numbers["ALPT, most errors of its trees with the rule of Leaf 1"] == [27]
    assert numbers["ALPT, errors of Leaf 1"] == [8, 8]


def test_the_original_tree_is_held_against_all_trees_without_noise() -> None:
    numbers = findings_of({"records 1": repeat()}).numbers
    assert numbers["original tree, tests"] == [3, 3, 6, 3, 3]
    assert numbers["original tree, leaf at LSTAT >, RM <=: records"] == [248] * 5
    assert numbers["original tree, RM tested at LSTAT >: cut"] == [7.041] * 5
    assert "original tree, NOX tested at LSTAT <=, RM >, PTRATIO >: cut" not in numbers


def test_leaf_one_counts_only_where_the_original_tree_has_it() -> None:
    other = repeat() | {"original": tree(nodes={})}
    assert "ALPT, errors of Leaf 1" not in findings_of({"records 1": other}).numbers


def test_subsets_are_shares_of_those_looked_at() -> None:
    numbers = findings_of({"records 1": repeat()}).numbers
    assert numbers["subsets whose root tests LSTAT, in %"] == [75]
    assert numbers["subsets whose tree has the printed leaf at LSTAT >, RM <=, in %"] == [100]
    assert numbers["subsets whose tree has the printed leaf at LSTAT <=, RM <=, in %"] == [0]
    assert numbers["subsets whose root is LSTAT <= 5.49, in %"] == [50]
    assert numbers["subsets whose tree tests the printed four attributes only, in %"] == [25]
    assert numbers["subsets whose tree has the printed root, attributes and number of leaves, in %"] == [25]


def test_a_number_that_no_repeat_has_is_left_out() -> None:
    other = repeat()
    other["original"] = tree(root="RM", attributes=["RM"])
    numbers = findings_of({"records 1": other}).numbers
    assert "RPT, lowest cut of LSTAT at the root" not in numbers
    assert "PPT, trees with the third attribute" not in numbers
