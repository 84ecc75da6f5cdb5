"""The columns and the mean that moved furthest."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hushwood.evaluation.distributions import Distribution
from hushwood.evaluation.evaluation import Evaluation
from hushwood.evaluation.plain_data import from_plain
from hushwood.reports.release.changes import (
    MOST,
    distribution_sentence,
    mean_sentence,
    most_changed,
    moved_share,
)
from support.sample_entries import evaluation_of, measure_entry


def counted(name: str, before: list[int | None], after: list[int | None], **more: Any) -> dict[str, Any]:
    """A column of categories a, b and so on."""
    return {
        "column": name,
        "kind": "categorical",
        "role": "ordinary",
        "storage": "String",
        "categories": list("abcdefgh"[: len(before)]),
        "others": 0,
        "before": before,
        "after": after,
        "missing": [0, 0],
    } | more


def with_columns(*columns: dict[str, Any]) -> Evaluation:
    return evaluation_of(distributions=list(columns))


def means(*columns: dict[str, Any]) -> str:
    return mean_sentence(
        evaluation_of(measure_entry("means_and_variances", details={"columns": list(columns)}))
    )


def test_the_share_that_moved_is_half_of_all_differences() -> None:
    moved = moved_share(from_plain(Distribution, counted("job", [50, 30, 20], [30, 30, 40])))
    gone = moved_share(from_plain(Distribution, counted("job", [50, 50], [25, 50], missing=[0, 25])))
    number = {"column": "x", "kind": "numeric", "role": "ordinary", "storage": "Int64"}
    bins = {"edges": [0, 1, 2], "labels": ["0", "1"], "before": [3, 1], "after": [6, 6]}

    assert [moved, gone] == pytest.approx([0.2, 0.25])
    assert moved_share(from_plain(Distribution, number | bins)) == pytest.approx(0.25)
    nothing: dict[str, Any] = {"edges": [], "labels": [], "before": [], "after": []}
    assert moved_share(from_plain(Distribution, number | nothing)) == 0


def test_the_columns_that_moved_furthest_come_first() -> None:
    columns = [counted(f"c{i}", [50, 50], [50 - i, 50 + i]) for i in range(8)]
    found = most_changed(with_columns(*columns))

    assert [change.distribution.column for change in found] == ["c7", "c6", "c5", "c4", "c3"]
    assert len(found) == MOST
    assert found[0].says == "7\N{NO-BREAK SPACE}% moved"
    assert distribution_sentence(found).startswith(
        "Largest shift of a distribution: c7, 7\N{NO-BREAK SPACE}%"
    )


def test_what_did_not_move_is_not_shown() -> None:
    found = most_changed(with_columns(counted("job", [5, 5], [10, 10])))

    assert found == []
    assert distribution_sentence(found) == "No column's distribution moved."


def test_the_full_evaluation_chooses_and_the_published_one_is_shown() -> None:
    full = with_columns(counted("job", [96, 4], [60, 40]), counted("home", [50, 50], [60, 40]))
    shown = with_columns(counted("job", [95, None], [60, 40]), counted("home", [50, 50], [90, 10]))
    first, second = most_changed(shown, full)

    assert (first.distribution.column, first.moved) == ("job", 0.36)
    assert first.distribution.counts is not None
    assert first.distribution.counts.before == (95, None)
    assert second.moved == 0.1


def test_the_mean_that_moved_furthest_is_named() -> None:
    age = {"column": "age", "shift_in_sd": 0.1, "mean_before": 40.0, "mean_after": 41.5}
    pay = {"column": "pay", "shift_in_sd": -0.25, "mean_before": 30_000.0, "mean_after": 28_000.0}

    assert means(age, pay) == (
        "Largest shift of a mean: pay, 30,000 before and 28,000 after (−0.25 standard deviations)."
    )
    assert means({"column": "age", "shift_in_sd": 0.5}) == (
        "Largest shift of a mean: age, by +0.50 standard deviations."
    )
    assert means({"column": "age", "shift_in_sd": 0.004}) == (
        "No mean moved by 0.01 standard deviations or more."
    )


def test_means_that_were_not_compared_are_not_spoken_of() -> None:
    assert means({"column": "age", "shift_in_sd": None}) == ""
    assert mean_sentence(evaluation_of()) == ""
    bare = evaluation_of(measure_entry("means_and_variances"))
    assert mean_sentence(replace(bare, measures=())) == ""


def test_the_full_evaluation_names_the_mean_that_moved_furthest() -> None:
    shifts = ({"age": 0.051, "pay": 0.054}, {"age": 0.05, "pay": 0.05}, {"age": 0.0, "pay": 0.014})
    full, shown, small = (
        evaluation_of(
            measure_entry(
                "means_and_variances",
                details={"columns": [{"column": name, "shift_in_sd": by} for name, by in found.items()]},
            )
        )
        for found in shifts
    )

    assert mean_sentence(shown, full) == "Largest shift of a mean: pay, by +0.05 standard deviations."
    assert mean_sentence(shown, small).startswith("Largest shift of a mean: pay")
