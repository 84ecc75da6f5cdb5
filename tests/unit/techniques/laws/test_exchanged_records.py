from __future__ import annotations

import numpy as np
import pytest

from hushwood.arrays import Integers
from hushwood.random_streams import Streams
from hushwood.segments.partition import whole_table
from hushwood.techniques.laws.exchanged_records import STAYS, ExchangedRecords
from hushwood.techniques.laws.joint_normal import JointNormalLaw
from hushwood.techniques.together.correlated_noise import added_noise
from hushwood.techniques.together.learnt_groups import LearntGroup
from oracles import exchanges as oracle
from support.normal_tables import numbers_table

RECORDS = np.array([[1, 2], [1, 2], [3, 3], [5, 1], [5, 1], [6, 9], [8, 8]], float)
GROUPS = [0, 0, 0, 1, STAYS, 1, STAYS]


def laws(members: list[int], precision: int | None = 0) -> tuple[JointNormalLaw, ExchangedRecords]:
    table = numbers_table(RECORDS, precision, 20)
    learnt = LearntGroup.of(table, ["a", "b"], whole_table(table), "table")
    masked = learnt.normal_law(added_noise(0.3, learnt.numbers, learnt.cells.known), "M")
    return masked, ExchangedRecords(masked, np.array(members, np.int32), table.columns)


def test_the_law_equals_the_oracle() -> None:
    """Two equal records in one group, and two of which one stays."""
    masked, law = laws(GROUPS)

    def chance(record: oracle.Record, released: oracle.Record) -> float:
        old, new = ({"a": np.array([r[0]]), "b": np.array([r[1]])} for r in (record, released))
        return float(np.exp(masked.log_prob(old, new, np.zeros(1, int)))[0])

    groups = [None if group == STAYS else group for group in GROUPS]
    for asked in ((1.0, 2.0), (3.0, 3.0), (5.0, 1.0), (8.0, 8.0)):
        released = RECORDS + np.array([1, -1])
        old = {"a": np.full(7, asked[0]), "b": np.full(7, asked[1])}
        new = {"a": released[:, 0], "b": released[:, 1]}
        found = np.exp(law.log_prob(old, new, np.zeros(7, int)))
        wanted = [oracle.chance(asked, y, RECORDS.tolist(), groups, chance) for y in released.tolist()]
        assert found == pytest.approx(wanted, rel=1e-9)


def test_a_record_that_the_table_does_not_have_keeps_its_numbers() -> None:
    masked, law = laws(GROUPS)
    old, new = {"a": np.array([2.0]), "b": np.array([7.0])}, {"a": np.array([3.0]), "b": np.array([7.0])}
    assert law.log_prob(old, new, np.zeros(1, int)) == pytest.approx(
        masked.log_prob(old, new, np.zeros(1, int))
    )


def sources(law: ExchangedRecords, masked: JointNormalLaw, seed: int) -> Integers:
    """Whose numbers every record has."""
    streams = Streams(bytes([seed] * 32))
    columns, ids = law.columns, np.zeros(7, int)
    drawn, turned = (one.sample(columns, ids, range(7), streams) for one in (masked, law))
    rows = [tuple(row) for row in np.column_stack([drawn["a"], drawn["b"]]).tolist()]
    return np.array([rows.index(tuple(row)) for row in np.column_stack([turned["a"], turned["b"]]).tolist()])


def test_groups_are_turned_and_nobody_keeps_their_own() -> None:
    masked, law = laws(GROUPS, None)
    found = np.array([sources(law, masked, seed) for seed in range(60)])
    assert (found[:, 4] == 4).all()
    assert (found[:, [3, 5]] == [5, 3]).all()
    assert {tuple(row) for row in found[:, :3].tolist()} == {(1, 2, 0), (2, 0, 1)}


def test_nothing_is_exchanged_where_all_stay() -> None:
    masked, law = laws([STAYS] * 7, None)
    assert sources(law, masked, 1).tolist() == list(range(7))
    assert law.described()["exchanged"] == 0
    assert laws(GROUPS)[1].described()["exchanged"] == 5
