"""Whole rows permuted within segments.

The marginal law against a list of all that can happen, draws against the law, and counts that stay.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from hushwood.arrays import Array
from hushwood.random_streams import Streams
from hushwood.segments.segments import Segments
from hushwood.techniques.laws.forms import PairForm
from hushwood.techniques.laws.groupings import by_segment
from hushwood.techniques.laws.permutation import (
    JointPermutationLaw,
    PartialPermutationLaw,
    PermutationLaw,
    partial_permutation_law,
    permutation_law,
)
from hushwood.techniques.laws.redraw import Distributions
from oracles.partial_permutation import released_chances
from support.law_checks import follows, wrong_laws
from support.mixed_tables import category, table_of

STREAMS = Streams(bytes(range(32)))


def law_and_ids(
    codes: list[int], ids: list[int]
) -> tuple[PermutationLaw, np.ndarray[tuple[int], np.dtype[np.int32]]]:
    table = table_of({"x": (category("x", "abc"), codes)})
    numbers = np.array(ids, np.int32)
    return permutation_law(table, "x", Segments(numbers, max(ids) + 1, {}, {}, {}), "SWAP"), numbers


def test_values_in_the_order_of_their_keyed_numbers_go_to_the_rows_in_order() -> None:
    """DESIGN.md, Randomness: word by word, with nothing but sorting."""
    codes, ids = [0, 1, 2, 0, 1, 2, 2, 1], [0, 0, 1, 0, 1, 0, 1, 0]
    law, numbers = law_and_ids(codes, ids)
    words = STREAMS.words("SWAP", "x", 0, range(8)).tolist()
    wanted = list(codes)
    for segment in (0, 1):
        rows = [row for row in range(8) if ids[row] == segment]
        by_word = sorted(rows, key=lambda row: words[row])
        for row, source in zip(rows, by_word, strict=True):
            wanted[row] = codes[source]
    found = law.sample({"x": np.array(codes, np.int32)}, numbers, range(8), STREAMS)
    assert found["x"].tolist() == wanted


def test_marginal_law_is_the_share_in_the_segment() -> None:
    law, _ = law_and_ids([0, 0, 1, -1, 2], [0, 0, 0, 0, 1])
    released = {"x": np.array([0, 1, -1, 2, 2, 0])}
    original = {"x": np.zeros(6, int)}
    found = np.exp(law.log_prob(original, released, np.array([0, 0, 0, 0, 1, 1])))
    assert found == pytest.approx([0.5, 0.25, 0.25, 0, 1, 0])
    assert law.dependent
    assert law.described()["attribute"] == "x"


def test_a_part_of_a_table_is_permuted_by_the_numbers_of_its_rows() -> None:
    """Rows 2, 5 and 7 of a longer table: their own words decide, wherever they lie."""
    law, ids = law_and_ids([0, 1, 2], [0, 0, 0])
    rows, codes = np.array([2, 5, 7]), np.array([0, 1, 2], np.int32)
    by_word = np.argsort(STREAMS.words("SWAP", "x", 0, range(8))[rows])
    assert law.sample({"x": codes}, ids, rows, STREAMS)["x"].tolist() == codes[by_word].tolist()


X = [0, 0, 1, -1, 2, 2]
Y = [0, 0, 1, 1, 0, 0]
IDS = np.array([0, 0, 0, 0, 1, 1], np.int32)


def law_of(x: list[int], y: list[int], ids: Array) -> tuple[JointPermutationLaw, dict[str, Array]]:
    table = table_of({"x": (category("x", "abc"), x), "y": (category("y", "de"), y)})
    segments = Segments(ids, int(ids.max()) + 1, {}, {}, {})
    return JointPermutationLaw.of(table, ("x", "y"), segments, "SWAP"), dict(table.columns)


def test_by_hand() -> None:
    """Of segment 0, half of the rows are (a, d), a quarter (b, e), a quarter (missing, e)."""
    law, _ = law_of(X, Y, IDS)
    released = {"x": np.array([0, 1, -1, 0, 2, 2]), "y": np.array([0, 1, 1, 1, 0, 0])}
    original = {"x": np.zeros(6, int), "y": np.zeros(6, int)}
    found = np.exp(law.log_prob(original, released, np.array([0, 0, 0, 0, 0, 1])))
    assert found == pytest.approx([0.5, 0.25, 0.25, 0, 0, 0]), (
        "a row of the other segment cannot come from here"
    )
    held = {"x": np.full(6, 2), "y": np.zeros(6, int)}
    assert np.exp(law.log_prob(held, held, np.ones(6, int))) == pytest.approx([1] * 6)
    form = law.forms(None)["y"]  # type: ignore[arg-type]
    assert isinstance(form, PairForm)
    assert form.holders is not None
    assert form.holders(released, np.array([0, 0, 0, 0, 0, 1])).tolist() == [2, 1, 1, 1, 1, 2]


def test_rows_stay_whole_and_in_their_segment() -> None:
    chance = np.random.default_rng(3)
    x, y = chance.integers(-1, 3, 300).tolist(), chance.integers(0, 2, 300).tolist()
    ids = (np.arange(300) % 4).astype(np.int32)
    law, columns = law_of(x, y, ids)
    found = law.sample(columns, ids, range(300), STREAMS)
    for segment in range(4):
        here = ids == segment
        before, after = (
            Counter(zip(c["x"][here].tolist(), c["y"][here].tolist(), strict=True)) for c in (columns, found)
        )
        assert before == after
    assert (found["x"] != columns["x"]).mean() > 0.4


@pytest.mark.parametrize("record", [0, 2, 3])
def test_draws_follow_the_law(record: int) -> None:
    """Ten thousand segments of four rows; a law with other shares is told apart."""
    from scipy.stats import chisquare

    copies = 10_000
    ids = np.repeat(np.arange(copies, dtype=np.int32), 4)
    law, columns = law_of(X[:4] * copies, Y[:4] * copies, ids)
    found = law.sample(columns, ids, range(4 * copies), STREAMS)
    rows = list(zip(found["x"][record::4].tolist(), found["y"][record::4].tolist(), strict=True))
    counts = [rows.count(row) for row in ((0, 0), (1, 1), (-1, 1))]
    assert sum(counts) == copies
    assert chisquare(counts, np.array([0.5, 0.25, 0.25]) * copies).pvalue > 1e-3
    assert chisquare(counts, np.array([0.46, 0.27, 0.27]) * copies).pvalue < 1e-3


GROUPS = [[0, 0, 1, 2], [1], [2, 2, 2], [0, -1, 1]]
INSTEAD = {0: 0.25, 2: 0.75}


def law_of_partial_permutation(groups: list[list[int]], share: float, draws: bool) -> PartialPermutationLaw:
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
    law = law_of_partial_permutation(GROUPS, share, draws)
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
    law = law_of_partial_permutation([values] * copies, share, draws)
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
    law = law_of_partial_permutation(GROUPS, 0.7, draws=False)
    assert law.dependent
    assert law.marginal.knows(np.array([0, 3, 4, 99])).tolist() == [True, True, False, False]
    assert law.described()["share"] == [0.7] * 4
