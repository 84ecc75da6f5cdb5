"""Whole rows permuted within segments."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from hushwood.arrays import Array
from hushwood.random_streams import Streams
from hushwood.segments.segments import Segments
from hushwood.techniques.laws.forms import PairForm
from hushwood.techniques.laws.permutation import JointPermutationLaw
from support.mixed_tables import category, table_of

STREAMS = Streams(bytes(range(32)))
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
