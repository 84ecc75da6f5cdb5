"""Who became whom."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.tables.pairs.pairing import Pair, pair_up, paired_tables
from hushwood.tables.reading import read_table
from hushwood.tables.table import Table
from support.mixed_tables import mixed_table

STREAMS = Streams(bytes(32))
CHANCE = np.random.default_rng(5)
FRAME = pl.DataFrame(
    {
        "id": [f"p{i}" for i in range(200)],
        "age": CHANCE.integers(18, 90, 200),
        "town": CHANCE.choice(list("abcdef"), 200),
        "ill": CHANCE.choice(["no", "yes"], 200),
    }
)


def original() -> Table:
    return read_table(FRAME, target="ill", roles={"id": "identifier"})


def pair(released: pl.DataFrame, match: str | None = None) -> Pair:
    return pair_up(original(), released, STREAMS, match=match)


def test_rows_that_are_alike_are_paired_by_their_place() -> None:
    noisy = FRAME.with_columns(age=pl.col("age") + pl.Series(CHANCE.normal(0, 3, 200)))

    found = pair(noisy)

    assert found.match == "rows"
    assert found.partner is not None
    assert found.partner.tolist() == list(range(200))


def test_rows_in_another_order_are_not_taken_for_the_same_people() -> None:
    found = pair(FRAME.sample(fraction=1, shuffle=True, seed=3))

    assert (found.match, found.partner) == ("none", None)
    assert "--match rows" in found.notes[0]


def test_a_forced_match_is_believed() -> None:
    assert pair(FRAME.sample(fraction=1, shuffle=True, seed=3), "rows").partner is not None
    assert pair(FRAME, "none").partner is None


def test_other_row_counts_are_no_pairs() -> None:
    assert pair(FRAME.head(90)).partner is None
    with pytest.raises(InputError, match="cannot be paired by position"):
        pair(FRAME.head(90), "rows")


def test_a_column_pairs_dropped_and_reordered_rows() -> None:
    released = FRAME.head(50).reverse()

    found = pair(released, "id")

    assert found.partner is not None
    assert found.partner.tolist() == [*range(49, -1, -1), *[-1] * 150]
    before, after = found.aligned() or (None, None)
    assert before is not None
    assert after is not None
    assert np.array_equal(before.columns["age"], after.columns["age"])


def test_a_column_that_pairs_nobody_is_refused_and_few_pairs_are_told() -> None:
    strangers = FRAME.with_columns(id="x" + pl.col("id"))

    with pytest.raises(InputError, match="No value of column 'id' is in both tables"):
        pair(strangers, "id")
    some = pl.concat([FRAME.head(20), strangers.tail(30)])
    assert "pairs 20 of 200 original and 50 released" in pair(some, "id").notes[-1]


@pytest.mark.parametrize(("column", "says"), [("nobody", "nobody"), ("town", "same value in several rows")])
def test_a_column_must_name_people(column: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        pair(FRAME, column)


def test_the_map_of_a_shuffled_release_wins() -> None:
    order = np.random.default_rng(1).permutation(200)

    found = pair_up(original(), FRAME[order], STREAMS, order=order)

    assert found.partner is not None
    assert np.array_equal(found.released.columns["age"][found.partner], found.original.columns["age"])


def test_a_sample_keeps_partners_together() -> None:
    released = FRAME.head(150).reverse()
    whole = pair(released, "id")

    found = whole.sampled(60, STREAMS)

    assert found.original.rows == 60
    assert found.drawn is not None
    assert np.array_equal(found.original.columns["age"], whole.original.columns["age"][found.drawn])
    before, after = found.aligned() or (None, None)
    assert before is not None
    assert after is not None
    assert before.rows == after.rows == (found.drawn < 150).sum() > 20
    assert np.array_equal(before.columns["town"], after.columns["town"])
    assert whole.sampled(200, STREAMS) is whole
    assert whole.sampled(None, STREAMS) is whole


def test_a_sample_of_unpaired_tables_draws_both() -> None:
    found = pair(FRAME.head(150)).sampled(60, STREAMS)

    assert (found.original.rows, found.released.rows, found.partner) == (60, 60, None)


def test_tables_of_one_schema_are_paired_at_once() -> None:
    table = mixed_table(3, 40)

    found = paired_tables(table, table)

    assert found.aligned() == (found.original, found.released)
