"""Charts of chapter 6: for each builder, how many of three trees have each label, ours beside the printed ones."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from hushwood.experiments.categorical_noise.chapter_six_labels import LABELS
from hushwood.experiments.categorical_noise.numbers import printed_cells
from hushwood.experiments.categorical_noise.runs import BUILDERS, TREES
from hushwood.experiments.protocol import Measured
from hushwood.experiments.reproducing.charts import Pair, dots
from hushwood.reports.charts import Chart

TABLES = {"See5": "Table 6.4", "J48": "Table 6.5"}


def label_charts(measured: Measured) -> list[Chart]:
    """One chart a builder; none before noise was drawn."""
    charts, told = [], printed_cells()
    for builder in BUILDERS:
        pairs = [
            _pair(f"{tree}: {name}", measured.numbers[key], told.get(key))
            for tree in TREES
            for name in LABELS
            if (key := f"{builder}, {tree}: {name}") in measured.numbers
        ]
        if pairs:
            charts.append(
                dots(
                    f"{TABLES[builder]}: trees by {builder} on noisy tables",
                    "Expected number of trees with each label among three; every generated table is a run.",
                    pairs,
                    "trees of three",
                )
            )
    return charts


def _pair(name: str, ours: Sequence[float], theirs: float | None) -> Pair:
    return Pair(name, () if theirs is None else (theirs,), fmean(ours), min(ours), max(ours))
