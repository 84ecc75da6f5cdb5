"""CACTUS against the oracle, on the thesis' example of strong connections, and on its Customer Status table."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.demo.synthetic_tables import customer_status
from hushwood.errors import InputError
from hushwood.tables.table import Table
from hushwood.trees.options import GrowOptions
from hushwood.value_clusters.cactus import Cactus, CactusClusters, cactus, cactus_groups
from hushwood.value_clusters.grouping.attribute_trees import detective, similarities
from hushwood.value_clusters.grouping.records import similar_pairs
from oracles import cactus as oracle
from support.mixed_tables import category, mixed_table, table_of
from support.record_rows import Row, row_lists

RELATED = ("Country of Origin", "Car Make", "Profession", "Status")
TABLE_6_3 = {
    "Country of Origin": ("England", "USA"),
    "Car Make": ("Ford", "Toyota"),
    "Profession": ("Scientist",),
    "Status": ("Good",),
}


def rows_table(rows: Sequence[Row]) -> Table:
    """Attributes a0, a1, ... whose categories are the digits; the last category never occurs."""
    names = [f"a{i}" for i in range(len(rows[0]))]
    return table_of({n: (category(n, "012345"), [row[i] for row in rows]) for i, n in enumerate(names)})


def as_sets(found: CactusClusters) -> dict[oracle.Values, int]:
    return {
        frozenset((int(name[1:]), int(v)) for name, values in c.values.items() for v in values): c.support
        for c in found.clusters
    }


ALPHAS = st.sampled_from([Fraction(9, 8), Fraction(5, 4), Fraction(3, 2), Fraction(2)])


@given(row_lists(30), ALPHAS, st.booleans())
@settings(max_examples=60)
def test_it_equals_the_oracle(rows: list[Row], alpha: Fraction, strict: bool) -> None:
    """The fractions are exact as floats, so counts at the limit fall on the same side."""
    varied = [a for a in range(len(rows[0])) if len({row[a] for row in rows}) > 1]
    rows = [tuple(row[a] for a in varied) for row in rows]
    found = cactus(rows_table(rows), Cactus(float(alpha), strict)) if varied else CactusClusters((), False)
    assert not found.cut_off
    assert as_sets(found) == (oracle.Cactus(rows, alpha, strict).clusters() if varied else {})


@given(row_lists(30), ALPHAS)
@settings(max_examples=40)
def test_clusters_are_what_the_paper_calls_so(rows: list[Row], alpha: Fraction) -> None:
    """All pairs of values are strongly connected; on all attributes at once, none can be added."""
    if any(len({row[a] for row in rows}) < 2 for a in range(len(rows[0]))):
        return
    plain = oracle.Cactus(rows, alpha, strict=True)
    for cluster in as_sets(cactus(rows_table(rows), Cactus(float(alpha)))):
        assert all(plain.strong(a, b) for a in cluster for b in cluster if a[0] != b[0])
        if {a for a, _ in cluster} == set(range(len(rows[0]))):
            assert plain.is_maximal(cluster)


def figure_6_1(together: int) -> Table:
    """360 records of domains of 3 and 4 values: 30 are expected of every pair; a3 occurs with b1 so many times."""
    pairs = [(0, 0)] * 100 + [(1, 0)] * 31 + [(2, 0)] * together
    pairs += [(1, b) for b in (1, 2, 3)] * 31 + [(0, 1)]
    pairs += [(2, 1 + i % 3) for i in range(360 - len(pairs))]
    return table_of(
        {
            "a": (category("a", ("a1", "a2", "a3")), [a for a, _ in pairs]),
            "b": (category("b", ("b1", "b2", "b3", "b4")), [b for _, b in pairs]),
        }
    )


@pytest.mark.parametrize(
    ("together", "strict", "similar"),
    [(39, True, True), (36, True, False), (36, False, True), (35, False, False)],
)
def test_the_example_of_the_thesis(together: int, strict: bool, similar: bool) -> None:
    """Thesis 6.3, delta 1.2: a1 with b1 100 times, a2 31, a3 39; "at least" 36 (errata C3: or more than 36)."""
    found = cactus(figure_6_1(together), Cactus(1.2, strict))
    assert (("a1", "a3") in similar_pairs(c.values["a"] for c in found.clusters)) == similar
    assert not any("a2" in c.values["a"] for c in found.clusters)


def test_the_cluster_of_table_6_3() -> None:
    """Thesis 6.6.1, without the two unrelated attributes: one cluster, and nothing else about cars."""
    table = customer_status(399, bytes(range(32)))
    (only,) = cactus(table, Cactus(1.2), RELATED).clusters
    assert only.values == TABLE_6_3
    inside = np.ones(399, bool)
    for name, values in TABLE_6_3.items():
        codes = [table.schema[name].categories.index(v) for v in values]
        inside &= np.isin(table.columns[name], codes)
    assert only.support == int(inside.sum())


@pytest.mark.parametrize("alpha", [1.05, 1.2, 1.35])
def test_table_6_3_follows_from_how_the_records_are_made(alpha: float) -> None:
    """Of many records: Toyota and Good are together 1.4 times as often as expected, the least of all its pairs."""
    found = cactus(customer_status(200_000, bytes(32)), Cactus(alpha), RELATED)
    assert TABLE_6_3 in [c.values for c in found.clusters]


def test_above_one_point_four_table_6_3_is_gone() -> None:
    found = cactus(customer_status(200_000, bytes(32)), Cactus(1.45), RELATED)
    assert TABLE_6_3 not in [c.values for c in found.clusters]
    assert cactus(customer_status(200_000, bytes(32)), Cactus(2), RELATED).clusters


def test_detective_finds_more_similar_cars() -> None:
    """Thesis 6.6.1: CACTUS finds Ford and Toyota alike, DETECTIVE that and many more."""
    for key in range(5):
        table = customer_status(399, bytes([key]) * 32)
        found = cactus(table, Cactus(1.15), RELATED)
        cars = similar_pairs(c.values["Car Make"] for c in found.clusters if "Car Make" in c.values)
        clusters = detective(table, "Car Make", GrowOptions(min_leaf=10))
        assert clusters is not None
        assert cars == {("Ford", "Toyota")}
        assert cars < similar_pairs(s.values for s in similarities(clusters))


def test_unrelated_attributes_make_many_small_clusters() -> None:
    """Thesis 6.6.1: which is why they are left out."""
    table = customer_status(399, bytes(range(32)))
    first, *others = cactus(table, Cactus(1.2)).clusters
    assert first.values == TABLE_6_3
    assert len(others) > 50
    assert max(c.support for c in others) < first.support / 2


def test_order_and_unused_categories_change_nothing() -> None:
    table = mixed_table(5, 300)
    backwards = table_of(
        {
            a.name: (a, np.asarray(table.columns[a.name])[::-1].tolist())
            for a in reversed(table.schema.attributes)
        }
    )
    one, other = cactus(table), cactus(backwards)
    assert one.clusters
    assert sorted(map(str, one.clusters)) == sorted(map(str, other.clusters))


def test_limits_cut_off_and_say_so() -> None:
    chance = np.random.default_rng(1)
    names = [f"a{i}" for i in range(8)]
    table = table_of({n: (category(n, "0123456789"), chance.integers(0, 10, 300).tolist()) for n in names})
    everything = cactus(table)
    assert not everything.cut_off
    for narrow in (Cactus(most_projections=1), Cactus(most_candidates=2)):
        found = cactus(table, narrow)
        assert found.cut_off
        assert len(found.clusters) < len(everything.clusters)


def test_groups_for_capt() -> None:
    """Values of a cluster are one group; others, and missing ones, are alone."""
    table = customer_status(399, bytes(range(32))).with_columns(
        {"Parents' Country": np.zeros(399, np.int32), "Favorite City": np.zeros(399, np.int32)}
    )
    groups = cactus_groups(table, "Car Make", GrowOptions())
    assert groups is not None
    ford, holden, nissan, toyota, missing = groups.of_code.tolist()
    assert ford == toyota
    assert len({ford, holden, nissan, missing}) == 4
    assert groups.reads == ("Car Make",)
    assert groups.group_of({"Car Make": np.array([0, 3, -1])}).tolist() == [ford, toyota, missing]


def test_no_two_values_together_is_no_explanation() -> None:
    table = customer_status(399, bytes(range(32)))
    assert cactus_groups(table, "Profession", GrowOptions(), Cactus(3)) is None
    lonely = table_of({"a": (category("a", "xy"), [0, 1, 0])})
    assert cactus_groups(lonely, "a", GrowOptions()) is None
    assert cactus(lonely).clusters == ()


def test_bad_requests_are_refused() -> None:
    for alpha in (1.0, 0.5, float("nan"), float("inf")):
        with pytest.raises(InputError, match=r"alpha of CACTUS must be .*above 1"):
            Cactus(alpha)
    with pytest.raises(InputError, match="most_candidates of CACTUS must be 1 or more"):
        Cactus(most_candidates=0)
    with pytest.raises(InputError, match="'count' cannot be clustered"):
        cactus(mixed_table(1, 40), names=["city", "count"])
