"""The sentences of chapter 4, each on repeats made so that it holds, and so that it does not."""

from __future__ import annotations

from typing import Any

import pytest

from hushwood.experiments.class_noise.tree_claims import claims_of


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
    assert "is 0.062, and below 0.05 is asked for" in finding.numbers
