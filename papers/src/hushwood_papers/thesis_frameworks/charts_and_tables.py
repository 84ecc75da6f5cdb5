"""The charts of thesis 7.3, and its runs as a Markdown table for docs/correlations.md."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean

from hushwood.reports.charts.frame import Chart
from hushwood_papers.protocol import Measured
from hushwood_papers.reproducing.charts import Pair, dots, heat_map, strip
from hushwood_papers.thesis_frameworks.numbers_by_key import (
    PLACES,
    Values,
    change_key,
    columns_of,
    matrix_of,
    near_key,
    percent_right,
    printed_changes,
    printed_runs,
    printed_shifts,
    right_key,
    shift_key,
    type_key,
    unchanged_key,
)
from hushwood_papers.thesis_frameworks.releases import (
    EXTENDED,
    FRAMEWORK,
    LESS_NOISE,
    LITERAL,
    MORE_CHANGES,
    NEARER,
    OWN,
    RANDOM_EXTENDED,
    THESIS,
    Way,
)


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
            "Each run adds other noise to the same records. A threshold near the root that moves by one value changes "
            "the type of every rule below it: so the runs form a few clusters, far apart.",
            ours[key],
            marks,
            "records under rules that are exactly the original's, %",
        )


def _accuracies(ours: Values, printed: Values, place: int) -> Chart:
    ways = [*THESIS, *OWN]
    shares, printed_shares = (
        {right_key(way, place): percent_right(values, ours, way, place) for way in ways}
        for values in (ours, printed)
    )
    pairs = _pairs(shares, printed_shares, ways, lambda way: right_key(way, place))
    return dots(
        f"Right on {PLACES[place]}",
        "The share of records that a tree grown on the release classifies correctly.",
        pairs,
        "records classified correctly, %",
    )


def _changes(ours: Values, printed: Values, columns: Sequence[str]) -> Chart:
    known = {change_key(way): printed_changes(printed, way, columns) for way in THESIS}
    return dots(
        "How far the worst correlation moved",
        "The largest change of a correlation between two numeric columns; the printed ones are computed from the "
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
        "Each square is a pair of columns: in the first printed matrix, and in the mean of our runs.",
        columns,
        matrix_of(printed, way, columns, 0),
        matrix_of(ours, way, columns),
        ("printed", "ours"),
    )


HEADINGS = (
    *("technique", "largest change of a correlation", "thesis", "largest shift of a mean / sd", "thesis"),
    *("right on test records", "thesis", "right on training records", "thesis"),
    *("Type A", "thesis", "numbers unchanged", "within 0.1 sd"),
)


def framework_markdown(measured: Measured, printed: Values) -> str:
    """The whole table: means of the runs, with the lowest and highest in parentheses."""
    ways = [
        way
        for way in (*THESIS, LITERAL, LESS_NOISE, *NEARER, *MORE_CHANGES, *OWN)
        if change_key(way) in measured.numbers
    ]
    lines = [HEADINGS, ("---",) * len(HEADINGS), *(cells(way, measured.numbers, printed) for way in ways)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def cells(way: Way, ours: Values, printed: Values) -> tuple[str, ...]:
    """The cells of one technique."""
    columns = columns_of(ours)
    same = type_key(way, "A")
    return (
        str(way),
        _numbers(ours[change_key(way)]),
        _numbers(printed_changes(printed, way, columns)),
        _numbers(ours[shift_key(way)]),
        _numbers(printed_shifts(printed, ours, way, columns)),
        *(
            _percent(percent_right(values, ours, way, place))
            for place in (2, 1)
            for values in (ours, printed)
        ),
        *(_percent(values.get(same, ())) for values in (ours, printed)),
        _percent(ours[unchanged_key(way)]),
        _percent(ours[near_key(way)]),
    )


def _numbers(values: Sequence[float]) -> str:
    return _spread(values, 3)


def _percent(values: Sequence[float]) -> str:
    text = _spread(values, 1)
    return text if text == "–" else text.replace(" (", " % (", 1) if " (" in text else f"{text} %"


def _spread(values: Sequence[float], digits: int) -> str:
    if not values:
        return "–"
    mean, low, high = (f"{value:.{digits}f}" for value in (fmean(values), min(values), max(values)))
    return mean if low == high else f"{mean} ({low} to {high})"
