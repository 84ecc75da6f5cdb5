"""Techniques and their options, where two trees differ first, and releases of a generated table."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from hushwood.demo.synthetic_tables import credit_risk
from hushwood.trees.forest import Forest
from hushwood_papers.paper_tables import PaperTables
from hushwood_papers.protocol import Size, public_streams
from hushwood_papers.thesis_frameworks.releases import (
    BLOCK,
    EXTENDED,
    FRAMEWORK,
    LESS_NOISE,
    LITERAL,
    MORE_CHANGES,
    NEARER,
    ORIGINAL,
    OWN,
    RANDOM,
    THESIS,
    Difference,
    Parts,
    Way,
    first_differences,
    largest_moves,
    measured_release,
    parts_of,
    releases,
    run_task,
    runs_of,
    tasks_of,
)
from support.framework_samples import SETTING, WAYS, outcomes
from support.small_trees import income_forest, stump


def test_names_are_their_own() -> None:
    ways = (*THESIS, LITERAL, LESS_NOISE, *NEARER, *MORE_CHANGES, *OWN)
    assert len({str(way) for way in ways}) == len(ways)
    assert str(EXTENDED) == "extended-framework (gadp)"
    assert str(LESS_NOISE) == "framework (noise 13.5 %)"
    assert str(NEARER[1]) == "gadp (rho 0.6, class left out)"


def test_options_say_only_what_is_not_usual() -> None:
    assert FRAMEWORK.options() == {"technique": "framework", "correlated": None, "capt": "strict"}
    assert LITERAL.options()["capt"] == "literal"
    assert LESS_NOISE.options()["noise"] == 0.135
    assert NEARER[1].options()["settings"] == {"gadp": {"rho": 0.6, "given": ()}}


def test_the_framework_is_run_most_often() -> None:
    assert [runs_of(way, 100) for way in (ORIGINAL, FRAMEWORK, RANDOM)] == [1, 100, 20]
    assert [runs_of(way, 3) for way in (ORIGINAL, FRAMEWORK, RANDOM)] == [1, 3, 1]


def age_tree(**changed: Any) -> Forest:
    """The first tree of the small forest (age ≤ 27, then sex, then age ≤ 20), with other thresholds."""
    forest = income_forest()
    tree = replace(forest.trees[0], **changed)
    return replace(forest, trees=(tree,))


def thresholds(node: int, value: float) -> dict[str, Any]:
    known = income_forest().trees[0].threshold.copy()
    known[node] = value
    return {"threshold": known}


def test_a_tree_does_not_differ_from_itself() -> None:
    assert first_differences(age_tree(), age_tree()) == []


def test_a_root_that_moved_takes_all_records_with_it() -> None:
    assert first_differences(age_tree(), age_tree(**thresholds(0, 28))) == [Difference(0, "age", True, 1.0)]


def test_a_test_further_down_takes_those_below_it() -> None:
    found = first_differences(age_tree(), age_tree(**thresholds(3, 19)))
    assert [(f.depth, f.attribute, f.moved) for f in found] == [(2, "age", True)]
    assert found[0].share == pytest.approx(14 / 24)


def test_categories_that_are_grouped_otherwise_part_the_trees() -> None:
    forest = age_tree()
    tree = forest.trees[0]
    branches = tree.branches.copy()
    start = int(tree.branch_start[1])
    branches[start : start + 3] = [2, 3, 2]
    found = first_differences(forest, age_tree(branches=branches))
    assert [(f.depth, f.attribute, f.moved) for f in found] == [(1, "sex", True)]


def test_a_leaf_in_place_of_a_test_is_a_difference_of_its_own() -> None:
    found = first_differences(age_tree(), stump())
    assert found == [Difference(0, "age", False, 1.0)]
    back = first_differences(stump(), age_tree())
    assert back == [Difference(0, "age", False, 1.0)]
    assert isinstance(back[0].share, float)
    assert np.isfinite(back[0].share)


STREAMS = [public_streams("test", number) for number in (1, 2)]


def parts() -> Parts:
    """Grown once: `parts_of` keeps them."""
    return parts_of(PaperTables(), SETTING)


def test_runs_are_cut_into_blocks() -> None:
    tasks = tasks_of((ORIGINAL, FRAMEWORK), Size(repeats=2 * BLOCK + 5))
    spans = [(task.settings["first"], task.settings["last"]) for task in tasks]
    assert spans == [(1, 1), (1, BLOCK), (BLOCK + 1, 2 * BLOCK), (2 * BLOCK + 1, 2 * BLOCK + 5)]
    assert len({task.name for task in tasks}) == len(tasks)
    json.dumps([dict(task.settings) for task in tasks])


def test_only_the_named_categories_are_perturbed() -> None:
    literal = Way("framework", capt="literal")
    for categories in (("City",), ()):
        setting = replace(SETTING, categories=categories)
        (released,) = releases(parts().training, literal, setting, STREAMS[:1])
        before = parts().training.table.columns
        changed = {name for name, values in released.columns.items() if (values != before[name]).any()}
        assert {"House Rent", "Income", "Job Grade", "No of Dependents"} < changed
        assert ("City" in changed) is ("City" in categories)


def test_other_noise_gives_other_releases_and_the_same_noise_the_same() -> None:
    first, second = releases(parts().training, FRAMEWORK, SETTING, STREAMS)
    (again,) = releases(parts().training, FRAMEWORK, SETTING, STREAMS[1:])
    assert not np.array_equal(first.columns["Income"], second.columns["Income"])
    assert np.array_equal(again.columns["Income"], second.columns["Income"])


def test_the_original_moves_nothing_and_hides_nothing() -> None:
    found = measured_release(parts(), parts().training.table, STREAMS[0])
    assert (found["change"], found["shift"], found["unchanged"], found["near"]) == (0, 0, 100, 100)
    assert (
        found["right"][0]
        == found["right"][1]
        == found["original_tree_right"]
        > 0.8 * parts().training.table.rows
    )
    assert found["types"] == {"A": 100, "B": 0, "C": 0, "D": 0}
    assert found["label"] == "Exactly Same"
    assert found["differences"] == []


def test_outcomes_are_json_and_do_not_depend_on_other_tasks() -> None:
    task = tasks_of(WAYS, Size(repeats=5))[1]
    again = run_task("sample", SETTING, task, PaperTables())
    assert again == outcomes()[task.name]
    assert json.loads(json.dumps(again, allow_nan=False)) == again
    assert [run["number"] for run in again["runs"]] == [1, 2, 3, 4, 5]
    assert any(one["means"] != other["means"] for one, other in pairwise(again["runs"]))


def test_the_framework_keeps_every_record_under_its_rule() -> None:
    original = outcomes()["original, runs 1 to 1"]["runs"][0]["right"][0]
    for name in ("framework, runs 1 to 5", "extended-framework (gadp), runs 1 to 1"):
        assert {run["original_tree_right"] for run in outcomes()[name]["runs"]} == {original}


def test_a_literal_capt_does_not() -> None:
    (released,) = releases(parts().training, Way("framework", capt="literal"), SETTING, STREAMS[:1])
    found = measured_release(parts(), released, STREAMS[0])
    kept = outcomes()["original, runs 1 to 1"]["runs"][0]["right"][0]
    assert found["original_tree_right"] < 0.9 * kept, "the tree tests the city"


def test_classes_changed_at_twice_the_errors() -> None:
    way = Way("random-framework", twice_the_errors=True)
    table = parts().training.table
    name = table.schema.class_attribute.name  # type: ignore[union-attr]
    wrong = table.rows - outcomes()["original, runs 1 to 1"]["runs"][0]["right"][0]
    (released,), (text,) = (
        releases(parts().training, w, SETTING, STREAMS[:1]) for w in (way, Way(way.technique))
    )
    changed = int((released.columns[name] != table.columns[name]).sum())
    assert changed == pytest.approx(2 * wrong, abs=4 * (2 * wrong) ** 0.5)
    assert all(np.array_equal(released.columns[n], text.columns[n]) for n in text.columns if n != name)


def test_largest_moves_by_hand() -> None:
    table = credit_risk(50, bytes(32))
    before = table.columns["Income"]
    after = before[::-1] + 10.0
    change, shift = largest_moves(table, table.with_columns({"Income": after}))
    names = ("House Rent", "Job Grade", "No of Dependents")
    wanted = [
        abs(float(np.corrcoef(before, table.columns[n])[0, 1] - np.corrcoef(after, table.columns[n])[0, 1]))
        for n in names
    ]
    assert change == pytest.approx(max(wanted))
    assert shift == pytest.approx(10.0 / float(before.std(ddof=1)))
