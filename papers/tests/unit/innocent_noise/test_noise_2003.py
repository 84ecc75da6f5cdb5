from __future__ import annotations

import numpy as np
import pytest

from hushwood.measures.models.grown import Grown
from hushwood.random_streams import Streams
from hushwood.segments.partition import leaves
from hushwood.tables.table import Table
from hushwood.trees.options import Builder, GrowOptions
from hushwood_papers.innocent_noise.noise_2003 import (
    _new_attributes,
    _noise,
    _places,
    released_innocent,
)
from support.mixed_tables import number, table_of, target

STREAMS = Streams(bytes(32))
BUILDER = Builder(GrowOptions("see5", min_leaf=20))


@pytest.fixture(scope="module")
def table() -> Table:
    """The class follows a; b decides only where a is large; c never does. A few records are exceptions."""
    rng = np.random.default_rng(3)
    a, b, c = (rng.integers(1, 11, 350) for _ in range(3))
    k = (a > 5) & (b > 4)
    k[:4] = ~k[:4]
    columns = {
        name: (number(name, 1, 10), values.tolist()) for name, values in zip("abc", (a, b, c), strict=True)
    }
    return table_of({**columns, "k": (target("k", "xy"), k.astype(int).tolist())})


@pytest.fixture(scope="module")
def grown(table: Table) -> Grown:
    return Grown(table, BUILDER)


def test_who_is_innocent_where(grown: Grown) -> None:
    segments = leaves(grown.table, grown.tree)
    places = _places(grown, segments)
    assert set(places["TIA"]) == set(places["TIA in mixed leaves"]) == {"c"}
    assert set(places["LIA"]) == {"a", "b"}
    assert places["TIA"]["c"].all()
    assert not places["LIA"]["a"].any() or not places["LIA"]["b"].any()  # one of them is at the root
    mixed = places["TIA in mixed leaves"]["c"]
    for leaf in range(segments.count):
        classes = set(grown.table.columns["k"][segments.ids == leaf].tolist())
        assert mixed[leaf] == (len(classes) > 1)


def test_noise_is_where_it_should_be_and_grows_with_the_value(grown: Grown) -> None:
    segments = leaves(grown.table, grown.tree)
    where = {"c": np.arange(segments.count) == 0}
    released = released_innocent(grown, where, "truncate", STREAMS)
    old, new, here = grown.table.columns["c"], released.columns["c"], segments.ids == 0
    assert np.array_equal(old[~here], new[~here])
    assert all(np.array_equal(released.columns[n], grown.table.columns[n]) for n in "abk")
    assert (np.abs(new - old)[here & (old >= 7)]).mean() > 4 * (np.abs(new - old)[here & (old <= 2)]).mean()
    assert _noise(grown.table, released, where, segments) == pytest.approx(0.276, abs=0.08)
    assert _noise(grown.table, released, {}, segments) is None


def test_a_turn_around_the_circle_is_no_large_noise(grown: Grown) -> None:
    segments = leaves(grown.table, grown.tree)
    ones = grown.table.with_columns({"c": np.ones(grown.table.rows)})
    tens = ones.with_columns({"c": np.full(grown.table.rows, 10.0)})
    assert _noise(ones, tens, {"c": np.ones(segments.count, bool)}, segments) == 1


def test_new_attributes_and_how_deep_they_are(table: Table, grown: Grown) -> None:
    assert _new_attributes(grown.tree, grown.tree) == {}
    only_c = table.with_columns({"k": (table.columns["c"] > 5).astype(np.int32)})
    assert _new_attributes(grown.tree, Grown(only_c, BUILDER).tree) == {"c": 0}
