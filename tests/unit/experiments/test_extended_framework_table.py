"""Rows of the table: means and ranges of ours, beside what the thesis prints of the same technique."""

from __future__ import annotations

import pytest

from hushwood.experiments.extended_framework import Experiment, Run, Way
from hushwood.experiments.extended_framework_table import Spread, cells, markdown, table_rows, text
from hushwood.experiments.printed_runs import printed_table

GADP, ROTATION = Way("extended-framework", "gadp"), Way("extended-framework", "rotation")


def run(way: Way, seed: int, change: float, test: float) -> Run:
    return Run(way, seed, change, change / 2, 0.9, 0.8, test, 0.25, 0.5)


EXPERIMENT = Experiment(
    "wbc",
    (603, 80),
    (1.0,) * 9,
    (
        run(GADP, 1, 0.1, 0.9),
        run(ROTATION, 1, 0.02, 0.95),
        run(GADP, 2, 0.3, 1.0),
        run(ROTATION, 2, 0.02, 0.97),
    ),
)


def test_a_row_holds_both_sides() -> None:
    gadp, rotation = table_rows(EXPERIMENT, printed_table("wbc"))
    assert gadp.way == GADP
    assert (gadp.change.mean, gadp.change.low, gadp.change.high) == pytest.approx((0.2, 0.1, 0.3))
    assert gadp.printed_change is not None
    assert gadp.printed_change.mean == pytest.approx(0.14)
    assert gadp.printed_test == Spread.of([77 / 83, 76 / 83])
    assert gadp.printed_shift is not None
    assert gadp.printed_shift.high == pytest.approx(4.44 - 2.94)
    assert rotation.printed_change is None
    assert rotation.printed_test is None


def test_cells_say_the_range_only_if_there_is_one() -> None:
    gadp, rotation = (cells(row) for row in table_rows(EXPERIMENT, printed_table("wbc")))
    assert gadp[:3] == ("extended-framework (gadp)", "0.200 (0.100-0.300)", "0.140 (0.130-0.150)")
    assert gadp[5:7] == ("95.0 % (90.0-100.0)", "92.2 % (91.6-92.8)")
    assert rotation[1:3] == ("0.020", "-")
    assert rotation[-2:] == ("25.0 %", "50.0 %")


def test_markdown_has_a_line_for_every_way() -> None:
    lines = markdown(EXPERIMENT).splitlines()
    assert len(lines) == 4
    assert len({line.count("|") for line in lines}) == 1
    assert lines[3].startswith("| extended-framework (rotation) | 0.020 | - |")


def test_text_fits_a_terminal() -> None:
    shown = text(EXPERIMENT)
    assert "603 training and 80 test records, 2 seeds" in shown
    assert "0.140 (0.130-0.150)" in shown
    assert max(len(line) for line in shown.splitlines()) <= 100
