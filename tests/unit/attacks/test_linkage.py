from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.attacks.linkage import Linkage
from hushwood.attacks.search.released_rows import SCALINGS, nearest_known
from hushwood.random_streams import Streams
from oracles.linkage import as_ranks, nearest_sets
from support.intruders import knowing
from support.linkage_records import plain_records
from support.mixed_tables import category, mixed_table, number, table_of

STREAMS = Streams(bytes(range(32)))


@settings(max_examples=20)
@given(st.integers(0, 10_000), st.integers(1, 30), st.integers(1, 40), st.sampled_from(SCALINGS))
def test_guesses_are_nearest_by_the_oracle(seed: int, known: int, rows: int, scaling: str) -> None:
    original, released = mixed_table(seed, known), mixed_table(seed + 1, rows)
    names = [a.name for a in original.schema.inputs]
    knowledge = knowing(original.take(np.arange(known)), names)
    guessed = Linkage(scaling=scaling).guess(knowledge, released, STREAMS)  # type: ignore[arg-type]
    targets = plain_records(original, names)
    records = plain_records(released, names)
    if scaling == "rank":
        targets, records = as_ranks(targets, records)
    for row, allowed in zip(guessed.rows.tolist(), nearest_sets(targets, records), strict=True):
        assert row in allowed


def test_by_hand() -> None:
    released = table_of(
        {"x": (number("x", 0, 100), [0.0, 50.0, 100.0]), "c": (category("c", "pq"), [0, 0, 1])}
    )
    known = table_of({"x": (number("x", 0, 100), [40.0, 90.0, 90.0]), "c": (category("c", "pq"), [0, 1, 0])})
    knowledge = knowing(known.take(np.arange(3)), ("x", "c"))
    # distances of the third: 0.9, 0.4, 0.1 + 1, each divided by two attributes
    assert Linkage().guess(knowledge, released, STREAMS).rows.tolist() == [1, 2, 1]
    assert nearest_known(knowledge, released, STREAMS, "range").distance[2, 0] == pytest.approx(0.2)


def test_ranks_and_ranges_can_disagree() -> None:
    """One huge value makes all others look alike by range, not by rank."""
    columns = {
        "x": (number("x", 0, 1e9, None), [1.0, 3.0, 2.0, 1e9]),
        "y": (number("y", 0, 1, None), [0.2, 0.0, 0.9, 1.0]),
    }
    released = table_of(columns)
    known = table_of({"x": (columns["x"][0], [1.1]), "y": (columns["y"][0], [0.05])})
    knowledge = knowing(known.take(np.arange(1)), ("x", "y"))
    by_range, by_rank = (
        variant.guess(knowledge, released, STREAMS).rows[0] for variant in Linkage().variants()
    )
    assert (by_range, by_rank) == (1, 0)


def test_equally_near_rows_are_drawn_evenly() -> None:
    released = table_of({"x": (number("x", 0, 9), [5.0] * 10)})
    knowledge = knowing(released.take(np.zeros(2000, np.int64)), ("x",))
    rows = Linkage().guess(knowledge, released, STREAMS).rows
    counts = np.bincount(rows, minlength=10)
    assert counts.min() > 140
    assert counts.max() < 260
