from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.reconstruction import NoiseInside, reconstruct, reconstruct_column
from hushwood.releasing.perturb import Perturbed, PerturbOptions, perturb
from hushwood.tables.table import Table
from hushwood.techniques.laws.noise import NoiseParameters
from support.mixed_tables import number, table_of, target
from support.shaped_samples import apart, shaped, shares

ROWS = 12_000


def people() -> Table:
    """The class follows the income (left and right of 40), so rules test it; the age is innocent."""
    age = np.rint(18 + 60 * shaped("triangle", ROWS, 1) ** 2)
    income = np.rint(100 * shaped("bimodal", ROWS, 2))
    rich = (income > 40).astype(int)
    return table_of(
        {
            "age": (number("age", 18, 78), age.tolist()),
            "income": (number("income", 0, 100), income.tolist()),
            "rich": (target("rich", ("no", "yes")), rich.tolist()),
        }
    )


def released(boundary: str, noise: float = 0.2) -> Perturbed:
    options = PerturbOptions(technique="framework", noise=noise, boundary=boundary)
    return perturb(people(), options, Streams(bytes(32)))


@pytest.mark.parametrize("boundary", ["wrap", "reflect", "truncate"])
def test_innocent_and_influential_columns_are_recovered(boundary: Any) -> None:
    done = released(boundary)
    assert done.segments.influential["income"].all()
    assert not done.segments.influential["age"].any()
    for name, margin in (("age", 0.7), ("income", 0.7)):
        found = reconstruct_column(
            done.table, name, NoiseParameters(0.2, boundary), forest=done.forest, intervals=12
        )
        before = shares(people().columns[name], found.edges)
        seen = shares(done.table.columns[name], found.edges)
        assert found.probabilities.sum() == pytest.approx(1.0)
        assert (found.records, found.impossible) == (ROWS, 0)
        assert apart(found.probabilities, before) < margin * apart(seen, before)
        assert (np.diff(found.log_likelihoods) >= -1e-12).all()


def test_a_column_that_no_rule_tests_needs_no_forest() -> None:
    done, noise = released("wrap"), NoiseParameters(0.2)
    with_forest = reconstruct_column(done.table, "age", noise, forest=done.forest)
    without = reconstruct_column(done.table, "age", noise)
    np.testing.assert_allclose(with_forest.probabilities, without.probabilities, atol=1e-12)
    plain = reconstruct(done.table.columns["age"], NoiseInside.over_domain(done.table.schema["age"], noise))
    np.testing.assert_array_equal(without.probabilities, plain.probabilities)


def test_ranges_of_rules_are_not_crossed() -> None:
    """What lies on either side of a rule's limit is exact, so it comes back exactly."""
    done = released("wrap")
    limit = float(done.forest.trees[0].threshold[0])
    edges = [-0.5, limit + 0.5, 100.5]
    found = reconstruct_column(
        done.table, "income", NoiseParameters(0.2), forest=done.forest, intervals=edges
    )
    np.testing.assert_allclose(found.probabilities, shares(people().columns["income"], np.array(edges)))


def test_missing_values_are_left_out() -> None:
    done = released("wrap")
    gaps = done.table.columns["age"].copy()
    gaps[:5000] = np.nan
    table = done.table.with_columns({"age": gaps})
    found = reconstruct_column(table, "age", NoiseParameters(0.2), forest=done.forest)
    assert found.records == ROWS - 5000


def test_only_numbers_have_noise() -> None:
    with pytest.raises(InputError, match="'rich' is categorical"):
        reconstruct_column(people(), "rich")


def test_influential_records_may_have_other_noise() -> None:
    """Without their own noise, incomes that hardly moved would be sharpened beyond what they were."""
    options = PerturbOptions(technique="framework", noise=0.5, noise_influential=0.1, boundary="truncate")
    done = perturb(people(), options, Streams(bytes(32)))
    before, errors = people().columns["income"], []
    for influential in (NoiseParameters(0.1, "truncate"), None):
        found = reconstruct_column(
            done.table,
            "income",
            NoiseParameters(0.5, "truncate"),
            forest=done.forest,
            influential=influential,
            intervals=10,
        )
        errors.append(apart(found.probabilities, shares(before, found.edges)))
    assert errors[0] < errors[1] / 2
