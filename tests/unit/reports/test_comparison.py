"""Releases side by side: who is better, and only where intervals lie apart; tables that differ are noticed."""

from __future__ import annotations

from dataclasses import replace

from hushwood.evaluation.distributions import CategoryCounts, Distribution
from hushwood.evaluation.evaluation import Evaluation
from hushwood.evaluation.release_facts import ColumnFacts
from hushwood.reports.comparison import (
    NO_DIFFERENCE,
    comparison_lines,
    comparison_of,
    different_table,
)
from support.compared_releases import accuracy, seen


def test_the_best_is_named_where_its_interval_lies_apart() -> None:
    found = comparison_of([seen("one", 0.05, 0.01, 0.9), seen("two", 0.01, 0.01, 0.8)])
    (check,) = found.checks
    assert (check.best, check.limit) == ("B", 0.1)
    (measure,) = found.measures
    assert (measure.best, [number.value for number in measure.numbers if number]) == ("A", [0.9, 0.8])


def test_overlapping_intervals_decide_nothing() -> None:
    found = comparison_of([seen("one", 0.05, 0.03, 0.9), seen("two", 0.01, 0.03, 0.9)])
    assert found.checks[0].best == NO_DIFFERENCE
    assert found.measures[0].best == NO_DIFFERENCE  # equal numbers


def test_of_three_the_best_must_be_clear_of_all() -> None:
    three = [seen("one", 0.05, 0.01, 1), seen("two", 0.01, 0.01, 1), seen("three", 0.02, 0.01, 1)]
    assert comparison_of(three).checks[0].best == NO_DIFFERENCE


def test_what_only_one_release_knows_has_no_best() -> None:
    one, two = seen("one", 0.05, 0.01, 0.9), seen("two", 0.01, 0.01, 0.8)
    nothing = replace(two, verdict={"policy": "public", "status": "not proven", "checks": []})
    (check,) = comparison_of([one, nothing]).checks
    assert (check.numbers[1], check.best) == (None, "")


def test_different_policies_are_noted() -> None:
    found = comparison_of([seen("one", 0.05, 0.01, 0.9), seen("two", 0.01, 0.01, 0.8, "research")])
    assert "different policies" in found.notes[-1]


def test_a_comparison_is_plain_data() -> None:
    plain = comparison_of([seen("one", 0.05, 0.01, 0.9), seen("two", 0.01, 0.01, 0.8)]).to_json()
    assert plain["releases"][0] == {
        "name": "one",
        "letter": "A",
        "technique": "segment-shuffle",
        "settings": {"k": 50, "blur": 5},
        "policy": "public",
        "status": "not proven",
    }
    assert plain["checks"][0]["values"] == [0.05, 0.01]
    assert plain["measures"][0]["best"] == "A"


def test_tables_of_another_size_or_with_other_columns_differ() -> None:
    column = ColumnFacts("age", "numeric", "ordinary", "Int64", 0)
    one = replace(accuracy(1.0), columns=(column,))
    assert different_table(one, one) is None
    longer = replace(one, release=replace(one.release, records=one.release.records + 1))
    assert "records" in str(different_table(one, longer))
    assert different_table(one, replace(one, columns=())) == "the column 'age' in one only"
    other = replace(one, columns=(replace(column, missing=77),))
    assert different_table(one, other) == "different values in the column 'age'"


def test_other_counts_of_a_category_differ_and_pooled_ones_do_not_count() -> None:
    def counted(*before: int) -> Evaluation:
        counts = CategoryCounts(("a", "b"), 2, before, before, (0, 0))
        shown = (Distribution("job", "categorical", "ordinary", "String", counts=counts),)
        one = accuracy(1.0)
        return replace(one, release=replace(one.release, distributions=shown))

    assert different_table(counted(5, 6, 7), counted(5, 6, 8)) is None
    assert different_table(counted(5, 6, 7), counted(5, 7, 7)) == "different values in the column 'job'"


def test_every_release_and_number_has_its_line() -> None:
    lines = comparison_lines(
        comparison_of([seen("one", 0.05, 0.01, 0.9), seen("two", 0.01, 0.01, 0.8)], ["Mind this."])
    )
    assert lines[0] == "A  one: NOT PROVEN by public. segment-shuffle, k 50, blur 5."
    assert "  linkage.excess ≤ 0.1  ✓ 0.050, to 0.060  ✓ 0.010, to 0.020  B" in lines
    assert "  Prediction accuracy kept  0.900  0.800  A" in lines
    assert lines[-1] == "Mind this."
    assert max(map(len, lines)) <= 100


def test_what_is_not_known_is_a_dash() -> None:
    one, two = seen("one", 0.05, 0.01, 0.9), seen("two", 0.01, 0.01, 0.8)
    two.verdict["checks"][0]["estimate"] = None
    lines = comparison_lines(comparison_of([one, two]))
    assert any("linkage.excess" in line and "–" in line for line in lines)
