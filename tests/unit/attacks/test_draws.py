from __future__ import annotations

from itertools import combinations

import pytest

from hushwood.attacks.draws import different_draws
from table_pairs import STREAMS


@pytest.mark.parametrize("picks", [1, 2, 3, 5])
def test_every_choice_is_equally_likely(picks: int) -> None:
    drawn = different_draws(5, picks, range(20_000), STREAMS, "test")
    choices = [tuple(row) for row in drawn.tolist()]
    expected = list(combinations(range(5), picks))
    assert set(choices) == set(expected)
    for choice in expected:
        assert choices.count(choice) == pytest.approx(20_000 / len(expected), rel=0.12)


def test_a_chooser_does_not_depend_on_the_others() -> None:
    many = different_draws(50, 4, range(100), STREAMS, "test")
    assert (different_draws(50, 4, range(30, 40), STREAMS, "test") == many[30:40]).all()


def test_nothing_to_choose_from() -> None:
    assert different_draws(0, 3, range(4), STREAMS, "test").shape == (4, 0)
