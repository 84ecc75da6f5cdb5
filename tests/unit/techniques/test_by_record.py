from __future__ import annotations

import numpy as np
import pytest

from correlated_tables import hard_table, numbers_of
from hushwood.segments.partition import whole_table
from hushwood.techniques.by_record import ByRecord, enough_records
from hushwood.techniques.cells import Cells
from hushwood.techniques.gadp import Gadp


def test_a_cell_needs_more_records_than_it_has_numbers() -> None:
    known = np.array([[True, True, True], [True, False, False]])
    numbers = np.where(np.repeat(known, [5, 3], axis=0), 1.0, np.nan)
    cells = Cells.of_table(np.zeros(8, np.int32), numbers, "segment")
    assert sorted(zip(cells.sizes.tolist(), enough_records(cells, 2).tolist(), strict=True)) == [
        (3, True),
        (5, True),
    ]
    assert enough_records(cells, 3).tolist() == [False, False]


@pytest.mark.parametrize("spare", [None, 2, 1000])
def test_the_method_draws_from_its_law(spare: int | None) -> None:
    table = hard_table(1, 40, ["real", "whole"])
    law = Gadp(0.5, given=()).prepare(table, numbers_of(table), whole_table(table)).method.stated
    method = ByRecord(law, spare)  # type: ignore[arg-type]
    cells = Cells.of_table(np.zeros(40, np.int32), np.zeros((40, 2)), "table")
    assert method.able(cells).tolist() == [spare != 1000]
    assert method.by_record
    assert not method.independent
