from __future__ import annotations

import numpy as np
import pytest

from hushwood.arrays import Floats
from hushwood.errors import InputError
from hushwood.reconstruction import NoiseInside, reconstruct
from hushwood.segments.partition import whole_table
from hushwood.tables.table import Table
from hushwood.techniques.zhu_liu import ZhuLiu
from oracles.normal_chances import rounded
from support.mixed_tables import number, table_of
from support.normal_tables import released_numbers, segments_of


def ages(rows: int, precision: int | None = 0) -> Table:
    values = np.clip(np.random.default_rng(2).gamma(3.0, 8.0, rows), 0, 100)
    values = values if precision is None else np.rint(values)
    return table_of({"age": (number("age", 0, 100, precision), values.tolist())})


def test_one_to_four_in_two_parts() -> None:
    """1 and 2 are redrawn around 1.5, 3 and 4 around 3.5, with a spread of half of the four values."""
    table = table_of({"x": (number("x", 1, 4), [1, 2, 3, 4])})
    law = ZhuLiu(2, spread=0.5).prepare(table, ["x"], whole_table(table)).law()
    for x, middle in ((1, 1.5), (2, 1.5), (3, 3.5), (4, 3.5)):
        found = np.exp(law.log_prob({"x": np.full(4, float(x))}, table.columns, np.zeros(4, int)))
        assert found == pytest.approx([rounded(y, middle, 2.0, 1, 4) for y in (1, 2, 3, 4)])


def test_the_spread_follows_from_the_privacy_unless_it_is_given() -> None:
    assert ZhuLiu(20, 0.5).width == pytest.approx(0.1557, abs=1e-4)
    assert ZhuLiu(20, 0.9).width > 2 * ZhuLiu(20, 0.5).width
    assert ZhuLiu(spread=0.02).width == 0.02
    assert "16% of it" in ZhuLiu().says()


@pytest.mark.parametrize("precision", [0, None])
def test_a_miner_wins_the_distribution_back(precision: int | None) -> None:
    table = ages(20_000, precision)
    technique = ZhuLiu(10, 0.4)
    released = released_numbers(technique, table)[:, 0]
    noise = NoiseInside.of_mixture(table.schema["age"], 10, technique.width)
    found = reconstruct(released, noise, intervals=10)

    def shares(values: Floats) -> Floats:
        return np.histogram(values, found.edges)[0] / len(values)

    truth = shares(table.columns["age"])
    assert np.abs(found.probabilities - truth).sum() < 0.12
    assert np.abs(shares(released) - truth).sum() > 0.2


def test_numbers_stay_in_the_box_of_their_segment_and_gaps_where_they_were() -> None:
    table = ages(300)
    table.columns["age"][::7] = np.nan
    segments = segments_of(table, [0] * 150 + [1] * 150)
    segments.intervals["age"].high[0] = 20
    released = released_numbers(ZhuLiu(5, within="segment"), table, segments)[:, 0]
    assert np.array_equal(np.isnan(released), np.isnan(table.columns["age"]))
    assert np.nanmax(released[:150]) <= 20 < np.nanmax(released[150:])


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="between 2 and 256; 1 was given"):
        ZhuLiu(1)
    with pytest.raises(InputError, match=r"above 0 and below 0\.95; 0\.95 was given"):
        ZhuLiu(privacy=0.95)
    with pytest.raises(InputError, match="spread of ZHULIU must be above 0"):
        ZhuLiu(spread=0.0)
