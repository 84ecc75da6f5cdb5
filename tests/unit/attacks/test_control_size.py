from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import gamma

from hushwood.attacks.control_size import control_factor, fitted, share_of_one
from hushwood.attacks.guesses import PredicateGuesses
from hushwood.attacks.predicates import count_matches
from hushwood.attacks.singling_out import SinglingOut
from intruders import knowing, people
from table_pairs import STREAMS


@given(st.floats(0.3, 20.0), st.floats(0.05, 20.0))
def test_the_share_is_the_integral_over_gamma_means(shape: float, mean: float) -> None:
    law = gamma(shape, scale=mean / shape)
    integral = quad(lambda m: m * np.exp(-m) * law.pdf(m), 0, np.inf, limit=200)[0]
    assert share_of_one(shape, mean) == pytest.approx(integral, rel=1e-3, abs=1e-6)


@pytest.mark.parametrize(("shape", "mean"), [(0.2, 0.5), (1.0, 2.0), (3.0, 1.0)])
def test_the_law_is_found_again(shape: float, mean: float) -> None:
    chance = np.random.default_rng(3)
    drawn = chance.poisson(chance.gamma(shape, mean / shape, 40_000))
    found = fitted(np.bincount(np.minimum(drawn, 6), minlength=7))
    assert found == pytest.approx((shape, mean), rel=0.1)


@cache
def predicates_of_people() -> PredicateGuesses:
    """What an intruder singles out in a release of 3,000 people."""
    released = people(1, 3000)
    return SinglingOut().guess(knowing(released), released, STREAMS)


@pytest.mark.parametrize("rows", [500, 1000, 3000, 6000, 8000])
def test_a_control_of_another_size_foretells_the_successes(rows: int) -> None:
    """People of the same kind who were never released: the factor turns 2,000 of them into as many as asked."""
    predicates, control, others = predicates_of_people(), people(2, 2000), people(3, rows)
    here, there = (int((count_matches(predicates, t.columns)[0] == 1).sum()) for t in (control, others))
    foretold = here * control_factor(predicates, control.columns, rows)
    assert foretold == pytest.approx(there, rel=0.25)


def test_nothing_to_correct() -> None:
    table = people(1, 300)
    predicates = SinglingOut().guess(knowing(table), table, STREAMS)
    assert control_factor(predicates, table.columns, 300) == 1.0
    far = {
        name: -1e6 + 0 * values if values.dtype.kind == "f" else values
        for name, values in table.columns.items()
    }
    none = SinglingOut("univariate").guess(knowing(table, ["income"]), table, STREAMS)
    assert not (count_matches(none, far)[0] == 1).any()
    assert control_factor(none, far, 600) == 1.0
