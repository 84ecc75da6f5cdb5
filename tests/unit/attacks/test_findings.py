from __future__ import annotations

import json

import numpy as np
import pytest

from hushwood.attacks.estimates import risk_beyond, wilson
from hushwood.attacks.findings import details_of, records_of
from hushwood.attacks.guesses import PredicateGuesses, RowGuesses
from hushwood.attacks.linkage import Linkage
from hushwood.attacks.protocol import Scenario
from hushwood.attacks.scoring import Truth
from mixed_tables import number, table_of

TABLE = table_of({"x": (number("x", 0, 9), [1.0, 2.0, 3.0, 3.0])})
SCENARIO = Scenario("some", "Somebody.", ("x",))


def test_details_with_a_control() -> None:
    attack, control = wilson(30, 100), wilson(10, 100)
    details = details_of(Linkage(), SCENARIO, 120, attack, 0.05, control)
    assert json.loads(json.dumps(details, allow_nan=False)) == details
    assert (details["targets"], details["attempts"], details["successes"]) == (120, 100, 30)
    assert details["risk"] == pytest.approx(risk_beyond(attack, control).value)
    assert details["control_interval"] == list(control.interval)
    assert details["gain"] == pytest.approx(0.25 / 0.95)
    assert details["knows"] == ["x"]


def test_details_without_a_control_have_the_same_keys() -> None:
    with_control = details_of(Linkage(), SCENARIO, 9, wilson(1, 9), 0.1, wilson(1, 9))
    without = details_of(Linkage(), SCENARIO, 9, wilson(1, 9), 0.1, None)
    assert list(with_control) == list(without)
    assert without["risk"] is None


def test_records_are_in_the_originals_order() -> None:
    truth = Truth(TABLE, np.array([2, 0, -1]))
    found = records_of("member", RowGuesses(np.zeros(3, np.int64)), np.array([1.0, 0.0, 1.0]), truth)
    assert found["found"][:3] == pytest.approx([0.0, np.nan, 1.0], nan_ok=True)
    assert np.isnan(found["found"][3])


def test_records_that_a_predicate_singles_out() -> None:
    guesses = PredicateGuesses(np.arange(4), ("x",) * 3, ("<=", ">=", "=="), np.array([1.0, 3.0, 2.0]))
    found = records_of("predicate", guesses, np.array([1.0, 0.0, 1.0]), Truth(TABLE, np.arange(4)))
    assert found["singled_out"].tolist() == [1, 1, 0, 0]
