"""R² and mean square errors: identical, hopeless, by hand and by plain regressions."""

from __future__ import annotations

from statistics import correlation, fmean, pvariance

import numpy as np
import pytest

from hushwood.measures.protocol import NOT_PAIRED, NotComputable
from hushwood.measures.risk.variance_explained import VarianceExplained
from hushwood.tables.table import Table
from oracles.regressions import fit
from support.intruders import people
from support.mixed_tables import category, mixed_table, number, table_of
from support.noisy_tables import cells, noisy, some_left
from support.rearranged_tables import column_by_column_shuffled
from support.table_pairs import context_for, measuring

measured = measuring(VarianceExplained)


def numbers(*values: float) -> Table:
    return table_of({"x": (number("x", 0, 20), list(values))})


def test_an_untouched_table_gives_every_number_away() -> None:
    table = people(1, 200)
    found = measured(table, table)
    assert found.value == pytest.approx(1.0)
    for column in found.details["columns"]:
        assert column["mean_square_error"] == column["error_in_variances"] == 0.0
        assert column["r_squared_all"] == pytest.approx(1.0)


def test_a_shuffled_table_gives_nothing_away() -> None:
    table = people(1, 4000)
    found = measured(table, column_by_column_shuffled(table, 2))
    assert found.value < 0.01
    assert all(c["error_in_variances"] == pytest.approx(2, abs=0.2) for c in found.details["columns"])
    assert all(c["r_squared_all"] < 0.01 for c in found.details["columns"])


def test_by_hand() -> None:
    """0, 1, 2, 3 became 1, 0, 3, 2: products of the centred values are 3, squares 5, and every error is 1."""
    column = measured(numbers(0, 1, 2, 3), numbers(1, 0, 3, 2)).details["columns"][0]
    assert column["r_squared"] == pytest.approx((3 / 5) ** 2)
    assert column["mean_square_error"] == pytest.approx(1.0)
    assert column["error_in_variances"] == pytest.approx(1 / 1.25)


def test_additive_noise_has_the_papers_security() -> None:
    """Noise of d variances leaves R² = 1/(1 + d) (Tendick and Matloff)."""
    chance = np.random.default_rng(3)
    own, noise = chance.normal(size=40_000), chance.normal(size=40_000)
    for d in (0.1, 1.0, 3.0):
        x = number("x", -9, 9, None)
        original = table_of({"x": (x, own.tolist())})
        released = table_of({"x": (x, (own + np.sqrt(d) * noise).tolist())})
        assert measured(original, released).value == pytest.approx(1 / (1 + d), abs=0.02)


@pytest.mark.parametrize("seed", range(3))
def test_as_plain_sums_and_regressions_say(seed: int) -> None:
    original = mixed_table(seed, 90)
    released, partner = some_left(noisy(original, seed, gaps=seed == 1), seed, 70)
    details = measured(original, released, partner=partner).details
    rows = np.flatnonzero(partner >= 0)
    before, after = cells(original, rows), cells(released, partner[rows])
    found = {column["column"]: column for column in details["columns"]}
    varying = ["count", "price", "ratio"]
    for name in varying:
        pairs = [
            (float(x), float(y))
            for x, y in zip(before[name], after[name], strict=True)
            if x is not None and y is not None
        ]
        old, new = [x for x, _ in pairs], [y for _, y in pairs]
        error = fmean((y - x) ** 2 for x, y in pairs)
        assert found[name]["records"] == len(pairs)
        assert found[name]["r_squared"] == pytest.approx(correlation(old, new) ** 2)
        assert found[name]["mean_square_error"] == pytest.approx(error)
        assert found[name]["error_in_variances"] == pytest.approx(error / pvariance(old))
        complete = [
            (tuple(after[n][i] for n in varying), before[name][i])
            for i in range(len(rows))
            if before[name][i] is not None and all(after[n][i] is not None for n in varying)
        ]
        plain = fit([row for row, _ in complete], [y for _, y in complete], 0.95)  # type: ignore[misc]
        adjusted = 1 - (1 - plain.r_squared) * (plain.records - 1) / (plain.records - 4)
        assert found[name]["r_squared_all"] == pytest.approx(max(adjusted, 0.0), abs=1e-9)
    assert found["constant"]["left_out"]
    assert found["void"]["r_squared"] is None
    assert details["worst_column"] == max(varying, key=lambda name: float(found[name]["r_squared"]))


def test_a_constant_release_explains_nothing() -> None:
    assert measured(numbers(1, 2, 3, 9), numbers(5, 5, 5, 5)).value == 0.0


def test_other_released_numbers_may_explain_more() -> None:
    """A column that was shuffled is given away by another one that equals it."""
    values = list(np.random.default_rng(4).permutation(50).astype(float))
    x, y = number("x", 0, 49), number("y", 0, 49)
    original = table_of({"x": (x, values), "y": (y, values)})
    released = original.with_columns({"x": np.random.default_rng(5).permutation(np.array(values))})
    columns = measured(original, released).details["columns"]
    assert columns[0]["r_squared"] < 0.2
    assert columns[0]["r_squared_all"] == pytest.approx(1.0)


def test_only_shares_are_published() -> None:
    table = people(1, 100)
    found = measured(table, column_by_column_shuffled(table, 1))
    published = VarianceExplained().publishable_details(found.details)
    assert all(
        column.keys() == {"column", "r_squared", "r_squared_all", "error_in_variances"}
        for column in published["columns"]
    )


def test_what_cannot_be_compared_says_why() -> None:
    table = people(1, 20)
    measure = VarianceExplained()
    assert measure.compute(table, table, context_for(table, table, paired=False)) == NOT_PAIRED
    words = table_of({"c": (category("c", "ab"), [0, 1, 1])})
    few = numbers(1, 2)
    for one, says in ((words, "no numeric column"), (few, "different values in 3 records")):
        found = measure.compute(one, one, context_for(one, one))
        assert isinstance(found, NotComputable)
        assert says in found.reason
