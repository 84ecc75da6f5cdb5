from __future__ import annotations

import numpy as np
import pytest
from frontier.disclosure import attribute_excess, class_excess, close, guessed_columns, linkage, tolerance
from frontier.records import Records

from hushwood.attacks.judging.scoring import tolerance_of
from support.frontier_people import shuffled_margins, split_people, strangers

SPLIT = split_people()
REFERENCE = SPLIT.reference
PEOPLE = REFERENCE.people


def test_everybody_is_found_in_the_untouched_table() -> None:
    blind = 1 / PEOPLE.count
    assert linkage(REFERENCE, PEOPLE) == pytest.approx((1 - blind, 1 - blind))


def test_nobody_is_found_among_strangers() -> None:
    found, worst = linkage(REFERENCE, strangers(SPLIT))
    assert abs(found) < 0.01
    assert abs(worst) < 0.08


def test_the_outliers_are_the_loneliest() -> None:
    """One person in twenty; far out in the first two numbers."""
    away = np.linalg.norm(REFERENCE.scale(PEOPLE.numbers) - 0.5, axis=1)
    assert len(REFERENCE.outliers) == PEOPLE.count * 0.05
    assert away[REFERENCE.outliers].mean() > 1.5 * away.mean()


def test_who_alone_is_found_counts_for_the_outliers() -> None:
    """All others take each other's rows; the outliers keep their own."""
    rows = np.arange(PEOPLE.count)
    others = np.setdiff1d(rows, REFERENCE.outliers)
    rows[others] = np.roll(others, 1)
    found, worst = linkage(REFERENCE, PEOPLE.take(rows))
    assert worst > 0.9
    assert found < 0.1


def test_a_forest_of_the_untouched_table_knows_its_people() -> None:
    model = REFERENCE.trained(PEOPLE)["forest"]
    assert class_excess(REFERENCE, model) > 0.1
    assert attribute_excess(REFERENCE, PEOPLE) > 0.15


def test_a_forest_of_strangers_knows_nobody_better() -> None:
    drawn = strangers(SPLIT)
    assert abs(class_excess(REFERENCE, REFERENCE.trained(drawn)["forest"])) < 0.1
    assert abs(attribute_excess(REFERENCE, drawn)) < 0.1
    assert abs(attribute_excess(REFERENCE, shuffled_margins(PEOPLE))) < 0.1


def test_a_constant_column_is_not_guessed() -> None:
    assert sorted(guessed_columns(REFERENCE)) == [0, 1, 2]
    flat = Records(PEOPLE.numbers * [0, 1], PEOPLE.codes)
    with_constant = type(REFERENCE)(REFERENCE.columns, flat, REFERENCE.held_out, REFERENCE.streams)
    assert sorted(guessed_columns(with_constant)) == [1, 2]


def test_the_tolerance_is_that_of_the_product() -> None:
    values = PEOPLE.numbers[:, 0]
    assert tolerance(values) == pytest.approx(tolerance_of(values))
    mostly_zero = np.array([0.0] * 99 + [10.0])
    assert tolerance(mostly_zero) == 0.5
    assert close(np.array([1.0, 2.0]), np.array([1.5, 2.6]), 0.5).tolist() == [True, False]
