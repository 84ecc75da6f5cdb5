"""The marginal law against a list of all that can happen, draws against the law, and counts that stay."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.random_streams import Streams
from hushwood.techniques.laws.groupings import by_segment
from hushwood.techniques.laws.permutation import PartialPermutationLaw, partial_permutation_law
from hushwood.techniques.laws.redraw import Distributions
from oracles.partial_permutation import released_chances
from support.law_checks import follows, wrong_laws
from support.mixed_tables import category

STREAMS = Streams(bytes(range(32)))
GROUPS = [[0, 0, 1, 2], [1], [2, 2, 2], [0, -1, 1]]
INSTEAD = {0: 0.25, 2: 0.75}


def law_of(groups: list[list[int]], share: float, draws: bool) -> PartialPermutationLaw:
    ids = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    codes = np.array([3 if code < 0 else code for group in groups for code in group])
    each = np.repeat(np.arange(len(groups)), 2)
    drawn = Distributions.from_weights(each, np.tile([0, 2], len(groups)), np.tile([1, 3], len(groups)), 4)
    return partial_permutation_law(
        "x", codes, ids, by_segment, np.full(len(groups), share), 4, "CAPT", drawn if draws else None
    )


@pytest.mark.parametrize("share", [1.0, 0.7, 0.0])
@pytest.mark.parametrize("draws", [False, True])
def test_the_marginal_law_is_what_happens(share: float, draws: bool) -> None:
    law = law_of(GROUPS, share, draws)
    for number, values in enumerate(GROUPS):
        for record in range(len(values)):
            wanted = released_chances(values, record, share, INSTEAD if draws else None)
            original = {"x": np.full(4, values[record], np.int32)}
            released = {"x": np.array([0, 1, 2, -1], np.int32)}
            found = np.exp(law.log_prob(original, released, np.full(4, number)))
            assert found == pytest.approx([wanted.get(v, 0.0) for v in (0, 1, 2, -1)], abs=1e-12)


@pytest.mark.parametrize("draws", [False, True])
@pytest.mark.parametrize("share", [1.0, 0.6])
def test_draws_follow_it_and_wrong_laws_fail(share: float, draws: bool) -> None:
    """Twenty thousand groups of five: the same record of each is an independent draw."""
    copies, values = 20_000, [0, 0, 1, 2, 1]
    law = law_of([values] * copies, share, draws)
    ids = np.repeat(np.arange(copies), 5)
    columns = {"x": np.array(values * copies, np.int32)}
    released = law.sample(columns, ids, range(5 * copies), STREAMS)["x"]
    for record in (0, 2, 3):
        original = {"x": np.array([values[record]], np.int32)}
        drawn = released[record::5]
        assert follows(law, category("x", "abc"), original, 0, drawn)
        for what, wrong in (
            wrong_laws(law).items() if values[record] != 1 else ()
        ):  # b's others are tilted alike
            assert not follows(wrong, category("x", "abc"), original, 0, drawn), what
    if not draws:
        assert np.array_equal(np.sort(released.reshape(-1, 5)), np.sort(columns["x"].reshape(-1, 5)))


def test_groups_that_no_record_is_in() -> None:
    law = law_of(GROUPS, 0.7, draws=False)
    assert law.dependent
    assert law.marginal.knows(np.array([0, 3, 4, 99])).tolist() == [True, True, False, False]
    assert law.described()["share"] == [0.7] * 4
