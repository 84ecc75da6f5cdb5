"""Places for the labels of a chart's points, so that none covers the axis, a label or a point; else it is not shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

LETTER, LINE, AWAY = 5.6, 12.0, 8.0
POINT = 4.0


@dataclass(frozen=True)
class Placed:
    """A point and its label, in pixels from the upper left corner; later where the label goes."""

    x: float
    y: float
    label: str
    align: str = "left"
    shown: bool = True

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of the label."""
        width = LETTER * len(self.label)
        left = {"left": self.x, "right": self.x - width, "center": self.x - width / 2}[self.align]
        return left, self.y - LINE / 2, left + width, self.y + LINE / 2


def placed_labels(points: Sequence[Placed]) -> list[Placed]:
    """The places of all labels, in the order of the points; earlier points choose first."""
    taken = [(p.x - POINT, p.y - POINT, p.x + POINT, p.y + POINT) for p in points]
    found = []
    for point in points:
        free = (
            place
            for place in _around(point)
            if place.box[0] >= 0 and not any(_meet(place.box, box) for box in taken)
        )
        place = next(free, replace(point, shown=False))
        found.append(place)
        taken += [place.box] if place.shown else []
    return found


def _around(point: Placed) -> list[Placed]:
    """Places next to the point, the nearest first."""
    near = [
        replace(point, x=point.x + side * AWAY, y=point.y + drop, align="left" if side > 0 else "right")
        for drop in (0.0, -9.0, 9.0, -18.0, 18.0)
        for side in (1, -1)
    ]
    return [
        *near[:2],
        *(replace(point, y=point.y + drop, align="center") for drop in (-13.0, 13.0)),
        *near[2:],
    ]


def _meet(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
