"""Whether someone far out is found: by the blur that Hushwood had first, by the one it has, and by chance."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.arrays import Floats
from hushwood.evaluation.answers import MeasureAnswer
from hushwood.measures.protocol import Measurement
from hushwood.measures.risk.extremes import Extremes, error_of, guesses
from hushwood.tables.domains import Intervals
from hushwood.techniques.blurring.blur import SortedColumn, blurred
from support.mixed_tables import category, number, table_of
from support.table_pairs import context_for

ROWS, FAR = 1500, 2_345_600.0


def measured(original: Floats, released: Floats) -> Measurement:
    tables = [table_of({"x": (number("x", -1e9, 1e9), values.tolist())}) for values in (original, released)]
    return Extremes().compute(tables[0], tables[1], context_for(tables[0], tables[1]))


def salaries(*far: float) -> Floats:
    column = np.random.default_rng(1).lognormal(10.5, 0.45, ROWS).round()
    column[: len(far)] = far
    return column


def even_between_neighbours(column: Floats, width: int, key: int = 2) -> Floats:
    """The blur that there was first: even in value between the numbers `width` places below and above."""
    ordered, rng = np.sort(column), np.random.default_rng(key)
    place = np.searchsorted(ordered, column)
    low, high = ordered[np.maximum(place - width, 0)], ordered[np.minimum(place + width, len(column) - 1)]
    return np.floor(low + rng.random(len(column)) * (high - low + 1))


def by_rank(column: Floats, width: int, key: int = 2) -> Floats:
    """The blur that there is."""
    box = Intervals(np.array([column.min()]), np.array([column.max()]), 0)
    u, place = np.random.default_rng(key).random((2, len(column)))
    return blurred(column, box, np.zeros(len(column), int), SortedColumn.of(column, 0, width), u, place)[0]


def test_one_large_salary() -> None:
    column = salaries(FAR)
    old, new = (measured(column, blur(column, 75)) for blur in (even_between_neighbours, by_rank))
    assert (old.value, new.value) == (1.0, 0.0)
    assert old.details["columns"][0]["error"] < 0.01
    assert new.details["columns"][0]["error"] > 0.9
    moved = [blur(column, 75).mean() / column.mean() for blur in (even_between_neighbours, by_rank)]
    assert moved[0] > 2
    assert 0.93 < moved[1] < 1
    assert measured(column, column).value == 1.0


@pytest.mark.parametrize("width", [5, 75])
@pytest.mark.parametrize(
    "far", [(FAR,), (FAR, 2e6), (9e6, 5e6, 2e6), (9e6, 7e6, 5e6, 2e6), (9e6, 8e6, 7e6, 5e6, 2e6), (-4e6,)]
)
def test_up_to_five_people_are_not_found(width: int, far: tuple[float, ...]) -> None:
    column = salaries(*far)
    for key in range(5):
        assert measured(column, by_rank(column, width, key)).value == 0
    assert (
        sum(measured(column, even_between_neighbours(column, width, key)).value > 0 for key in range(5)) >= 2
    )


def drawn(law: str, rng: np.random.Generator) -> Floats:
    match law:
        case "exponential":
            return rng.exponential(1000.0, ROWS)
        case "even":
            return 100 * rng.random(ROWS)
        case "lognormal":
            return rng.lognormal(9.0, 1.0, ROWS)
    return rng.normal(0.0, 1.0, ROWS)


@pytest.mark.parametrize("law", ["exponential", "even", "lognormal", "normal"])
def test_who_knows_another_sample_of_the_same_kind_finds_nobody(law: str) -> None:
    rng = np.random.default_rng(4)
    assert max(measured(drawn(law, rng), drawn(law, rng)).value for _ in range(5)) == 0


def test_who_knows_the_others_does_not_find_the_one() -> None:
    assert measured(salaries(FAR), salaries()).value == 0


@pytest.mark.parametrize(
    "column",
    [
        np.random.default_rng(1).integers(17, 90, ROWS).astype(float),
        np.minimum(np.random.default_rng(1).normal(90, 20, ROWS).round(), 100),
        np.where(np.arange(ROWS) < 1400, 0.0, np.arange(ROWS) - 1390),
    ],
    ids=["ages", "percentages", "mostly zeros"],
)
def test_ends_that_many_share_are_no_finding(column: Floats) -> None:
    found = measured(column, column)
    assert found.value == 0
    assert sum(c["standing_out"] for c in found.details["columns"]) == 0


def test_an_island_in_a_wide_gap() -> None:
    """Two large groups far apart: no end stands out, and the gap stays nearly empty."""
    column = salaries()
    column[:700] += 2e6
    new = by_rank(column, 75)
    assert measured(column, new).value == 0
    assert ((new > 200_000) & (new < 1_900_000)).sum() <= 12
    assert (
        (even_between_neighbours(column, 75) > 200_000) & (even_between_neighbours(column, 75) < 1.9e6)
    ).sum() > 60
    assert abs(new.mean() / column.mean() - 1) < 0.03


def test_guesses_by_hand() -> None:
    """Of 5 numbers above 0 that are even up to an end, the largest is 5/6 of it."""
    released = np.array([50.0, 40, 30, 20, 10, 0])
    assert guesses(released, 1).tolist() == [50.0, 60.0, 60.0]
    assert guesses(released, 3).tolist() == [30.0, 40.0]
    assert error_of(released, 1, 100.0, 80.0) == 0.5
    assert guesses(released, 7).tolist() == []
    assert error_of(np.empty(0), 1, 100.0, 80.0) == np.inf


def test_what_it_advises_and_says() -> None:
    column = salaries(FAR)
    found = measured(column, column)
    assert Extremes().advises(found.details) == {"top_code": {"x": "99%"}}
    assert Extremes().advises(measured(-column, -column).details) == {"bottom_code": {"x": "1%"}}
    assert Extremes().advises(measured(column[:40], column[:40]).details) == {"top_code": {"x": "75%"}}
    assert Extremes().advises(measured(column, by_rank(column, 5)).details) == {}
    (table,) = Extremes().tables(found.details)
    assert list(table.rows) == [("x", "largest", 1, 1, 0.0)]
    tones = [Extremes().tone(one.details) for one in (found, measured(column, by_rank(column, 5)))]
    assert tones == ["bad", "good"]
    public = MeasureAnswer(Extremes(), found.value, 1.0, 0.0, found.details).publishable(ROWS)
    assert public.value == 1.0
    assert not public.details


def test_a_table_without_numbers_has_nobody_far_out() -> None:
    table = table_of({"c": (category("c", "ab"), [0, 1, 1])})
    assert Extremes().compute(table, table, context_for(table, table)).value == 0
