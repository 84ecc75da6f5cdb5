"""Shares of categories won back from FRAPP."""

from __future__ import annotations

import numpy as np

from hushwood.reconstruction.estimators import recover_whole_records
from hushwood.reconstruction.recovered import MISSING, Known, Recovered
from hushwood.techniques.frapp import Frapp
from support.announced_columns import perturbed
from support.mixed_tables import category, table_of

# γ = 5 on 6 records: one stays with 5/10 and becomes each other with 1/10, so it is kept with 0.4 and else drawn.
TECHNIQUE = Frapp(gamma=5.0)


def test_one_of_two_columns_by_hand() -> None:
    """60 of 100 kept with 0.4, and a half of the 60 drawn: 0.4 · 0.6 + 0.6 / 2 = 0.54."""
    said = {"a": (category("a", "xy"), [0] * 54 + [1] * 46), "b": (category("b", "pqr"), [0, 1, 2, 0] * 25)}
    found = recover_whole_records(Known(table_of(said), "a", (TECHNIQUE,), together=("a", "b")))
    assert isinstance(found, Recovered)
    assert found.labels == ("x", "y")
    np.testing.assert_allclose(found.shares, [0.6, 0.4], atol=1e-9)


def test_drawn_records_lead_back() -> None:
    codes = [0] * 2_400 + [1] * 600, ([0] * 3 + [-1] * 2) * 600
    original = table_of({"a": (category("a", "xy"), codes[0]), "b": (category("b", "p"), codes[1])})
    released = perturbed(original, TECHNIQUE)
    for name, shares in (("a", [0.8, 0.2]), ("b", [0.6, 0.4])):
        found = recover_whole_records(Known(released, name, (TECHNIQUE,), together=("a", "b")))
        assert isinstance(found, Recovered)
        assert found.errors is not None
        assert (np.abs(found.shares - np.array(shares)) < 4 * found.errors).all()
        assert found.labels == (("x", "y") if name == "a" else ("p", MISSING))
