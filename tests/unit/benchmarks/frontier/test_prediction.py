from __future__ import annotations

import numpy as np
import pytest
from frontier.models import Classifier, auc, macro_auc, tree
from frontier.prediction import accuracy_share, lift_share, tree_agreement

from support.frontier_people import shuffled_margins, split_people, strangers

SPLIT = split_people()
REFERENCE = SPLIT.reference


def test_the_untouched_table_keeps_everything() -> None:
    by_release = REFERENCE.predicted(REFERENCE.people)
    measures = (accuracy_share, lift_share, tree_agreement)
    assert [measure(REFERENCE, by_release) for measure in measures] == [1.0, 1.0, 1.0]


def test_other_people_of_the_population_serve_as_well() -> None:
    by_release = REFERENCE.predicted(strangers(SPLIT))
    assert accuracy_share(REFERENCE, by_release) == pytest.approx(1, abs=0.08)
    assert lift_share(REFERENCE, by_release) == pytest.approx(1, abs=0.1)
    assert tree_agreement(REFERENCE, by_release) > 0.75


def test_margins_alone_predict_little() -> None:
    """Chance decides which way the models lean, and so whether they are right or wrong a little more often."""
    assert lift_share(REFERENCE, REFERENCE.predicted(shuffled_margins(REFERENCE.people))) < 0.75


def test_agreement_by_hand() -> None:
    flipped = {name: shares[:, ::-1] for name, shares in REFERENCE.by_original.items()}
    ties = np.mean(REFERENCE.by_original["tree"][:, 0] == 0.5)
    assert tree_agreement(REFERENCE, flipped) == pytest.approx(ties)
    assert lift_share(REFERENCE, flipped) == pytest.approx(-1)


def test_auc_by_hand() -> None:
    positive = np.array([True, True, False, False])
    assert auc(np.array([4, 3, 2, 1]), positive) == 1.0
    assert auc(np.array([1, 1, 1, 1]), positive) == 0.5
    assert auc(np.array([3, 1, 2, 0]), positive) == 0.75
    assert auc(np.array([1, 2]), np.array([True, True])) == 0.5


def test_macro_auc_is_the_mean_over_classes() -> None:
    shares = np.array([[0.8, 0.1, 0.1], [0.1, 0.5, 0.4], [0.2, 0.6, 0.2]])
    # class 0: 1; class 1: its 0.5 beats 0.1 and loses to 0.6; class 2: its 0.2 beats 0.1 and loses to 0.4
    assert macro_auc(shares, np.array([0, 1, 2])) == pytest.approx((1 + 0.5 + 0.5) / 3)


def test_a_class_that_the_release_lost_has_probability_zero() -> None:
    x = np.arange(40.0)[:, None]
    model = Classifier(tree(1), x, np.where(x[:, 0] < 20, 0, 2), 3)
    assert model.shares(np.array([[0.0], [39.0]])).tolist() == [[1, 0, 0], [0, 0, 1]]


def test_a_release_with_one_class_predicts_it() -> None:
    model = Classifier(tree(1), np.zeros((5, 1)), np.ones(5, np.int64), 2)
    assert model.shares(np.zeros((2, 1))).tolist() == [[0, 1], [0, 1]]
