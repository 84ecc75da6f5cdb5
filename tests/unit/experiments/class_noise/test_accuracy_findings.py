"""Tables 9.1 to 9.4 from hand-made outcomes: means, medians and modes, and sentences that hold or fail."""

from __future__ import annotations

from typing import Any

import pytest

from hushwood.experiments.class_noise.accuracy_findings import findings_of


def tried(tree: float, network: float, new: int = 0, released: float | None = None) -> dict[str, Any]:
    own = tree if released is None else released
    return {
        "attributes": 4,
        "shared": 3,
        "new": new,
        "lost": 1,
        "leaves": 6,
        "new_share": new / 10,
        "tree": {"original": tree, "testing": tree, "released": own},
        "network": {"original": network, "testing": network, "released": network},
    }


def outcome(**changes: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "table": "BHP",
        "records": [300, 50],
        "original": [tried(8, 8)],
        "RPT": [tried(10, network) for network in (8, 8, 14, 20, 30)],
        "PPT": [tried(10, 16)],
        "ALPT": [tried(11, 30, new=3, released=20)],
    }
    return plain | changes


def test_networks_give_mean_median_and_mode() -> None:
    numbers = findings_of({"BHP 1": outcome()}).numbers
    key = "BHP network, RPT, wrong on testing records"
    assert numbers[f"{key}, mean"] == [16]
    assert numbers[f"{key}, median"] == [14]
    assert numbers[f"{key}, mode"] == [8]
    assert "BHP network, PPT, wrong on testing records, mode" not in numbers
    assert numbers["BHP network, original, wrong on testing records, mode"] == [8]


def test_trees_give_one_value_each_and_the_original_is_not_compared_with_itself() -> None:
    numbers = findings_of({"BHP 1": outcome(), "BHP 2": outcome()}).numbers
    assert numbers["BHP tree, ALPT, attributes not in the original tree"] == [3, 3]
    assert numbers["BHP tree, ALPT, wrong on released records"] == [20, 20]
    assert len(numbers["BHP tree, RPT, leaves"]) == 10
    assert "BHP tree, original, attributes shared with the original tree" not in numbers


def test_of_drawn_halves_only_errors_are_told() -> None:
    found = findings_of({"WBC drawn 1": outcome(table="WBC drawn")})
    assert all("wrong" in key for key in found.numbers)
    assert not found.claims


def test_the_sentences_hold_on_outcomes_like_the_printed_ones() -> None:
    claims = findings_of({"BHP 1": outcome()}).claims
    for key in (
        "ALPT trees of BHP predict no worse",
        "ALPT trees of BHP are less similar",
        "ALPT trees of BHP fit their own records worse",
        "ALPT networks of BHP are much worse",
        "networks of BHP are more sensitive",
    ):
        assert claims[key].holds, key
    assert "1 of 1 repeat" in claims["ALPT trees of BHP predict no worse"].numbers


@pytest.mark.parametrize(
    ("key", "alpt"),
    [
        ("ALPT trees of BHP predict no worse", tried(19, 30)),
        ("ALPT trees of BHP are less similar", tried(10, 30)),
        ("ALPT trees of BHP fit their own records worse", tried(10, 30, released=9)),
        ("ALPT networks of BHP are much worse", tried(10, 20)),
        ("networks of BHP are more sensitive", tried(20, 9)),
    ],
)
def test_each_sentence_can_fail(key: str, alpt: dict[str, Any]) -> None:
    assert not findings_of({"BHP 1": outcome(ALPT=[alpt])}).claims[key].holds
