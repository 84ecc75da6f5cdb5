"""Numbers handed on inside segments: nothing is lost, nobody keeps its own, no more take part than must.

The walk of rotations: what it keeps, what it mixes, and what it cannot move. Shuffling inside cells: values stay,
places change, and correlations are those of the original numbers.
"""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.random_streams import Streams
from hushwood.segments.partition import whole_table
from hushwood.segments.segments import Segments, domain_intervals
from hushwood.techniques.shuffle import Rotation, Shuffle
from hushwood.techniques.together.cells import Cells
from hushwood.techniques.together.copula import cell_correlations
from hushwood.techniques.together.fallbacks import SWEEPS, can_exchange, exchanged, fewest_to_turn, walked
from hushwood.techniques.together.group_rows import GroupRows
from hushwood.techniques.together.shuffling import fewest_to_shuffle, shuffled
from support.correlated_tables import STREAMS, cut, described, drawn_by, hard_table
from support.mixed_tables import category, number, table_of, target

N = np.nan


def rows_in(segments: int, size: int, gaps: float = 0.2, streams: Streams = STREAMS) -> GroupRows:
    """Records of segments with the whole domain."""
    table = hard_table(1, segments * size, ["real", "real", "real"], gaps)
    ids = np.repeat(np.arange(segments, dtype=np.int32), size)
    intervals = {f"x{j}": domain_intervals(table.schema[f"x{j}"], segments) for j in range(3)}
    found = Segments(ids, segments, intervals, {}, {})
    return drawn_by(Shuffle(within="segment", alone=None), table, found, streams).rows


def test_who_can_exchange() -> None:
    numbers = np.array([[1.0, N], [2.0, 3.0], [4.0, 5.0], [6.0, N], [N, 7.0], [N, N]])
    cells = Cells.of_table(np.array([0, 0, 0, 1, 1, 1], np.int32), numbers, "segment")
    keys = np.stack([cells.segment, *cells.known.T], axis=1).tolist()
    found = dict(zip(map(tuple, keys), can_exchange(cells), strict=True))
    assert {key for key, can in found.items() if can} == {(0, 1, 0), (0, 1, 1), (1, 0, 0)}


@pytest.mark.parametrize(("segments", "size"), [(1, 2), (1, 20), (5, 30), (70_000, 2)])
def test_segments_keep_their_values_and_nobody_its_own(segments: int, size: int) -> None:
    rows = rows_in(segments, size, 0.2 if size > 2 else 0.0)
    chosen = can_exchange(rows.cells) & (rows.cells.sizes == 1) if size > 2 else np.ones(segments, bool)
    assert chosen.any()
    found = exchanged(rows, chosen, rows.numbers)
    known = rows.cells.known[rows.cell]
    segment = rows.cells.segment[rows.cell]
    for j in range(3):
        old, new = (x[np.lexsort((x[:, j], segment)), j] for x in (rows.numbers, found))
        assert np.array_equal(old, new)
    changed = found != rows.numbers
    assert changed[chosen[rows.cell][:, None] & known].all()
    assert not changed[~known].any()
    # As many others take part as there are numbers to exchange, if there are so many.
    for s in range(min(segments, 20)):
        here = segment == s
        for j in range(3):
            wanting = int((chosen[rows.cell] & known[:, j] & here).sum())
            there = int((known[:, j] & here).sum())
            assert int(changed[here, j].sum()) == min(2 * wanting, there)


def test_other_segments_are_left_alone_and_keys_matter() -> None:
    rows = rows_in(3, 30)
    chosen = (rows.cells.segment == 1) & (rows.cells.sizes == 1) & can_exchange(rows.cells)
    found = exchanged(rows, chosen, rows.numbers)
    elsewhere = rows.cells.segment[rows.cell] != 1
    assert np.array_equal(found[elsewhere], rows.numbers[elsewhere])
    other = rows_in(3, 30, streams=Streams(bytes(32)))
    assert not np.array_equal(exchanged(other, chosen, other.numbers), found)
    nobody = exchanged(rows, np.zeros(rows.cells.count, bool), rows.numbers)
    assert np.array_equal(nobody, rows.numbers)


def test_only_chosen_cells_are_walked() -> None:
    table = hard_table(1, 200, ["real", "whole"])
    done = drawn_by(Rotation(within="segment"), table, cut(table, ("x0", 0.5), ("x1", 0.5)))
    rows, chosen = done.rows, np.array([False, True, False, True])
    found = walked(rows, chosen, rows.numbers)
    assert np.array_equal(found[~chosen[rows.cell]], rows.numbers[~chosen[rows.cell]])
    assert (found[chosen[rows.cell]] != rows.numbers[chosen[rows.cell]]).mean() > 0.95
    assert walked(rows, np.zeros(4, bool), rows.numbers) is rows.numbers
    alone = walked(rows, np.array([False, True, False, False]), rows.numbers)
    assert np.array_equal(alone[rows.cell == 1], found[rows.cell == 1])


def test_a_long_walk_forgets_where_it_began() -> None:
    """The correlation of a column with itself after the walk is that of chance."""
    table = hard_table(2, 3000, ["real", "zeros", "whole"])
    done = drawn_by(Rotation(given=()), table, whole_table(table))
    for j in range(3):
        assert abs(np.corrcoef(done.before[:, j], done.after[:, j])[0, 1]) < 4 / np.sqrt(3000)


@pytest.mark.parametrize("given", [("job",), ("job", "x2"), ("x1", "x2")])
def test_means_of_every_category_stay_and_links_to_given_numbers(given: tuple[str, ...]) -> None:
    table = hard_table(3, 300, ["real", "real", "shared"], gaps=0.0)
    done = drawn_by(Rotation(given=given), table, whole_table(table))
    design = done.perturber.given.design(table.columns)
    assert np.allclose(design.T @ done.after, design.T @ done.before, atol=1e-9)
    assert (done.after != done.before).mean() > 0.9


def test_a_scale_changes_nothing_but_the_scale() -> None:
    """Also not who is turned with whom: a power of two is exact."""
    plain = hard_table(4, 90, ["zeros", "real"])
    values, two, others = plain.columns["x0"], plain.schema["x1"], plain.columns["x1"]
    done = []
    for factor in (1.0, 2.0**40, 2.0**-40):
        scaled = described("x0", factor * values, None), (factor * values).tolist()
        table = table_of({"x0": scaled, "x1": (two, others.tolist())})
        done.append(drawn_by(Rotation(), table, whole_table(table)).after / [factor, 1.0])
    assert np.array_equal(done[0], done[1])
    assert np.array_equal(done[0], done[2])


def test_how_many_records_it_takes() -> None:
    table = hard_table(5, 30, ["real", "real", "real"])
    segments = whole_table(table)
    assert fewest_to_turn(drawn_by(Rotation(given=("job",)), table, segments).perturber.given) == 3
    assert fewest_to_turn(drawn_by(Rotation(given=("x0", "x1")), table, segments).perturber.given) == 5
    assert SWEEPS % 2 == 0  # as many sweeps among likes as among all


@pytest.mark.parametrize("rare", [1, 2])
def test_records_of_rare_categories_are_turned_with_others(rare: int) -> None:
    """Two rare categories together are enough to turn; one alone joins the largest."""
    chance = np.random.default_rng(rare)
    codes = [0] * 40 + [1] * 9 + [2] * rare + [3] * 2
    values = chance.normal(size=(len(codes), 2))
    table = table_of(
        {
            "c": (category("c", "pqrs"), codes),
            **{f"x{j}": (number(f"x{j}", -9, 9, None), values[:, j].tolist()) for j in range(2)},
            "k": (target("k", "ab"), [0, 1] * (len(codes) // 2) + [0] * (len(codes) % 2)),
        }
    )
    done = drawn_by(Rotation(given=("c",)), table, whole_table(table))
    assert (done.after != done.before).all()
    assert np.allclose(done.after.mean(axis=0), done.before.mean(axis=0))
    assert np.allclose(np.cov(done.after.T), np.cov(done.before.T))
    large = np.array(codes) == 1
    assert np.allclose(done.after[large].mean(axis=0), done.before[large].mean(axis=0))


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


def test_how_many_records_it_takes_shuffling() -> None:
    table = hard_table(3, 30, ["real", "real", "real"])
    done = drawn_by(Shuffle(given=("job", "x2")), table, whole_table(table))
    assert fewest_to_shuffle(done.rows) == 2 + 3 + 2
