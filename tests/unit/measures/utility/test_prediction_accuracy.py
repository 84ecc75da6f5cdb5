from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hushwood.measures.models import learners
from hushwood.measures.models.learners import trial_for
from hushwood.measures.protocol import Context, Measurement, NotComputable
from hushwood.measures.utility.prediction_accuracy import PredictionAccuracy
from hushwood.tables.table import Table
from hushwood.trees.model_file import forest_to_json
from hushwood.trees.options import GrowOptions
from oracles.prediction import accuracy, majority_accuracy
from support.mixed_tables import category, mixed_table, number, plain_rows, table_of, target
from support.rearranged_tables import column_by_column_shuffled, in_another_unit
from support.table_pairs import context_for


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slow models learn for a moment only: for tests that do not ask how well they learn."""
    monkeypatch.setattr(learners, "BOOSTED_TREES", 30)
    monkeypatch.setattr(learners, "NETWORK_STEPS", 20)


quickly = pytest.mark.usefixtures("hasty")
MODELS = ["tree", "forest", "gradient_boosting", "logistic_regression", "neural_network"]


def people(seed: int, rows: int) -> Table:
    """Complete records; x decides most of the class, z is noise."""
    chance = np.random.default_rng(seed)
    x, z, s = chance.integers(0, 40, rows), chance.integers(0, 5, rows), chance.integers(0, 3, rows)
    label = np.where(chance.random(rows) < 0.1, s, (x > 25).astype(int) + (x > 33))
    return table_of(
        {
            "x": (number("x", 0, 39), x.tolist()),
            "z": (number("z", 0, 4), z.tolist()),
            "s": (category("s", ("p", "q", "r")), s.tolist()),
            "class": (target("class", ("a", "b", "c")), label.tolist()),
        }
    )


def compute(original: Table, released: Table, context: Context, **fields: Any) -> Measurement:
    found = PredictionAccuracy(**fields).compute(original, released, context)
    assert isinstance(found, Measurement)
    return found


def accuracies(found: Measurement) -> Mapping[tuple[str, str, str], float]:
    return {(r["model"], r["trained_on"], r["tested_on"]): r["accuracy"] for r in found.details["rows"]}


def tree_accuracy(context: Context, which: str, original: Table, released: Table, tried: str) -> float:
    """The oracle's accuracy of the tree that was grown for this trial."""
    trial = trial_for(original, released, context)
    tables = {"unseen": trial.unseen, "original": trial.original.table, "released": trial.released.table}
    grown = trial.original if which == "original" else trial.released
    nodes = forest_to_json(grown.tree)["trees"][0]["nodes"]
    return accuracy(nodes, plain_rows(tables[tried]), "class")


@quickly
@pytest.mark.parametrize("seed", range(3))
def test_the_trees_accuracies_equal_the_oracle(seed: int) -> None:
    original = people(seed, 200)
    released = original.with_columns({"x": np.roll(original.columns["x"], 1 + seed)})
    context = context_for(original, released, options=GrowOptions(min_leaf=5))
    found = compute(original, released, context)
    got = accuracies(found)
    for which in ("released", "original"):
        for tried in ("released", "original", "unseen"):
            wanted = tree_accuracy(context, which, original, released, tried)
            assert got["tree", which, tried] == pytest.approx(wanted)
    assert found.value == pytest.approx(got["tree", "released", "unseen"] / got["tree", "original", "unseen"])
    trial = trial_for(original, released, context)
    worst = majority_accuracy(plain_rows(trial.original.table), plain_rows(trial.unseen), "class")
    assert [got[model, "worst", "unseen"] for model in MODELS] == pytest.approx([worst] * len(MODELS))


@quickly
@pytest.mark.parametrize("paired", [True, False])
def test_a_table_against_itself_is_the_best(paired: bool) -> None:
    table = mixed_table(1, 150)
    found = compute(table, table, context_for(table, table, paired=paired))
    assert found.value == PredictionAccuracy.best == 1.0
    got = accuracies(found)
    assert all(got[m, "released", "unseen"] == got[m, "original", "unseen"] for m in MODELS)


def test_a_table_against_itself_with_a_holdout_is_the_best() -> None:
    table = people(1, 150)
    found = compute(table, table, context_for(table, table, holdout=people(2, 60), value_only=True))
    assert isinstance(found, Measurement)
    assert (found.value, set(found.details)) == (1.0, {"guessing", "better_than_guessing"})


def test_a_release_without_any_pattern_is_no_better_than_the_majority() -> None:
    original = people(1, 600)
    noise = column_by_column_shuffled(original, 1)
    found = compute(original, noise, context_for(original, noise))
    assert found.value < 0.85
    by_model = {row["model"]: row for row in found.details["errors"]}
    assert list(by_model) == MODELS
    for row in by_model.values():
        assert row["cost"] > 0.05
        assert row["cost"] == pytest.approx(row["released"] - row["baseline"])
        assert row["benefit"] == pytest.approx(row["worst"] - row["released"])
        assert row["benefit"] < 0.05
        assert row["baseline"] < 0.2 < row["worst"]


@quickly
def test_confidential_attributes_are_removed_first_then_quasi_identifiers() -> None:
    table = people(1, 200)
    found = compute(table, table, context_for(table, table))
    assert found.details["removed"] is None
    assert {row["removal"] for row in found.details["errors"]} == {None}
    quasi = replace(table, schema=table.schema.with_role(("x", "z"), "quasi-identifier"))
    found = compute(quasi, quasi, context_for(quasi, quasi))
    assert found.details["removed"] == ["x", "z"]
    tree = found.details["errors"][0]
    assert tree["removal"] > tree["baseline"] + 0.1  # x is what tells the classes apart
    both = replace(quasi, schema=quasi.schema.with_role(("z",), "confidential"))
    found = compute(both, both, context_for(both, both))
    assert found.details["removed"] == ["z"]
    assert found.details["errors"][0]["removal"] == pytest.approx(tree["baseline"], abs=0.05)


@quickly
def test_the_worst_error_hides_the_quasi_identifiers_and_the_removal_error_the_confidential_ones() -> None:
    """The survey's two errors, one for each role; x decides the class, z and s say nothing about it."""
    table = people(1, 300)
    roles = table.schema.with_role(("z",), "quasi-identifier").with_role(("x",), "confidential")
    known = replace(table, schema=roles)
    found = compute(known, known, context_for(known, known))
    assert (found.details["hidden"], found.details["removed"]) == (["z"], ["x"])
    for row in found.details["errors"][:2]:
        assert row["worst"] == pytest.approx(row["baseline"], abs=0.02)
        assert row["removal"] > row["baseline"] + 0.1
    other = table.schema.with_role(("x",), "quasi-identifier").with_role(("z",), "confidential")
    known = replace(table, schema=other)
    found = compute(known, known, context_for(known, known))
    for row in found.details["errors"][:2]:
        assert row["worst"] > row["baseline"] + 0.1
        assert row["removal"] == pytest.approx(row["baseline"], abs=0.02)
    heads = [column.title for column in PredictionAccuracy().tables(found.details)[1].columns]
    assert ("without z" in heads, "without x" in heads, "classes only" in heads) == (True, True, False)


@quickly
def test_hidden_quasi_identifiers_are_one_value_for_everyone() -> None:
    """Left out of the table or put at the root: the tree that is grown is the same."""
    table = people(2, 200)
    known = replace(table, schema=table.schema.with_role(("x",), "quasi-identifier"))
    root = known.with_columns({"x": np.full(known.rows, 20.0)})
    context = context_for(root, root)
    wanted = tree_accuracy(context, "original", root, root, "unseen")
    found = compute(known, known, context_for(known, known))
    assert accuracies(found)["tree", "worst", "unseen"] == pytest.approx(wanted)


@quickly
def test_removing_every_attribute_leaves_the_majority() -> None:
    table = people(1, 120)
    secret = replace(table, schema=table.schema.with_role(("x", "z", "s"), "confidential"))
    found = compute(secret, secret, context_for(secret, secret))
    assert {row["removal"] for row in found.details["errors"]} == {found.details["errors"][0]["worst"]}


@quickly
def test_details_say_who_was_tried() -> None:
    original = people(1, 200)
    paired = compute(original, original, context_for(original, original), most_rows=100).details
    assert paired["unseen"] == "split"
    assert paired["records"] == {"original": 140, "released": 140, "unseen": 60}
    assert (paired["most_rows"], paired["sampled"], paired["perhaps_seen"]) == (100, True, False)
    assert json.loads(json.dumps(paired)) == paired
    unpaired = compute(original, original, context_for(original, original, paired=False)).details
    assert (unpaired["unseen"], unpaired["perhaps_seen"], unpaired["sampled"]) == (
        "perhaps seen",
        True,
        False,
    )
    assert unpaired["records"] == {"original": 200, "released": 200, "unseen": 200}
    held = compute(original, original, context_for(original, original, holdout=people(2, 50))).details
    assert (held["unseen"], held["records"]["unseen"]) == ("holdout", 50)


@quickly
def test_a_class_that_only_unseen_records_have_is_never_right() -> None:
    table = people(1, 200)
    holdout = people(2, 50).with_columns({"class": np.full(50, 2, np.int32)})
    rare = table.take(np.flatnonzero(table.columns["class"] < 2))
    context = context_for(rare, rare, holdout=holdout)
    assert isinstance(PredictionAccuracy().compute(rare, rare, context), NotComputable)
    mixed = holdout.with_columns({"class": np.repeat([0, 2], 25).astype(np.int32)})
    found = compute(rare, rare, context_for(rare, rare, holdout=mixed))
    assert max(r["accuracy"] for r in found.details["rows"] if r["tested_on"] == "unseen") <= 0.5


@quickly
def test_a_release_of_one_class_is_judged_all_the_same() -> None:
    original = people(1, 200)
    constant = original.with_columns({"class": np.zeros(200, np.int32)})
    got = accuracies(compute(original, constant, context_for(original, constant)))
    trial = trial_for(original, constant, context_for(original, constant))
    share = float((trial.unseen.columns["class"] == 0).mean())
    assert [got[m, "released", "unseen"] for m in MODELS] == pytest.approx([share] * 5)


@pytest.mark.parametrize(
    ("original", "released"),
    [
        (people(1, 50).with_columns({"class": np.zeros(50, np.int32)}), people(1, 50)),
        (people(1, 50).with_columns({"class": np.full(50, -1, np.int32)}), people(1, 50)),
        (people(1, 50), people(1, 50).with_columns({"class": np.full(50, -1, np.int32)})),
        (people(1, 1), people(1, 1)),
    ],
    ids=["one class", "no class", "no class released", "one record"],
)
def test_without_classes_to_predict_it_says_why(original: Table, released: Table) -> None:
    refused = PredictionAccuracy().compute(original, released, context_for(original, released))
    assert isinstance(refused, NotComputable)
    assert refused.reason.endswith(".")


@quickly
def test_a_shift_and_a_scale_change_nothing() -> None:
    original = people(1, 200)
    released = original.with_columns({"x": np.roll(original.columns["x"], 1)})
    moved = in_another_unit(original, 2, -512), in_another_unit(released, 2, -512)
    plain = compute(original, released, context_for(original, released))
    again = compute(*moved, context_for(*moved))
    assert again.value == plain.value
    models = ("tree", "forest", "gradient_boosting")
    one, other = accuracies(plain), accuracies(again)
    assert {k: v for k, v in one.items() if k[0] in models} == {
        k: v for k, v in other.items() if k[0] in models
    }


@quickly
def test_value_only_trains_only_the_tree() -> None:
    original = people(1, 200)
    released = original.with_columns({"x": np.roll(original.columns["x"], 1)})
    full = compute(original, released, context_for(original, released))
    short = compute(original, released, context_for(original, released, value_only=True))
    assert isinstance(short, Measurement)
    assert (short.value, set(short.details)) == (full.value, {"guessing", "better_than_guessing"})


def test_a_binned_class_is_learnt_as_its_bins() -> None:
    table = people(1, 200)
    chance = np.random.default_rng(1)
    levels = target("class", tuple(str(i) for i in range(40)))
    codes = np.clip(table.columns["x"] + chance.integers(-2, 3, 200), 0, 39).astype(np.int32)
    binned = table.with_columns(
        {"class": codes}, table.schema.with_attribute(replace(levels, bins=(13.0, 26.0)))
    )
    found = compute(binned, binned, context_for(binned, binned))
    assert found.value == 1.0
    assert min(row["baseline"] for row in found.details["errors"]) < 0.25
