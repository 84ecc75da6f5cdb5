from __future__ import annotations

import numpy as np
import pytest

from hushwood.arrays import Floats
from hushwood.attacks.protocol import Knowledge, Scenario
from hushwood.attacks.spectral_filtering import (
    SMALLEST,
    TOO_FEW,
    SpectralFiltering,
    noise_deviations,
)
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.techniques.together.correlated_noise import By
from support.intruders import UNITS, attacked, barely_hidden, knowing, only, people, unrelated
from support.mixed_tables import mixed_table, number, table_of
from support.rearranged_tables import in_another_unit
from support.table_pairs import STREAMS

ALONE = Scenario("release alone", "", ())
WAYS: tuple[By, ...] = ("released", "spectral", "principal", "bayes")
ATTRIBUTES = (number("age", 11, 20), number("height", 1.5, 2.5, None), number("price", 0, 4.98, 2))


def errors(estimates: Floats, true: Floats) -> float:
    return float(np.sqrt(((estimates - true) ** 2).mean()))


def test_the_method_tells_how_much_noise_there_is() -> None:
    """The intruder who is told the share of the domain filters better than one who is told another."""
    table = only(people(1, 2000), ("age", "school", "income"))
    released = barely_hidden(table, 2, 0.1)
    true = np.column_stack(list(table.columns.values()))

    def error(method: dict[str, float]) -> float:
        knowledge = Knowledge(table.schema, 0, {}, method=method)
        found = SpectralFiltering("bayes").guess(knowledge, released, STREAMS).columns
        return errors(np.column_stack(list(found.values())) / true.std(axis=0), true / true.std(axis=0))

    assert error({"noise": 0.1}) < min(error({"noise": 0.01}), error({"noise": 0.4}))
    assert error({"noise": 0.1}) < 1.2 * error({}) < 1.2 * error({"noise": 0.4})


def test_untouched_weak_and_noise() -> None:
    table = people(1, 1500)
    for released in (table, barely_hidden(table, 2)):
        restored = attacked(SpectralFiltering(), ALONE, table, released)
        assert restored.interval[0] > restored.naive
        assert [part["by"] for part in restored.details["variants"]] == list(WAYS)
    noise = attacked(SpectralFiltering(), ALONE, table, unrelated(table, 3))
    assert noise.interval[0] <= noise.naive <= noise.interval[1]


@pytest.mark.parametrize("by", WAYS)
def test_missing_numbers_stay_missing_and_constants_as_they_are(by: By) -> None:
    table = mixed_table(3, 200)
    found = SpectralFiltering(by).guess(knowing(table), table, STREAMS).columns
    assert list(found) == ["count", "price", "ratio", "constant"]
    assert found["constant"].tolist() == table.columns["constant"].tolist()
    for name, values in found.items():
        np.testing.assert_array_equal(np.isnan(values), np.isnan(table.columns[name]))


@pytest.mark.parametrize("by", WAYS)
def test_the_naive_guessers_by_hand(by: By) -> None:
    table = people(1, 100)
    found = SpectralFiltering(by).naive(knowing(table), table, STREAMS).columns
    for name, values in found.items():
        column = table.columns[name]
        if by == "released":
            assert sorted(values.tolist()) == sorted(column.tolist())
            assert (values != column).mean() > 0.9
        else:
            assert values.tolist() == pytest.approx([column.mean()] * 100)


def two_columns(first: list[float], second: list[float]) -> Table:
    return table_of({n: (number(n, -9, 9, None), v) for n, v in (("first", first), ("second", second))})


@pytest.mark.parametrize(
    ("first", "second", "refused"),
    [
        ([1.0, 2.0, 3.0], [2.0, 5.0, 4.0], False),
        ([1.0, 2.0, 3.0], [4.0, 4.0, 4.0], True),
        ([1.0, 2.0, 3.0], [4.0, np.nan, np.nan], True),
        ([1.0, 2.0, 3.0], [np.nan] * 3, True),
        ([1.0], [2.0], True),
    ],
)
def test_it_needs_two_columns_that_vary(first: list[float], second: list[float], refused: bool) -> None:
    table = two_columns(first, second)
    assert SpectralFiltering().refuses(knowing(table), table) == (TOO_FEW if refused else None)
    for by in WAYS:
        SpectralFiltering(by).guess(knowing(table), table, STREAMS)
        SpectralFiltering(by).naive(knowing(table), table, STREAMS)


@pytest.mark.parametrize("method", [{}, {"noise": 0.05}], ids=["unknown", "known"])
@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS)
def test_zero_point_unit_and_sign_do_not_matter(unit: tuple[float, float], method: dict[str, float]) -> None:
    table = people(1, 500)
    released = barely_hidden(table, 2, 0.05)
    before = attacked(SpectralFiltering(), ALONE, table, released, method=method)
    tables = [in_another_unit(t, *unit) for t in (table, released)]
    after = attacked(SpectralFiltering(), ALONE, tables[0], tables[1], method=method)
    for one, other in zip(before.details["variants"], after.details["variants"], strict=True):
        assert one["success"] == pytest.approx(other["success"], abs=1e-3)
    assert 0 < before.success < 1


def some_numbers() -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return np.random.default_rng(1).normal(0, 1, (50, 3)) * (2.0, 0.1, 1.0)


def test_a_share_of_the_domain_by_hand() -> None:
    """Whole numbers: so many values; reals: the range; hundredths: the values in steps (errata B3)."""
    found = noise_deviations(ATTRIBUTES, {"noise": 0.1}, some_numbers())
    assert found.tolist() == pytest.approx([1.0, 0.1, 0.499])


def test_shares_by_column_and_columns_without_noise() -> None:
    numbers = some_numbers()
    found = noise_deviations(ATTRIBUTES, {"noise": {"height": 0.5}}, numbers)
    assert found.tolist() == pytest.approx(
        [SMALLEST * numbers[:, 0].std(), 0.5, SMALLEST * numbers[:, 2].std()]
    )


def test_noise_of_innocent_attributes_and_single_columns_counts() -> None:
    method = {
        "noise": 0.3,
        "noise_influential": 0.9,
        "noise_innocent": 0.1,
        "noise_by_column": {"height": 0.5},
    }
    found = noise_deviations(ATTRIBUTES, method, some_numbers())
    assert found.tolist() == pytest.approx([1.0, 0.5, 0.499])


def test_a_share_of_the_value_is_taken_of_the_numbers_before_the_noise() -> None:
    chance = np.random.default_rng(4)
    true = chance.uniform(5, 10, (20_000, 3))
    released = true + 0.3 * true * chance.normal(0, 1, true.shape)
    found = noise_deviations(ATTRIBUTES, {"noise": 0.3, "noise_of": "value"}, released)
    assert found.tolist() == pytest.approx((released - true).std(axis=0).tolist(), rel=0.03)


def test_without_a_domain_it_is_a_share_of_the_deviation() -> None:
    numbers = some_numbers()
    attributes = tuple(Attribute(name, "numeric") for name in "abc")
    found = noise_deviations(attributes, {"noise": 0.5}, numbers)
    assert found.tolist() == pytest.approx((0.5 * numbers.std(axis=0)).tolist())


@pytest.mark.parametrize("level", [0.1, 0.3, 0.7])
def test_unknown_noise_is_told_from_the_smallest_eigenvalue(level: float) -> None:
    chance = np.random.default_rng(2)
    true = chance.normal(0, 1, (4000, 1)) * np.array([1.0, -1.0, 1.0])
    released = true + chance.normal(0, level, true.shape)
    found = noise_deviations(ATTRIBUTES, {}, released * (1.0, 50.0, 0.01))
    assert (found / (1.0, 50.0, 0.01)).tolist() == pytest.approx([level] * 3, rel=0.06)


def test_columns_that_follow_exactly_from_each_other_are_without_noise() -> None:
    one = np.arange(20.0)
    found = noise_deviations(ATTRIBUTES, {}, np.column_stack((one, 2 * one, 5 - one)))
    assert found.tolist() == pytest.approx((SMALLEST * np.array([1, 2, 1]) * one.std()).tolist(), rel=1e-3)
