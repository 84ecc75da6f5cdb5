from __future__ import annotations

import numpy as np

from hushwood.random_streams import Streams
from hushwood.segments.segments import Segments
from hushwood.techniques.swap import Swap
from support.mixed_tables import category, table_of

STREAMS = Streams(bytes(range(32)))


def test_columns_are_permuted_within_segments_and_apart_from_each_other() -> None:
    rows = 400
    codes = [i % 4 for i in range(rows)]
    table = table_of({name: (category(name, "abcd"), codes) for name in ("x", "y")})
    ids = np.array([i % 40 // 20 for i in range(rows)], np.int32)
    perturber = Swap().prepare(table, ["x", "y"], Segments(ids, 2, {}, {}, {}))
    released = perturber.perturb(table.columns, ids, range(rows), STREAMS)
    assert released["x"].tolist() != released["y"].tolist()
    for name in ("x", "y"):
        assert released[name].tolist() != codes
        for segment in (0, 1):
            here = ids == segment
            assert sorted(released[name][here].tolist()) == sorted(table.columns[name][here].tolist())


def test_joint_swapping_keeps_what_goes_together() -> None:
    """Errata G10: y follows from x before and after, but for other records; apart, it does not."""
    rows = 400
    codes = [i % 4 for i in range(rows)]
    table = table_of({name: (category(name, "abcd"), codes) for name in ("x", "y")})
    ids = np.array([i % 40 // 20 for i in range(rows)], np.int32)
    technique = Swap(joint=True)
    assert technique.jointly
    perturber = technique.prepare(table, ["x", "y"], Segments(ids, 2, {}, {}, {}))
    released = perturber.perturb(table.columns, ids, range(rows), STREAMS)
    assert released["x"].tolist() == released["y"].tolist()
    assert (released["x"] != table.columns["x"]).mean() > 0.6
    for segment in (0, 1):
        here = ids == segment
        assert sorted(released["x"][here].tolist()) == sorted(table.columns["x"][here].tolist())


def test_a_missing_category_is_permuted_like_any_other() -> None:
    table = table_of({"x": (category("x", "ab"), [-1] * 50 + [0] * 50)})
    ids = np.zeros(100, np.int32)
    perturber = Swap().prepare(table, ["x"], Segments(ids, 1, {}, {}, {}))
    released = perturber.perturb(table.columns, ids, range(100), STREAMS)["x"]
    assert released.dtype == np.int32
    assert sorted(released.tolist()) == [-1] * 50 + [0] * 50
    assert 10 < (released[:50] == 0).sum() < 40
