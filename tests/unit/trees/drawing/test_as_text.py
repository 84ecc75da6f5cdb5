from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from hushwood.sklearn import C45Classifier, SysForClassifier
from hushwood.trees.pmml import forest_to_pmml

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
