"""Shares of categories won back from PRAM, Random Categorical and WARNER."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.reconstruction.estimators import by_frequency, law_matrix, recover_by_matrix
from hushwood.reconstruction.frequencies import change_matrix
from hushwood.reconstruction.recovered import MISSING, Known, NotRecovered, Recovered
from hushwood.segments.partition import whole_table
from hushwood.tables.table import Table
from hushwood.techniques.pram import Pram, RandomCategorical
from hushwood.techniques.protocol import Technique
from hushwood.techniques.sub_attributes import SubAttributes
from hushwood.techniques.warner import Warner
from support.announced_columns import perturbed
from support.mixed_tables import category, table_of


def answers(*counts: int, gaps: int = 0) -> Table:
    codes = [code for code, count in enumerate(counts) for _ in range(count)] + [-1] * gaps
    return table_of({"said": (category("said", "abcdef"[: len(counts)]), codes)})


def won_back(table: Table, technique: Technique) -> Recovered:
    found = recover_by_matrix(Known(table, "said", (technique,)))
    assert isinstance(found, Recovered)
    return found


@pytest.mark.parametrize(
    "technique", [Warner(truth=0.8), Warner(truth=0.8, together=True), Pram(probability=0.2)]
)
def test_two_values_by_hand(technique: Technique) -> None:
    """Of 70 and 30, 0.8 · 70 + 0.2 · 30 = 62 are seen on average; the error is that of Warner's formula."""
    found = won_back(answers(62, 38), technique)
    assert found.labels == ("a", "b")
    np.testing.assert_allclose(found.shares, [0.7, 0.3], atol=1e-12)
    assert found.errors is not None
    np.testing.assert_allclose(found.errors, np.sqrt(0.2 * 0.8 / (100 * 0.6**2)), rtol=1e-9)


def test_shares_never_leave_what_is_possible() -> None:
    np.testing.assert_allclose(won_back(answers(10, 90), Warner(truth=0.8)).shares, [0.0, 1.0], atol=1e-12)


def test_missing_is_a_value_of_pram_and_stays_in_warner() -> None:
    found = won_back(answers(50, 30, gaps=20), Pram(probability=0.3))
    assert found.labels == ("a", "b", MISSING)
    np.testing.assert_allclose(found.shares @ change_matrix(0.3, np.ones(3)), [0.5, 0.3, 0.2], atol=1e-12)
    found = won_back(answers(46, 34, gaps=20), Warner(truth=0.75, together=True))
    np.testing.assert_allclose(found.shares, [0.52, 0.28, 0.2], atol=1e-12)


def test_a_given_matrix_and_one_by_frequency() -> None:
    given = ((0.9, 0.1, 0.0), (0.2, 0.7, 0.1), (0.0, 0.0, 1.0))
    technique = Pram(matrix={"said": given}, others="frequency")
    law = technique.prepare(answers(3, 3, 4), ("said",), whole_table(answers(3, 3, 4))).law()
    np.testing.assert_allclose(law_matrix(law, "said", 3, 3), given, atol=1e-12)
    found = won_back(answers(650, 200, 150), technique)
    np.testing.assert_allclose(found.shares @ np.array(given), [0.65, 0.2, 0.15], atol=1e-12)
    matrix, shares = by_frequency(0.2, np.array([0.6, 0.3, 0.1]))
    np.testing.assert_allclose(matrix, change_matrix(0.2, shares), atol=1e-8)
    np.testing.assert_allclose(shares @ matrix, [0.6, 0.3, 0.1], atol=1e-8)


@pytest.mark.parametrize(
    "technique", [Pram(probability=0.4), RandomCategorical(0.4), Pram(probability=0.4, others="frequency")]
)
def test_drawn_values_lead_back_to_the_original_shares(technique: Technique) -> None:
    original = answers(3_000, 1_200, 600, 200)
    found = won_back(perturbed(original, technique), technique)
    assert found.errors is not None
    assert (np.abs(found.shares - np.array([0.6, 0.24, 0.12, 0.04])) < 4 * found.errors).all()
    seen = np.bincount(perturbed(original, technique).columns["said"]) / 5_000
    assert (np.abs(seen - np.array([0.6, 0.24, 0.12, 0.04])) > 4 * found.errors).any()


def test_what_cannot_be_inverted_says_why() -> None:
    for technique, says in (
        (Pram(within="segment"), "segment"),
        (Pram(probability=2 / 3), "cannot be inverted"),
        (Pram(probability=0.6, others="frequency"), "same released ones"),
    ):
        found = recover_by_matrix(Known(answers(5, 5, 5), "said", (technique,)))
        assert isinstance(found, NotRecovered)
        assert says in found.reason


def test_an_order_of_values_must_be_announced() -> None:
    orders = {"said": {"size": {"a": 1.0, "b": 2.0, "c": 4.0}}}
    technique, original = SubAttributes(numbers=orders), answers(3_000, 1_500, 500)
    found = won_back(perturbed(original, technique), technique)
    assert found.errors is not None
    assert (np.abs(found.shares - np.array([0.6, 0.3, 0.1])) < 4 * found.errors).all()
    secret = recover_by_matrix(Known(original, "said", (SubAttributes(),)))
    assert isinstance(secret, NotRecovered)
    assert "order" in secret.reason
