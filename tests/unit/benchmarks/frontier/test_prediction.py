from __future__ import annotations

import numpy as np
import pytest
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
