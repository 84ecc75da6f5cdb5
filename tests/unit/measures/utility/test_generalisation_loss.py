from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.measures.protocol import Context, Measurement, NotComputable
from hushwood.measures.utility.generalisation_loss import GeneralisationLoss
from hushwood.tables.recoding.cells import Generalised, category_cells, numeric_cells
from hushwood.tables.recoding.taxonomies import Taxonomy
from hushwood.tables.table import Table
from support.mixed_tables import category, mixed_table, number, table_of, target
from support.table_pairs import context_for

LETTERS = ("D", "E", "F", "G", "H")
SURVEY = Taxonomy("letter", {x: (x, "B" if x in "DE" else "C", "A") for x in LETTERS})
SUPPRESSED = {"*", "A"}


def released_as(
    letters: Sequence[str], ages: Sequence[str], taxonomies: Mapping[str, Taxonomy] | None = None
) -> tuple[Table, Table, Context]:
    """An original of F's aged 5, and a release of it with these texts."""
    given_taxonomies = taxonomies if taxonomies is not None else {"letter": SURVEY}
    joint = (*LETTERS, *dict.fromkeys(text for text in letters if text not in LETTERS))
    rows = len(letters)
    original = table_of(
        {
            "letter": (category("letter", joint), [2] * rows),
            "age": (number("age", 1, 10), [5.0] * rows),
            "ill": (target("ill", ("no", "yes")), [0, 1] * (rows // 2) + [0] * (rows % 2)),
        }
    )
    ranges = numeric_cells(pl.Series(ages), 1, 10)
    covers = category_cells(joint, LETTERS, given_taxonomies.get("letter")).covers
    codes = np.array([joint.index(text) for text in letters], np.int32)
    released = original.with_columns({"letter": codes, "age": ranges.values})
    cells = {
        "letter": Generalised(np.array([text in SUPPRESSED for text in letters]), covers=covers),
        "age": Generalised(ranges.suppressed, ranges.low, ranges.high),
    }
    return original, released, context_for(
        original, released, generalised=cells, taxonomies=given_taxonomies
    )  # fmt: skip


def measured(
    original: Table, released: Table, context: Context, weights: Mapping[str, float] | None = None
) -> Measurement:
    found = GeneralisationLoss(weights or {}).compute(original, released, context)
    assert isinstance(found, Measurement)
    json.dumps(found.details, allow_nan=False)
    return found


def column(found: Measurement, name: str) -> Mapping[str, Any]:
    (row,) = [row for row in found.details["columns"] if row["name"] == name]
    return dict(row)


def test_the_surveys_examples() -> None:
    """F to C: LM .5, ILoss .4, one level each; 5 to 3-7 of 1 to 10: LM 4/9, ILoss 4/10."""
    found = measured(*released_as(["C"] * 50, ["3-7"] * 50))
    assert found.value == pytest.approx((1 / 2 + 4 / 9) / 2)
    assert found.details["lm"] == pytest.approx(1 / 2 + 4 / 9)
    assert found.details["iloss"] == pytest.approx(0.4 + 0.4)
    assert found.details["iloss_total"] == pytest.approx(50 * 0.8)
    assert found.details["md"] == 50 + 50
    assert column(found, "letter") == {
        "name": "letter",
        "lm": pytest.approx(0.5),
        "iloss": pytest.approx(0.4),
        "md": 50,
        "weight": 1.0,
        "cells": 50,
        "generalised": 50,
        "suppressed": 0,
        "newly_missing": 0,
        "unknown": 0,
        "taxonomy": "given",
    }
    assert column(found, "age")["taxonomy"] == "intervals"
    assert [row["name"] for row in found.details["columns"]] == ["letter", "age"]


def test_the_surveys_distortion() -> None:
    """Errata S2: 50 records two levels up are 100 units, one level up 50."""
    assert column(measured(*released_as(["A"] * 50, ["5"] * 50)), "letter")["md"] == 100
    assert column(measured(*released_as(["C"] * 50, ["5"] * 50)), "letter")["md"] == 50


def test_half_of_the_cells() -> None:
    found = measured(*released_as(["*", "F", "F", "*"], ["*", "5", "5", "*"]))
    assert found.value == 0.5
    assert (found.details["md"], column(found, "age")["suppressed"]) == (2 * 2 + 2 * 2, 2)
    assert not found.details["none_generalised"]


def test_everything_suppressed_is_the_worst() -> None:
    assert measured(*released_as(["*"] * 3, ["*"] * 3)).value == 1


def test_weights_are_iloss_alone() -> None:
    plain = released_as(["C"] * 4, ["3-7"] * 4)
    found = measured(*plain, weights={"letter": 3.0})
    assert found.value == measured(*plain).value
    assert found.details["iloss"] == pytest.approx(3 * 0.4 + 0.4)
    assert column(found, "letter")["weight"] == 3.0


def test_without_a_given_taxonomy_one_is_made() -> None:
    found = measured(*released_as(["*", "F"], ["5", "5"], {}))
    assert column(found, "letter")["taxonomy"] == "automatic"
    assert column(found, "letter")["md"] == 3, "five values are grouped by two, four and all"


def test_unknown_texts_are_reported() -> None:
    assert column(measured(*released_as(["X", "F"], ["5", "5"])), "letter")["unknown"] == 1


def test_local_suppression_by_missing_values() -> None:
    original, released, context = released_as(["F", "F"], ["5", "5"])
    gaps = released.with_columns({"letter": np.array([-1, 2], np.int32), "age": np.array([np.nan, np.nan])})
    plain = replace(context, generalised={}, taxonomies={})
    found = measured(original, gaps, plain)
    assert found.value == pytest.approx((0.5 + 1.0) / 2)
    assert (column(found, "letter")["md"], column(found, "age")["md"]) == (3, 2 * 2)
    given_taxonomy = replace(plain, taxonomies={"letter": SURVEY, "age": SURVEY})
    assert [row["md"] for row in measured(original, gaps, given_taxonomy).details["columns"]] == [2, 4]


def test_a_generalised_class_counts() -> None:
    original, released, context = released_as(["F", "F"], ["5", "5"])
    covers = category_cells(("no", "yes"), ("no", "yes")).covers | True
    cells = {"ill": Generalised(np.array([True, True]), covers=covers)}
    found = measured(original, released, replace(context, generalised=cells))
    assert found.value == pytest.approx(1 / 3)


@given(st.integers(0, 30), st.integers(1, 40))
def test_a_table_and_itself_lose_nothing(seed: int, rows: int) -> None:
    table = mixed_table(seed, rows)
    found = measured(table, table, context_for(table, table))
    assert found.value == GeneralisationLoss.best == 0
    assert found.details["none_generalised"]
    assert found.details["md"] == found.details["iloss"] == found.details["lm"] == 0


def test_nothing_to_read() -> None:
    table = table_of({"x": (number("x", 0, 0), [np.nan]), "k": (target("k", "ab"), [0])})
    found = GeneralisationLoss().compute(table, table, context_for(table, table))
    assert found == NotComputable("The release has no readable cell.")


def test_only_the_value_if_only_that_is_wanted() -> None:
    original, released, context = released_as(["*"], ["*"])
    assert measured(original, released, replace(context, value_only=True)) == Measurement(1.0)


@given(
    st.lists(st.sampled_from(["F", "C", "*", "F|G"]), min_size=2, max_size=8),
    st.randoms(use_true_random=False),
)
def test_the_order_of_rows_does_not_matter(letters: list[str], chance: Any) -> None:
    ages = ["5" if text == "F" else "2-6" for text in letters]
    order = list(range(len(letters)))
    chance.shuffle(order)
    plain = measured(*released_as(letters, ages))
    mixed = measured(*released_as([letters[i] for i in order], [ages[i] for i in order]))
    assert plain.value == pytest.approx(mixed.value)
    assert plain.details["md"] == mixed.details["md"]
