"""The likelihood of a number under noise inside sub-domains, block by block, from tables over a distance.

Wrapped noise depends only on the distance around a circle. Reflected noise is the sum of two such terms on a circle of
twice the size, and truncated noise a term of the distance plus one of the original value. All numbers come from the
law's own `log_prob`. Distances are in steps of the grid. The nodes are the steps where those are few; otherwise they
are so fine (2,000 to a standard deviation) that taking the nearest one changes no entropy by more than 0.0002 bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from hushwood.arrays import Array, Flags, Floats, Floats32, Integers
from hushwood.measures.posterior.likelihoods import (
    BOXES,
    IMPOSSIBLE,
    MISSING_AT,
    NO_PERIOD,
    NoiseBox,
    NoiseInBoxes,
    Same,
    codes_among,
    placed,
)
from hushwood.tables.domains import Intervals, to_steps
from hushwood.techniques.laws.noise import NOISE_SHAPES, NoiseLaw

_MOST_STEPS = 4096
_FINE_GRID = 2.0**30  # points of the grid that stands for all intervals with more steps than that
_NODES_PER_SCALE = {"normal": 2_000, "uniform": 20_000, "laplace": 2_000, "triangular": 20_000}
_OWN_NODES_PER_SCALE = 200
_OWN_NODES = 4_096, 200_000  # fewest and most


@dataclass(frozen=True, slots=True)
class NoiseOver:
    """A noise law, its segment of every block, and the blocks in which it works."""

    law: NoiseLaw
    segment: Integers
    covered: Flags


def noise_likelihood(wanted: Floats, given: Floats, block: Array, laws: Sequence[NoiseOver]) -> NoiseInBoxes:
    """From the values of the targets and of the released records, and the laws; blocks without one copy values."""
    tables, boxes = NoiseTables(), _equal_boxes(len(laws[0].segment))
    for over in laws:
        boxes[over.covered] = _boxes(over.law, over.segment[over.covered], tables)
    precision = laws[0].law.intervals.precision
    number, steps = to_steps(wanted, precision), to_steps(given, precision)
    codes, own, _ = codes_among(steps, number)
    origin, stretch = boxes["origin"][block], boxes["stretch"][block]
    return NoiseInBoxes(
        placed(np.where(stretch == 0, codes, (steps - origin) * stretch), given, MISSING_AT),
        np.where(np.isnan(number), 0.0, number),
        placed(own, wanted, MISSING_AT),
        boxes,
        tables.joined(),
    )


def equality_as_noise(column: Same, blocks: int) -> NoiseInBoxes:
    """A column that was copied, as noise of no size."""
    number = np.zeros(len(column.code))
    return NoiseInBoxes(column.released, number, column.code, _equal_boxes(blocks), NoiseTables().joined())


def _equal_boxes(blocks: int) -> Array:
    """Blocks without limits in which values must be equal."""
    return np.full(blocks, np.array(NoiseBox(), BOXES))


def _boxes(law: NoiseLaw, segment: Integers, tables: NoiseTables) -> Array:
    """A box for every segment; intervals of the same size are read in the same way."""
    inside = law.intervals
    sizes = np.stack([inside.points[segment], inside.step[segment], law.scale[segment]])
    _, first, same = np.unique(sizes, axis=1, return_index=True, return_inverse=True)
    found = np.array([tables.box(law, int(one)) for one in segment[first]], BOXES)[same.reshape(-1)]
    found["low"], found["high"] = inside.low[segment], inside.high[segment]
    found["origin"] = inside.first[segment]
    found["stretch"] /= inside.step[segment]  # from steps to units
    found["rest_stretch"] /= inside.step[segment]
    return found


@dataclass
class NoiseTables:
    """Tables one after the other, each made once; the first is that of values that must be equal."""

    parts: list[Floats] = field(default_factory=lambda: [np.array([0.0, IMPOSSIBLE])])
    size: int = 2
    found: dict[tuple[object, ...], tuple[int, float]] = field(default_factory=dict)

    def joined(self) -> Floats32:
        """All tables as one array."""
        return np.concatenate(self.parts).astype(np.float32)

    def box(self, law: NoiseLaw, segment: int) -> NoiseBox:
        """How to read the law of one segment, wherever its interval lies; stretches are in steps of the grid."""
        inside, step = law.intervals, float(law.intervals.step[segment])
        width, scale = float(inside.points[segment]), float(law.scale[segment]) / step
        if inside.width[segment] <= 0 or scale <= 0:
            return NoiseBox()
        turns = {"wrap": 1, "reflect": 2, "truncate": 0}[law.boundary]
        reach = min(turns * width / 2 if turns else width, _reach(law, scale))
        in_steps = reach <= _MOST_STEPS
        # A law on a fine grid looks alike in all segments up to the size of the interval.
        unit = 1.0 if in_steps else width / _FINE_GRID
        share = round(scale / width, 9)  # boxes of other sizes differ in the last digits
        shown = _sized(law, width, scale) if in_steps else _sized(law, _FINE_GRID, share * _FINE_GRID)
        node = 1.0 if in_steps else scale / unit / _NODES_PER_SCALE[law.distribution]
        key = law.boundary, law.distribution, (width, scale) if in_steps else share
        offset, last = self._once(key, lambda: _by_distance(shown, reach / unit, node))
        stretch = 1.0 / (node * unit)
        box = NoiseBox(
            stretch=stretch,
            period=turns * width * stretch if turns else NO_PERIOD,
            offset=offset,
            last=last,
            constant=-float(np.log2(unit * step)),
            mirror=(2 * width - 1) * stretch if law.boundary == "reflect" else -1.0,
        )
        if law.boundary != "truncate":
            return box
        end = max(width - 1, 1.0)
        nodes = int(np.clip(np.ceil(_OWN_NODES_PER_SCALE * width / scale), *_OWN_NODES))
        nodes = int(min(end, nodes)) if in_steps else nodes
        rest, _ = self._once((*key, "own"), lambda: _own_place(shown, end / unit, nodes))
        return box._replace(rest=rest, rest_stretch=nodes / end)

    def _once(self, key: tuple[object, ...], make: Callable[[], Floats]) -> tuple[int, float]:
        if key not in self.found:
            table = make()
            self.found[key] = (self.size, len(table) - 1.0)
            self.parts.append(table)
            self.size += len(table)
        return self.found[key]


def _reach(law: NoiseLaw, scale: float) -> float:
    shape = NOISE_SHAPES[law.distribution]
    return shape.reach * scale + (1.0 if shape.bounded else 0.0)


def _sized(law: NoiseLaw, points: float, scale: float) -> NoiseLaw:
    """The same law on one interval of that many whole numbers, beginning at 0."""
    interval = Intervals(np.zeros(1), np.array([points - 1]), 0)
    return replace(law, intervals=interval, scale=np.array([scale]), covered=None)


def _by_distance(law: NoiseLaw, reach: float, node: float) -> Floats:
    """Log probability (probability if reflected) of every distance up to the reach, and then of none."""
    width, scale = float(law.intervals.width[0]), float(law.scale[0])
    turns = {"wrap": 1.0, "reflect": 2.0, "truncate": 2.0 * (1.0 + (reach + 1.0 + 20.0 * scale) / width)}
    circle = _sized(replace(law, boundary="wrap"), np.ceil(turns[law.boundary]) * width, scale)
    distance = np.minimum(np.arange(np.ceil(reach / node) + 1) * node, np.ceil(reach) if node == 1 else reach)
    logs = _log2(circle, np.zeros(len(distance)), distance)
    if law.boundary == "reflect":
        return np.append(np.exp2(logs), 0.0)
    return np.append(np.maximum(logs, IMPOSSIBLE), IMPOSSIBLE)


def _own_place(law: NoiseLaw, end: float, nodes: int) -> Floats:
    """By how much truncation raises the probabilities of every original value."""
    place = np.arange(nodes + 1) / nodes * end
    free = _by_distance(law, 0.0, 1.0)[0]
    return np.asarray(_log2(law, place, place) - free)


def _log2(law: NoiseLaw, original: Floats, released: Floats) -> Floats:
    rows = np.zeros(len(original), np.int64)
    logs = law.log_prob({law.attribute: original}, {law.attribute: released}, rows)
    return np.asarray(logs / np.log(2.0))
