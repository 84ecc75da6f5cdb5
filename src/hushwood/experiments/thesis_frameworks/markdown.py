"""The runs of thesis 7.3 as one Markdown table for the docs: every way, ours beside what is printed.

`docs/correlations.md` holds it; the numbers come from an experiment's `measure`.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from hushwood.experiments.protocol import Measured
from hushwood.experiments.thesis_frameworks.accuracies import percent_right
from hushwood.experiments.thesis_frameworks.keys import (
    change_key,
    near_key,
    shift_key,
    type_key,
    unchanged_key,
)
from hushwood.experiments.thesis_frameworks.matrices import (
    Values,
    columns_of,
    printed_changes,
    printed_shifts,
)
from hushwood.experiments.thesis_frameworks.ways import (
    LESS_NOISE,
    LITERAL,
    MORE_CHANGES,
    NEARER,
    OWN,
    THESIS,
    Way,
)

HEADINGS = (
    *("technique", "largest change of a correlation", "thesis", "largest shift of a mean / sd", "thesis"),
    *("right on test records", "thesis", "right on training records", "thesis"),
    *("Type A", "thesis", "numbers unchanged", "within 0.1 sd"),
)


def framework_markdown(measured: Measured, printed: Values) -> str:
    """The whole table: means of the runs, with the lowest and the highest in brackets."""
    ways = [
        way
        for way in (*THESIS, LITERAL, LESS_NOISE, *NEARER, *MORE_CHANGES, *OWN)
        if change_key(way) in measured.numbers
    ]
    lines = [HEADINGS, ("---",) * len(HEADINGS), *(cells(way, measured.numbers, printed) for way in ways)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def cells(way: Way, ours: Values, printed: Values) -> tuple[str, ...]:
    """One way as texts."""
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
