"""Pure noise: even over the domain, and strange to the original."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.evaluation.case import Case, group_interval, noise_table
from hushwood.measures.registry import MEASURES
from hushwood.random_streams import Streams
from hushwood.tables.pairs.pairing import Pair, made_up_tables, paired_tables
from support.mixed_tables import category, mixed_table, number, table_of, target
from support.rearranged_tables import column_by_column_shuffled
from support.table_pairs import STREAMS

NOISE_STREAMS = Streams(bytes(32))


def test_noise_is_even_over_every_domain() -> None:
    rows = 6000
    table = table_of(
        {
            "count": (number("count", -1, 4), [0.0] * rows),
            "real": (number("real", 2.0, 4.0, None), [2.5] * rows),
            "job": (category("job", "abc"), [0] * rows),
            "ill": (target("ill", ("no", "yes")), [0] * rows),
        }
    )

    noise = noise_table(table, NOISE_STREAMS)

    counts = np.unique(noise.columns["count"], return_counts=True)
    assert counts[0].tolist() == [-1, 0, 1, 2, 3, 4]
    assert counts[1] == pytest.approx(np.full(6, 1000), abs=150)
    assert noise.columns["real"].mean() == pytest.approx(3.0, abs=0.05)
    assert noise.columns["real"].min() >= 2
    assert np.bincount(noise.columns["job"]) == pytest.approx(np.full(3, 2000), abs=200)


def test_columns_without_values_stay_so() -> None:
    noise = noise_table(mixed_table(1, 50), NOISE_STREAMS)

    assert np.isnan(noise.columns["void"]).all()
    assert (noise.columns["nothing"] == -1).all()
    assert (noise.columns["constant"] == 7).all()


def case_of(pair: Pair) -> Case:
    return Case(pair, STREAMS)


def interval(pair: Pair, name: str, value: float) -> tuple[float, float] | None:
    return group_interval(MEASURES[name](), case_of(pair), value)


def test_the_number_of_the_table_lies_in_most_intervals_of_samples() -> None:
    table = mixed_table(1, 24_000)
    released = column_by_column_shuffled(table, 2)
    keep = np.random.default_rng(3).random((24_000, len(table.columns))) < 0.3
    released = released.with_columns(
        {
            name: np.where(keep[:, place], table.columns[name], released.columns[name]).astype(values.dtype)
            for place, (name, values) in enumerate(table.columns.items())
        }
    )
    name = "unchanged_cells"
    truth = case_of(paired_tables(table, released)).result(MEASURES[name](), brief=True)[0].value  # type: ignore[union-attr]
    inside = 0
    for part in np.split(np.random.default_rng(4).permutation(24_000), 20):
        pair = paired_tables(table, released).of_rows(np.sort(part))
        value = case_of(pair).result(MEASURES[name](), brief=True)[0].value  # type: ignore[union-attr]
        found = interval(pair, name, value)
        assert found is not None
        assert found[1] - found[0] < 0.05
        inside += found[0] <= truth <= found[1]

    assert inside >= 17  # of 20; 19 are expected


def test_small_samples_and_costly_measures_have_none() -> None:
    table = mixed_table(5, 1_200)
    few = mixed_table(6, 900)

    assert interval(paired_tables(few, few), "unchanged_cells", 1.0) is None
    assert interval(paired_tables(table, table), "eduds", 1.0) is None
    assert interval(paired_tables(table, table), "unchanged_cells", 1.0) == (1.0, 1.0)


def test_tables_without_pairs_fall_apart_each_by_itself() -> None:
    before, after = mixed_table(7, 1_300), mixed_table(8, 1_100)

    found = interval(made_up_tables(before, after), "distribution_distances", 0.1)

    assert found is not None
    assert 0 <= found[0] < 0.1 < found[1]


def test_a_number_that_small_samples_shift_has_an_interval_that_reaches_back() -> None:
    """Two halves of one population differ by chance alone; of the whole population the distance is next to 0."""
    table = mixed_table(9, 40_000)
    name = "distribution_distances"
    pair = made_up_tables(table.take(np.arange(2_000)), table.take(np.arange(20_000, 22_000)))
    whole = made_up_tables(table.take(np.arange(20_000)), table.take(np.arange(20_000, 40_000)))
    value, truth = (
        case_of(each).result(MEASURES[name](), brief=True)[0].value  # type: ignore[union-attr]
        for each in (pair, whole)
    )

    found = interval(pair, name, value)

    assert found is not None
    assert found[0] <= truth < value
