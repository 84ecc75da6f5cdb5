from __future__ import annotations

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.reconstruction.frequencies import estimated_frequencies
from hushwood.segments.partition import whole_table
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.laws.ordered_noise import ordered_matrix
from hushwood.techniques.sub_attributes import SubAttributes
from oracles import ordered_noise as oracle
from support.mixed_tables import category, number, table_of

CITIES = ("Brisbane", "Melbourne", "Newcastle", "Sydney")
NUMBERS = {
    "city": {
        "population": {"Sydney": 4.4, "Melbourne": 3.9, "Brisbane": 1.9, "Newcastle": 0.5},
        "latitude": {"Sydney": -33.9, "Melbourne": -37.8, "Brisbane": -27.5, "Newcastle": -32.9},
    }
}
STREAMS = Streams(bytes(range(5, 37)))


def people(rows: int = 400) -> Table:
    chance = np.random.default_rng(1)
    city = chance.choice(4, rows, p=[0.4, 0.3, 0.2, 0.1])
    city[::50] = -1
    age = 20 + 10 * np.array([3, 0, 1, 2, 5])[city] + chance.integers(0, 10, rows)
    return table_of(
        {
            "city": (category("city", CITIES), city.tolist()),
            "age": (number("age", 0, 99), age.tolist()),
        }
    )


def matrix_of(technique: SubAttributes, table: Table) -> list[list[float]]:
    law = technique.prepare(table, ["city"], whole_table(table)).law()
    v, w = (g.ravel() for g in np.meshgrid(np.arange(-1, 4), np.arange(-1, 4), indexing="ij"))
    found = np.exp(law.log_prob({"city": v}, {"city": w}, np.zeros(25, int))).reshape(5, 5)
    assert found[0].tolist() == [1, 0, 0, 0, 0]  # missing stays missing
    assert (found[1:, 0] == 0).all()
    return [row[1:] for row in found[1:].tolist()]


def test_the_thesis_example_in_the_order_of_population() -> None:
    """Newcastle, Brisbane, Melbourne, Sydney; a quarter of four places is one place, so half a place is Φ(0.5)."""
    numbers = {"city": {"population": NUMBERS["city"]["population"]}}
    found = matrix_of(SubAttributes(numbers, noise=0.25), people())
    stay, next_place = 0.6914624612740131, 0.24173033745712882
    assert found[2][2] == pytest.approx(stay)  # Newcastle is the smallest
    assert found[2][0] == pytest.approx(next_place)  # and Brisbane the next
    assert found[3] == pytest.approx([0.0606, 0.2417, 0.0062, 0.6915], abs=1e-4)


@pytest.mark.parametrize("spacing", ["rank", "value"])
def test_several_sub_attributes_are_drawn_evenly(spacing: str) -> None:
    technique = SubAttributes(NUMBERS, noise=0.3, spacing=spacing)  # type: ignore[arg-type]
    orders = [[one[city] for city in CITIES] for one in NUMBERS["city"].values()]
    assert np.array(matrix_of(technique, people())) == pytest.approx(
        np.array(oracle.matrix(orders, 0.3, spacing)), abs=1e-12
    )


def test_without_numbers_the_table_itself_describes_the_values() -> None:
    """Mean ages put Melbourne first, then Newcastle, Sydney and Brisbane."""
    table = people()
    found = SubAttributes().orders(table, "city")
    assert np.argsort(found[0]).tolist() == [1, 2, 3, 0]
    assert np.array_equal(found, SubAttributes(columns=("age",)).orders(table, "city"))
    alone = table_of({"city": (category("city", CITIES), [0, 0, 3, 3, 3, -1])})
    counts = SubAttributes().orders(alone, "city")
    assert np.array_equal(counts, [[2.0, np.nan, np.nan, 3.0]], equal_nan=True)


def test_a_value_that_nothing_describes_stays_and_none_becomes_it() -> None:
    numbers = {"city": {"x": {"Sydney": 1.0, "Brisbane": 2.0, "Melbourne": 2.0}}}
    found = matrix_of(SubAttributes(numbers, noise=2.0), people())
    assert found[2] == [0, 0, 1, 0]
    assert [row[2] for row in found] == [0, 0, 1, 0]
    assert found[0] == pytest.approx(found[1])


def test_inside_a_segment_only_its_own_values_are_drawn() -> None:
    """Sydney shares its segment with Newcastle: the row of the matrix, given that one of the two is drawn."""
    table = table_of({"city": (category("city", CITIES), [3, 2, 3, 0, 1, -1])})
    ids = np.array([0, 0, 0, 1, 1, 1], np.int32)
    law = (
        SubAttributes(NUMBERS, noise=0.3, within="segment")
        .prepare(table, ["city"], Segments(ids, 2, {}, {}, {}))
        .law()
    )
    orders = [[one[city] for city in CITIES] for one in NUMBERS["city"].values()]
    row = oracle.matrix(orders, 0.3, "rank")[3]
    asked = {"city": np.full(5, 3)}
    found = np.exp(law.log_prob(asked, {"city": np.arange(-1, 4)}, np.zeros(5, int)))
    assert found == pytest.approx([0, 0, 0, row[2] / (row[2] + row[3]), row[3] / (row[2] + row[3])])
    drawn = law.sample({"city": np.full(20_000, 3)}, np.zeros(20_000, int), range(20_000), STREAMS)["city"]
    assert (drawn == 2).mean() == pytest.approx(found[3], abs=0.015)
    assert set(drawn.tolist()) == {2, 3}


def test_a_miner_estimates_the_frequencies() -> None:
    table = people(40_000)
    perturber = SubAttributes(NUMBERS, noise=0.2).prepare(table, ["city"], whole_table(table))
    released = perturber.perturb(table.columns, np.zeros(table.rows, int), range(table.rows), STREAMS)["city"]
    orders = np.array([[one[city] for city in CITIES] for one in NUMBERS["city"].values()])
    before, after = (np.bincount(c[c >= 0]) / (c >= 0).sum() for c in (table.columns["city"], released))
    found = estimated_frequencies(ordered_matrix(orders, 0.2), after)
    assert np.abs(found - before).max() < 0.02
    assert np.abs(after - before).max() > 0.04


def test_what_is_refused() -> None:
    table = people()
    with pytest.raises(InputError, match="no value of city 'Perth'"):
        SubAttributes({"city": {"x": {"Perth": 1.0}}}).prepare(table, ["city"], whole_table(table))
    with pytest.raises(InputError, match="no column of numbers 'wage'"):
        SubAttributes(columns=("wage",)).prepare(table, ["city"], whole_table(table))
    with pytest.raises(InputError, match="a sub-attribute is a finite number"):
        SubAttributes({"city": {"x": {"Sydney": float("nan")}}})
    with pytest.raises(InputError, match="above 0"):
        SubAttributes(noise=0.0)
