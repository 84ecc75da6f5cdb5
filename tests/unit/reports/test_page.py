"""The report as a page: whole, self-contained, in order, and silent to outsiders about single people."""

from __future__ import annotations

import copy
import json
import re
from dataclasses import replace
from typing import Any

import pytest

from hushwood.evaluation.levels import FULL
from hushwood.reports.page import internal_report, publishable_report
from page_reader import check_page, own_part, read
from sample_entries import unanswered
from sample_release import RARE, SECRET, credit_document, foreign_document

SECTIONS = (
    "miners",
    "intruder",
    "columns",
    "rules",
    "people",
    "class",
    "distributions",
    "warnings",
    "reading",
)


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return credit_document(holdout=200)


@pytest.fixture(scope="module", params=[internal_report, publishable_report])
def page(request: pytest.FixtureRequest, document: dict[str, Any]) -> str:
    return str(request.param(document))


def test_the_page_is_whole_and_loads_nothing_from_elsewhere(page: str) -> None:
    check_page(page, SECTIONS)


def test_the_verdict_comes_first(page: str) -> None:
    text = " ".join(read(page).text)

    assert "All 1,000 records still follow the same rules in all 3 trees." in text


def test_every_chart_has_its_numbers_as_a_table(page: str) -> None:
    figures = re.findall(r"<figure.*?</figure>", page, flags=re.DOTALL)

    assert len(figures) >= 10
    for figure in figures:
        assert figure.count('class="numbers"') == 1
        assert figure.count("data-chart=") == figure.count('role="img"') == 1 + ('class="panels"' in figure)


def test_every_number_is_explained(page: str, document: dict[str, Any]) -> None:
    text = " ".join(" ".join(read(page).text).split())

    for entry in (*document["measures"], *document["attacks"]):
        if entry["name"] != "changed_classes":
            assert entry["question"] in text
    for attack in document["attacks"]:
        assert attack.get("verdict", "") in text
    cards = [
        card for card in re.findall(r"<article.*?</article>", page, flags=re.DOTALL) if "pure noise" in card
    ]
    assert len(cards) >= len([m for m in document["measures"] if "value" in m]) - 1
    for card in cards:
        assert re.search("(Higher|Lower) is better", card)
        assert "The untouched table scores" in card


def test_questions_without_an_answer_are_listed_with_their_reason(document: dict[str, Any]) -> None:
    bare = copy.deepcopy(document)
    bare["measures"][0] = unanswered(bare["measures"][0]["name"], "utility", "There was no time.")
    bare["attacks"] = [unanswered("linkage", None, "There was nobody.")]

    for text in (internal_report(bare), publishable_report(bare)):
        assert text.count("1 question without an answer, and why") == 2
        assert "There was no time." in text
        assert "There was nobody." in text
        assert "No attack was run" in text


def test_a_release_of_somebody_else_claims_nothing() -> None:
    foreign = foreign_document()
    inside, outside = internal_report(foreign), publishable_report(foreign)

    for text in (inside, outside):
        reader = read(text)
        words = " ".join(reader.text)
        assert reader.open == []
        assert "A release made by somebody else." in words
        assert "no certificate" in words
        assert "rules" not in reader.ids
        assert "copied without any change" not in words
        assert "The key in the private folder" not in words
        assert "customer" in words
    assert "generalised values, such as ranges: age" in inside
    assert "The original has 400 rows and the release 380" in inside
    assert "The original has 400 rows" not in outside


def test_a_quick_evaluation_still_has_a_page() -> None:
    quick = credit_document(
        300, replace(FULL, name="quick", brief=frozenset(FULL.measures), references=False)
    )

    for text in (internal_report(quick), publishable_report(quick)):
        assert read(text).open == []
        assert "quick evidence" in text


def test_nothing_but_counts_still_has_a_page(document: dict[str, Any]) -> None:
    bare = copy.deepcopy(document) | {"measures": [], "attacks": []}

    for text in (internal_report(bare), publishable_report(bare)):
        assert read(text).open == []
        assert "Nothing was measured." in text


def test_an_identifier_that_stayed_is_shouted() -> None:
    foreign = foreign_document()
    foreign["audit"]["left_out"][0]["reason"] = "It names people and is STILL in the release."

    assert "A column that names people is still in the release:" in " ".join(internal_report(foreign).split())


def test_internal_shows_rare_categories_and_warnings(document: dict[str, Any]) -> None:
    page = own_part(internal_report(document))

    assert f"{RARE} (" in page
    assert "has only 3 records" in page
    assert "do not hand out" in page


def test_publishable_names_no_rare_category(document: dict[str, Any]) -> None:
    page = own_part(publishable_report(document))

    assert RARE not in page
    assert "lighthouse" not in page
    assert "rare value 1" in page


def test_neither_version_shows_the_secret(page: str) -> None:
    assert SECRET not in page


def test_publishable_shows_no_exact_extremes(document: dict[str, Any]) -> None:
    page = own_part(publishable_report(document))

    # Smaller ones could be some coefficient by chance.
    extremes = [v["value"] for v in document["release"]["unique_extremes"]["values"] if v["value"] > 20]
    assert len(extremes) >= 2
    for value in extremes:
        assert not re.search(rf"(?<![\d.,]){re.escape(f'{value:,.10g}')}(?![\d,.])", page)
        assert not re.search(rf"(?<![\d.,]){re.escape(f'{value:.10g}')}(?![\d,.])", page)


def test_a_release_without_forest_or_class_still_has_a_page(document: dict[str, Any]) -> None:
    bare = copy.deepcopy(document)
    bare["forests"] = {}
    bare["measures"] = [m for m in bare["measures"] if m["name"] != "changed_classes"]
    bare["measures"].append(unanswered("changed_classes"))
    bare["release"]["certificate"] = {"claimed": False, "records": 1000, "kept": 1000, "per_tree": []}
    bare["release"]["about"] = {}

    for text in (internal_report(bare), publishable_report(bare)):
        assert read(text).open == []
        assert "made without a forest" in text


def test_a_column_without_values_has_no_chart(document: dict[str, Any]) -> None:
    bare = copy.deepcopy(document)
    bare["release"]["distributions"][0] |= {"edges": [], "labels": [], "before": [], "after": []}

    for report in (internal_report, publishable_report):
        assert report(bare).count("<figure") == report(document).count("<figure") - 1


def test_column_names_cannot_inject_markup(document: dict[str, Any]) -> None:
    nasty = '</script><img src=x onerror="alert(1)">'
    text = json.dumps(document).replace('"income"', json.dumps(nasty))

    page = internal_report(json.loads(text))

    assert "<img" not in own_part(page)
    assert read(page).open == []
