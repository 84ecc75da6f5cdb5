"""Chapter 4: its sentences on repeats made to confirm or refute them, and its numbers from a hand-made repeat."""

from __future__ import annotations

from typing import Any

import pytest

from hushwood_papers.class_noise.tree_findings import claims_of, findings_of


def tree(kept: bool, new: float, changed: int = 10, totals: bool = True, **more: Any) -> dict[str, Any]:
    plain = {"kept": [kept, kept], "leading_kept": kept, "new_share": new, "changed": changed}
    plain |= {"class_totals_kept": totals, "minority_changed": 9, "minority_expected": 9.0}
    return plain | {"depth": 4, "attributes": ["a", "b", "c"]} | more


def repeat() -> dict[str, Any]:
    return {
        "expected_changes": 10.0,
        "original": {"depth": 4},
        "RPT": [tree(True, 0.0), tree(True, 0.0)],
        "PPT": [tree(True, 0.0, totals=False), tree(False, 0.2)],
        "ALPT": [tree(False, 0.9, totals=False, depth=7), tree(False, 0.8, attributes=["a", "b"])],
    }


def test_all_sentences_hold_where_they_should() -> None:
    claims = claims_of([repeat()] * 5)
    assert all(finding.holds for finding in claims.values()), claims


@pytest.mark.parametrize(
    ("key", "technique", "worse"),
    [
        ("noise after the tree keeps patterns better", "ALPT", tree(True, 0.0)),
        ("RPT is more consistent than PPT", "PPT", tree(True, 0.0)),
        ("ALPT trees are very different", "ALPT", tree(False, 0.9)),
        ("the same amount of noise", "PPT", tree(True, 0.0, changed=12)),
        ("RPT changes an even number", "RPT", tree(True, 0.0, changed=9)),
        ("RPT keeps class totals", "RPT", tree(True, 0.0, totals=False)),
        ("minority records are changed with m/(m+n)", "RPT", tree(True, 0.0, minority_changed=1)),
    ],
)
def test_each_sentence_can_fail(key: str, technique: str, worse: dict[str, Any]) -> None:
    changed = repeat() | {technique: [worse, worse]}
    assert not claims_of([changed] * 5)[key].holds


def test_a_few_repeats_are_not_enough_to_call_rpt_more_consistent() -> None:
    finding = claims_of([repeat()] * 4)["RPT is more consistent than PPT"]
    assert not finding.holds
    assert "RPT keeps more in 4 and fewer in 0 of 4 repeats" in finding.numbers
    assert "would be 0.062 (below 0.05 is required)" in finding.numbers


def counted_tree(**changes: Any) -> dict[str, Any]:
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


def counted_repeat() -> dict[str, Any]:
    alpt = [
        counted_tree(
            errors=20,
            attributes=["LSTAT", "TAX"],
            kept=[False] * 4,
            leading_kept=False,
            leaves=8,
            new_share=0.9,
        ),
        counted_tree(errors=27, attributes=["LSTAT"], kept=[False] * 4, new_share=0.5, nodes={}),
        counted_tree(errors=21, attributes=["LSTAT"], kept=[False] * 4, new_share=0.5),
    ]
    ppt = [
        counted_tree(errors=6),
        counted_tree(errors=13, kept=[True, False, False, False], new_share=0.05, class_totals_kept=False),
    ]
    rpt = [
        counted_tree(root_cut=5.39, changed=8),
        counted_tree(errors=11, changed=12, kept=[True, True, False, True]),
    ]
    subsets = [
        counted_tree(),
        counted_tree(attributes=["LSTAT", "NOX", "PTRATIO", "RM"], leaves=7),
        counted_tree(root="RM", root_cut=6.5),
        counted_tree(root_cut=5.0),
    ]
    return {
        "expected_changes": 10.0,
        "original": counted_tree(kept=[True] * 4),
        "subsets": subsets,
        "RPT": rpt,
        "PPT": ppt,
        "ALPT": alpt,
    }


def test_counts_are_taken_within_a_repeat() -> None:
    numbers = findings_of({"records 1": counted_repeat()}).numbers
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
    numbers = findings_of({"records 1": counted_repeat()}).numbers
    assert numbers["original tree, tests"] == [3, 3, 6, 3, 3]
    assert numbers["original tree, leaf at LSTAT >, RM <=: records"] == [248] * 5
    assert numbers["original tree, RM tested at LSTAT >: cut"] == [7.041] * 5
    assert "original tree, NOX tested at LSTAT <=, RM >, PTRATIO >: cut" not in numbers


def test_leaf_one_counts_only_where_the_original_tree_has_it() -> None:
    other = counted_repeat() | {"original": counted_tree(nodes={})}
    assert "ALPT, errors of Leaf 1" not in findings_of({"records 1": other}).numbers


def test_subsets_are_shares_of_those_looked_at() -> None:
    numbers = findings_of({"records 1": counted_repeat()}).numbers
    assert numbers["subsets whose root tests LSTAT, in %"] == [75]
    assert numbers["subsets whose tree has the printed leaf at LSTAT >, RM <=, in %"] == [100]
    assert numbers["subsets whose tree has the printed leaf at LSTAT <=, RM <=, in %"] == [0]
    assert numbers["subsets whose root is LSTAT <= 5.49, in %"] == [50]
    assert numbers["subsets whose tree tests the printed four attributes only, in %"] == [25]
    assert numbers["subsets whose tree has the printed root, attributes and number of leaves, in %"] == [25]


def test_a_number_that_no_repeat_has_is_left_out() -> None:
    other = counted_repeat()
    other["original"] = counted_tree(root="RM", attributes=["RM"])
    numbers = findings_of({"records 1": other}).numbers
    assert "RPT, lowest cut of LSTAT at the root" not in numbers
    assert "PPT, trees with the third attribute" not in numbers
