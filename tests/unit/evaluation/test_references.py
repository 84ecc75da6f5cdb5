"""Pure noise: even over the domain, and strange to the original."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.evaluation.references import noise_table
from hushwood.random_streams import Streams
from support.mixed_tables import category, mixed_table, number, table_of, target

STREAMS = Streams(bytes(32))


def test_noise_is_even_over_every_domain() -> None:
    rows = 6000
    table = table_of(
        {
            "count": (number("count", -1, 4), [0.0] * rows),
            "real": (number("real", 2.0, 4.0, None), [2.5] * rows),
            "job": (category("job", "abc"), [0] * rows),
            "ill": (target("ill", ("no", "yes")), [0] * rows),
        }
    )

    noise = noise_table(table, STREAMS)

    counts = np.unique(noise.columns["count"], return_counts=True)
    assert counts[0].tolist() == [-1, 0, 1, 2, 3, 4]
    assert counts[1] == pytest.approx(np.full(6, 1000), abs=150)
    assert noise.columns["real"].mean() == pytest.approx(3.0, abs=0.05)
    assert noise.columns["real"].min() >= 2
    assert np.bincount(noise.columns["job"]) == pytest.approx(np.full(3, 2000), abs=200)


def test_columns_without_values_stay_so() -> None:
    noise = noise_table(mixed_table(1, 50), STREAMS)

    assert np.isnan(noise.columns["void"]).all()
    assert (noise.columns["nothing"] == -1).all()
    assert (noise.columns["constant"] == 7).all()
