from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from hushwood.random_streams import Rows, Streams
from hushwood.releasing.engines import memory
from hushwood.releasing.fitted import PreparedStep
from hushwood.segments.partition import whole_table
from hushwood.techniques.laws.joint import JointLaw, LawPerturber
from hushwood.techniques.protocol import Columns
from hushwood.techniques.swap import Swap
from support.mixed_tables import category, number, table_of

STREAMS = Streams(bytes(range(32)))
TABLE = table_of({"x": (number("x", 0, 99), list(range(10))), "c": (category("c", "ab"), [0, 1] * 5)})
IDS = np.zeros(10, np.int32)


class Marking:
    """A perturber that notes the rows it was given and writes them down as the new values."""

    attributes = ("x",)

    def __init__(self, whole_column: bool = False, covered: Sequence[bool] | None = None) -> None:
        self.whole_column = whole_column
        self.covered = None if covered is None else np.array(covered)
        self.seen: list[range] = []

    def covers(self, attribute: str) -> np.ndarray[tuple[int], np.dtype[np.bool_]] | None:
        return self.covered

    def perturb(self, columns: Columns, segment_ids: object, row_ids: Rows, streams: Streams) -> Columns:
        assert isinstance(row_ids, range)
        assert len(columns["x"]) == len(columns["c"]) == len(row_ids)
        self.seen.append(row_ids)
        return {"x": np.arange(row_ids.start, row_ids.stop) + 100.0}

    def law(self) -> JointLaw:
        return JointLaw(())


def test_rows_come_in_chunks_with_their_numbers() -> None:
    marking = Marking()
    released = memory.run(TABLE, [PreparedStep(marking, IDS)], STREAMS, chunk_rows=4)
    assert marking.seen == [range(4), range(4, 8), range(8, 10)]
    assert released["x"].tolist() == [100.0 + i for i in range(10)]


def test_a_whole_column_is_never_cut() -> None:
    marking = Marking(whole_column=True)
    memory.run(TABLE, [PreparedStep(marking, IDS)], STREAMS, chunk_rows=4)
    assert marking.seen == [range(10)]


def test_segments_that_are_not_covered_keep_the_original() -> None:
    ids = np.array([0, 1] * 5, np.int32)
    released = memory.run(TABLE, [PreparedStep(Marking(covered=[True, False]), ids)], STREAMS, chunk_rows=3)
    assert released["x"].tolist() == [100, 1, 102, 3, 104, 5, 106, 7, 108, 9]


def test_only_perturbed_columns_come_out() -> None:
    assert set(memory.run(TABLE, [PreparedStep(Marking(), IDS)], STREAMS)) == {"x"}


def test_a_permutation_sees_all_rows() -> None:
    step = PreparedStep(Swap().prepare(TABLE, ["c"], whole_table(TABLE)), IDS)
    assert isinstance(step.perturber, LawPerturber)
    released = memory.run(TABLE, [step], STREAMS, chunk_rows=1, threads=3)
    assert sorted(released["c"].tolist()) == [0] * 5 + [1] * 5


@pytest.mark.parametrize("threads", [0, 1, 4])
def test_any_number_of_threads(threads: int) -> None:
    released = memory.run(TABLE, [PreparedStep(Marking(), IDS)], STREAMS, chunk_rows=1, threads=threads)
    assert released["x"].tolist() == [100.0 + i for i in range(10)]
