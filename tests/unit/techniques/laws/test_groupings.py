from __future__ import annotations

import numpy as np

from hushwood.techniques.laws.groupings import OwnValue, by_segment, groups_within, whole_table


def test_groups() -> None:
    assert groups_within("segment") is by_segment
    assert groups_within("table") is whole_table
    columns, ids = {"x": np.array([0, 2, -1])}, np.array([0, 1, 2])
    assert OwnValue("x", 4, "table")(columns, ids).tolist() == [0, 2, 3]
    assert OwnValue("x", 4, "segment")(columns, ids).tolist() == [0, 6, 11]
