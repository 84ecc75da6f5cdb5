from __future__ import annotations

import numpy as np

from hushwood.measures.posterior.evidence import NOBODY_LEFT, Targets, affordable_targets, paired_count
from hushwood.measures.posterior.likelihoods import Evidence
from hushwood.measures.protocol import NOT_PAIRED
from support.mixed_tables import mixed_table
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
