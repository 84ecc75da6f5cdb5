from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.releasing.engines import memory
from hushwood.releasing.fitted import PreparedStep
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.laws.permutation import ControlCells
from hushwood.techniques.protocol import Within
from hushwood.techniques.swap import DaleniusReiss, Swap
from oracles import transition_matrices as oracle
from support.mixed_tables import category, mixed_table, plain_rows, table_of
from support.transition_tables import coded_table, law_of, segmented

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


Cell = tuple[Any, ...]


def released(technique: DaleniusReiss, table: Table, segments: Segments, names: list[str]) -> Table:
    steps = [PreparedStep(technique.prepare(table, [name], segments), segments.ids) for name in names]
    return table.with_columns(memory.run(table, steps, STREAMS))


def counted(table: Table, names: tuple[str, ...], segments: Segments | None = None) -> Counter[Cell]:
    rows = plain_rows(table)
    ids = [0] * table.rows if segments is None else segments.ids.tolist()
    return Counter((ids[at], *(row[name] for name in names)) for at, row in enumerate(rows))


@settings(max_examples=25)
@given(seed=st.integers(0, 10**6), rows=st.integers(1, 120), share=st.sampled_from([0.3, 1.0]))
def test_all_tables_with_the_controls_stay(seed: int, rows: int, share: float) -> None:
    """The table of all, and with it those of fewer of these columns."""
    table = mixed_table(seed, rows)
    found = released(DaleniusReiss(("risk", "city"), share), table, segmented([0] * rows), ["job"])
    assert counted(found, ("job", "risk", "city")) == counted(table, ("job", "risk", "city"))
    unchanged = set(table.columns) - {"job"}
    assert all(np.array_equal(found.columns[n], table.columns[n], equal_nan=True) for n in unchanged)


def test_other_tables_do_not_stay() -> None:
    table = mixed_table(5, 400)
    found = released(DaleniusReiss(("city",)), table, segmented([0] * 400), ["job"])
    assert counted(found, ("job", "city")) == counted(table, ("job", "city"))
    assert counted(found, ("job", "risk")) != counted(table, ("job", "risk"))


def test_the_class_controls_unless_something_else_is_said() -> None:
    table = mixed_table(5, 400)
    found = released(DaleniusReiss(), table, segmented([0] * 400), ["job", "city"])
    for name in ("job", "city"):
        assert counted(found, (name, "risk")) == counted(table, (name, "risk"))
        assert not np.array_equal(found.columns[name], table.columns[name])
    assert counted(found, ("job", "city")) != counted(table, ("job", "city"))


def test_numbers_may_control_too() -> None:
    table = mixed_table(5, 400)
    found = released(DaleniusReiss(("count",)), table, segmented([0] * 400), ["job"])
    assert counted(found, ("job", "count")) == counted(table, ("job", "count"))
    assert not np.array_equal(found.columns["job"], table.columns["job"])


def test_inside_segments_the_tables_of_every_segment_stay() -> None:
    table = mixed_table(6, 300)
    segments = segmented([row % 4 for row in range(300)])
    found = released(DaleniusReiss(("risk",), within="segment"), table, segments, ["job"])
    names = ("job", "risk")
    assert counted(found, names, segments) == counted(table, names, segments)
    loose = released(DaleniusReiss(("risk",)), table, segments, ["job"])
    assert counted(loose, names) == counted(table, names)
    assert counted(loose, names, segments) != counted(table, names, segments)


def test_without_controls_inside_segments_it_has_the_law_of_swap() -> None:
    table = coded_table([0, 0, 1, 2, 1], 3)
    ids = [0, 0, 0, 1, 1]
    one, other = law_of(DaleniusReiss((), within="segment"), table, ids), law_of(Swap(), table, ids)
    for value in range(3):
        changed = {"x": np.full(5, value)}
        np.testing.assert_array_equal(
            one.log_prob(table.columns, changed, np.array(ids)),
            other.log_prob(table.columns, changed, np.array(ids)),
        )


def test_controls_are_left_alone() -> None:
    """Were a control swapped itself, the table with it would not stay."""
    table = mixed_table(5, 200)
    segments = segmented([0] * 200)
    perturber = DaleniusReiss(("city", "risk")).prepare(table, ["city", "job"], segments)
    assert perturber.attributes == ("job",)
    assert [perturber.covers(name) for name in ("city", "job")] == [[False], [True]]
    alone = DaleniusReiss(("city",)).prepare(table, ["city"], segments)
    assert alone.attributes == ()


@pytest.mark.parametrize("share", [0.25, 0.6, 1.0])
@pytest.mark.parametrize("values", ["aab", "abcc", "a", "aaaa", "ab"])
def test_the_law_with_some_records_taking_part(values: str, share: float) -> None:
    codes = ["abc".index(value) for value in values]
    table = coded_table(codes, 3)
    law = law_of(DaleniusReiss((), share), table)
    for who, value in enumerate(codes):
        wanted = oracle.dealt_out(values, who, share)
        original = {"x": np.full(3, value)}
        found = np.exp(law.log_prob(original, {"x": np.arange(3)}, np.zeros(3, int)))
        np.testing.assert_allclose(found, [wanted.get(w, 0.0) for w in "abc"], atol=1e-12)


def test_so_many_records_take_part() -> None:
    rows = 20_000
    table = coded_table(list(range(rows)), rows)
    found = released(DaleniusReiss((), 0.3), table, segmented([0] * rows), ["x"]).columns["x"]
    assert sorted(found.tolist()) == list(range(rows))
    assert (found != table.columns["x"]).mean() == pytest.approx(0.3, abs=0.015)


@pytest.mark.parametrize("share", [0.0, 1.1, float("nan")])
def test_wrong_shares_are_refused(share: float) -> None:
    with pytest.raises(InputError, match="above 0"):
        DaleniusReiss(share=share)


def test_unknown_controls_are_refused() -> None:
    with pytest.raises(InputError, match=r"no column for a control 'cty'\. Did you mean 'city'"):
        released(DaleniusReiss(("cty",)), mixed_table(1, 20), segmented([0] * 20), ["job"])


def test_it_says_what_it_does() -> None:
    assert DaleniusReiss().says().startswith("Permuted among records with the same class, so")
    some = DaleniusReiss(("a", "b"), 0.5, "segment").says()
    assert some.startswith(
        "For 50% of the records permuted among records of the same segment with the same a, b"
    )
    assert DaleniusReiss(()).says().startswith("Permuted among records, so")


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
