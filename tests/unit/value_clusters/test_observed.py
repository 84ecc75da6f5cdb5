"""Values that occur, numbered for each attribute, and the distinct records that hold them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hushwood.errors import InputError
from hushwood.value_clusters.observed import observed_values
from mixed_tables import category, mixed_table, number, table_of, target


def test_values_that_occur() -> None:
    """Unused categories and constant columns are left out; a missing value is one, with an empty name."""
    table = table_of(
        {
            "b": (category("b", ("p", "never", "q")), [0, 2, 0, 0, -1]),
            "a": (category("a", ("x", "y")), [1, 0, 1, 1, 1]),
            "constant": (category("constant", ("c", "d")), [0] * 5),
            "x": (number("x", 0, 9), [1, 2, 3, 4, 5]),
        }
    )
    found = observed_values(table)
    assert found.names == ("a", "b")
    assert found.values == (("x", "y"), ("", "p", "q"))
    assert (found.records, found.sizes) == (5, (2, 3))
    assert found.weight.tolist()[0] == 3
    held = {(*codes,): w for *codes, w in zip(*found.codes.tolist(), found.weight.tolist(), strict=True)}
    assert held == {(1, 1): 3, (0, 2): 1, (1, 0): 1}


def test_named_columns_only() -> None:
    table = mixed_table(3, 100)
    assert observed_values(table, ("risk", "city")).names == ("city", "risk")
    for name in ("count", "nothing", "absent"):
        with pytest.raises(InputError, match=f"'{name}' cannot be clustered.*There are city, job, risk"):
            observed_values(table, ("city", name))


def test_a_binned_class_is_its_bins() -> None:
    wages = target("wage", tuple(str(w) for w in range(1, 7)))
    table = table_of(
        {"a": (category("a", "xy"), [0, 1] * 3), "wage": (replace(wages, bins=(3.0,)), [0, 1, 2, 3, 4, 5])}
    )
    found = observed_values(table)
    assert found.values == (("x", "y"), ("<= 3", "> 3"))


def test_no_columns() -> None:
    found = observed_values(table_of({"x": (number("x", 0, 9), [1, 2])}))
    assert (found.names, found.records, found.sizes) == ((), 0, ())
