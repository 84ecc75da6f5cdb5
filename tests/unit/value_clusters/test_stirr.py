"""STIRR against plain loops, on a table of two worlds, and on Customer Status."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.demo.synthetic_tables import customer_status
from hushwood.errors import InputError
from hushwood.tables.table import Table
from hushwood.trees.options import GrowOptions
from hushwood.value_clusters.stirr import (
    Stirr,
    ValueWeights,
    opposite_groups,
    starting_weights,
    stirr,
    stirr_groups,
)
from oracles import stirr as oracle
from support.mixed_tables import category, mixed_table, table_of
from support.record_rows import Row


def random_rows(seed: int, rows: int = 60) -> list[Row]:
    """Four attributes, the second and the third leaning on the first."""
    chance = np.random.default_rng(seed)
    first = chance.integers(0, 4, rows)
    second = np.where(chance.random(rows) < 0.7, first // 2, chance.integers(0, 3, rows))
    third = np.where(chance.random(rows) < 0.6, (first + second) % 5, chance.integers(0, 5, rows))
    return list(zip(*(x.tolist() for x in (first, second, third, chance.integers(0, 2, rows))), strict=True))


def rows_table(rows: list[Row]) -> Table:
    names = [f"a{i}" for i in range(len(rows[0]))]
    return table_of({n: (category(n, "01234"), [row[i] for row in rows]) for i, n in enumerate(names)})


@pytest.mark.parametrize("scaling", ["attribute", "table"])
@pytest.mark.parametrize("combining", ["sum", "product", "max", "power"])
@pytest.mark.parametrize("seed", [1, 2])
def test_it_equals_plain_loops(seed: int, combining: str, scaling: str) -> None:
    rows = random_rows(seed)
    how = Stirr(combining, 3.0, scaling, vectors=3, steps=6)  # type: ignore[arg-type]
    found = stirr(rows_table(rows), how)
    values = sorted({(a, row[a]) for row in rows for a in range(len(row))})
    start = [dict(zip(values, w.tolist(), strict=True)) for w in starting_weights(len(values), 3)]
    wanted = oracle.stirr(rows, start, 6, combining, scaling, 3.0)
    for vector in range(3):
        mine = [
            w
            for x in found.values()
            for _, w in sorted(zip(x.values, x.weights[vector].tolist(), strict=True))
        ]
        assert mine == pytest.approx([wanted[vector][v] for v in values], abs=1e-7)


def test_vectors_are_orthonormal_in_every_attribute() -> None:
    """As far as an attribute has values: two values have no third direction."""
    found = stirr(rows_table(random_rows(3)), Stirr(vectors=4))
    for weights in (x.weights for x in found.values()):
        inner = weights @ weights.T
        directions = min(4, weights.shape[1])
        assert inner == pytest.approx(np.diag([1.0] * directions + [0.0] * (4 - directions)), abs=1e-9)
        assert (weights[0] > 0).all()


def test_records_count_as_often_as_they_occur() -> None:
    rows = random_rows(4)
    once, thrice = stirr(rows_table(rows)), stirr(rows_table(rows * 3))
    for name, found in once.items():
        assert thrice[name].weights == pytest.approx(found.weights, abs=1e-9)
        assert (thrice[name].records == 3 * found.records).all()


def two_worlds() -> Table:
    """Cars and drinks of the east, cars and drinks of the west, and a few who mix them."""
    east, west = [(c, d) for c in (0, 2) for d in (1, 3)], [(c, d) for c in (1, 3) for d in (0, 2)]
    records = [(c, d, 0) for c, d in east] * 12 + [(c, d, 1) for c, d in west] * 10 + [(0, 0, 0), (1, 3, 1)]
    return table_of(
        {
            "car": (category("car", ("Ford", "Lada", "Opel", "Skoda", "never")), [r[0] for r in records]),
            "drink": (category("drink", ("kvass", "cola", "tea", "juice")), [r[1] for r in records]),
            "side": (category("side", ("east", "west")), [r[2] for r in records]),
        }
    )


def test_opposite_groups_of_two_worlds() -> None:
    found = stirr(two_worlds())
    cars = {frozenset(g.values): g.records for g in opposite_groups(found["car"])}
    assert cars == {frozenset({"Ford", "Opel"}): 49, frozenset({"Lada", "Skoda"}): 41}
    drinks = {frozenset(g.values) for g in opposite_groups(found["drink"])}
    assert drinks == {frozenset({"cola", "juice"}), frozenset({"kvass", "tea"})}


def test_small_weights_are_a_group_of_their_own() -> None:
    weights = np.array([[0.5, 0.5, 0.5, 0.5], [0.7, -0.7, 0.1, -0.1]])
    found = ValueWeights(("a", "b", "c", "d"), np.array([4, 3, 2, 1]), weights)
    by_sign = {(g.values, g.records) for g in opposite_groups(found)}
    assert by_sign == {(("a", "c"), 6), (("b", "d"), 4)}
    by_size = {(g.values, g.records) for g in opposite_groups(found, large=0.5)}
    assert by_size == {(("a",), 4), (("b",), 3), (("c", "d"), 3)}


def test_vectors_that_tell_nothing_give_no_groups() -> None:
    found = ValueWeights(("a", "b"), np.array([1, 1]), np.array([[0.7, 0.7], [0.0, 0.0]]))
    assert opposite_groups(found) == []


def test_groups_for_capt() -> None:
    groups = stirr_groups(two_worlds(), "car", GrowOptions())
    assert groups is not None
    ford, lada, opel, skoda, never, missing = groups.of_code.tolist()
    assert ford == opel
    assert lada == skoda
    assert len({ford, lada, never, missing}) == 4
    assert stirr_groups(two_worlds(), "side", GrowOptions()) is None, "two values that are opposite"


def test_opposite_values_of_customer_status() -> None:
    """Thesis 6.7.2: Ford makes good customers everywhere, in the USA nearly all are, scientists are mostly abroad."""
    names = ("Country of Origin", "Car Make", "Profession", "Status")
    found = stirr(customer_status(2000, bytes(32)), names=names)
    assert tuple(found) == tuple(sorted(names))
    groups = {name: {frozenset(g.values) for g in opposite_groups(x)} for name, x in found.items()}
    assert groups["Car Make"] == {frozenset({"Ford"}), frozenset({"Holden", "Nissan", "Toyota"})}
    assert groups["Country of Origin"] == {frozenset({"USA"}), frozenset({"Australia", "England"})}
    assert groups["Profession"] == {frozenset({"Scientist"}), frozenset({"Academic", "Engineer"})}
    assert groups["Status"] == {frozenset({"Bad"}), frozenset({"Good"})}


def test_odd_tables() -> None:
    """Missing values are values, a column of one value is none, and one column alone spreads nothing."""
    found = stirr(mixed_table(2, 200))
    assert set(found) == {"city", "job", "risk"}
    assert "" in found["city"].values
    alone = table_of({"a": (category("a", "xy"), [0, 1, 0])})
    assert not stirr(alone)["a"].weights.any()
    assert stirr_groups(alone, "a", GrowOptions()) is None
    assert stirr(table_of({"a": (category("a", "xy"), [0, 0])})) == {}
    assert stirr_groups(mixed_table(2, 200), "nothing", GrowOptions()) is None


def test_bad_parameters_are_refused() -> None:
    with pytest.raises(
        InputError, match="combining of STIRR must be sum, product, power or max; 'add' was given"
    ):
        Stirr("add")  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"scaling of STIRR .* Did you mean 'table'"):
        Stirr(scaling="tables")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="power of STIRR must be 1 or more"):
        Stirr("power", 0.5)
    with pytest.raises(InputError, match="vectors of STIRR must be 2 or more"):
        Stirr(vectors=1)
    with pytest.raises(InputError, match="large of STIRR must be between 0 and 1"):
        Stirr(large=2)
