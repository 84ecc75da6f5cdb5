"""What outsiders may see: nothing about fewer than five records, and nothing that was not asked for."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from typing import Any

import polars as pl
import pytest

import hushwood as hw
from hushwood.reports.page import publishable_report
from hushwood.reports.redaction import publishable
from sample_entries import measure_entry
from sample_release import RARE, SECRET, credit_document, foreign_document


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return credit_document()


def only_distribution(document: dict[str, Any], **entry: Any) -> dict[str, Any]:
    """What is published of one column, if the document has no other."""
    changed = copy.deepcopy(document)
    changed["release"]["distributions"] = [{"column": "age", "role": "ordinary", "storage": "Int64"} | entry]
    published: dict[str, Any] = publishable(changed)["release"]["distributions"][0]
    return published


def everything_in(part: Any) -> Iterator[str | float]:
    """All texts and numbers of a document, keys too."""
    if isinstance(part, dict):
        for key, value in part.items():
            yield key
            yield from everything_in(value)
    elif isinstance(part, list):
        for value in part:
            yield from everything_in(value)
    elif part is not None:
        yield part


def secrets_in(document: dict[str, Any], part: Any) -> list[str | float]:
    """What of the planted secrets is found: a rare job, the seed, and numbers that one record alone had."""
    extremes = {v["value"] for v in document["release"]["unique_extremes"]["values"] if v["value"] > 20}
    words = ("lighthouse", SECRET[:16])
    return [
        found
        for found in everything_in(part)
        if (found in extremes if not isinstance(found, str) else any(word in found for word in words))
    ]


def test_planted_secrets_are_in_the_document_and_not_in_what_is_published(document: dict[str, Any]) -> None:
    inside = {str(found) for found in secrets_in(document, document)}

    assert {RARE, SECRET, "250000.0"} <= inside
    assert secrets_in(document, publishable(document)) == []


def test_planted_secrets_are_not_on_the_published_page(document: dict[str, Any]) -> None:
    page = re.sub(r"<script>.*?</script>", "", publishable_report(document), flags=re.DOTALL)

    assert "lighthouse" not in page
    assert SECRET[:16] not in page
    assert not re.search(r"(?<![\d.,])250,?000(?![\d,.])", page)


def test_what_is_published_of_somebody_elses_release_names_no_rare_category() -> None:
    foreign = foreign_document()
    safe = publishable(foreign)

    assert foreign["release"]["rare_categories"] is None
    assert "lighthouse" in json.dumps(foreign)
    assert "lighthouse" not in json.dumps(safe)
    assert (safe["forests"], safe["release"]["certificate"], safe["audit"]["notes"]) == ({}, None, [])


def test_publishing_twice_changes_nothing(document: dict[str, Any]) -> None:
    before = copy.deepcopy(document)
    safe = publishable(document)

    assert document == before
    assert publishable(document) == safe


def test_no_count_below_five_is_published(document: dict[str, Any]) -> None:
    safe = publishable(document)
    release = safe["release"]
    counts = [
        *(
            n
            for forest in safe["forests"].values()
            for tree in forest["trees"]
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
    marked["measures"].append(measure_entry("new", details={"x": "SECRET-MARK"}, extra="SECRET-MARK"))
    for entry in (*marked["measures"], *marked["attacks"]):
        if "details" in entry:
            entry["details"]["later"] = entry["later"] = "SECRET-MARK"
    marked["audit"] |= {"notes": ["SECRET-MARK"], "control": "SECRET-MARK", "later": "SECRET-MARK"}
    marked["audit"]["left_out"] = [{"column": "branch", "reason": "SECRET-MARK"}]
    marked["forests"]["later"] = marked["forests"]["original"] | {"class": "SECRET-MARK"}
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


def test_categories_that_the_release_no_longer_names_are_not_named() -> None:
    """Town decides the class, so the forest on the original tests it and names every town."""
    towns = ["Oslo", "Bergen", "Zxqv"]
    frame = pl.DataFrame(
        {
            "town": [towns[row % 3] for row in range(90)],
            "age": [row * 7 % 50 for row in range(90)],
            "ill": ["yes" if row % 3 == 2 else "no" for row in range(90)],
        }
    )
    released = frame.with_columns(town=pl.col("town").replace("Zxqv", "Oslo"))
    document = hw.audit(frame, released, target="ill", match="rows", evidence="quick").document
    assert document["release"]["unreleased_categories"] == {"town": ["Zxqv"]}
    assert "Zxqv" in json.dumps(document["forests"])
    public = json.dumps(publishable(document))
    assert "Zxqv" not in public
    assert "unreleased value 1" in public
    assert "Zxqv" not in publishable_report(document)
