from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hushwood.measures.models.grown import Grown
from hushwood.measures.models.library_learners import LibraryLearner, library_learners
from hushwood.tables.table import Table
from hushwood.trees.options import Builder, GrowOptions
from support.mixed_tables import category, mixed_table, number, table_of, target
from support.table_pairs import STREAMS

each_learner = pytest.mark.parametrize("learner", library_learners(STREAMS, 400), ids=lambda one: one.name)


def separable(seed: int, rows: int) -> Table:
    """The class says whether x is positive, or the category is q."""
    chance = np.random.default_rng(seed)
    x, s = chance.normal(0, 100, rows), chance.integers(0, 3, rows)
    return table_of(
        {
            "x": (number("x", -500, 500, None), x.tolist()),
            "s": (category("s", ("p", "q", "r")), s.tolist()),
            "class": (target("class", ("a", "b", "never")), ((x > 0) | (s == 1)).astype(int).tolist()),
        }
    )


def grown(table: Table) -> Grown:
    return Grown(table, Builder(GrowOptions()))


@each_learner
def test_a_clear_pattern_is_learnt(learner: LibraryLearner) -> None:
    learnt, tried = separable(1, 400), separable(2, 300)
    found = learner.fit(grown(learnt))(tried)
    assert (found == tried.columns["class"]).mean() > 0.9


@each_learner
def test_the_same_key_gives_the_same_model(learner: LibraryLearner) -> None:
    table = mixed_table(1, 300)
    one, two = (learner.fit(grown(table))(table) for _ in range(2))
    assert one.tolist() == two.tolist()


@each_learner
def test_gaps_empty_columns_new_categories_and_large_numbers(learner: LibraryLearner) -> None:
    table = mixed_table(3, 200)
    learnt = table.with_columns(
        {
            "job": np.where(table.columns["job"] > 3, -1, table.columns["job"]),
            "ratio": table.columns["ratio"] * 1e60,
        }
    )
    tried = table.with_columns({"ratio": table.columns["ratio"] * 1e65, "void": np.ones(200)})
    assert set(learner.fit(grown(learnt))(tried).tolist()) <= {0, 1, 2}


@each_learner
def test_one_class_or_no_known_value_gives_the_majority(learner: LibraryLearner) -> None:
    table = separable(1, 50)
    constant = table.with_columns({"class": np.full(50, 1, np.int32)})
    assert learner.fit(grown(constant))(table).tolist() == [1] * 50
    unknown = table.with_columns({"x": np.full(50, np.nan), "s": np.full(50, -1, np.int32)})
    assert len(set(learner.fit(grown(unknown))(table).tolist())) == 1


@each_learner
def test_records_without_a_class_are_not_learnt_from(learner: LibraryLearner) -> None:
    table = separable(1, 200)
    codes = table.columns["class"].copy()
    codes[::2] = -1
    part = table.take(np.arange(1, 200, 2))
    with_gaps, without = (learner.fit(grown(t))(table) for t in (table.with_columns({"class": codes}), part))
    assert with_gaps.tolist() == without.tolist()


def test_a_large_table_is_sampled_by_the_key() -> None:
    table = separable(1, 300)
    learner = library_learners(STREAMS, 20)[1]
    rows = learner._sample(np.arange(100, 400))
    assert len(rows) == 20
    assert rows.tolist() == sorted(set(rows.tolist()))
    assert min(rows) >= 100
    assert replace(learner, most_rows=300)._sample(np.arange(300)).tolist() == list(range(300))
    assert learner.fit(grown(table))(table).tolist() == learner.fit(grown(table))(table).tolist()
