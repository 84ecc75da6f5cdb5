"""Trees as text, line by line, and as SVG, by what a parser finds in it."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

import numpy as np

from hushwood.trees.drawing import branch_labels, draw_svg, draw_text
from hushwood.trees.forest import Forest
from small_trees import income_forest, stump

SVG = "{http://www.w3.org/2000/svg}"


def parsed(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)  # noqa: S314 the text is our own


def texts(text: str, kind: str) -> list[str]:
    return [e.text or "" for e in parsed(text).iter(f"{SVG}text") if e.get("class") == kind]


def test_text_has_branches_labels_and_counts() -> None:
    forest = income_forest()

    assert draw_text(forest.trees[0], forest).splitlines() == [
        "age",
        "├─ ≤ 27: sex",
        "│  ├─ Female → low      5 · 0",
        "│  └─ Male, Other: age",
        "│     ├─ ≤ 20 → low     4 · 0",
        "│     └─ > 20 → high    1 · 9",
        "└─ > 27 → high          1 · 4",
    ]


def test_text_of_a_single_leaf() -> None:
    forest = stump()

    assert draw_text(forest.trees[0], forest) == "low  3 · 1"


def test_leaves_that_no_record_reached_are_joined() -> None:
    forest = income_forest()

    assert branch_labels(forest.trees[1], 2, forest) == [(4, "Female, Other"), (3, "Male")]


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
