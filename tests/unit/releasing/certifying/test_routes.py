from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.arrays import Array
from hushwood.errors import InternalFault
from hushwood.releasing.certifying.records import Routes
from oracles.certificates import leaf_of
from support.mixed_tables import mixed_table, plain_rows, random_model

AGE = {"name": "age", "kind": "numeric"}
SEX = {"name": "sex", "kind": "categorical", "values": ["f", "m"]}
TREE: list[dict[str, Any]] = [
    {"id": 9, "test": {"attribute": "age", "threshold": 30}, "children": {"le": 4, "gt": 7}, "missing_to": 7},
    {"id": 4},
    {"id": 7, "test": {"attribute": "sex"}, "children": {"f": 1, "x": 2}, "missing_to": 2},
    {"id": 1},
    {"id": 2},
]
FOREST = {"attributes": [AGE, SEX], "trees": [{"nodes": TREE}, {"nodes": [{"id": 5}]}]}
ROUTES = Routes(FOREST, {"age": AGE, "sex": SEX})


def leaves(routes: Routes, before: dict[str, Array], after: dict[str, Array]) -> list[list[list[int]]]:
    """The identities of the leaves, before and after, in each tree."""
    rows = len(next(iter(before.values())))
    found = routes.leaves(before, after, rows)
    return [[ids[places].tolist() for ids, places in zip(routes.ids, side, strict=True)] for side in found]


def test_gaps_limits_and_texts_that_only_the_tree_knows() -> None:
    assert ROUTES.tested["sex"]["values"] == ("f", "m", "x")
    before = {"age": np.array([30, 30.5, np.nan, np.inf, 40]), "sex": np.array([0, 0, 1, 2, -1], np.int32)}
    after = {"age": np.array([40, -5, 99, np.nan, 31]), "sex": np.array([0, 0, 3, 0, 1], np.int32)}
    assert leaves(ROUTES, before, after) == [[[4, 1, 2, 2, 2], [5] * 5], [[1, 4, 2, 1, 2], [5] * 5]]


def test_codes_that_no_text_has_are_refused() -> None:
    ages = np.zeros(1)
    with pytest.raises(InternalFault, match="Codes of column 'sex' must lie from -1 to 3"):
        leaves(ROUTES, {"age": ages, "sex": np.array([4])}, {"age": ages, "sex": np.array([0])})


@settings(max_examples=30)
@given(seed=st.integers(0, 10**6))
def test_every_record_goes_where_the_oracle_sends_it(seed: int) -> None:
    """Before and after are tables that have nothing to do with each other."""
    tables = mixed_table(seed, 60), mixed_table(seed + 1, 60)
    model = random_model(seed, tables[0])
    described = {
        a.name: {"name": a.name, "kind": a.kind, "values": a.categories} for a in tables[0].schema.inputs
    }
    found = leaves(Routes(model, described), dict(tables[0].columns), dict(tables[1].columns))
    for table, side in zip(tables, found, strict=True):
        for tree, reached in zip(model["trees"], side, strict=True):
            assert reached == [leaf_of(tree["nodes"], record) for record in plain_rows(table)]
