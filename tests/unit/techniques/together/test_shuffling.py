"""Shuffling inside cells: values stay, places change, and correlations are those of the original numbers."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.random_streams import Streams
from hushwood.segments.partition import whole_table
from hushwood.techniques.shuffle import Shuffle
from hushwood.techniques.together.copula import cell_correlations
from hushwood.techniques.together.shuffling import fewest_to_shuffle, shuffled
from support.correlated_tables import cut, drawn_by, hard_table


def test_only_chosen_cells_are_dealt_out_anew() -> None:
    table = hard_table(1, 200, ["real", "whole"])
    done = drawn_by(Shuffle(within="segment"), table, cut(table, ("x0", 0.5), ("x1", 0.5)))
    rows, chosen = done.rows, np.array([True, False, False, True])
    found = shuffled(rows, chosen, rows.numbers)
    assert np.array_equal(found[~chosen[rows.cell]], rows.numbers[~chosen[rows.cell]])
    for c in np.flatnonzero(chosen).tolist():
        here = rows.cell == c
        assert np.array_equal(np.sort(found[here], axis=0), np.sort(rows.numbers[here], axis=0))
        assert (found[here, 0] != rows.numbers[here, 0]).mean() > 0.8
    assert shuffled(rows, np.zeros(4, bool), rows.numbers) is rows.numbers
    # What a cell gets does not depend on which others are dealt out.
    alone = shuffled(rows, np.array([True, False, False, False]), rows.numbers)
    assert np.array_equal(alone[rows.cell == 0], found[rows.cell == 0])


@pytest.mark.parametrize("kinds", [["real", "shared", "single"], ["whole", "binary", "decimal"]])
def test_correlations_are_better_than_chance_alone_would_make_them(kinds: list[str]) -> None:
    """Drawn scores have the wanted correlations exactly; with independent ones they would miss by 1 / √n."""
    table = hard_table(2, 400, kinds)
    misses = []
    for key in range(20):
        done = drawn_by(Shuffle(given=()), table, whole_table(table), Streams(bytes([key] * 32)))
        old, new = (cell_correlations(x, done.cell, 1)[0] for x in (done.before, done.after))
        misses.append(np.abs(new - old).max())
    assert np.mean(misses) < 0.5 / np.sqrt(400)


def test_how_many_records_it_takes() -> None:
    table = hard_table(3, 30, ["real", "real", "real"])
    done = drawn_by(Shuffle(given=("job", "x2")), table, whole_table(table))
    assert fewest_to_shuffle(done.rows) == 2 + 3 + 2
