"""Cards show what they should, and names and values of a table stay texts."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import polars as pl
import pytest

from hushwood.errors import InputError
from hushwood.evaluation.evaluation import Evaluation
from hushwood.evaluation.levels import QUICK
from hushwood.policies.verdict import Verdict
from hushwood.reports.charts.risk_utility import CLEARED, CORNER, NOT_CLEARED, MapPoint
from hushwood.reports.evaluated import Evaluated, charts_of
from hushwood.reports.notebook import audit_card, forest_card, map_card, release_card, table_card
from hushwood.tables.reading import read_table
from support.sample_release import credit_evaluation, credit_table
from support.sample_verdicts import mixed_evaluation, mixed_verdict
from support.small_trees import income_forest

SCRIPT = "<script>alert(1)</script>"
IMAGE = "<img src=x onerror=alert(2)>"
ALLOWED = {"div", "style", "p", "small", "table", "thead", "tbody", "tr", "th", "td", "img", "svg", "rect"}


class Tags(HTMLParser):
    """The tags of a page, and the sources of its pictures."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.sources: list[str] = []
        self.events: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.sources += [value or "" for name, value in attrs if name == "src"]
        self.events += [name for name, _ in attrs if name.startswith("on")]


def check_harmless(card: str) -> None:
    found = Tags(card)
    assert found.seen <= ALLOWED
    assert all(source.startswith("data:image/svg+xml;base64,") for source in found.sources)
    assert found.events == []


def test_a_release_answers_first_and_shows_every_check() -> None:
    verdict = mixed_verdict()
    card = release_card(mixed_evaluation(), verdict, [f"Column {SCRIPT!r} is released unchanged."])
    check_harmless(card)
    assert card.index("Not cleared") < card.index("What was asked")
    assert len(re.findall("✓ pass|✗ fail|\\? not proven", card)) == len(verdict.checks)
    assert "&lt;script&gt;" in card


def test_a_release_without_evidence_has_a_card_too() -> None:
    card = release_card(None, mixed_verdict(), ())
    check_harmless(card)
    assert "<img" not in card


def test_an_audit_shows_both_sides_and_the_attacks() -> None:
    card = audit_card(credit_evaluation(300, QUICK), None)
    check_harmless(card)
    assert "What an intruder learns" in card
    assert "What miners keep" in card
    assert card.count("<img") == 2


def test_a_map_shows_why_and_the_front() -> None:
    points = [
        MapPoint(SCRIPT, 0.8, 0.5, 0.9, CLEARED, front=True, winner=True),
        MapPoint("risky", 0.9, 2.0, 2.5, NOT_CLEARED, front=True),
        MapPoint("beaten", 0.1, 0.4, 0.5, CLEARED),
        MapPoint("untouched", 1.0, 9.0, 9.5, CORNER),
    ]
    card = map_card(points, ["It is the most useful."], cleared=True)
    check_harmless(card)
    assert "It is the most useful." in card
    assert card.index("risky") < card.index("&lt;script&gt;")  # the most useful first
    assert "beaten" not in card


def test_a_table_shows_each_column_and_its_values_as_texts() -> None:
    frame = pl.DataFrame({SCRIPT: ["a", IMAGE, None, "b"], "n": [1, 2, 3, 4]})
    card = table_card(read_table(frame))
    check_harmless(card)
    assert "&lt;script&gt;" in card
    assert "&lt;img src=x" in card
    assert re.search(r"<td>25.%</td>", card)  # one of four is missing
    assert card.count("<rect") == 3 + 4


def test_long_tables_are_cut_short_and_say_so() -> None:
    frame = pl.DataFrame({f"c{i}": [1, 2] for i in range(70)})
    assert "10 more columns." in table_card(read_table(frame))


@pytest.mark.parametrize("trees", [1, 2])
def test_a_forest_shows_its_trees(trees: int) -> None:
    forest = income_forest()
    card = forest_card(replace(forest, trees=forest.trees[:trees]))
    check_harmless(card)
    assert card.count("<img") == trees


def test_an_empty_table_has_a_card() -> None:
    check_harmless(table_card(credit_table(100).take(np.arange(0))))


class Made(Evaluated):
    """A result that has nothing but an evaluation."""

    def __init__(self, evaluation: Evaluation | None) -> None:
        self.found = evaluation

    @property
    def evaluation(self) -> Evaluation | None:
        return self.found

    @property
    def verdict(self) -> Verdict | None:
        return None


@pytest.mark.parametrize("what", ["age", "columns", "attacks", "correlations", "risk"])
def test_each_chart_is_that_of_the_report(what: str) -> None:
    evaluation = credit_evaluation(300, QUICK)
    titles = [chart.title for chart in charts_of(evaluation, what, evaluation.release.distributions)]
    drawn = json.dumps(Made(evaluation).plot(what).to_dict())
    assert titles
    assert all(json.dumps(title) in drawn for title in titles)


def test_a_result_is_about_its_columns_unless_it_says_otherwise() -> None:
    evaluation = credit_evaluation(300, QUICK)
    titles = [part["title"]["text"] for part in Made(evaluation).plot().to_dict()["vconcat"]]
    assert titles == [entry.column for entry in evaluation.release.distributions]


def test_an_unknown_name_is_refused_with_what_there_is() -> None:
    with pytest.raises(InputError, match="Did you mean 'attacks'"):
        Made(credit_evaluation(300, QUICK)).plot("atacks")


def test_without_evidence_there_is_nothing_to_draw() -> None:
    with pytest.raises(InputError, match="evidence='quick'"):
        Made(None).plot()
    with pytest.raises(InputError, match="evidence='quick'"):
        Made(None).to_frame()


def test_the_frame_is_that_of_all_answers() -> None:
    evaluation = credit_evaluation(300, QUICK)
    assert Made(evaluation).to_frame().height == len(evaluation.measures) + len(evaluation.attacks)
