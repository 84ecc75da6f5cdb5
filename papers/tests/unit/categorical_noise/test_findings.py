"""What made-up runs of chapter 6 say to its numbers and sentences."""

from __future__ import annotations

from typing import Any

import pytest

from hushwood_papers.categorical_noise.categorical_noise import EXPERIMENT, measure, tasks
from hushwood_papers.categorical_noise.findings import TREE_KEYS, printed_counts, significantly_greater
from hushwood_papers.categorical_noise.noise_runs import label_counts
from hushwood_papers.protocol import Size
from hushwood_papers.reproducing.printed_numbers import printed

SAME = {"A": 1.0, "B": 0.0, "cut short": 0.0, "C": 0.0}
CUT = {"A": 0.62, "B": 0.0, "cut short": 0.38, "C": 0.0}
OTHER = {"A": 0.0, "B": 0.0, "cut short": 0.0, "C": 1.0}
LEAF_ONE = {"Ford": 132, "Holden": 5, "Nissan": 48, "Toyota": 62}


def noise(types: list[dict[str, float]]) -> dict[str, Any]:
    return {
        "labels": dict.fromkeys(TREE_KEYS, label_counts(types)),
        "labels if cut short is C": dict.fromkeys(TREE_KEYS, label_counts(types, cut_short_is_c=True)),
        "A": {key: [run["A"] for run in types] for key in TREE_KEYS},
        "changed": {name: [0.3, 0.5] for name in ("Country of Origin", "Car Make", "Profession")},
        "wrong": [[0.33, 0.35], [0.33, 0.45]],
    }


def outcome(like: bool = True, types: list[dict[str, float]] | None = None) -> dict[str, Any]:
    """A table with the tree of figure 6.9 or without it."""
    drawn = noise(types or [SAME, SAME, CUT])
    alone = {"types": {"Car Make": [SAME, SAME], "Status": [CUT, SAME]}}
    clusters = {
        "cluster": like,
        "cactus": [["Ford", "Toyota"]],
        "detective": [["Ford", "Nissan"], ["Ford", "Toyota"]],
        "unrelated tested": False,
        "leaf 1": LEAF_ONE if like else None,
    }
    cr = {
        "types": {"Credit Risk": [SAME, {"A": 0.4, "B": 0.47, "cut short": 0.13, "C": 0.0}]},
        "wrong": {"Credit Risk": [0.1, 0.2]},
        "guessing": {"Credit Risk": 0.4},
    }
    found = {"clusters": clusters, "CR": cr}
    return found | ({"alone": alone, "literal": drawn, "strict": drawn, "shared": drawn} if like else {})


def test_numbers_are_expected_counts_of_a_table() -> None:
    numbers = measure({"table 0": outcome(), "table 1": outcome(like=False)}).numbers
    assert numbers["leaf 1, records"] == [247]
    assert numbers["leaf 1, Ford - Toyota"] == [8184]
    assert numbers["See5, car make: Exactly Same"] == [2]
    assert numbers["See5, car make: Very Similar"] == [1]
    assert numbers["J48, status: Similar"] == [0]
    assert numbers["CR, more than 50 % Type A"] == [5, 5]
    assert numbers["CR, more than 90 % Type A or B"] == [5, 5]
    assert numbers["CR, more than 85 % Type A or B"] == [10, 10]
    assert numbers["CR, some Type C"] == [0, 0]
    assert numbers["car make alone, car make tree all Type A"] == [10]
    assert numbers["car make alone, status tree more than 70 % Type A"] == [5]
    assert numbers["See5, status: records under Type A rules, %"] == pytest.approx([100, 100, 62])
    assert numbers["records whose Car Make is another one, %"] == [30, 50]


def test_every_ten_runs_are_a_count_of_their_own() -> None:
    found = outcome()
    found["CR"]["types"]["Credit Risk"] = [SAME] * 10 + [SAME, OTHER] * 5 + [OTHER] * 3
    numbers = measure({"table 0": found, "table 1": outcome(like=False)}).numbers
    assert numbers["CR, more than 50 % Type A"] == [10, 5, 5]
    assert numbers["CR, some Type C"] == [0, 5, 0]


def test_three_trees_are_judged_by_their_chance() -> None:
    claims = measure({"table": outcome(types=[SAME, SAME, CUT] * 20)}).claims
    assert claims["See5, car make: three trees"].holds
    assert claims["J48, car make: three trees"].holds
    assert not claims["See5, status: three trees"].holds
    assert "below 0.0001 (0.05 is required); our trees are Exactly Same 66.7 %, Very Similar 33.3 %" in (
        claims["See5, status: three trees"].numbers
    )
    assert claims["See5, most trees are similar"].holds
    lost = measure({"table": outcome(types=[OTHER] * 20)}).claims
    assert not lost["See5, most trees are similar"].holds
    assert not lost["See5, profession: three trees"].holds


def test_sentences_on_clusters_need_half_of_the_tables() -> None:
    claims = measure({str(n): outcome(like=n == 0) for n in range(3)}).claims
    assert not claims["the cluster of CACTUS"].holds
    assert claims["the cluster of CACTUS"].numbers == (
        "the printed cluster is found in 1 of 3 generated tables; half of them are required"
    )
    assert claims["the tree of figure 6.9"].holds
    assert claims["DETECTIVE finds more"].holds
    assert claims["CR, few wrong records"].holds
    assert not claims["same tree, as many wrong records"].holds
    assert claims["same tree, as many wrong records"].numbers.endswith(
        "more in 1 of 2 identical trees; fewer than half are required"
    )


def test_without_the_tree_of_figure_6_9_there_is_less_to_say() -> None:
    found = measure({"table": outcome(like=False)})
    assert "See5, car make: Exactly Same" not in found.numbers
    assert "See5, car make: three trees" not in found.claims
    assert not EXPERIMENT.draw(found, {})


def test_a_share_is_greater_if_chance_does_not_explain_it() -> None:
    """Two shares of 399 records around 0.35: 1.645 standard errors are 0.0556."""
    assert not significantly_greater(0.385, 0.33)
    assert significantly_greater(0.387, 0.33)
    assert not significantly_greater(0.2, 0.33)


def test_printed_rows_are_three_trees_each() -> None:
    assert all(sum(printed_counts(key)) == 3 for key in TREE_KEYS)
    assert printed_counts("J48, profession") == [1, 0, 0, 2, 0]


def test_every_printed_key_is_measured() -> None:
    told, found = printed(EXPERIMENT.name), measure({"table": outcome()})
    assert {number.key for number in told.numbers if not number.cannot} <= set(found.numbers)
    assert {claim.key for claim in told.claims} == set(found.claims)


def test_there_are_twice_as_many_tables_as_runs() -> None:
    assert [task.settings for task in tasks(Size(repeats=2))] == [{"table": n, "runs": 2} for n in range(4)]
