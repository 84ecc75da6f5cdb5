from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.arrays import Floats
from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.segments.partition import whole_table
from hushwood.segments.segments import Segments
from hushwood.tables.domains import Intervals
from hushwood.tables.table import Table
from hushwood.techniques.kernels.partitions import mdav_groups
from hushwood.techniques.laws.group_values import GroupValuesPerturber
from hushwood.techniques.mdav import Mdav, information_loss
from hushwood.techniques.partitions import near_records
from hushwood.techniques.partitions.near_records import blocks, standardised
from hushwood.techniques.together.cells import CellLayout
from oracles import mdav as oracle
from support.mixed_tables import number, table_of

STREAMS = Streams(bytes(range(32)))
GAP = float("nan")

Record = tuple[float | None, ...]


def table_from(records: Sequence[Record], precision: int | None = None) -> Table:
    columns = [[GAP if x is None else x for x in column] for column in zip(*records, strict=True)]
    names = "abcdef"[: len(columns)]
    return table_of(
        {
            name: (number(name, -1e6, 1e6, precision), values)
            for name, values in zip(names, columns, strict=True)
        }
    )


def segments_of(table: Table, ids: list[int]) -> Segments:
    count = max(ids) + 1
    whole = whole_table(table).intervals
    wide = {
        n: Intervals(np.repeat(i.low, count), np.repeat(i.high, count), i.precision) for n, i in whole.items()
    }
    return Segments(np.array(ids, np.int32), count, wide, {}, {})


def made(
    records: Sequence[Record], k: int, precision: int | None = None, ids: list[int] | None = None
) -> GroupValuesPerturber:
    table = table_from(records, precision)
    segments = whole_table(table) if ids is None else segments_of(table, ids)
    return Mdav(k, "table" if ids is None else "segment").prepare(table, table.schema.names, segments)


def released(perturber: GroupValuesPerturber) -> list[Record]:
    rows = len(perturber.law().members)
    columns = perturber.perturb({}, np.zeros(rows, int), range(rows), STREAMS)
    values = [[None if x != x else x for x in column.tolist()] for column in columns.values()]
    return list(zip(*values, strict=True))


def groups_of(points: Floats, k: int) -> list[list[int]]:
    """The groups of [record, column] in the order they are made."""
    found = mdav_groups(np.ascontiguousarray(points.T), np.array([0, len(points)]), k)
    return [np.flatnonzero(found == g).tolist() for g in range(int(found.max(initial=-1)) + 1)]


@pytest.mark.parametrize(
    ("values", "k", "groups"),
    [
        ([], 3, []),
        ([5], 3, [[0]]),
        ([5, 6], 3, [[0, 1]]),
        ([1, 2, 30, 4, 5], 3, [[0, 1, 2, 3, 4]]),  # k to 2k - 1: one group
        ([1, 2, 3, 10, 11, 12], 3, [[0, 1, 2], [3, 4, 5]]),  # 1 and 12 are as far from 6.5: the first row
        ([12, 2, 3, 10, 11, 1], 3, [[0, 3, 4], [1, 2, 5]]),
        ([1, 2, 3, 10, 11, 12, 13], 3, [[0, 1, 2], [3, 4, 5, 6]]),  # 1 is the farthest from 7.43
        ([0, 1, 2, 50, 51, 52, 100, 101, 102], 3, [[0, 1, 2], [6, 7, 8], [3, 4, 5]]),
        ([7, 7, 7, 7, 7], 2, [[0, 1], [2, 3, 4]]),  # all ties: by row
        ([7, 7, 7, 7, 7, 7, 7], 2, [[0, 1], [2, 3], [4, 5, 6]]),
        ([0, 5, 5, 10, 5, 5], 2, [[0, 1], [2, 3], [4, 5]]),
    ],
)
def test_by_hand(values: list[float], k: int, groups: list[list[int]]) -> None:
    points = np.array(values, float).reshape(-1, 1)
    assert groups_of(points, k) == groups
    assert oracle.groups(points.tolist(), k) == groups


def test_the_second_group_is_around_the_record_farthest_from_the_first_not_from_the_mean() -> None:
    """(0, 9) is farthest from the mean; from there (8, 0) is the farthest."""
    points = np.array([[0, 9], [0, 8], [8, 0], [7, 0], [0, 0], [1, 0]], float)
    assert groups_of(points, 2) == [[0, 1], [2, 3], [4, 5]]


@settings(max_examples=300)
@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 2)), min_size=1, max_size=60), st.integers(2, 6))
def test_groups_equal_the_oracle_with_many_ties(points: list[tuple[int, int]], k: int) -> None:
    assert groups_of(np.array(points, float), k) == oracle.groups(points, k)


@pytest.mark.parametrize("columns", [1, 2, 6])
@pytest.mark.parametrize("rows", [50, 301, 700])
def test_groups_equal_the_oracle_on_larger_tables(columns: int, rows: int) -> None:
    points = standardised(np.random.default_rng(rows).gamma(1.0, size=(rows, columns)))
    assert groups_of(points, 3) == oracle.groups(points.tolist(), 3)
    assert groups_of(points, 10) == oracle.groups(points.tolist(), 10)


records = st.lists(
    st.tuples(
        st.one_of(st.none(), st.integers(-50, 50).map(float)),
        st.one_of(st.none(), st.floats(-9, 9).map(lambda x: round(x, 3))),
        st.integers(0, 1).map(float),
    ),
    min_size=1,
    max_size=50,
)


@settings(max_examples=150)
@given(records, st.integers(2, 5), st.lists(st.integers(0, 2), min_size=50, max_size=50))
def test_releases_equal_the_oracle(rows: list[Record], k: int, ids: list[int]) -> None:
    for segment_ids in (None, ids[: len(rows)]):
        found = released(made(rows, k, None, segment_ids))
        wanted = oracle.microaggregated(rows, segment_ids or [0] * len(rows), k)
        np.testing.assert_allclose(np.array(found, float), np.array(wanted, float), rtol=1e-12, atol=1e-12)


@settings(max_examples=60)
@given(records, st.integers(2, 5))
def test_means_are_rounded_to_the_grid(rows: list[Record], k: int) -> None:
    whole = [(a, None if b is None else float(round(b)), c) for a, b, c in rows]
    found = released(made(whole, k, 0))
    wanted = oracle.microaggregated(whole, [0] * len(rows), k, lambda mean: float(round(mean)))
    assert found == [tuple(row) for row in wanted]


def test_hand_made_table_with_gaps_and_segments() -> None:
    rows: list[Record] = [(1.0, 10.0), (3.0, 30.0), (9.0, None), (7.0, None), (100.0, 0.0), (5.0, 5.0)]
    assert released(made(rows, 2, 0, [0, 0, 0, 0, 1, 0])) == [
        (3.0, 15.0),
        (3.0, 15.0),
        (8.0, None),
        (8.0, None),
        (100.0, 0.0),  # alone in its segment
        (3.0, 15.0),
    ]


@given(st.integers(0, 10_000), st.integers(1, 80), st.integers(2, 7))
def test_every_group_has_k_to_twice_k_records(seed: int, rows: int, k: int) -> None:
    points = standardised(np.random.default_rng(seed).normal(size=(rows, 3)))
    sizes = [len(group) for group in groups_of(points, k)]
    assert sum(sizes) == rows
    assert max(sizes) < 2 * k
    assert min(sizes) >= min(k, rows)


def test_no_record_can_be_told_from_k_others() -> None:
    chance = np.random.default_rng(2)
    rows: list[Record] = [tuple(row) for row in chance.normal(size=(400, 4)).tolist()]
    assert min(Counter(released(made(rows, 5))).values()) >= 5


def test_column_means_stay_and_loss_falls_with_smaller_groups() -> None:
    table = table_from([tuple(row) for row in np.random.default_rng(4).normal(size=(500, 3)).tolist()])
    losses = []
    for k in (2, 5, 20):
        found = Mdav(k).prepare(table, table.schema.names, whole_table(table))
        new = found.perturb(table.columns, np.zeros(500, int), range(500), STREAMS)
        for name, values in new.items():
            assert values.mean() == pytest.approx(table.columns[name].mean(), abs=1e-12)
        losses.append(information_loss(table.columns, new))
    assert losses == sorted(losses)
    assert 0 < losses[0] < losses[-1] < 0.5


@pytest.mark.parametrize("scale", [1e-250, 1e-3, 1.0, 1e9, 1e150])
def test_units_and_zero_points_change_no_group(scale: float) -> None:
    numbers = np.random.default_rng(5).normal(size=(200, 2))
    want = oracle.groups(standardised(numbers).tolist(), 3)
    assert groups_of(standardised(numbers * [scale, -1.0]), 3) == want
    assert groups_of(standardised(numbers + np.array([0.0, 1000.0])), 3) == want


def test_the_order_of_rows_and_columns_changes_no_group() -> None:
    chance = np.random.default_rng(6)
    points = standardised(chance.normal(size=(300, 3)))
    want = {frozenset(group) for group in groups_of(points, 4)}
    order = chance.permutation(300)
    assert {frozenset(order[group].tolist()) for group in groups_of(points[order], 4)} == want


def test_constant_and_empty_columns_do_not_count() -> None:
    rows: list[Record] = [(float(x), 0.1, None) for x in (1, 2, 3, 10, 11, 12)]
    assert released(made(rows, 3)) == [(2.0, 0.1, None)] * 3 + [(11.0, 0.1, None)] * 3


def test_a_zero_has_no_sign_and_single_precision_stays_single() -> None:
    assert [str(a) for (a,) in released(made([(-1.0,), (0.0,), (0.0,)], 3, 0))] == ["0.0"] * 3
    table = table_from([(float(np.float32(x)),) for x in (0.1, 0.2, 0.4)])
    table = replace(table, schema=table.schema.with_attribute(replace(table.schema["a"], storage="Float32")))
    found = Mdav().prepare(table, ["a"], whole_table(table))
    values = found.perturb(table.columns, np.zeros(3, int), range(3), STREAMS)["a"]
    assert values.tolist() == values.astype(np.float32).tolist()
    assert values[0] == pytest.approx(0.7 / 3, rel=1e-6)


def test_groups_do_not_reach_over_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near_records, "LARGEST_BLOCK", 40)
    chance = np.random.default_rng(8)
    rows: list[Record] = [(x, y) for x, y in chance.normal(size=(150, 2)).tolist()]
    found = made(rows, 4).law().members
    assert np.bincount(found).min() >= 4
    points = standardised(np.array(rows))
    layout = blocks(points, CellLayout.of(np.zeros(150, np.int64), 1), 40)
    for part in np.split(layout.order, layout.start[1:-1]):
        wanted = {frozenset(part[group].tolist()) for group in oracle.groups(points[part].tolist(), 4)}
        assert {frozenset(np.flatnonzero(found == g).tolist()) for g in set(found[part].tolist())} == wanted


def test_the_law_is_a_point_or_the_shares_of_equal_records() -> None:
    """1 is farthest from the mean and takes the first of the zeros; the others are the second group."""
    law = made([(0.0,), (0.0,), (0.0,), (1.0,)], 2).law()
    asked = {"a": np.array([0.0, 0.0, 1.0, 1.0, 2.0, 0.0])}
    outcome = {"a": np.array([0.0, 0.5, 0.5, 0.0, 0.0, 0.25])}
    found = np.exp(law.log_prob(asked, outcome, np.zeros(6, int)))
    assert found == pytest.approx([2 / 3, 1 / 3, 1, 0, 0, 0])
    assert law.dependent


def test_the_law_knows_segments_and_gaps() -> None:
    law = made([(1.0, None), (3.0, None), (1.0, 2.0), (5.0, 4.0)], 2, None, [0, 0, 1, 1]).law()
    asked = {"a": np.array([1.0, 1.0, 1.0, 1.0]), "b": np.array([GAP, GAP, 2.0, GAP])}
    outcome = {"a": np.array([2.0, 2.0, 3.0, 2.0]), "b": np.array([GAP, 3.0, 3.0, GAP])}
    assert np.exp(law.log_prob(asked, outcome, np.array([0, 0, 1, 1]))).tolist() == [1, 0, 1, 0]
    assert law.described() == {"form": "group means", "attributes": ["a", "b"], "groups": 2}


def test_no_columns_no_groups() -> None:
    table = table_from([(1.0,), (2.0,)])
    found = Mdav().prepare(table, [], whole_table(table))
    assert found.attributes == ()
    assert found.perturb(table.columns, np.zeros(2, int), range(2), STREAMS) == {}


def test_information_loss_by_hand() -> None:
    x, y = np.array([1.0, 2, 3, 4]), np.array([10.0, 10, 30, GAP])
    assert information_loss({"x": x}, {"x": x}) == 0
    assert information_loss({"x": x}, {"x": np.full(4, 2.5)}) == 1
    assert information_loss({"x": x, "z": x}, {"x": np.array([1.5, 1.5, 3.5, 3.5])}) == pytest.approx(0.2)
    # y: SSE 100 + 100 of SST 800 / 3, for three values; x: nothing lost, for four.
    both = information_loss({"x": x, "y": y}, {"x": x, "y": np.array([10.0, 20, 20, GAP])})
    assert both == pytest.approx((100 + 100) / (800 / 3) * 3 / 7)
    assert information_loss({"x": np.ones(3)}, {"x": np.ones(3)}) == 0
    assert information_loss({}, {}) == 0


@pytest.mark.parametrize("k", [1, 0, -3])
def test_groups_of_one_are_refused(k: int) -> None:
    with pytest.raises(InputError, match="k of MDAV must be 2 or more"):
        Mdav(k)


def test_what_it_says_and_keeps() -> None:
    assert not Mdav().keeps_segment
    assert Mdav(within="segment").keeps_segment
    assert "mean of 4 or more" in Mdav(4).says()
    with pytest.raises(InputError, match="Did you mean 'segment'"):
        Mdav(within="segments")  # type: ignore[arg-type]
