from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from hushwood.arrays import Array, Floats
from hushwood.random_streams import Rows, Streams
from hushwood.segments.segments import Segments
from hushwood.tables.domains import Intervals
from hushwood.techniques.blurring.blur import Blur, BlurredLaw
from hushwood.techniques.protocol import Columns, Law
from hushwood.techniques.rank_swapping import RankSwap
from support.law_checks import follows
from support.mixed_tables import number, table_of

STREAMS = Streams(bytes(range(1, 33)))
DRAWS = 60_000
GAP = float("nan")
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
