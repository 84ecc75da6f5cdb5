from __future__ import annotations

import numpy as np
import pytest

from hushwood.measures.posterior.likelihoods import IMPOSSIBLE, NoiseBox
from hushwood.measures.posterior.noise_likelihoods import NoiseTables
from hushwood.tables.domains import Intervals, from_steps
from hushwood.techniques.laws.noise import SHAPES, NoiseLaw, NoiseParameters
from support.technique_variants import BOUNDARIES

LOW = -7.0


def law_of(width: float, noise: float, boundary: str, shape: str, precision: int | None) -> NoiseLaw:
    end = LOW + width - (0.0 if precision is None else 1.0)
    box = Intervals(np.array([LOW]), np.array([end]), precision)
    return NoiseParameters(noise, boundary, shape).law("x", box, "LINFAPT")  # type: ignore[arg-type]


def read(tables: NoiseTables, box: NoiseBox, x: float, y: float, step: float = 1.0) -> float:
    """What the compiled loops read for one pair of numbers."""
    table = tables.joined().astype(float)
    at, other = (x - LOW) / step * box.stretch, (y - LOW) / step * box.stretch

    def node(place: float) -> int:
        d = abs(other - place)
        return int(min(min(d, abs(box.period - d)) + 0.5, box.last))

    found = table[int(box.offset) + node(at)]
    if box.mirror > 0:
        found = np.log2(max(found + table[int(box.offset) + node(box.mirror - at)], 1e-37))
    if box.rest >= 0:
        found += table[int(box.rest) + int((x - LOW) / step * box.rest_stretch + 0.5)]
    return float(found + box.constant)


@pytest.mark.parametrize("boundary", BOUNDARIES)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    ("width", "noise", "precision"),
    [(10, 1 / 3, 0), (25, 0.05, 2), (20_000, 0.3, 0), (50_000, 0.001, 0), (3.5, 0.2, None), (3.5, 1.7, None)],
)
def test_tables_hold_what_the_law_says(
    boundary: str, shape: str, width: float, noise: float, precision: int | None
) -> None:
    law, tables = law_of(width, noise, boundary, shape, precision), NoiseTables()
    box = tables.box(law, 0)
    chance = np.random.default_rng(3)
    x, y = LOW + chance.random((2, 400)) * (width if precision is None else width - 1)
    y[:200] = x[:200] + chance.normal(0, noise * width / 2, 200)
    y = np.clip(y, LOW, LOW + width - (0 if precision is None else 1))
    if precision is not None:
        x, y = np.rint(x), np.rint(y)
    with np.errstate(divide="ignore"):
        before, after = ({"x": from_steps(each, precision)} for each in (x, y))
        wanted = law.log_prob(before, after, np.zeros(400, np.int64)) / np.log(2)
    step = float(law.intervals.step[0])
    found = np.array([read(tables, box, *pair, step) for pair in zip(x, y, strict=True)])
    likely = wanted > -50
    wrong = np.abs(found[likely] - wanted[likely]) > 0.01
    assert likely.sum() > 100
    # Uniform noise ends abruptly, and the logarithm of triangular noise falls fast there: a pair at the very end may be
    # read as beyond it.
    assert wrong.sum() <= (3 if shape in ("uniform", "triangular") else 0)
    assert (found[~likely] < -40).all()


def test_steps_of_a_small_grid_are_exact() -> None:
    law, tables = law_of(10, 1 / 3, "wrap", "normal", 0), NoiseTables()
    box = tables.box(law, 0)
    for x in range(10):
        for y in range(10):
            pair = {"x": np.array([LOW + x])}, {"x": np.array([LOW + y])}
            wanted = law.log_prob(*pair, np.zeros(1, np.int64))[0] / np.log(2)
            assert read(tables, box, LOW + x, LOW + y) == pytest.approx(wanted, abs=1e-6)


def test_no_noise_is_equality() -> None:
    tables = NoiseTables()
    for law in (law_of(10, 0.0, "wrap", "normal", 0), law_of(0, 0.5, "wrap", "normal", None)):
        box = tables.box(law, 0)
        assert box == NoiseBox()
        assert tables.joined()[:2].tolist() == [0.0, np.float32(IMPOSSIBLE)]


def test_intervals_of_one_size_share_a_table() -> None:
    box = Intervals(np.array([0.0, 5.0, 1.0]), np.array([4.0, 9.0, 8.0]), None)
    law, tables = NoiseParameters(0.25).law("x", box, "LINFAPT"), NoiseTables()
    boxes = [tables.box(law, segment) for segment in range(3)]
    assert boxes[0] == boxes[1]
    assert boxes[2].offset == boxes[0].offset
    per_point = boxes[2].constant - boxes[0].constant  # of boxes of 7 and 4, with the same number of points
    assert per_point == pytest.approx(-np.log2(7 / 4), abs=1e-6)
    assert len(tables.parts) == 2
