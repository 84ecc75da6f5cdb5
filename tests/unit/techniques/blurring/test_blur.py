from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.arrays import Array, Floats
from hushwood.random_streams import Rows, Streams
from hushwood.segments.segments import Segments
from hushwood.tables.domains import Intervals, from_steps, to_steps
from hushwood.techniques.blurring.blur import (
    COMMON,
    OUTERMOST,
    Blur,
    QuantileLine,
    SortedColumn,
    blurred,
    folded,
    share_below,
)
from hushwood.techniques.blurring.blurred_law import BlurredLaw
from hushwood.techniques.protocol import Columns, Law
from hushwood.techniques.rank_swapping import RankSwap
from oracles import blur as oracle
from support.law_checks import follows
from support.mixed_tables import number, table_of

STREAMS = Streams(bytes(range(1, 33)))
DRAWS = 60_000

# Rare numbers alone and in ties, a common one, and some next to each other.
COLUMN = [0.0, 3, 3, 3, 4, 9, 9, 12, 12, 12, 12, 12, 13, 14, 20, 31, 31, 40]


@dataclass(frozen=True, slots=True)
class Copies(Law):
    """Hands out the record's own number with probability `stays`, else the column's number at a random place."""

    stays: float = 0.4

    def log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
        x, y = original["x"], released["x"]
        share = np.array([COLUMN.count(v) / len(COLUMN) for v in y])
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.stays * (x == y) + (1 - self.stays) * share))

    def sample(self, original: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        u, v = (streams.uniform("copies", "x", draw, row_ids) for draw in range(2))
        other = np.array(COLUMN)[(v * len(COLUMN)).astype(int)]
        return {"x": np.where(u < self.stays, original["x"], other)}

    def described(self) -> dict[str, Any]:
        return {"form": "copies"}


def law_of(width: int, low: float = 0, high: float = 50) -> BlurredLaw:
    table = table_of({"x": (number("x", 0, 50), COLUMN)})
    blur = Blur.of(table, ["x"], [Intervals(np.array([low]), np.array([high]), 0)], width, "TEST")
    assert blur is not None
    return BlurredLaw(Copies(), "x", blur)


def draws(law: Law, value: float) -> Array:
    copies = {"x": np.full(DRAWS, value)}
    return law.sample(copies, np.zeros(DRAWS, int), range(DRAWS), STREAMS)["x"]


@pytest.mark.parametrize("value", [0.0, 3.0, 12.0, 14.0, 31.0, 40.0])
@pytest.mark.parametrize("width", [1, 2, 5])
def test_draws_follow_the_law(value: float, width: int) -> None:
    law, schema = law_of(width), number("x", 0, 50)
    record = {"x": np.array([value])}
    drawn = draws(law, value)
    assert follows(law, schema, record, 0, drawn)
    assert not follows(law_of(width + 3), schema, record, 0, drawn)
    assert not follows(law.handed_out, schema, record, 0, drawn)


def test_the_law_knows_the_box() -> None:
    """Of the numbers 0, 10, ..., 400 the rank of 200 is 20; from 196 to 207 there are 1.2 ranks."""
    table = table_of({"x": (number("x", 0, 400), [10.0 * i for i in range(41)])})
    blur = Blur.of(table, ["x"], [Intervals(np.array([196.0]), np.array([207.0]), 0)], 5, "TEST")
    assert blur is not None
    law = BlurredLaw(Copies(1.0), "x", blur)
    found = law.log_prob({"x": np.full(401, 200.0)}, {"x": np.arange(401.0)}, np.zeros(401, int))
    # From rank 15 to 25 the way leads seven times through all of it, and once more from 19.8 and up to 20.2.
    passes = np.zeros(401)
    passes[196:208] = 7 + np.array([1, 1, 1.5, 2, 2, 2, 1.5, 1, 1, 1, 1, 1])
    np.testing.assert_allclose(np.exp(found), passes / 100, atol=1e-12)


def blurred_swap(values: list[float], ids: list[int], width: int, **more: Any) -> tuple[Law, Columns]:
    table = table_of({"x": (number("x", 0, 60), values)})
    count = max(ids) + 1
    box = Intervals(np.zeros(count), np.full(count, 60.0), 0)
    segments = Segments(np.array(ids, np.int32), count, {"x": box}, {}, {})
    law = RankSwap(40, blur=width, **more).prepare(table, ["x"], segments).law().laws[0]
    return law, table.columns


@pytest.mark.parametrize("within", ["table", "segment"])
def test_a_blurred_rank_swap_sums_to_one(within: str) -> None:
    values, ids = [*COLUMN, 55.0, GAP], [0, 1] * 10
    law, columns = blurred_swap(values, ids, 3, within=within)
    grid = np.append(np.arange(61.0), GAP)
    original = {"x": np.repeat(columns["x"], len(grid))}
    chance = np.exp(
        law.log_prob(original, {"x": np.tile(grid, len(values))}, np.repeat(ids, len(grid)))
    ).reshape(len(values), -1)
    np.testing.assert_allclose(chance.sum(axis=1), 1, atol=1e-6)
    assert chance[-1, -1] == 1


def test_a_blurred_rank_swap_follows_its_law() -> None:
    """Record 3 of a small table, released under many keys."""
    values = [1.0, 4, 4, 10, 15, 22, 30, 41]
    law, columns = blurred_swap(values, [0] * 8, 1)
    drawn = np.array(
        [
            law.sample(columns, np.zeros(8, int), range(8), Streams(key.to_bytes(32, "big")))["x"][3]
            for key in range(4000)
        ]
    )
    assert follows(law, number("x", 0, 60), {"x": np.array([10.0])}, 0, drawn)


def test_it_says_what_it_does_and_has_no_form() -> None:
    law = law_of(4)
    assert law.described() == {"form": "copies", "blur": 4}
    assert law.forms(table_of({"x": (number("x", 0, 50), COLUMN)}).schema) == {}
    assert not law.dependent


def test_numbers_without_room_are_counted() -> None:
    law = law_of(5, 20, 20)
    law.sample({"x": np.array([20.0, 20.0])}, np.zeros(2, int), range(2), STREAMS)
    assert law.blur.stuck["x"] <= 2
    sure = replace(law, handed_out=Copies(1.0))
    sure.sample({"x": np.array([20.0, 20.0])}, np.zeros(2, int), range(2), STREAMS)
    assert sure.blur.stuck == {"x": 2}


def test_width_0_is_no_blur() -> None:
    table = table_of({"x": (number("x", 0, 50), COLUMN)})
    assert Blur.of(table, ["x"], [Intervals(np.zeros(1), np.full(1, 50.0), 0)], 0, "TEST") is None


GAP = float("nan")


def box_of(records: int, low: float, high: float, precision: int | None = 0) -> Intervals:
    return Intervals(np.full(records, low), np.full(records, high), precision)


def test_a_number_in_many_rows_of_one_owner_is_rare() -> None:
    column = np.concatenate([np.full(30, 7.0), np.arange(40.0) * 3, [np.nan]])
    owners = np.concatenate([np.zeros(30, int), np.arange(40) % 20 + 1, [5]])
    order = SortedColumn.of(column, 0, 5, owners)
    pairs = {pair for pair in zip(column.tolist(), owners.tolist(), strict=True) if pair[0] == pair[0]}
    assert order.ordered.tolist() == sorted(value for value, _ in pairs)
    box = Intervals(np.zeros(1), np.full(1, 200.0), 0)
    u, place, values = np.linspace(0.01, 0.99, 60), np.full(60, 0.5), np.full(60, 7.0)
    everyone = np.zeros(60, np.int64)
    assert (blurred(values, box, everyone, SortedColumn.of(column, 0, 5), u, place)[0] == 7.0).all()
    assert (blurred(values, box, everyone, order, u, place)[0] == 7.0).mean() < 0.3


def moved(
    values: Floats, boxes: Intervals, column: SortedColumn, u: Floats, place: Floats
) -> tuple[Floats, int]:
    """Blurred, with a segment of its own for every record."""
    return blurred(values, boxes, np.arange(len(values)), column, u, place)


def blur(
    values: list[float],
    column: list[float],
    width: int,
    box: tuple[float, float] = (-1000.0, 1000.0),
    u: float = 0.5,
    place: float = 0.5,
    precision: int | None = 0,
) -> tuple[list[float], int]:
    n = len(values)
    new, stuck = moved(
        np.array(values),
        box_of(n, *box, precision),
        SortedColumn.of(np.array(column), precision, width),
        np.full(n, u),
        np.full(n, place),
    )
    return new.tolist(), stuck


TENS = [10.0 * i for i in range(41)]


@pytest.mark.parametrize(
    ("u", "width", "expected"),
    [
        (0.0, 1, 190.0),
        (0.25, 1, 195.0),
        (0.5, 1, 200.0),
        (1.0, 1, 210.0),
        (0.0, 5, 150.0),
        (1.0, 8, 280.0),
        (0.0, 20, 30 + 70 * 0.5 / 10.5),  # half a place from the end, on the straight piece from 30 to 100
    ],
)
def test_a_rare_number_moves_by_places_in_the_sorted_column(u: float, width: int, expected: float) -> None:
    assert blur([200.0], TENS, width, u=u) == ([float(np.floor(expected + 0.5))], 0)


def test_at_the_ends_ranks_are_mirrored() -> None:
    """Half a place below the first there is a mirror: 12 below rank 2 is rank 9, 12 below rank 9 is rank 2."""
    assert blur([20.0, 90.0], TENS, 12, u=0.0)[0] == [93.0, 47.0]


def test_a_number_stays_inside_its_box() -> None:
    new, _ = blur([200.0] * 7, TENS, 9, (196, 207), u=0.0)
    assert set(new) == {206.0}  # nine places below, mirrored at 195.5 and 207.5 as often as needed
    for u in np.linspace(0, 1, 50):
        assert 196 <= blur([200.0], TENS, 9, (196, 207), u=u)[0][0] <= 207


def test_a_box_without_another_number_is_counted() -> None:
    assert blur([30.0, 30.0], TENS, 2, (30, 30)) == ([30.0, 30.0], 2)


def test_between_common_numbers_a_rare_one_is_anywhere() -> None:
    column = [6.0] * 9 + [7.0] + [20.0] * 9
    assert [blur([7.0], column, 1, u=u)[0][0] for u in (0.0, 0.25, 0.5, 1.0)] == [6.0, 10.0, 13.0, 20.0]


def test_neighbours_without_another_number_are_counted() -> None:
    assert blur([7.0], [6.0] * 9 + [7.0] + [8.0] * 9, 1, (7, 7)) == ([7.0], 1)


def test_common_numbers_stay_and_nobody_moves_past_them() -> None:
    column = [1.0] * COMMON + [2.0] * (COMMON - 1) + [9.0] * COMMON + [30.0, 31.0]
    for u in np.linspace(0, 1, 30):
        new = blur([1.0, 2.0, 9.0, 30.0], column, 5, u=u)[0]
        assert (new[0], new[2]) == (1.0, 9.0)
        assert 1 <= new[1] <= 9 <= new[3]


def test_the_place_among_equal_numbers_is_drawn() -> None:
    column = sorted([*TENS, 200.0, 200.0])
    assert blur([200.0], column, 1, u=0.5, place=0.1)[0] < blur([200.0], column, 1, u=0.5, place=0.9)[0]


def test_missing_numbers_and_those_of_nobody_stay() -> None:
    new, stuck = blur([GAP, 31.0], [*TENS, GAP], 2, u=0.0)
    assert np.isnan(new[0])
    assert (new[1], stuck) == (31.0, 0)


@pytest.mark.parametrize("column", [[], [GAP], [4.0], [4.0, 4.0, GAP]])
def test_a_constant_column_stays(column: list[float]) -> None:
    assert blur([4.0], column, 5) == ([4.0], 0)


def test_width_0_changes_nothing() -> None:
    assert blur(TENS, TENS, 0) == (TENS, 0)


def test_decimals_are_kept() -> None:
    column = [x / 10 for x in range(41)]
    found = [blur([2.0], column, 1, (0, 99), u=u, precision=1)[0] for u in (0.0, 0.5, 1.0)]
    assert found == [[1.9], [2.0], [2.1]]


def test_full_precision_lies_on_the_grid_of_the_segment() -> None:
    column = np.sqrt(np.arange(1.0, 40.0))
    inside = box_of(39, 0.0, 7.0, None)
    new, stuck = moved(
        column, inside, SortedColumn.of(column, None, 3), np.linspace(0.01, 0.99, 39), np.full(39, 0.5)
    )
    steps = new / inside.fitted_to(column).step
    assert stuck == 0
    assert (steps == np.rint(steps)).all()
    assert (new != column).sum() > 30


def test_single_precision_stays_single_and_inside() -> None:
    column = np.sqrt(np.arange(1.0, 40.0)).astype(np.float32).astype(np.float64)
    low, high = column - 1e-3, column + 1e-3
    inside = Intervals(low, high, None, single=True)
    new, stuck = moved(
        column, inside, SortedColumn.of(column, None, 3), np.linspace(0.01, 0.99, 39), np.full(39, 0.5)
    )
    assert stuck == 0
    assert np.array_equal(new, new.astype(np.float32))
    assert ((low <= new) & (new <= high)).all()
    assert (new != column).mean() > 0.9


def test_order_statistics_are_the_known_values() -> None:
    assert SortedColumn.of(np.array([3.0, GAP, 1.0]), 0, 5).ordered.tolist() == [1.0, 3.0]


def test_ranks_stay_evenly_occupied() -> None:
    """Blurred together many times, the numbers of a column are spread as the line says: ends, gaps and all."""
    column = np.array([*range(40), *range(1000, 1040)], np.float64)
    u = np.tile((np.arange(2000) + 0.5) / 2000, len(column))
    values = np.repeat(column, 2000)
    order = SortedColumn.of(column, 0, 7)
    new, _ = moved(values, box_of(len(values), 0, 2000), order, u, np.full(len(values), 0.5))
    assert order.line is not None
    ranks = np.linspace(-0.5, 79.5, 400_001)
    expected = np.floor(order.line.value_at((ranks[1:] + ranks[:-1]) / 2) + 0.5)
    limits = [5, 10, 20, 35, 39, 500, 1000, 1010, 1030, 1035]
    shares = [[float((x <= limit).mean()) for limit in limits] for x in (new, expected)]
    np.testing.assert_allclose(shares[0], shares[1], atol=2e-3)


ENDS = pytest.mark.parametrize("width", [5, 75])


@ENDS
@pytest.mark.parametrize("people", [1, 2, 3, 4, 5])
def test_up_to_five_people_far_out_leave_no_trace(width: int, people: int) -> None:
    """Whatever they have, everyone gets the same numbers."""
    body = np.sqrt(np.arange(1000.0)).round(2)
    released = []
    for far in (50.0, 5e3, 9e8):
        column = np.append(body, far + np.arange(people))
        count = len(column)
        u, place = (np.random.default_rng(k).random(count) for k in range(2))
        box = box_of(count, 0, 1e12, 2)
        released.append(moved(column, box, SortedColumn.of(column, 2, width), u, place)[0])
    assert np.array_equal(released[0], released[1])
    assert np.array_equal(released[1], released[2])
    assert released[0].max() < 34


@ENDS
def test_the_ends_never_leave_the_numbers_that_are_there(width: int) -> None:
    rng = np.random.default_rng(5)
    for column in (rng.exponential(9, 400), rng.uniform(0, 100, 400), 100 - rng.exponential(9, 400)):
        column = np.tile(column.round(1), 20)
        order = SortedColumn.of(column[:400], 1, width)
        u, place = rng.random((2, 8000))
        new, _ = moved(column, box_of(8000, -1e6, 1e6, 1), order, u, place)
        assert column.min() <= new.min()
        assert new.max() <= column.max()
        assert abs(new.mean() - column.mean()) < 0.03 * column.std()


def test_few_numbers_among_zeros_stay_few_and_their_largest_is_hidden() -> None:
    rng = np.random.default_rng(5)
    column = np.append(np.zeros(1900), rng.lognormal(8, 1, 100).round())
    column[-1] = 4e6
    new, _ = moved(
        column,
        box_of(2000, 0, 4e6),
        SortedColumn.of(column, 0, 75),
        rng.random(2000),
        rng.random(2000),
    )
    assert 90 <= (new > 0).sum() <= 100
    assert new.max() < 40_000
    assert abs(new[new > 0].mean() / np.mean(np.sort(column)[1900:-1]) - 1) < 0.15


def test_a_box_beyond_the_line_gives_its_nearer_end() -> None:
    """A segment may lie where only the far people were: then all of it gets the limit that everyone knows."""
    column = [*TENS, 5000.0]
    assert blur([5000.0], column, 5, (4000, 6000)) == ([4000.0], 0)
    assert blur([-5000.0], [-5000.0, *TENS], 5, (-6000, -4000)) == ([-4000.0], 0)


@st.composite
def cases(draw: st.DrawFn, precision: int) -> tuple[Floats, Floats, Floats, Floats, int, Floats, Floats]:
    """Some records of a column, each with a box around its value, in steps; and numbers to draw with."""
    numbers = st.integers(-30, 30).map(float) | st.integers(0, 2).map(float)
    column = np.array(draw(st.lists(numbers | st.just(GAP), min_size=1, max_size=40)))
    known = column[~np.isnan(column)]
    part = draw(st.lists(st.sampled_from(column.tolist()), min_size=1, max_size=12))
    values = np.array(part)
    around = [draw(st.tuples(st.integers(0, 9), st.integers(0, 9))) for _ in part]
    middle = np.where(np.isnan(values), known[0] if len(known) else 0.0, values)
    low = middle - [a for a, _ in around]
    high = middle + [b for _, b in around]
    chances = st.floats(0.001, 0.999)
    u, place = (np.array(draw(st.lists(chances, min_size=len(part), max_size=len(part)))) for _ in range(2))
    scale = 10.0**precision
    return values / scale, column / scale, low, high, draw(st.integers(0, 6)), u, place


def exact(value: float) -> Fraction:
    return Fraction(str(value))


@given(st.data(), st.integers(0, 2))
def test_it_does_what_the_oracle_does(data: st.DataObject, precision: int) -> None:
    values, column, low, high, width, u, place = data.draw(cases(precision))
    step = Fraction(1, 10**precision)
    order = SortedColumn.of(column, precision, width)
    new, stuck = moved(values, Intervals(low, high, precision), order, u, place)
    known = [exact(x) for x in column if not np.isnan(x)]
    stays = 0
    for i, value in enumerate(values):
        found = oracle.blurred(
            None if np.isnan(value) else exact(value),
            known,
            width,
            (Fraction(low[i]) * step, Fraction(high[i]) * step),
            step,
            float(u[i]),
            float(place[i]),
        )
        if found is None:
            assert np.array_equal(new[i], value, equal_nan=True)
        else:
            # Exactly between two points of the grid the last bit decides.
            assert abs(exact(new[i]) - found) <= step * (Fraction(1, 2) + Fraction(1, 10**9))
            stays += new[i] == value
    assert stuck <= stays


@given(st.data(), st.integers(0, 2))
def test_every_number_stays_in_its_box_and_on_the_grid(data: st.DataObject, precision: int) -> None:
    values, column, low, high, width, u, place = data.draw(cases(precision))
    order = SortedColumn.of(column, precision, width)
    new, _ = moved(values, Intervals(low, high, precision), order, u, place)
    there = ~np.isnan(values)
    assert np.array_equal(np.isnan(new), ~there)
    steps = to_steps(new, precision)[there]
    assert np.array_equal(from_steps(steps, precision), new[there])
    assert ((low[there] <= steps) & (steps <= high[there])).all()
    ordered = np.sort(column[~np.isnan(column)])
    shared = np.searchsorted(ordered, values[there], "right") - np.searchsorted(ordered, values[there])
    stays = shared >= max(COMMON, width)
    assert np.array_equal(new[there][stays], values[there][stays])


@given(st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=60), st.integers(1, 6), st.floats(0.001, 0.999))
def test_full_precision_stays_near(values: list[float], width: int, u: float) -> None:
    """At most a block, the straight ends and the width away in the sorted column."""
    column = np.array(values)
    n = len(column)
    inside = box_of(n, -1e3, 1e3, None)
    new, _ = moved(column, inside, SortedColumn.of(column, None, width), np.full(n, u), np.full(n, 0.5))
    ordered = np.sort(column)
    reach = width + OUTERMOST + COMMON
    first, end = np.searchsorted(ordered, column), np.searchsorted(ordered, column, "right")
    step = float(inside.fitted_to(column).step[0])
    assert (new >= ordered[np.maximum(first - reach, 0)] - step).all()
    assert (new <= ordered[np.minimum(end - 1 + reach, n - 1)] + step).all()


def points(numbers: list[float], common: int = COMMON) -> list[tuple[float, float]]:
    line = QuantileLine.of(np.array(numbers), common)
    return list(zip(line.place.tolist(), line.value.tolist(), strict=True))


def test_knots_by_hand() -> None:
    """Ten outermost at either end, every fifth between; the ends are means of the numbers from 25 to 29, and 1 to 5."""
    assert points([float(i) for i in range(31)]) == [
        (-0.5, 3.0),
        (10.0, 10.0),
        (15.0, 15.0),
        (20.0, 20.0),
        (30.5, 27.0),
    ]


def test_a_heavy_end_follows_its_inner_half() -> None:
    """The inner five are 1, ..., 5 above 20, as even numbers are: the outer five count for nothing."""
    column = [float(i) for i in range(26)] + [90.0, 200.0, 500.0, 900.0, 1e6]
    assert points(column)[-1] == (30.5, 30.5)


def test_the_bound_has_no_influence_of_the_largest() -> None:
    """The inner half rises by 2 a rank, to 21 in all; the mean of the outer half without the largest is 11 above 20."""
    column = [*map(float, range(21)), 22.0, 24.0, 26.0, 28.0, 30.0, 31.0, 31.0, 31.0, 32.0, 99.0]
    assert points(column)[-1] == (30.5, 31.0)
    assert points([*column[:-1], 1e9]) == points(column)


def test_common_numbers_are_knots_and_keep_others_away() -> None:
    """Of a run of eight between common numbers none is a knot."""
    column = [*[1.0] * 12, *map(float, range(2, 10)), *[10.0] * 12]
    assert points(column) == [(-0.5, 1.0), (0.0, 1.0), (11.0, 1.0), (20.0, 10.0), (31.0, 10.0), (31.5, 10.0)]


def test_few_people_beyond_a_common_number_join_it() -> None:
    assert points([*[0.0] * 40, 5.0, 6e6])[-2:] == [(39.0, 0.0), (41.5, 0.0)]


@pytest.mark.parametrize("numbers", [[1.0, 2.0], [1.0, 2.0, 9.0], [0.0, 0.0, 4.0]])
def test_tiny_columns_have_a_line(numbers: list[float]) -> None:
    line = QuantileLine.of(np.array(numbers), COMMON)
    assert (np.diff(line.value) >= 0).all()
    assert line.value[0] >= numbers[0]
    assert line.value[-1] <= numbers[-1]


@given(st.lists(st.integers(0, 12).map(float), min_size=1, max_size=60), st.integers(5, 9))
def test_it_is_the_oracles_line(numbers: list[float], common: int) -> None:
    ordered = sorted(numbers)
    line = QuantileLine.of(np.array(ordered), common)
    expected = oracle.line([Fraction(x) for x in ordered], common)
    assert line.place.tolist() == [float(place) for place, _ in expected]
    np.testing.assert_allclose(line.value, [float(value) for _, value in expected], atol=1e-9)
    assert (np.diff(line.value) >= -1e-9).all()


@given(
    st.lists(st.integers(0, 40).map(float), min_size=1, max_size=150), st.integers(5, 9), st.integers(6, 40)
)
def test_a_long_step_is_the_oracles(numbers: list[float], common: int, step: int) -> None:
    ordered = sorted(numbers)
    line = QuantileLine.of(np.array(ordered), common, step)
    expected = oracle.line([Fraction(x) for x in ordered], common, step)
    assert line.place.tolist() == [float(place) for place, _ in expected]
    np.testing.assert_allclose(line.value, [float(value) for _, value in expected], atol=1e-9)
    assert (np.diff(line.value) >= -1e-9).all()
    assert ordered[0] <= line.value[0]
    assert line.value[-1] <= ordered[-1]


def test_a_long_step_bends_the_line_once_for_many_people() -> None:
    """Twenty outermost at either end, and every twentieth between; the ends follow from the mean of 81 to 95."""
    line = QuantileLine.of(np.arange(101.0), COMMON, 20)
    assert line.place.tolist() == [-0.5, 20, 40, 60, 80, 100.5]
    assert line.value.tolist() == [4, 20, 40, 60, 80, 96]
    assert len(QuantileLine.of(np.arange(1001.0), COMMON).place) > 10 * len(
        QuantileLine.of(np.arange(1001.0), COMMON, 100).place
    )


def test_a_long_step_stands_for_all_people_of_a_column() -> None:
    """Half of them share a number, so the others have a knot for every twenty, not for every forty."""
    column = np.append(np.zeros(100), np.arange(1.0, 101))
    assert QuantileLine.of(column, 50, 40).place.tolist() == [-0.5, 0, 99, 120, 140, 179, 199.5]


def test_ranks_lead_to_numbers_and_back() -> None:
    line = QuantileLine.of(np.arange(31.0), COMMON)
    assert line.value_at(np.array([12.5, -0.5, 30.5])).tolist() == [12.5, 3.0, 27.0]
    assert line.rank_of(np.array([12.5, 3.0, 27.0, -1.0, 99.0])).tolist() == [12.5, -0.5, 30.5, -0.5, 30.5]
    flat = QuantileLine.of(np.repeat([1.0, 2.0], 20), COMMON)
    assert flat.rank_of(np.array([1.0, 1.5, 2.0, 2.1])).tolist() == [-0.5, 19.5, 20.0, 39.5]


def test_nobody_passes_a_common_number() -> None:
    line = QuantileLine.of(np.array([0.0, 1, 1, 1, 1, 1, 2, 3]), COMMON)
    below, above = line.limits(np.array([0, 6, 7]))
    assert below.tolist() == [-0.5, 5.0, 5.0]
    assert above.tolist() == [1.0, 7.5, 7.5]


LIMIT = st.floats(-3, 9)


@given(LIMIT, st.floats(0, 4), st.integers(1, 9), LIMIT)
def test_the_share_below_a_limit_is_that_of_the_draws(
    low: float, size: float, width: int, limit: float
) -> None:
    draws = (np.arange(20_000) + 0.5) / 20_000
    ends = np.full(len(draws), low), np.full(len(draws), low + size)
    ranks = folded(low + size / 3 + width * (2 * draws - 1), *ends)
    assert ((ranks >= ends[0]) & (ranks <= ends[1])).all()
    one: list[Floats] = [np.array([x]) for x in (limit, low + size / 3, low, low + size)]
    if size > 1e-3:
        share = share_below(one[0], one[1], width, one[2], one[3])[0]
        assert abs(share - (ranks < limit).mean()) < 2e-3 + 4 * width / size / 20_000
