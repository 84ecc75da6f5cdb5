"""Numbers handed on inside segments: nothing is lost, nobody keeps its own, no more take part than must."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.random_streams import Streams
from hushwood.segments.segments import Segments, domain_intervals
from hushwood.techniques.shuffle import Shuffle
from hushwood.techniques.together.cells import Cells
from hushwood.techniques.together.fallbacks import can_exchange, exchanged
from hushwood.techniques.together.group_rows import GroupRows
from support.correlated_tables import STREAMS, drawn_by, hard_table

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
