from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.trees.prune import estimated_errors
from oracles import c45_pruning as oracle


@pytest.mark.parametrize(
    ("weight", "errors", "expected"),
    [(6, 0, 1.2378), (9, 0, 1.2848), (1, 0, 0.75), (16, 1, 2.5069), (168, 15, 18.2962), (10, 2, 3.5477)],
)
def test_quinlans_table_of_deviations(weight: float, errors: float, expected: float) -> None:
    assert estimated_errors(weight, errors, 0.25, "c45") == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(
    ("weight", "errors", "expected"),
    [(6, 0, 1.2378), (9, 0, 1.2848), (1, 0, 0.75), (16, 1, 2.4757), (168, 15, 18.2183), (10, 2, 3.5186)],
)
def test_exact_normal_quantile_of_j48(weight: float, errors: float, expected: float) -> None:
    assert estimated_errors(weight, errors, 0.25, "j48") == pytest.approx(expected, abs=5e-5)


def test_nearly_all_wrong() -> None:
    assert estimated_errors(4, 3.6, 0.25, "c45") == pytest.approx(3.6 + 0.67 * 0.4)
    assert estimated_errors(4, 3.6, 0.25, "j48") == pytest.approx(4)


def test_an_empty_leaf_makes_no_errors() -> None:
    assert estimated_errors(0, 0, 0.25, "c45") == 0
    assert estimated_errors(0, 0, 0.25, "j48") == 0


@given(
    quarters=st.integers(1, 4000),
    part=st.fractions(0, 1, max_denominator=40),
    confidence=st.sampled_from([0.001, 0.01, 0.07, 0.1, 0.25, 0.33, 0.4, 0.45, 0.5]),
    variant=st.sampled_from(["c45", "j48"]),
)
def test_like_the_oracle(quarters: int, part: float, confidence: float, variant: str) -> None:
    weight = quarters / 4
    errors = float(weight * part)
    wanted = oracle.estimated_errors(weight, errors, confidence, variant)
    assert estimated_errors(weight, errors, confidence, variant) == pytest.approx(wanted, rel=1e-9, abs=1e-9)
