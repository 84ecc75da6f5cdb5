"""The report of a published tree as a page: whole, self-contained, in order, and the same every time."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from hushwood.evaluation.publication import Publication
from hushwood.reports.tree.page import everything, tree_report
from support.page_reader import check_page, own_part, read
from support.sample_publication import many_groups, one_leaf, regression, two_trees

SECTIONS = ("numbers", "trees", "groups", "columns", "check", "growth", "warnings", "reading")
MADE: dict[str, Callable[[], dict[str, Any]]] = {
    "two trees": two_trees,
    "regression": regression,
    "one leaf": one_leaf,
    "many groups": many_groups,
}


@pytest.fixture(scope="module", params=list(MADE))
def page(request: pytest.FixtureRequest) -> str:
    return tree_report(Publication.from_json(MADE[request.param]()))


def words(page: str) -> str:
    return " ".join(" ".join(read(page).text).split())


def test_the_page_is_whole_and_loads_nothing_from_elsewhere(page: str) -> None:
    check_page(page, SECTIONS)


def test_every_chart_has_its_numbers_as_a_table(page: str) -> None:
    figures = re.findall(r"<figure.*?</figure>", page, flags=re.DOTALL)

    assert figures
    for figure in figures:
        assert (
            figure.count('class="numbers"') == figure.count("data-chart=") == figure.count('role="img"') == 1
        )


def test_it_is_stamped_as_free_to_share(page: str) -> None:
    assert "May be shared" in page
    assert "do not share" not in page


def test_every_number_at_the_top_is_explained(page: str) -> None:
    cards = re.findall(r"<article.*?</article>", page, flags=re.DOTALL)

    assert len(cards) >= 3
    for card in cards:
        assert re.search("(Higher is better|More leaves tell)", card)
        assert re.search(r'class="compare">.*?</span>\s+\S', card, flags=re.DOTALL)


@pytest.mark.parametrize("made", MADE.values(), ids=MADE)
def test_the_same_document_gives_the_same_bytes(made: Callable[[], dict[str, Any]]) -> None:
    assert tree_report(Publication.from_json(made())) == tree_report(
        Publication.from_json(json.loads(json.dumps(made())))
    )


def test_two_trees_are_shown_one_after_the_other() -> None:
    page = tree_report(Publication.from_json(two_trees()))
    text = words(page)

    assert "Every record has at least 11 others like it, and both trees can be grown again." in text
    assert page.count('class="hw-tree"') == 2
    assert page.index(">Tree 1<") < page.index(">Tree 2<")
    assert page.count('class="rule rule-closed"') == 2
    assert "splitting further would break the promise of K or L" in text
    assert "age ≤ 27.5 and job in {farmer, missing}" in text
    assert "hushwood verify-tree released.csv tree.json" in text
    assert "In one leaf all records have the same class." in text


def test_a_regression_tree_shows_means_and_no_classes() -> None:
    page = tree_report(Publication.from_json(regression()))
    text = words(page)

    assert "20123.5" in text
    assert "20123.456789" not in page
    assert "The number at a leaf is the mean" in text
    assert "No column was declared sensitive" in text
    assert "Share right" not in text
    assert "L of illness" not in text
    assert "true values of some records" not in text


def test_a_single_leaf_still_has_a_page() -> None:
    text = words(tree_report(Publication.from_json(one_leaf())))

    assert "No leaf is closed" in text
    assert "No column keeps any detail." in text
    assert "The table is too small." in text
    assert "How well unseen records are predicted" not in text


def test_most_of_many_groups_are_folded_away() -> None:
    page = tree_report(Publication.from_json(many_groups()))

    assert "488 more groups" in page
    assert "7 larger groups not shown" in words(page)


def test_the_command_to_check_it_names_the_released_file() -> None:
    page = tree_report(Publication.from_json(two_trees() | {"table": "released.csv.gz"}))
    assert "verify-tree released.csv.gz tree.json" in page


def test_extremes_of_columns_are_not_shown_even_where_the_tree_file_has_them() -> None:
    document = two_trees()
    document["forest"]["attributes"][0] |= {"low": 1713, "high": 9091}

    page = own_part(tree_report(Publication.from_json(document)))

    assert "1713" not in page
    assert "9091" not in page


def test_warnings_and_copied_columns_are_shown() -> None:
    document = two_trees()
    document["warnings"] = ["Rows keep their order."]
    document["columns"][3] |= {"what": "copied", "parts": []}

    text = words(tree_report(Publication.from_json(document)))

    assert "Rows keep their order." in text
    assert "One column was copied without any change: town." in text


def test_a_tree_that_does_not_grow_again_must_not_be_published() -> None:
    document = two_trees()
    document["verified"] = {"same": False, "sentence": "Node 3 differs."}

    page = tree_report(Publication.from_json(document))

    assert "Do not publish: the trees cannot be grown again from the table." in words(page)
    assert 'class="verdict bad"' in page


@pytest.mark.parametrize(
    "target", ["age", "job", "illness", "income", "clerk", "teacher", "low", "people.csv"]
)
def test_names_cannot_inject_markup(target: str) -> None:
    nasty = "</script><img src=x onerror=\"alert('1')\">" + "long " * 30
    text = json.dumps(two_trees()).replace(f'"{target}"', json.dumps(nasty))

    page = tree_report(Publication.from_json(json.loads(text)))

    assert "<img" not in own_part(page)
    assert read(page).open == []


def test_columns_that_are_not_counted_are_a_warning_at_the_top() -> None:
    document = two_trees()
    document["privacy"]["quasi_identifiers"] = ["town"]
    text = words(tree_report(Publication.from_json(document)))

    assert (
        "2 columns keep some detail and are no quasi-identifiers: age, job. An intruder who knows them"
        in text
    )
    assert "keep some detail and" not in words(tree_report(Publication.from_json(two_trees())))


def test_several_trees_change_the_title() -> None:
    assert everything(Publication.from_json(two_trees()))["titles"]["trees"] == "The published trees"
    assert everything(Publication.from_json(one_leaf()))["titles"]["trees"] == "The published tree"


def test_everything_is_public() -> None:
    assert everything(Publication.from_json(regression()))["public"] is True


def test_growth_has_its_noun() -> None:
    view = everything(Publication.from_json(regression()))

    assert (view["tried"], view["barred"]) == ("3 expansions", 1)
    assert view["stopped"] == regression()["growth"]["stopped"]
    assert view["anchored"] is False
    assert everything(Publication.from_json(two_trees()))["anchored"] is True


def test_groups_that_are_not_shown_are_mentioned_only_if_there_are_some() -> None:
    assert everything(Publication.from_json(two_trees()))["groups_left_out"] == ""
    assert everything(Publication.from_json(many_groups()))["groups_left_out"] == "7 larger groups"
