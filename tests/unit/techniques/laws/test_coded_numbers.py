"""Techniques for the class on a response: RPT keeps the numbers of a segment, and the law is that of the draws."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from hushwood.random_streams import Streams
from hushwood.segments.partition import whole_table
from hushwood.tables.reading import read_table
from hushwood.techniques.class_permutations import Alpt, Ppt, Rpt
from hushwood.techniques.laws.coded_numbers import prepared_for_numbers
from hushwood.techniques.protocol import Technique

FRAME = pl.DataFrame({"x": [1, 2, 3, 4, 5, 6], "y": [0.5, 0.5, 2.0, 7.25, None, 2.0]})
TABLE = read_table(FRAME, target="y", response="number")
SEGMENTS = whole_table(TABLE)


def drawn(technique: Technique, secret: int) -> Any:
    perturber = prepared_for_numbers(technique, TABLE, "y", SEGMENTS)
    streams = Streams(secret.to_bytes(32, "big"))
    return perturber.perturb(TABLE.columns, SEGMENTS.ids, range(TABLE.rows), streams)["y"]


def test_rpt_hands_out_the_numbers_of_the_segment() -> None:
    new = drawn(Rpt(), 1)
    assert sorted(new[~np.isnan(new)]) == sorted(FRAME["y"].drop_nulls().to_list())
    assert any(not np.array_equal(drawn(Rpt(), n), TABLE.columns["y"], equal_nan=True) for n in range(5))


@pytest.mark.parametrize("technique", [Rpt(), Ppt(), Alpt()])
def test_the_law_is_that_of_the_draws(technique: Technique) -> None:
    law = prepared_for_numbers(technique, TABLE, "y", SEGMENTS).law()
    draws = np.stack([drawn(technique, n) for n in range(1500)])
    for value in (0.5, 2.0, 7.25):
        released = {**TABLE.columns, "y": np.full(TABLE.rows, value)}
        stated = np.exp(law.log_prob(TABLE.columns, released, SEGMENTS.ids))
        # Four standard errors of a share among 1,500 draws.
        assert np.abs((draws == value).mean(axis=0) - stated).max() < 0.055
    strange = {**TABLE.columns, "y": np.full(TABLE.rows, 3.0)}
    assert np.isneginf(law.log_prob(TABLE.columns, strange, SEGMENTS.ids)).all()
    assert law.described()["numbers"] == [0.5, 2.0, 7.25]
    assert law.forms(TABLE.schema) == {}
