from __future__ import annotations

import numpy as np

from hushwood.segments.segments import Segments


def test_sizes_count_records_and_know_empty_segments() -> None:
    segments = Segments(np.array([2, 0, 2, 2], np.int32), 4, {}, {}, {})
    assert segments.sizes.tolist() == [1, 0, 3, 0]
