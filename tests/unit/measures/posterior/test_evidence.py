"""How many targets can be afforded, and what released records say about the class."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.measures.posterior.evidence import (
    NOBODY_LEFT,
    Targets,
    affordable_targets,
    binary_entropy,
    class_shares,
    paired_count,
)
from hushwood.measures.posterior.likelihoods import Evidence
from hushwood.measures.protocol import NOT_PAIRED
from support.mixed_tables import mixed_table, number, table_of, target
from support.table_pairs import context_for


def test_small_releases_are_searched_for_everybody_large_ones_for_a_sample() -> None:
    table = mixed_table(1, 60)
    partner = np.where(np.arange(60) % 4 == 0, -1, np.arange(60))
    context = context_for(table, table, partner=partner)
    everybody = Targets("purpose", 60, 20).all_known(table, table, context)
    assert isinstance(everybody, Evidence)
    assert np.array_equal(everybody.targets, np.flatnonzero(partner >= 0))
    assert Targets("another measure", 60, 20).all_known(table, table, context) is everybody
    some = Targets("purpose", 59, 20).all_known(table, table, context)
    assert isinstance(some, Evidence)
    assert len(some.targets) == 20
    assert (partner[some.targets] >= 0).all()
    others = Targets("purpose", 60, 20).less_known(table, table, context)
    assert isinstance(others, Evidence)
    assert len(others.targets) == 20
    assert paired_count(context) == 45


def test_without_pairs_there_is_none() -> None:
    table = mixed_table(1, 10)
    targets = Targets("purpose", 60, 20)
    unpaired = context_for(table, table, paired=False)
    assert targets.all_known(table, table, unpaired) == NOT_PAIRED
    assert paired_count(unpaired) == 0
    dropped = context_for(table, table, partner=np.full(10, -1))
    assert targets.less_known(table, table, dropped) == NOBODY_LEFT


def test_large_tables_get_fewer_targets_but_some() -> None:
    assert affordable_targets(2_000, 30_162, 14) == 2_000
    assert affordable_targets(2_000, 1_000_000, 14) == 71
    assert affordable_targets(2_000, 100_000_000, 50) == 50
    assert affordable_targets(20, 100_000_000, 50) == 20


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
