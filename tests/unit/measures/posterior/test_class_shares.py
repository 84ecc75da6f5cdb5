from __future__ import annotations

import numpy as np
import pytest

from hushwood.measures.posterior.class_shares import binary_entropy, class_shares
from support.mixed_tables import mixed_table, number, table_of, target
from support.table_pairs import context_for


def test_records_speak_for_themselves() -> None:
    table = table_of({"x": (number("x", 0, 1), [0] * 4), "k": (target("k", "abc"), [0, 1, 1, -1])})
    told = class_shares(table, context_for(table, table), "records")
    assert (told.labels.tolist(), told.classes) == ([0, 1, 1, 3], ("a", "b", "c"))
    assert told.prior.tolist() == [0.25, 0.5, 0.0]
    assert told.shares[3].tolist() == [0, 0, 0]


def test_leaves_speak_for_their_records_and_agree_with_all_of_them() -> None:
    table = mixed_table(3, 300)
    table = table.with_columns({"risk": np.maximum(table.columns["risk"], 0)})
    context = context_for(table, table)
    by_leaf, by_record = (class_shares(table, context, kind) for kind in ("leaves", "records"))
    assert len(by_leaf.shares) > 1
    np.testing.assert_allclose(by_leaf.shares.sum(axis=1), 1)
    np.testing.assert_allclose(by_leaf.prior, by_record.prior)


def test_binary_entropy_has_its_ends() -> None:
    found = binary_entropy(np.array([-1e-9, 0.0, 0.25, 0.5, 1.0, 1 + 1e-9]))
    assert found.tolist() == pytest.approx([0, 0, 0.811278, 1, 0, 0], abs=1e-6)
