"""What an engine for a table as a whole promises: the values of a plain loop, whatever the chunks and threads.

That all engines give the same release is in `test_equal_engines`.
"""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.arrays import Array
from hushwood.errors import InternalFault
from hushwood.random_streams import Streams
from hushwood.releasing.engines.memory import run
from hushwood.releasing.fitted import PreparedStep
from hushwood.segments.partition import intersections, leaves
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.capt import Capt
from hushwood.techniques.class_permutations import Ppt, Rpt
from hushwood.techniques.domain_noise import Linfapt, Linnapt
from hushwood.techniques.swap import Swap
from support.mixed_tables import grown_forest, mixed_table
from support.technique_variants import prepared

STREAMS = Streams(bytes(range(32)))
ROWS = 500


@pytest.fixture(scope="module")
def table() -> Table:
    return mixed_table(21, ROWS)


@pytest.fixture(scope="module")
def segments(table: Table) -> Segments:
    return intersections(table, grown_forest(table))


@pytest.fixture(scope="module")
def steps(table: Table, segments: Segments) -> list[PreparedStep]:
    techniques = (Linfapt(), Linnapt(), Swap(), Rpt())
    return [step for technique in techniques for step in prepared(technique, table, segments)]


def plainly(table: Table, steps: list[PreparedStep]) -> dict[str, Array]:
    """Step after step on whole columns."""
    released: dict[str, Array] = {}
    for step in steps:
        new = step.perturber.perturb(table.columns, step.segment_ids, range(table.rows), STREAMS)
        for name, values in new.items():
            covered = step.perturber.covers(name)
            before = released.get(name, table.columns[name])
            released[name] = (
                values if covered is None else np.where(covered[step.segment_ids], values, before)
            )
    return released


def assert_same(found: dict[str, Array], wanted: dict[str, Array]) -> None:
    assert set(found) == set(wanted)
    for name, values in wanted.items():
        assert found[name].dtype == values.dtype
        np.testing.assert_array_equal(found[name], values)


@pytest.mark.parametrize("chunk_rows", [None, 1, 7, 499, 500, 1000])
@pytest.mark.parametrize("threads", [1, 2])
def test_values_are_those_of_a_plain_loop(
    chunk_rows: int | None, threads: int, table: Table, steps: list[PreparedStep]
) -> None:
    if chunk_rows == 1 and threads == 1:
        return  # slow, and the two threads have shown it
    assert_same(run(table, steps, STREAMS, chunk_rows=chunk_rows, threads=threads), plainly(table, steps))


def test_numeric_columns_are_all_dealt_with(
    table: Table, segments: Segments, steps: list[PreparedStep]
) -> None:
    """LINFAPT where the rules test a column and LINNAPT elsewhere: every wide enough value may move."""
    released = run(table, steps, STREAMS)["price"]
    influential = segments.influential["price"][segments.ids]
    for here in (influential, ~influential):
        assert not here.any() or (released[here] != table.columns["price"][here]).any()


def test_steps_of_overlapping_columns_do_not_undo_each_other(table: Table, segments: Segments) -> None:
    """One step for two columns and one for a single one of them, in every order."""
    two = PreparedStep(Linfapt().prepare(table, ["count", "price"], segments), segments.ids)
    one = PreparedStep(Linnapt().prepare(table, ["price"], segments), segments.ids)
    rest = PreparedStep(Linnapt().prepare(table, ["count", "ratio"], segments), segments.ids)
    wanted = plainly(table, [two, one, rest])
    for order in ([two, one, rest], [one, rest, two], [rest, two, one], [one, two, rest]):
        assert_same(run(table, order, STREAMS, chunk_rows=50, threads=2), wanted)


def test_every_step_has_its_own_segments(table: Table, segments: Segments) -> None:
    by_leaves = leaves(table, grown_forest(table))
    mixed = [*prepared(Ppt(), table, by_leaves), *prepared(Capt(), table, segments)]
    assert_same(run(table, mixed, STREAMS, chunk_rows=33), plainly(table, mixed))


def test_no_steps_release_nothing(table: Table) -> None:
    assert run(table, [], STREAMS) == {}


def test_a_step_without_columns_is_harmless(table: Table, segments: Segments) -> None:
    empty = PreparedStep(Linfapt().prepare(table, [], segments), segments.ids)
    assert run(table, [empty, empty], STREAMS) == {}


def test_progress_counts_up_to_all(table: Table, steps: list[PreparedStep]) -> None:
    seen: list[tuple[int, int]] = []
    run(
        table,
        steps,
        STREAMS,
        chunk_rows=100,
        threads=2,
        progress=lambda done, total: seen.append((done, total)),
    )
    assert [done for done, _ in seen] == list(range(1, len(seen) + 1))
    assert {total for _, total in seen} == {len(seen)}


def test_a_fault_in_a_step_is_not_hidden(table: Table, segments: Segments) -> None:
    good = prepared(Linfapt(), table, segments)[0]
    bad = PreparedStep(good.perturber, segments.ids + segments.count)
    with pytest.raises(InternalFault, match="Segments must lie from 0"):
        run(table, [bad], STREAMS, threads=2)


def test_the_input_is_not_written_to(table: Table, steps: list[PreparedStep]) -> None:
    before = {name: values.copy() for name, values in table.columns.items()}
    released = run(table, steps, STREAMS)
    for name, values in table.columns.items():
        np.testing.assert_array_equal(values, before[name])
        assert name not in released or not np.shares_memory(values, released[name])
