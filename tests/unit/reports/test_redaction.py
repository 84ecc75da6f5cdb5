"""What outsiders may see: nothing about fewer than five records, and nothing that was not asked for."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from hushwood.reports.redaction import publishable, safe_count
from sample_release import RARE, credit_document


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return credit_document()


def only_distribution(document: dict[str, Any], **entry: Any) -> dict[str, Any]:
    """What is published of one column, if the document has no other."""
    changed = copy.deepcopy(document)
    changed["release"]["distributions"] = [{"column": "age", "role": "ordinary", "storage": "Int64"} | entry]
    published: dict[str, Any] = publishable(changed)["release"]["distributions"][0]
    return published


def test_no_count_below_five_is_published(document: dict[str, Any]) -> None:
    safe = publishable(document)
    release = safe["release"]
    counts = [
        *(
            n
            for tree in safe["forests"]["original"]["trees"]
            for node in tree["nodes"]
            for n in node["counts"]
        ),
        *(
            n
            for d in release["distributions"]
            for side in ("before", "after", "missing")
            for n in d.get(side, [])
        ),
        *(band[key] for band in release["segments"]["sizes"] for key in ("segments", "records")),
        *(release["segments"][key] for key in ("count", "alone", "below_small", "smallest", "largest")),
        *(release["rare_categories"][key] for key in ("count", "records", "unchanged")),
        *(release["unique_extremes"][key] for key in ("count", "unchanged")),
        *(column["missing"] for column in safe["schema"]),
    ]

    assert all(n is None or n == 0 or n % 5 == 0 for n in counts)
    assert None in counts


def test_published_tails_hold_at_least_five(document: dict[str, Any]) -> None:
    for entry in publishable(document)["release"]["distributions"]:
        if entry["kind"] == "numeric":
            ends = [entry[side][end] for side in ("before", "after") for end in (0, -1)]
            assert all(n is not None and n >= 5 for n in ends)


def test_redaction_keeps_only_what_it_knows(document: dict[str, Any]) -> None:
    marked = copy.deepcopy(document)
    marked["later"] = "SECRET-MARK"
    marked["release"]["per_record"] = ["SECRET-MARK"]
    marked["release"]["about"]["path"] = "SECRET-MARK"
    marked["measures"].append(
        {"name": "new", "value": 0.5, "better": "lower", "details": {"x": "SECRET-MARK"}}
    )
    marked["release"]["segments"]["sizes"][0]["who"] = "SECRET-MARK"
    marked["forests"]["original"]["trees"][0]["nodes"][0]["rows"] = "SECRET-MARK"
    marked["forests"]["original"]["grown"]["seed"] = "SECRET-MARK"

    assert "SECRET-MARK" not in json.dumps(publishable(marked))


def test_limits_that_cut_off_a_few_are_rounded(document: dict[str, Any]) -> None:
    marked = copy.deepcopy(document)
    nodes = marked["forests"]["original"]["trees"][2]["nodes"]
    nodes[0]["test"]["threshold"] = 23_457
    nodes[4]["counts"] = [2, 1]

    assert publishable(marked)["forests"]["original"]["trees"][2]["nodes"][0]["test"]["threshold"] == 20_000


def test_safe_counts() -> None:
    assert [safe_count(n) for n in (None, 0, 1, 4, 5, 7, 8, 1002)] == [None, 0, None, None, 5, 5, 10, 1000]


def test_tails_are_pooled_until_both_sides_hold_five(document: dict[str, Any]) -> None:
    found = only_distribution(
        document,
        kind="numeric",
        edges=[0, 10, 20, 30, 40, 50],
        labels=["0 – 9", "10 – 19", "20 – 29", "30 – 39", "40 – 49"],
        before=[1, 12, 2, 21, 4],
        after=[9, 9, 9, 9, 9],
    )

    assert found["edges"] == [10, 20, 30, 40]
    assert found["labels"] == ["up to 19", "20 – 29", "30 and more"]
    assert found["before"] == [15, None, 25]
    assert found["after"] == [20, 10, 20]


def test_a_column_of_few_values_is_one_bin(document: dict[str, Any]) -> None:
    found = only_distribution(
        document, kind="numeric", edges=[0, 1, 2], labels=["0", "1"], before=[3, 4], after=[4, 3]
    )

    assert (found["labels"], found["before"], found["after"]) == (["all values"], [5], [5])


def test_rare_categories_are_pooled_without_their_names(document: dict[str, Any]) -> None:
    jobs = next(d for d in publishable(document)["release"]["distributions"] if d["column"] == "job")

    assert RARE not in jobs["categories"]
    assert (jobs["others"], jobs["before"][-1], jobs["after"][-1]) == (1, None, None)
    assert len(jobs["before"]) == len(jobs["categories"]) + 1


def test_warnings_and_the_name_of_the_table_stay_inside(document: dict[str, Any]) -> None:
    release = publishable(document)["release"]

    assert release["warnings"] == []
    assert release["about"] == {
        "technique": "forest-framework",
        "made": "2026-05-04",
        "hushwood": "0.1.0",
    }
