"""Tables 9.1 to 9.4 from hand-made outcomes: means, medians and modes, and sentences that hold or fail."""

from __future__ import annotations

from typing import Any

import pytest

from hushwood_papers.class_noise.accuracy_findings import findings_of


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


def repeated(**changes: Any) -> dict[str, dict[str, Any]]:
    """Five repeats; in the last of them the trees after ALPT are better, if nothing else is asked for."""
    last = {"ALPT": [tried(9, 30, new=3, released=20)], **changes}
    return {f"BHP {n}": outcome(**(last if n == 5 else changes)) for n in range(1, 6)}


def test_networks_give_mean_median_and_mode() -> None:
    numbers = findings_of({"BHP 1": outcome()}).numbers
    key = "BHP network, RPT, % wrong on testing records"
    assert numbers[f"{key}, mean"] == [16]
    assert numbers[f"{key}, median"] == [14]
    assert numbers[f"{key}, mode"] == [8]
    assert "BHP network, RPT, % wrong on testing records, lower of two modes" not in numbers
    assert "BHP network, PPT, % wrong on testing records, mode" not in numbers
    assert numbers["BHP network, original, % wrong on testing records, mode"] == [8]


def test_two_modes_are_told_apart() -> None:
    """As Table 9.4 prints "2.29,3.71"."""
    values = (2.29, 3.71, 2.86, 2.29, 3.71)
    numbers = findings_of({"BHP 1": outcome(RPT=[tried(10, network) for network in values])}).numbers
    key = "BHP network, RPT, % wrong on original records"
    assert numbers[f"{key}, lower of two modes"] == [2.29]
    assert numbers[f"{key}, higher of two modes"] == [3.71]
    assert f"{key}, mode" not in numbers


def test_trees_give_one_value_each_and_the_original_is_not_compared_with_itself() -> None:
    numbers = findings_of({"BHP 1": outcome(), "BHP 2": outcome()}).numbers
    assert numbers["BHP tree, ALPT, attributes not in the original tree"] == [3, 3]
    assert numbers["BHP tree, ALPT, % wrong on released records"] == [20, 20]
    assert len(numbers["BHP tree, RPT, leaves"]) == 10
    assert "BHP tree, original, attributes shared with the original tree" not in numbers


def test_of_drawn_halves_only_errors_are_told() -> None:
    found = findings_of({"WBC drawn 1": outcome(table="WBC drawn")})
    assert all("wrong" in key for key in found.numbers)
    assert not found.claims


def test_the_sentences_hold_on_outcomes_like_the_printed_ones() -> None:
    claims = findings_of(repeated()).claims
    for key in (
        "ALPT trees of BHP predict no worse",
        "ALPT trees of BHP are less similar",
        "ALPT trees of BHP fit their own records worse",
        "ALPT networks of BHP are much worse",
        "networks of BHP are more sensitive",
    ):
        assert claims[key].holds, key
    told = claims["ALPT trees of BHP predict no worse"].numbers
    assert (
        "ALPT is worse in 4 and better in 1 of 5 repeats; if both were alike, the chance of this would be 0.19"
        in told
    )


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
    assert not findings_of(repeated(ALPT=[alpt])).claims[key].holds
