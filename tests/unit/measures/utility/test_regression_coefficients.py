"""Overlap of regression intervals: identical, hopeless, by hand and by plain elimination."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hushwood.arrays import Array
from hushwood.errors import InputError
from hushwood.measures.protocol import NotComputable
from hushwood.measures.utility.regression_coefficients import RegressionCoefficients, interval_overlap
from hushwood.tables.table import Table
from oracles import regressions as oracle
from support.intruders import people, unrelated
from support.mixed_tables import Cell, category, mixed_table, number, table_of
from support.noisy_tables import cells, noisy
from support.rearranged_tables import column_by_column_shuffled, shuffled_rows
from support.table_pairs import context_for, measuring

measured = measuring(RegressionCoefficients, paired=False)


def test_an_identical_release_has_the_same_intervals() -> None:
    table = people(1, 300)
    found = measured(table, shuffled_rows(table, 2))
    assert found.value == pytest.approx(1.0)
    assert found.details["significant"] == found.details["significant_kept"] > 3


def test_a_hopeless_release_has_other_ones() -> None:
    table = people(1, 2000)
    assert measured(table, column_by_column_shuffled(table, 3)).value < 0.5
    assert measured(table, unrelated(table, 3)).value < 0.5
    assert measured(table, people(2, 2000)).value > 0.6


def test_intervals_by_hand() -> None:
    # The same, half of it, touching, apart, inside: 2 of 2 and 2 of 8; no estimate after.
    old, wide = np.zeros(6), np.ones(6)
    new, other = np.array([0.0, 1.0, 2.0, 5.0, 0.0, np.nan]), np.array([1.0, 1.0, 1.0, 1.0, 4.0, np.nan])
    assert interval_overlap(old, wide, new, other).tolist() == [1.0, 0.5, 0.0, 0.0, 0.625, 0.0]


def test_by_hand() -> None:
    """y = x with errors of 1 and -1: slope 3/5 and 1/5 before and after, on four records each."""
    x, y = number("x", 0, 9), number("y", 0, 9)
    original = table_of({"x": (x, [0, 1, 2, 3]), "y": (y, [1, 0, 3, 2])})
    released = table_of({"x": (x, [0, 1, 2, 3]), "y": (y, [1, 2, 3, 0])})
    found = measured(original, released)
    # Deviations from the mean have squares 5 in x and y; the products are 3 and -1. In both directions the slope is
    # 0.6 with residuals 3.2 before, -0.2 with 4.8 after; on two degrees of freedom t is 4.302653.
    (before, half), (after, other) = (
        (b, 4.302653 * (rest / 2 / 5) ** 0.5) for b, rest in ((0.6, 3.2), (-0.2, 4.8))
    )
    wanted = oracle.overlap((before - half, before + half), (after - other, after + other))
    assert [c["before"] for c in found.details["coefficients"]] == pytest.approx([0.6, 0.6])
    assert [c["after"] for c in found.details["coefficients"]] == pytest.approx([-0.2, -0.2])
    assert found.value == pytest.approx(wanted, abs=1e-6)
    assert found.details["significant"] == 0
    assert found.details["regressions"][0]["r_squared_before"] == pytest.approx(0.36)


def design(rows: dict[str, list[Cell]], terms: list[tuple[str, str | None]]) -> list[list[float]] | None:
    """The complete records, terms being numbers or categories of columns."""
    found = []
    for place in range(len(rows[terms[0][0]])):
        row = [
            float(value == word) if word is not None else value
            for name, word in terms
            for value in [rows[name][place]]
        ]
        if all(value is not None for value in row):
            found.append([float(value) for value in row if value is not None])
    return found


def frequent(values: list[Cell], names: tuple[str, ...]) -> list[str]:
    counts = {name: values.count(name) for name in names}
    order = sorted(names, key=lambda name: -counts[name])
    return [name for name in order[1:] if counts[name] >= 0.05 * len(values) and counts[name]]


@pytest.mark.parametrize("seed", range(3))
def test_as_plain_elimination_says(seed: int) -> None:
    original = mixed_table(seed, 160)
    released = noisy(original, seed, gaps=seed == 2)
    before, after = cells(original), cells(released)
    names = [n for n in ("risk", "city", "job") if n in before]
    terms: list[tuple[str, str | None]] = [("count", None), ("price", None), ("ratio", None)]
    for name in names:
        terms += [(name, word) for word in frequent(before[name], original.schema[name].categories)]
    overlaps = []
    details = measured(original, released).details
    for place in range(3):
        fits = []
        for rows in (design(before, terms), design(after, terms)):
            assert rows
            rest = [[v for k, v in enumerate(row) if k != place] for row in rows]
            fits.append(oracle.fit(rest, [row[place] for row in rows], 0.95))
        one, other = fits
        overlaps += [
            oracle.overlap((b - h, b + h), (c - g, c + g))
            for b, h, c, g in zip(one.coefficients, one.halves, other.coefficients, other.halves, strict=True)
        ]
        entry = details["regressions"][place]
        assert entry["response"] == terms[place][0]
        assert entry["r_squared_before"] == pytest.approx(one.r_squared)
        assert entry["r_squared_after"] == pytest.approx(other.r_squared)
        assert entry["overlap"] == pytest.approx(np.mean(overlaps[-len(terms) + 1 :]))
    assert measured(original, released).value == pytest.approx(np.mean(overlaps))
    assert details["compared"] == len(overlaps)


def test_combinations_of_others_are_left_out() -> None:
    table = people(1, 100)
    twice = {"age2": (number("age2", 0, 200, None), (2 * table.columns["age"]).tolist())}
    columns = {a.name: (a, table.columns[a.name].tolist()) for a in table.schema.attributes}
    doubled = table_of({**columns, **twice})
    found = measured(doubled, doubled)
    assert found.value == pytest.approx(1.0)
    assert found.details["combinations"] == ["age2"]


def test_a_coefficient_that_the_release_does_not_have_counts_as_lost() -> None:
    table = people(1, 200)
    flat = table.with_columns({"age": np.full(200, 50.0)})
    details = measured(table, flat).details
    lost = {c["response"] for c in details["coefficients"] if c["after"] is None}
    assert "age" in lost
    assert next(r for r in details["regressions"] if r["response"] == "age")["overlap"] == 0.0


def test_a_numeric_class_is_the_one_response() -> None:
    table = people(1, 200)
    schema = table.schema.with_role(("rich",), "ordinary").with_role(("income",), "class")
    table = replace(table, schema=schema)
    assert [r["response"] for r in measured(table, table).details["regressions"]] == ["income"]


def test_a_binned_class_is_a_response_by_its_own_numbers() -> None:
    chance = np.random.default_rng(1)
    x = chance.integers(0, 9, 60)
    price = category("price", [str(v) for v in range(20)])
    price = replace(price, role="class", bins=(5.0, 10.0))

    def table(y: Array) -> Table:
        return table_of({"x": (number("x", 0, 9), x.tolist()), "price": (price, y.tolist())})

    one = table(x + chance.integers(0, 5, 60))
    found = measured(one, one).details
    assert [r["response"] for r in found["regressions"]] == ["price"]
    assert found["regressions"][0]["r_squared_before"] > 0.5


def test_what_cannot_be_regressed_says_why() -> None:
    words = table_of({"c": (category("c", "ab"), [0, 1, 1]), "d": (category("d", "ab"), [0, 1, 0])})
    few = people(1, 5)
    alone = table_of({"x": (number("x", 0, 9), [1.0, 2.0, 3.0])})
    for table, says in ((words, "numeric column"), (alone, "numeric column"), (few, "too few complete")):
        found = RegressionCoefficients().compute(table, table, context_for(table, table))
        assert isinstance(found, NotComputable)
        assert says in found.reason
    with pytest.raises(InputError, match="confidence must be"):
        RegressionCoefficients(confidence=1.0)
