"""Leaves as groups.

EX-DETECTIVE on the thesis' ten records, with weights, numbers, and against groups counted by plain loops. Cells parted
by k-means: clear clumps, missing numbers, constants, and cells that are too small.
"""

from __future__ import annotations

import pickle
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from hushwood.arrays import Integers
from hushwood.errors import InputError
from hushwood.tables.table import Table
from hushwood.trees.grow import GrowOptions
from hushwood.trees.options import GrowOptions as GrowOptions_ex_detective
from hushwood.value_clusters.detective import (
    ExDetective,
    RecordCells,
    detective_groups,
    ex_detective,
    ex_detective_groups,
    numeric_parts,
)
from hushwood.value_clusters.protocol import Sibling
from support.mixed_tables import category, mixed_table, number, table_of, target

CARS = ("Ford", "Holden", "Nissan", "Toyota")


def test_leaves_are_the_groups_of_capt() -> None:
    """The group is the leaf's node number; a sibling is its majority value and its weight."""
    place, car = [0] * 40 + [1] * 20, [0] * 30 + [2] * 10 + [1] * 20
    table = table_of({"place": (category("place", "ew"), place), "car": (category("car", CARS), car)})
    groups = detective_groups(table, "car", GrowOptions(min_leaf=2))
    assert groups is not None
    assert groups.group_of(table.columns).tolist() == [1] * 40 + [2] * 20
    assert groups.siblings == {1: (Sibling(1, 20.0),), 2: (Sibling(0, 40.0),)}
    assert groups.reads == ("place",)
    assert detective_groups(table, "car", GrowOptions(min_leaf=50)) is None


ONE_TEST = GrowOptions_ex_detective(prune=False, max_depth=1)
NO_NUMBERS = ExDetective(least=2, parts=1)


def ten_records() -> Table:
    """Figures 6.6-6.8: the tree of A parts {1-4} from {5-10}, that of B {1-5} from {6-10}, that of C {2, 3, 4, 10}.

    A is best told by B and B by A; C by the number D alone. E parts R6 and R7 from R8 and R9.
    """
    return table_of(
        {
            "A": (category("A", ("a1", "a2")), [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]),
            "B": (category("B", ("b1", "b2")), [0, 0, 0, 0, 1, 1, 1, 1, 1, 1]),
            "C": (category("C", ("c1", "c2")), [1, 0, 0, 0, 1, 1, 1, 1, 1, 0]),
            "D": (number("D", 0, 9), [9, 1, 1, 1, 9, 9, 9, 9, 9, 1]),
            "E": (number("E", 0, 99), [50, 50, 50, 50, 50, 10, 12, 80, 82, 50]),
        }
    )


def clustered(
    table: Table, how: ExDetective, options: GrowOptions_ex_detective = ONE_TEST
) -> set[frozenset[int]]:
    """The clusters as sets of record numbers, the first record being 1."""
    cells = ex_detective(table, options, how)
    assert cells is not None
    cluster = cells.cluster_of(table.columns)
    assert cells.count == len(set(cluster.tolist()) - {-1})
    return {frozenset((np.flatnonzero(cluster == c) + 1).tolist()) for c in range(cells.count)}


def leaves(cells: RecordCells, name: str, table: Table) -> set[frozenset[int]]:
    leaf = cells.trees[name].leaf_of(table.columns)
    return {frozenset((np.flatnonzero(leaf == one) + 1).tolist()) for one in np.unique(leaf)}


def test_the_leaves_of_the_example() -> None:
    table = ten_records()
    cells = ex_detective(table, ONE_TEST, NO_NUMBERS)
    assert cells is not None
    assert leaves(cells, "A", table) == {frozenset({1, 2, 3, 4}), frozenset(range(5, 11))}
    assert leaves(cells, "B", table) == {frozenset({1, 2, 3, 4, 5}), frozenset(range(6, 11))}
    assert leaves(cells, "C", table) == {frozenset({2, 3, 4, 10}), frozenset({1, 5, 6, 7, 8, 9})}


def test_figure_6_6_two_attributes() -> None:
    """A weight of 0 takes C out; R5 alone is no cluster."""
    found = clustered(ten_records(), replace(NO_NUMBERS, weights={"C": 0}))
    assert found == {frozenset({1, 2, 3, 4}), frozenset({6, 7, 8, 9, 10})}


def test_figure_6_7_three_attributes() -> None:
    assert clustered(ten_records(), NO_NUMBERS) == {frozenset({2, 3, 4}), frozenset({6, 7, 8, 9})}


def test_figure_6_8_numbers_part_the_clusters() -> None:
    """R2, R3 and R4 have the same numbers; of the other cluster, E makes two."""
    parted = {frozenset({2, 3, 4}), frozenset({6, 7}), frozenset({8, 9})}
    assert clustered(ten_records(), replace(NO_NUMBERS, parts=2)) == parted
    assert clustered(ten_records(), replace(NO_NUMBERS, parts=2, numeric=("E",))) == parted
    whole = {frozenset({2, 3, 4}), frozenset({6, 7, 8, 9})}
    assert clustered(ten_records(), replace(NO_NUMBERS, parts=2, numeric=("D",))) == whole


def test_a_cluster_has_the_least_number_of_records() -> None:
    assert clustered(ten_records(), replace(NO_NUMBERS, least=4)) == {frozenset({6, 7, 8, 9})}
    assert len(clustered(ten_records(), replace(NO_NUMBERS, least=1))) == 5
    assert clustered(ten_records(), replace(NO_NUMBERS, least=5)) == set()


def test_weights_of_zero_leave_one_cluster() -> None:
    nothing = {"A": 0.0, "B": 0.0, "C": 0.0}
    assert clustered(ten_records(), replace(NO_NUMBERS, weights=nothing)) == {frozenset(range(1, 11))}


def test_less_weight_joins_clusters() -> None:
    table = mixed_table(4, 400)
    options = GrowOptions_ex_detective(min_leaf=5)
    counts = []
    for weight in (0.0, 0.3, 0.6, 0.9, 1.0):
        weights = dict.fromkeys(("city", "job", "risk", "nothing"), weight)
        cells = ex_detective(table, options, ExDetective(weights, least=1, parts=1))
        assert cells is not None
        counts.append(cells.count)
    assert counts == sorted(counts)
    assert counts[0] == 1
    assert counts[-1] > counts[1] > 1


def test_cells_are_equal_leaves() -> None:
    """With missing values, a class and one leaf per record and tree: the same key, the same cluster."""
    table = mixed_table(6, 400)
    cells = ex_detective(table, GrowOptions_ex_detective(min_leaf=12), ExDetective(least=3, parts=1))
    assert cells is not None
    assert set(cells.trees) == {"city", "job", "risk"}
    routed: list[Integers] = [tree.leaf_of(table.columns) for tree in cells.trees.values()]
    keys = list(zip(*(r.tolist() for r in routed), strict=True))
    size = Counter(keys)
    cluster = cells.cluster_of(table.columns).tolist()
    assert all((c >= 0) == (size[key] >= 3) for key, c in zip(keys, cluster, strict=True))
    pairs = {(key, c) for key, c in zip(keys, cluster, strict=True) if c >= 0}
    assert len(pairs) == len({c for _, c in pairs}) == sum(count >= 3 for count in size.values())


def test_groups_for_capt() -> None:
    """A record in no cluster is with the others of its leaf in the attribute's own tree."""
    table = ten_records()
    groups = ex_detective_groups(table, "A", ONE_TEST, NO_NUMBERS)
    assert groups is not None
    group = groups.group_of(table.columns).tolist()
    assert group[1] == group[2] == group[3]
    assert len({*group[5:9]}) == 1
    assert group[4] == group[9], "R5 and R10 are in no cluster, and both in the second leaf of A"
    assert len({group[0], group[1], group[5], group[4]}) == 4
    assert set(groups.reads) == {"A", "B", "C", "D", "E"}
    assert groups.siblings == {}


def test_groups_are_a_function_of_the_record() -> None:
    table = mixed_table(7, 300)
    groups = ex_detective_groups(table, "job", GrowOptions_ex_detective(min_leaf=8), ExDetective(least=5))
    assert groups is not None
    whole = groups.group_of(table.columns)
    sent = pickle.loads(pickle.dumps(groups))  # noqa: S301 - our own
    pieces = [
        sent.group_of({n: c[b : b + 37] for n, c in table.columns.items()}) for b in range(0, table.rows, 37)
    ]
    assert np.array_equal(np.concatenate(pieces), whole)
    assert len(set(whole.tolist())) > 10


def test_a_binned_class_is_clustered_by_its_bins() -> None:
    """The tree of the wage has three classes, not twelve."""
    wages = tuple(str(wage) for wage in range(1, 13))
    attribute = replace(target("wage", wages), bins=(4.0, 8.0))
    place = [i // 20 for i in range(60)]
    wage = [4 * p + i % 4 for i, p in enumerate(place)]
    table = table_of({"place": (category("place", "xyz"), place), "wage": (attribute, wage)})
    cells = ex_detective(table, GrowOptions_ex_detective(), ExDetective(least=5))
    assert cells is not None
    assert len(cells.trees["wage"].clusters.attribute.categories) == 3
    assert len(set(cells.cluster_of(table.columns).tolist())) == 3


def test_nothing_to_cluster() -> None:
    table = table_of({"x": (number("x", 0, 9), [1, 2, 3]), "a": (category("a", "xy"), [0, 0, 0])})
    assert ex_detective(table, GrowOptions_ex_detective()) is None
    assert ex_detective_groups(table, "a", GrowOptions_ex_detective()) is None
    unrelated = table_of(
        {"a": (category("a", "xy"), [0, 0, 1, 1] * 10), "b": (category("b", "xy"), [0, 1] * 20)}
    )
    assert ex_detective_groups(unrelated, "a", GrowOptions_ex_detective(min_leaf=10)) is None


def test_bad_parameters_are_refused() -> None:
    with pytest.raises(InputError, match=r"weights of EX-DETECTIVE for 'A' must be between 0 and 1; 1\.5"):
        ExDetective({"A": 1.5})
    with pytest.raises(InputError, match="parts of EX-DETECTIVE must be 1 or more"):
        ExDetective(parts=0)
    with pytest.raises(InputError, match="no categorical column 'D'"):
        ex_detective(ten_records(), ONE_TEST, ExDetective({"D": 0.5}))
    with pytest.raises(InputError, match="no numeric column 'A'"):
        ex_detective(ten_records(), ONE_TEST, ExDetective(numeric=("A",)))


CLUMPS = [1.0, 2.0, 1.5, 90.0, 92.0, 91.0]


def test_clumps_become_parts() -> None:
    """Two cells: in the first, small and large numbers; in the second, the same the other way round."""
    table = table_of(
        {"x": (number("x", 0, 99, 1), CLUMPS + CLUMPS[::-1]), "y": (number("y", 5, 5), [5.0] * 12)}
    )
    cell = np.repeat([0, 1], 6)
    parts = numeric_parts(table, cell, ("x", "y"), 2, 4)
    assert parts.part_of(cell, table.columns).tolist() == [0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0]
    first = (1.5 - sum(CLUMPS) / 6) / float(np.std(CLUMPS))
    assert parts.centres[0, 0].tolist() == pytest.approx([first, 0])


def test_three_parts() -> None:
    table = table_of({"x": (number("x", 0, 999, 0), [1.0, 2.0, 500.0, 501.0, 900.0, 901.0])})
    cell = np.zeros(6, np.int64)
    assert numeric_parts(table, cell, ("x",), 3, 2).part_of(cell, table.columns).tolist() == [
        *(0, 0, 1, 1, 2, 2)
    ]


def test_a_missing_number_counts_as_the_mean() -> None:
    """The mean of all is nearer to the large numbers here."""
    table = table_of({"x": (number("x", 0, 99, 0), [1.0, 2.0, 80.0, 81.0, 82.0, 83.0, np.nan])})
    cell = np.zeros(7, np.int64)
    parts = numeric_parts(table, cell, ("x",), 2, 2).part_of(cell, table.columns)
    assert parts.tolist() == [0, 0, 1, 1, 1, 1, 1]


def test_small_and_constant_cells_stay_whole() -> None:
    table = table_of({"x": (number("x", 0, 99, 1), [*CLUMPS, 7.0, 7.0, 7.0, 7.0, 1.0, 90.0])})
    cell = np.repeat([0, 1, 2], [6, 4, 2])
    part = numeric_parts(table, cell, ("x",), 2, 4).part_of(cell, table.columns)
    assert part.tolist() == [0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0]


def test_more_parts_than_different_points() -> None:
    table = table_of({"x": (number("x", 0, 9, 0), [1.0, 1.0, 9.0, 9.0])})
    cell = np.zeros(4, np.int64)
    assert numeric_parts(table, cell, ("x",), 3, 2).part_of(cell, table.columns).tolist() == [0, 0, 1, 1]


def test_without_numbers_there_is_one_part() -> None:
    table = table_of({"x": (number("x", 0, 99, 1), CLUMPS), "void": (number("void", 0, 0), [np.nan] * 6)})
    cell = np.zeros(6, np.int64)
    assert not numeric_parts(table, cell, (), 2, 2).part_of(cell, table.columns).any()
    assert not numeric_parts(table, cell, ("void",), 2, 2).part_of(cell, table.columns).any()
    assert not numeric_parts(table, cell, ("x",), 1, 2).part_of(cell, table.columns).any()
