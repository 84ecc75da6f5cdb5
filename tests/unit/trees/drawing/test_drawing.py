"""Trees as text, line by line, and as SVG, by what a parser finds in it.

Places of small trees, in numbers that can be added up by hand.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from hushwood.sklearn import C45Classifier, SysForClassifier
from hushwood.trees.drawing.drawing import (
    BAR_WIDTH,
    LABEL_GAP,
    LETTER_WIDTH,
    MARGIN,
    TRUNK,
    DrawnNode,
    LeafMark,
    branch_labels,
    draw_svg,
    drawn_leaves,
    lay_out,
    text_width,
)
from hushwood.trees.forest import Forest, values_left
from hushwood.trees.pmml import forest_to_pmml
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


ROOT = DrawnNode(0, 0, None, "", "age", leaf=False)
LOW = DrawnNode(1, 1, 0, "≤ 27", "low", leaf=True)
HIGH = DrawnNode(2, 1, 0, "> 27", "high", leaf=True)
# age: ≤ 27 is a test of sex with three leaves, > 27 a leaf.
DEEP = (
    ROOT,
    DrawnNode(1, 1, 0, "≤ 27", "sex", leaf=False),
    DrawnNode(2, 2, 1, "a", "x", leaf=True),
    DrawnNode(3, 2, 1, "b", "x", leaf=True),
    DrawnNode(4, 2, 1, "c", "x", leaf=True),
    DrawnNode(5, 1, 0, "> 27", "high", leaf=True),
)


def test_a_row_for_every_leaf_and_the_parent_halfway() -> None:
    layout = lay_out((ROOT, LOW, HIGH))
    assert [place.y for place in layout.places] == [54, 32, 76]
    assert layout.height == 2 * 44 + 20


def test_a_parent_stands_between_its_first_and_last_child() -> None:
    heights = [place.y for place in lay_out(DEEP).places]
    assert heights == [(76 + 164) / 2, 76, 32, 76, 120, 164]


def test_columns_leave_room_for_the_boxes_and_the_branch_texts() -> None:
    root, low, high = lay_out((ROOT, LOW, HIGH)).places
    assert root.width == pytest.approx(3 * 8.7 + 20)
    assert low.turn == pytest.approx(MARGIN + root.width + TRUNK)
    assert low.x == high.x == pytest.approx(low.turn + 4 * LETTER_WIDTH + 2 * LABEL_GAP)


def test_the_picture_ends_after_its_widest_leaf() -> None:
    layout = lay_out((ROOT, LOW, HIGH))
    high = layout.places[2]
    assert high.width == pytest.approx(4 * 8.7 + BAR_WIDTH + 12)
    assert layout.width == pytest.approx(high.x + high.width + MARGIN)


def test_a_single_leaf_is_a_picture() -> None:
    layout = lay_out((DrawnNode(0, 0, None, "", "low", leaf=True),))
    assert [(place.x, place.y) for place in layout.places] == [(MARGIN, 32)]


def test_wide_letters_count_twice() -> None:
    assert text_width("日本a", 1.0) == 5


PEOPLE = pd.DataFrame({"age": [20, 30, 40, 50, 60, 70] * 4, "sex": ["f", "m"] * 12})
ILL = ["yes" if age > 40 and sex == "f" else "no" for age, sex in zip(PEOPLE.age, PEOPLE.sex, strict=True)]


def test_tests_are_indented_and_leaves_have_their_records() -> None:
    tree = C45Classifier().fit(PEOPLE, ILL)
    assert tree.export_text() == (
        "age ≤ 50: no (16, 0)\nage > 50\n|   age ≤ 60: yes (0, 4)\n|   age > 60: no (4, 0)\n"
    )


def test_a_tree_without_a_test_is_one_line() -> None:
    assert C45Classifier().fit([[1], [1]], ["a", "b"]).export_text() == "every record: a (1, 1)\n"


def test_names_cannot_command_the_terminal() -> None:
    table = PEOPLE.rename(columns={"age": "a\x1b[2Jge"})
    assert "\x1b" not in C45Classifier().fit(table, ILL).export_text()


def test_every_tree_of_a_forest_has_a_heading() -> None:
    forest = SysForClassifier(trees=2).fit(PEOPLE, ILL)
    count = len(forest.forest_.trees)
    assert forest.export_text().count("Tree ") == count
    assert forest.export_text().startswith("Tree 1\n") or count == 1


def test_a_picture_and_a_document_of_one_tree(tmp_path: Path) -> None:
    tree = C45Classifier().fit(PEOPLE, ILL)
    picture = tree.plot()
    picture.save(tmp_path / "tree.svg")
    assert picture.startswith("<svg")
    assert picture._repr_svg_() == (tmp_path / "tree.svg").read_text("utf-8")
    assert tree.to_pmml() == forest_to_pmml(tree.forest_)
    for draw in (tree.plot, tree.to_pmml):
        with pytest.raises(ValueError, match="tree must be from 0 to 0; 3 was given"):
            draw(3)
