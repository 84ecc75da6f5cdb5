"""Numbers and the certificate in words."""

from __future__ import annotations

from typing import Any

import pytest

from hushwood.reports.wording import measure, part_of, percent, things, verdict


def certified(**changes: Any) -> dict[str, Any]:
    """As much of an evaluation as the verdict reads."""
    certificate = {"claimed": True, "records": 1000, "kept": 1000, "per_tree": [1000] * 3}
    return {"release": {"certificate": certificate | changes}}


def test_one_tree_is_not_called_all_trees() -> None:
    found = verdict(certified(per_tree=[1000]))

    assert found.headline == "All 1,000 records still follow the same rules in the tree."
    assert found.tone == "good"


def test_a_release_that_claims_nothing_says_so() -> None:
    found = verdict(certified(claimed=False, kept=812))

    assert found.headline.startswith("812 of 1,000 records (81.2")
    assert found.headline.endswith("No promise was made.")
    assert found.tone == "plain"


def test_a_broken_promise_is_called_broken() -> None:
    found = verdict(certified(kept=999))

    assert found.headline.startswith("The promise is broken")
    assert found.tone == "care"


def test_without_trees_nothing_is_promised() -> None:
    found = verdict(certified(per_tree=[], claimed=False))

    assert "made without a forest" in found.headline
    assert (found.tone, found.check) == ("plain", "")


@pytest.mark.parametrize(
    ("share", "said"),
    [
        (0.0, "0 %"),
        (0.0009, "under 0.1 %"),
        (0.5, "50 %"),
        (0.333, "33.3 %"),
        (0.9995, "over 99.9 %"),
        (1.0, "100 %"),
        (None, "a few"),
    ],
)
def test_shares_are_not_called_none_or_all_unless_they_are(share: float | None, said: str) -> None:
    assert percent(share) == said.replace(" %", "\N{NO-BREAK SPACE}%")


def test_withheld_numbers_keep_their_noun() -> None:
    assert things(None, "category", "categories") == "fewer than 5 categories"
    assert part_of(3, 0) == "3"


def test_a_measure_that_was_not_computed_is_not_found() -> None:
    document = {"measures": [{"name": "sers", "not_computable": "no"}, {"name": "eduds", "value": 2.0}]}

    assert measure(document, "sers") is None
    assert measure(document, "eduds") == {"name": "eduds", "value": 2.0}
    assert measure(document, "edusc") is None
