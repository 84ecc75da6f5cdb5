"""The printed numbers as read: symmetric matrices, the kinder entry of a misprinted pair, no copied rows."""

from __future__ import annotations

import tomllib
from importlib.resources import files

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.experiments.printed_runs import printed_table

EXTENDED = "extended-framework"


def test_the_thesis_own_errors_are_read_from_its_matrices() -> None:
    assert printed_table("adult").changes(EXTENDED) == pytest.approx((0.061, 0.142, 0.109, 0.193, 0.163))
    assert printed_table("wbc").changes(EXTENDED) == pytest.approx((0.13, 0.15))
    assert printed_table("wbc").changes("gadp") == ()


def test_shifts_are_in_the_standard_deviations_that_are_given() -> None:
    spreads = np.array([10.0, 1e5, 10.0, 1e4, 1e3, 10.0])
    shifts = printed_table("adult").shifts(EXTENDED, spreads)
    assert shifts[0] == pytest.approx((38.44 - 32.76) / 10)
    assert len(shifts) == 5


def test_accuracies_are_shares_of_the_records_tried() -> None:
    adult, wbc = printed_table("adult"), printed_table("wbc")
    assert adult.accuracies["original"][0].own == 21763 / 25600
    assert [run.test for run in adult.accuracies[EXTENDED]] == [3717 / 4562, 3728 / 4562]
    assert [run.training for run in wbc.accuracies["gadp"]] == [565 / 600, 532 / 600]
    assert "random-extended-framework" not in wbc.accuracies, "copied from another table (errata D5)"


@pytest.mark.parametrize("name", ["adult", "wbc"])
def test_matrices_are_correlations_of_the_named_attributes(name: str) -> None:
    table = printed_table(name)
    runs = [table.original, *(run for runs in table.moments.values() for run in runs)]
    for run in runs:
        assert run.correlations.shape == (len(table.attributes),) * 2
        assert len(run.means) == len(table.attributes)
        assert np.array_equal(run.correlations, run.correlations.T)
        assert (np.diag(run.correlations) == 1).all()
        assert np.abs(run.correlations).max() == 1


def test_where_the_halves_of_a_matrix_differ_the_one_nearer_to_the_original_is_used() -> None:
    text = (files("hushwood.experiments") / "printed" / "extended_framework.toml").read_text(encoding="utf-8")
    adult = tomllib.loads(text)["adult"]
    before = np.array(adult["original"]["correlations"])
    slips = 0
    for run in adult["matrices"]:
        change = np.abs(np.array(run["correlations"]) - before)
        above, below = np.triu(change, 1).max(), np.tril(change, -1).max()
        assert above <= below + 0.0025, "but for the last digit"
        slips += above < below - 0.0025
    assert slips == 1


def test_other_tables_are_refused() -> None:
    with pytest.raises(InputError, match="'iris'"):
        printed_table("iris")
