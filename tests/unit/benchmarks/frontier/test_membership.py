from __future__ import annotations

import numpy as np
from frontier.membership import membership, rare_numbers_found, targets_of
from frontier.records import Records
from frontier.yardstick import ATTACKS

from support.frontier_people import shuffled_margins, split_people, strangers

SPLIT = split_people()
REFERENCE = SPLIT.reference


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
