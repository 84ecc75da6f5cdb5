"""The paper's figures 5 to 10 drawn from our numbers; theirs are printed without any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hushwood.experiments.protocol import Measured
from hushwood.experiments.published_trees.folds import MONDRIAN, ORIGINAL, TPP
from hushwood.experiments.published_trees.results import K, key, score_key, time_key
from hushwood.experiments.published_trees.times import ATTRIBUTES, RECORDS
from hushwood.experiments.reproducing.charts import Point, lines
from hushwood.reports.charts import Chart

LEAVES = range(2, 11)
_NOT_PUBLIC = "The paper's figure is about a table of cancer patients that is not public; this is Abalone."


def drawn(measured: Measured, printed: Mapping[str, Sequence[float]]) -> tuple[Chart, ...]:
    """Accuracy and K of Adult, R squared and K of Abalone, and the times."""
    found = measured.numbers
    scores = {
        table: [
            point
            for kind in (TPP, MONDRIAN, ORIGINAL)
            for point in _points(found, kind, {n: score_key(table, kind, n) for n in LEAVES})
        ]
        for table in ("adult", "abalone")
    }
    ks = {
        table: [
            point
            for kind in (TPP, MONDRIAN)
            for point in _points(found, kind, {n: key(table, kind, n, K) for n in LEAVES})
        ]
        for table in ("adult", "abalone")
    }
    return (
        lines(
            "Figure 5: accuracy of trees on Adult",
            "The line of TPP lies on that of the original table: it is the same tree.",
            scores["adult"],
            "leaves",
            "% of unseen records right",
        ),
        lines(
            "Figure 6: R squared of trees, on Abalone", _NOT_PUBLIC, scores["abalone"], "leaves", "R squared"
        ),
        _k_chart("Figure 7: K on Adult", "The higher, the better hidden.", ks["adult"]),
        _k_chart("Figure 8: K, on Abalone", _NOT_PUBLIC, ks["abalone"]),
        _time_chart("Figure 9: seconds for more records", found, "records", RECORDS),
        _time_chart("Figure 10: seconds for more attributes", found, "attributes", ATTRIBUTES),
    )


def _points(
    found: Mapping[str, Sequence[float]], series: str, keys: Mapping[int, str], interval: bool = True
) -> list[Point]:
    """The mean of the runs at every size that was run, with the lowest and the highest."""
    points = []
    for x, name in keys.items():
        values = found.get(name, ())
        if not values:
            continue
        spread = (min(values), max(values)) if interval and len(values) > 1 else (None, None)
        points.append(Point(series, x, sum(values) / len(values), *spread))
    return points


def _k_chart(title: str, says: str, points: Sequence[Point]) -> Chart:
    return lines(title, says, points, "leaves", "K, all records", logarithmic=True)


def _time_chart(title: str, found: Mapping[str, Sequence[float]], what: str, sizes: Sequence[int]) -> Chart:
    points = _points(found, TPP, {size: time_key(what, size) for size in sizes})
    says = "Adult with K = 5 and at most ten leaves, on one core."
    return lines(title, says, points, what, "seconds")
