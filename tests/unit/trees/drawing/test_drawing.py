"""Trees as text, line by line, and as SVG, by what a parser finds in it."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

import numpy as np

from hushwood.trees.drawing.drawing import LeafMark, branch_labels, draw_svg, drawn_leaves
from hushwood.trees.forest import Forest, values_left
from support.small_trees import income_forest, stump

SVG = "{http://www.w3.org/2000/svg}"


def parsed(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)  # noqa: S314 the text is our own


def texts(text: str, kind: str) -> list[str]:
    return [e.text or "" for e in parsed(text).iter(f"{SVG}text") if e.get("class") == kind]


def test_leaves_that_no_record_reached_are_joined() -> None:
    forest = income_forest()

    assert branch_labels(forest.trees[1], 2, forest) == [(4, "Female, Other"), (3, "Male")]


def test_limits_of_dates_are_drawn_as_dates() -> None:
    forest = income_forest()
    born = replace(forest.attributes[0], name="born", storage="Date")
    dated = replace(forest, attributes=(born, forest.attributes[1]))

    assert branch_labels(dated.trees[0], 0, dated) == [(1, "≤ 1970-01-28"), (6, "> 1970-01-28")]
    assert texts(draw_svg(dated.trees[0], dated), "branch")[0] == "≤ 1970-01-28"


def test_svg_shows_tests_branches_and_counts() -> None:
    forest = income_forest()

    picture = draw_svg(forest.trees[0], forest, "Tree 1")

    assert texts(picture, "name") == ["age", "sex", "age"]
    assert texts(picture, "branch") == ["≤ 27", "Female", "Male, Other", "≤ 20", "> 20", "> 27"]
    assert texts(picture, "counts") == ["5 · 0", "4 · 0", "1 · 9", "1 · 4"]
    assert parsed(picture).findtext(f"{SVG}title") == "Tree 1"
    assert parsed(picture).findtext(f"{SVG}desc") is not None


def test_bars_show_class_shares() -> None:
    forest = stump()

    widths = [
        float(e.get("width", "0"))
        for e in parsed(draw_svg(forest.trees[0], forest)).iter(f"{SVG}rect")
        if (e.get("class") or "").startswith("c")
    ]

    assert widths == [54.0, 18.0]


def test_withheld_counts_are_called_few() -> None:
    forest = stump()
    tree = replace(forest.trees[0], counts=np.array([[120.0, np.nan]]))

    assert texts(draw_svg(tree, forest), "counts") == ["120 · few"]


def test_names_are_escaped() -> None:
    forest = income_forest()
    nasty = replace(forest.attributes[0], name="<script>&")
    changed = Forest(forest.class_name, forest.classes, (nasty, forest.attributes[1]), forest.trees)

    picture = draw_svg(changed.trees[0], changed, '"<b>"')

    assert "<script" not in picture
    assert texts(picture, "name")[0] == "<script>&"


def test_regression_tree_has_no_bars() -> None:
    forest = stump(classes=False)

    picture = draw_svg(forest.trees[0], forest)

    assert texts(picture, "label") == ["2.5"]
    assert not list(parsed(picture).iter(f"{SVG}rect"))


def test_values_that_an_earlier_test_sent_elsewhere_are_not_named_again() -> None:
    forest = income_forest()
    tree = forest.trees[1]
    # All three values reach a leaf below the second test, but Female was sent away by the first.
    reached = replace(tree, counts=np.where(tree.counts.any(axis=1, keepdims=True), tree.counts, 1.0))

    left = values_left(reached, forest)[2]

    assert left == {1: frozenset({"Male", "Other"})}
    assert branch_labels(reached, 2, forest, left) == [(4, "Other"), (3, "Male")]


def test_leaves_are_listed_as_they_are_drawn() -> None:
    forest = income_forest()

    assert drawn_leaves(forest.trees[0], forest) == [2, 4, 5, 6]
    assert drawn_leaves(forest.trees[1], forest) == [1, 4, 3]


def test_a_mark_stands_around_the_bar_or_around_the_mean() -> None:
    mark = LeafMark("closed", "×", "closed", "no further")
    for classes in (True, False):
        forest = stump(classes)
        picture = parsed(draw_svg(forest.trees[0], forest, marks={0: mark}))
        outline = next(e for e in picture.iter(f"{SVG}rect") if e.get("class") == "rule-line")
        assert float(outline.get("width", "0")) == (76 if classes else 42)
        assert "no further" in (picture.findtext(f"{SVG}g/{SVG}title") or "")
