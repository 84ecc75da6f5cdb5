from __future__ import annotations

import numpy as np

from hushwood.measures.utility.unseen_records import trial_for
from hushwood.tables.table import Table
from mixed_tables import number, table_of, target
from table_pairs import context_for


def numbered(rows: int) -> Table:
    columns = {"x": (number("x", 0, rows), list(range(rows)))}
    return table_of({**columns, "class": (target("class", ("a", "b")), [i % 2 for i in range(rows)])})


def names(table: Table) -> list[int]:
    return [int(x) for x in table.columns["x"].tolist()]


def test_three_in_ten_are_kept_for_the_trial_with_their_partners() -> None:
    table = numbered(100)
    mirrored = table.take(np.arange(100)[::-1])
    trial = trial_for(table, mirrored, context_for(table, mirrored, partner=np.arange(100)[::-1]))
    assert trial.kind == "split"
    assert len(names(trial.unseen)) == 30
    assert sorted(names(trial.unseen) + names(trial.original.table)) == list(range(100))
    assert names(trial.released.table) == names(trial.original.table)


def test_dropped_partners_are_missing_in_the_training_only() -> None:
    table = numbered(100)
    partner = np.where(np.arange(100) < 50, -1, np.arange(100))
    trial = trial_for(table, table, context_for(table, table, partner=partner))
    assert len(names(trial.original.table)) == 70
    assert names(trial.released.table) == [x for x in names(trial.original.table) if x >= 50]


def test_the_split_is_keyed() -> None:
    table = numbered(100)
    once, again = (names(trial_for(table, table, context_for(table, table)).unseen) for _ in range(2))
    assert once == again != list(range(30))


def test_a_holdout_is_taken_as_it_is() -> None:
    table, holdout = numbered(20), numbered(7)
    context = context_for(table, table, holdout=holdout)
    trial = trial_for(table, table, context)
    assert (trial.kind, trial.unseen) == ("holdout", holdout)
    assert trial.original is context.original_grown
    assert trial.released is context.released_grown


def test_without_partners_the_original_is_tried_and_said_to_be_seen() -> None:
    table = numbered(20)
    trial = trial_for(table, table, context_for(table, table, paired=False))
    assert (trial.kind, trial.unseen) == ("perhaps seen", table)
