from __future__ import annotations

import numpy as np
import pytest
from frontier.disclosure import attribute_excess, class_excess, close, guessed_columns, linkage, tolerance
from frontier.membership import membership, rare_numbers_found, targets_of
from frontier.records import Records
from frontier.yardstick import ATTACKS

from hushwood.attacks.judging.scoring import tolerance_of
from support.frontier_people import shuffled_margins, split_people, strangers


def attacked(released: Records) -> dict[str, float]:
    return membership(REFERENCE, released, REFERENCE.trained(released)["forest"])


def test_members_and_others_are_equally_many() -> None:
    targets = targets_of(REFERENCE)
    assert targets.member.sum() == (~targets.member).sum() == REFERENCE.held_out.count
    assert set(targets.fold.tolist()) == {0, 1, 2}


def test_members_of_the_untouched_table_are_known() -> None:
    found = attacked(REFERENCE.people)
    assert found["nearest"] == found["unique"] == 1.0
    assert found["density_1"] > 0.99
    assert found["class_loss"] > 0.6


def test_strangers_tell_nothing_about_members() -> None:
    found = attacked(strangers(SPLIT))
    assert set(found) == {*ATTACKS, "unique"}
    assert all(abs(value - 0.5) < 0.12 for value in found.values()), found
    assert found["unique"] == 0.5


def test_only_looking_up_sees_unique_values_in_shuffled_margins() -> None:
    found = attacked(shuffled_margins(REFERENCE.people))
    assert found["unique"] == 1.0
    assert max(found[name] for name in ATTACKS) < 0.65


def test_rare_numbers_by_hand() -> None:
    """Two columns: a number that five records share is not rare; one that no record holds is rare and not found."""
    released = np.array([[1.0, 9.0], [1.0, 8.0], [1.0, 7.0], [1.0, 6.0], [2.0, 5.0]])
    sample = np.array([[1.0, 4.0], [3.0, 4.0]])
    asked = np.array([[1.0, 9.0], [2.0, 0.0], [3.0, 4.0], [2.0, 5.0]])
    assert rare_numbers_found(asked, released, sample).tolist() == [1.0, 0.5, 0.0, 1.0]
    common = np.ones((1, 2))
    assert rare_numbers_found(common, np.ones((5, 2)), sample).tolist() == [0.5]


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
