"""The charts of thesis 7.3: Type A in many runs, accuracies of all ways, and correlations as heat maps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean

from hushwood.experiments.protocol import Measured
from hushwood.experiments.reproducing.charts import Pair, dots, heat_map, strip
from hushwood.experiments.thesis_frameworks.accuracies import percent_right
from hushwood.experiments.thesis_frameworks.keys import PLACES, change_key, right_key, type_key
from hushwood.experiments.thesis_frameworks.matrices import (
    Values,
    columns_of,
    matrix_of,
    printed_changes,
    printed_runs,
)
from hushwood.experiments.thesis_frameworks.ways import EXTENDED, FRAMEWORK, OWN, RANDOM_EXTENDED, THESIS, Way
from hushwood.reports.charts import Chart


def framework_charts(measured: Measured, printed: Mapping[str, Sequence[float]]) -> list[Chart]:
    """All charts for which there are numbers."""
    ours = measured.numbers
    charts = [*_type_a(ours, printed)]
    charts += [_accuracies(ours, printed, place) for place in range(len(PLACES))]
    columns = columns_of(ours)
    charts.append(_changes(ours, printed, columns))
    for way in (FRAMEWORK, EXTENDED, RANDOM_EXTENDED):
        if change_key(way) in ours and printed_runs(printed, way, columns):
            charts.append(_matrices(ours, printed, way, columns))
    return charts


def _type_a(ours: Values, printed: Values) -> Iterator[Chart]:
    key = type_key(FRAMEWORK, "A")
    if key in ours:
        marks = {f"printed, run {i}": value for i, value in enumerate(printed.get(key, ()), 1)}
        yield strip(
            "Records under rules of Type A, in every run of the Framework",
            "Each run adds other noise to the same records. A threshold near the root that moves by one value makes "
            "another type of every rule below it: that is why the runs fall into a few heaps, far apart.",
            ours[key],
            marks,
            "records under rules that are exactly the original's, %",
        )


def _accuracies(ours: Values, printed: Values, place: int) -> Chart:
    ways = [*THESIS, *OWN]
    shares, told = (
        {right_key(way, place): percent_right(values, ours, way, place) for way in ways}
        for values in (ours, printed)
    )
    pairs = _pairs(shares, told, ways, lambda way: right_key(way, place))
    return dots(
        f"Right on {PLACES[place]}",
        "The share of records that a tree grown on the release classifies rightly.",
        pairs,
        "records classified rightly, %",
    )


def _changes(ours: Values, printed: Values, columns: Sequence[str]) -> Chart:
    known = {change_key(way): printed_changes(printed, way, columns) for way in THESIS}
    return dots(
        "How far the worst correlation moved",
        "The largest change of a correlation between two numeric columns; the printed ones are worked out from the "
        "matrices.",
        _pairs(ours, known, [*THESIS[1:], *OWN], change_key),
        "largest change of a correlation",
    )


def _pairs(ours: Values, printed: Values, ways: Sequence[Way], key: Callable[[Way], str]) -> list[Pair]:
    found = []
    for way in ways:
        values = ours.get(key(way), ())
        if values:
            known = tuple(printed.get(key(way), ()))
            found.append(Pair(str(way), known, fmean(values), min(values), max(values)))
    return found


def _matrices(ours: Values, printed: Values, way: Way, columns: Sequence[str]) -> Chart:
    return heat_map(
        f"Correlations after {way}, printed and ours",
        "Each square is a pair of columns: in the first matrix that is printed, and in the mean of our runs.",
        columns,
        matrix_of(printed, way, columns, 0),
        matrix_of(ours, way, columns),
        ("printed", "ours"),
    )
