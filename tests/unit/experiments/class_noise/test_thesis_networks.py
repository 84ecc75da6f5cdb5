"""The network of chapter 9 learns what a line can tell apart, and its chance is that of the streams."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from hushwood.experiments.class_noise.noisy_classes import grown_by_see5
from hushwood.experiments.class_noise.thesis_networks import TRAININGS, thesis_network
from hushwood.random_streams import Streams
from hushwood.tables.reading import read
from hushwood.tables.table import class_labels


@pytest.mark.parametrize("training", TRAININGS)
def test_it_learns_a_line_and_copes_with_a_missing_number(training: str) -> None:
    first, second = (np.tile(np.arange(10.0), 20), np.repeat(np.arange(20.0), 10))
    frame = pl.DataFrame({"a": first, "b": second, "class": np.where(first + second > 14, "high", "low")})
    holed = frame.with_columns(
        pl.when(pl.int_range(pl.len()) == 5).then(None).otherwise(pl.col("a")).alias("a")
    )
    grown = grown_by_see5(read(holed, target="class").table)
    codes = class_labels(grown.table)[0]
    one, again, other = (
        thesis_network(training, Streams(key * 32)).fit(grown)(grown.table) for key in (b"1", b"1", b"2")
    )
    assert (one == codes).mean() > 0.9
    assert np.array_equal(one, again)
    assert (other == codes).mean() > 0.9
