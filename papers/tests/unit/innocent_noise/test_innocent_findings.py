from __future__ import annotations

from typing import Any

import pytest

from hushwood_papers.innocent_noise.innocent_findings import (
    charts_of,
    findings_of,
    similar,
    very_similar,
)
from hushwood_papers.reproducing.printed_numbers import printed

ORIGINAL = {"root": "a", "leaves": 4}


def tree(
    a: float = 1.0, b: float = 0.0, d: float = 0.0, root: str = "a", again: float = 1.0, **new: int
) -> dict[str, Any]:
    shares = {"A": a, "B": b, "C": 1 - a - b - d, "D": d}
    found = {"found again": again, "found the same": a, "noise": 0.27}
    return {"root": root, "leaves": 4, "shares": shares, "new attributes": new, **found}


def repeat(
    mixed: list[dict[str, Any]], total: list[dict[str, Any]], leaf: list[dict[str, Any]]
) -> dict[str, Any]:
    kinds = {"TIA in mixed leaves": mixed, "TIA": total, "LIA": leaf}
    return {
        "original": ORIGINAL,
        "total innocent": ["c"],
        **dict.fromkeys(("wrap", "reflect", "truncate"), kinds),
    }


@pytest.mark.parametrize(
    ("found", "is_similar", "is_very"),
    [
        (tree(), True, True),
        (tree(0.3, 0.3), True, True),
        (tree(0.3, 0.29), True, False),
        (tree(0.8, 0.0, 0.05), False, False),
        (tree(root="b"), True, False),
        (tree(0.1, 0.04), False, False),
    ],
)
def test_what_similar_means(found: dict[str, Any], is_similar: bool, is_very: bool) -> None:
    assert (similar(found), very_similar(ORIGINAL, found)) == (is_similar, is_very)


def test_the_papers_own_outcome_agrees_with_the_paper() -> None:
    """Nineteen of twenty with the root, new attributes deep down; eight of ten very similar, two that keep a rule."""
    total = [tree()] * 9 + [tree(0.9, 0.0, 0.02, c=2)]
    leaf = [tree()] * 8 + [tree(0.4, 0.1, again=0.5)] * 2
    found = findings_of({"one": repeat([*[tree()] * 9, tree(root="b")], total, leaf)})
    assert found.numbers["TIA, trees of 20 with the root of the original"] == [19]
    assert found.numbers["LIA, trees of 10 very similar to the original"] == [8]
    assert found.numbers["LIA, trees of 10 with the root of the original"] == [10]
    assert found.numbers["noise in % of the value"] == pytest.approx([27])
    assert found.numbers["truncate: LIA, trees of 10 that are exactly the original"] == [8]
    assert all(claim.holds for claim in found.claims.values())
    (chart,) = charts_of(found, printed("noise-2003").by_key())
    assert chart.title == "Ours and the first paper"


def test_sentences_that_do_not_hold() -> None:
    bad = tree(0.05, 0.0, 0.5, root="b", again=0.0, c=0)
    found = findings_of({"one": repeat([bad] * 10, [bad] * 10, [bad] * 10)})
    assert not any(claim.holds for claim in found.claims.values())
    assert "20 trees of 20 test new attributes, 0 of them only in deep nodes" in (
        found.claims["new attributes only in deep nodes"].numbers
    )


def test_without_new_attributes_or_other_trees_nothing_is_claimed() -> None:
    found = findings_of({"one": repeat([tree()] * 10, [tree()] * 10, [tree()] * 10)})
    assert not found.claims["new attributes only in deep nodes"].holds
    assert not found.claims["the other trees keep the root and some rules"].holds
    assert found.claims["TIA trees are similar"].holds
