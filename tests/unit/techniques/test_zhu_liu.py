from __future__ import annotations

import numpy as np
import pytest

from hushwood.arrays import Floats
from hushwood.errors import InputError
from hushwood.reconstruction import NoiseInside, reconstruct
from hushwood.segments.partition import whole_table
from hushwood.tables.domains import Intervals
from hushwood.tables.table import Table
from hushwood.techniques.laws.noise import NoiseLaw
from hushwood.techniques.zhu_liu import MixtureLaw, ZhuLiu, middles, privacy_of, smallest_spread
from oracles import mixture as oracle
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


def law(low: float, high: float, components: int, spread: float, precision: int | None = 0) -> MixtureLaw:
    box = Intervals(np.array([low]), np.array([high]), precision)
    return MixtureLaw("x", box, spread * box.width, "truncate", "normal", "M", components=components)


@pytest.mark.parametrize(("low", "high"), [(1, 10), (0, 6), (-3, 3), (5, 6)])
@pytest.mark.parametrize("components", [2, 3, 4, 6, 20])
def test_the_law_equals_the_oracle(low: int, high: int, components: int) -> None:
    values = np.arange(low, high + 1.0)
    for x in values.astype(int).tolist():
        asked = np.full(len(values), float(x))
        found = np.exp(
            law(low, high, components, 0.2).log_prob({"x": asked}, {"x": values}, np.zeros(len(values), int))
        )
        wanted = [oracle.chance(x, y, low, high, components, 0.2) for y in values.astype(int).tolist()]
        assert found == pytest.approx(wanted, abs=1e-12)
        assert found.sum() == pytest.approx(1)


def test_with_a_component_for_every_value_it_is_truncated_noise() -> None:
    mine = law(0, 9, 10, 0.3)
    noise = NoiseLaw("x", mine.intervals, mine.scale, "truncate", "normal", "M")
    x, y = (g.ravel().astype(float) for g in np.meshgrid(np.arange(10), np.arange(10)))
    one, other = (law.log_prob({"x": x}, {"x": y}, np.zeros(100, int)) for law in (mine, noise))
    assert np.array_equal(one, other)


def test_only_the_component_of_a_number_plays_a_part() -> None:
    of_reals = law(0.0, 1.0, 4, 0.1, None)
    y = np.linspace(0, 1, 50)
    one, two, other = (
        of_reals.log_prob({"x": np.full(50, x)}, {"x": y}, np.zeros(50, int)) for x in (0.26, 0.49, 0.51)
    )
    assert np.array_equal(one, two)
    assert not np.array_equal(one, other)


def test_middles_of_an_even_number_of_values_lie_between_two() -> None:
    assert middles(np.arange(4.0), np.full(4, 4.0), 2).tolist() == [0.5, 0.5, 2.5, 2.5]
    assert middles(np.arange(3.0), np.full(3, 3.0), 50).tolist() == [0, 1, 2]


@pytest.mark.parametrize(("spread", "components"), [(0.05, 4), (0.3, 3), (1.0, 7)])
def test_privacy_equals_the_oracle(spread: float, components: int) -> None:
    assert privacy_of(spread, components) == pytest.approx(
        oracle.privacy(spread, components, 512, 0.95), rel=1e-9
    )


@pytest.mark.parametrize("components", [5, 20])
def test_the_spread_is_the_least_that_is_private_enough(components: int) -> None:
    for wanted in (0.3, 0.6, 0.9):
        spread = smallest_spread(wanted, components)
        assert privacy_of(spread, components) >= wanted
        assert privacy_of(0.99 * spread, components) < wanted
