from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.techniques.control_cells import ControlCells
from hushwood.techniques.protocol import Within
from mixed_tables import mixed_table, plain_rows

CONTROLS = ("city", "risk", "count")


@settings(max_examples=25)
@given(seed=st.integers(0, 10**6), rows=st.integers(1, 60), some=st.integers(0, 3))
@pytest.mark.parametrize("within", ["table", "segment"])
def test_records_share_a_cell_exactly_if_they_agree(within: Within, seed: int, rows: int, some: int) -> None:
    table = mixed_table(seed, rows)
    ids = np.random.default_rng(seed).integers(0, 3, rows)
    controls = CONTROLS[:some]
    cells = ControlCells.of_table(table, controls, ids, within)(table.columns, ids).tolist()
    agreed = [
        (0 if within == "table" else int(ids[at]), *(row[name] for name in controls))
        for at, row in enumerate(plain_rows(table))
    ]
    assert len(set(cells)) == len(set(agreed)) == len(set(zip(cells, agreed, strict=True)))
    assert not some or max(cells) < len(set(cells))


def test_a_record_is_in_the_same_cell_in_any_chunk() -> None:
    table = mixed_table(3, 90)
    ids = np.arange(90) % 4
    cells = ControlCells.of_table(table, CONTROLS, ids, "segment")
    whole = cells(table.columns, ids)
    rows = np.array([70, 3, 41])
    assert (
        cells({name: v[rows] for name, v in table.columns.items()}, ids[rows]).tolist()
        == whole[rows].tolist()
    )


def test_values_that_no_record_had_are_in_no_cell() -> None:
    table = mixed_table(3, 90)
    cells = ControlCells.of_table(table, ("count", "city"), np.zeros(90, int), "table")
    strange = {"count": np.array([99.0, 3.5, 4.0]), "city": np.array([0, 1, 77])}
    found = cells(strange, np.zeros(3, int))
    assert set(found.tolist()) == {len(cells.keys[-1])}
    assert cells(table.columns, np.zeros(90, int)).max() == len(cells.keys[-1]) - 1
