from __future__ import annotations

import numpy as np
import pytest

from hushwood.arrays import Integers
from hushwood.random_streams import Streams
from hushwood.segments.partition import whole_table
from hushwood.techniques.laws.joint_normal import JointNormalLaw
from hushwood.techniques.mask_and_swap import STAYS, ExchangedNumbers
from hushwood.techniques.together.correlated_noise import added_noise
from hushwood.techniques.together.learnt_groups import LearntGroup
from oracles import exchanges as oracle
from support.normal_tables import numbers_table

RECORDS = np.array([[1, 2], [1, 2], [3, 3], [5, 1], [5, 1], [6, 9], [8, 8]], float)
GROUPS = [0, 0, 0, 1, STAYS, 1, STAYS]
NONE = np.zeros(1, int)


def law_of(members: list[int], precision: int | None = 0) -> ExchangedNumbers:
    table = numbers_table(RECORDS, precision, 20)

    def noise(names: list[str]) -> JointNormalLaw:
        learnt = LearntGroup.of(table, names, whole_table(table), "table")
        return learnt.normal_law(added_noise(0.3, learnt.numbers, learnt.cells.known), "M")

    apart = (noise(["a"]), noise(["b"]))
    return ExchangedNumbers(noise(["a", "b"]), apart, np.array(members, np.int32), table.columns)


def test_the_law_equals_the_oracle() -> None:
    """Two equal records in one group, and two of which one stays."""
    law = law_of(GROUPS)

    def masked(record: oracle.Record, released: oracle.Record) -> float:
        old, new = ({"a": np.array([r[0]]), "b": np.array([r[1]])} for r in (record, released))
        return float(np.exp(law.masked.log_prob(old, new, NONE))[0])

    def apart(column: int, x: float, y: float) -> float:
        name = "ab"[column]
        return float(
            np.exp(law.apart[column].log_prob({name: np.array([x])}, {name: np.array([y])}, NONE))[0]
        )

    groups = [None if group == STAYS else group for group in GROUPS]
    released = RECORDS + np.array([1, -1])
    new = {"a": released[:, 0], "b": released[:, 1]}
    for asked in ((1.0, 2.0), (3.0, 3.0), (5.0, 1.0), (8.0, 8.0)):
        old = {"a": np.full(7, asked[0]), "b": np.full(7, asked[1])}
        found = np.exp(law.log_prob(old, new, np.zeros(7, int)))
        wanted = [oracle.chance(asked, y, RECORDS.tolist(), groups, masked, apart) for y in released.tolist()]
        assert found == pytest.approx(wanted, rel=1e-9)


def test_the_chances_of_two_columns_add_up_to_one() -> None:
    law = law_of(GROUPS)
    x, y = (g.ravel() for g in np.meshgrid(np.arange(-20.0, 21), np.arange(-20.0, 21)))
    for a, b in ((1.0, 2.0), (5.0, 1.0), (6.0, 9.0), (8.0, 8.0)):
        old = {"a": np.full(len(x), a), "b": np.full(len(x), b)}
        assert np.exp(law.log_prob(old, {"a": x, "b": y}, np.zeros(len(x), int))).sum() == pytest.approx(1)


def test_a_record_that_the_table_does_not_have_keeps_its_numbers() -> None:
    law = law_of(GROUPS)
    old, new = {"a": np.array([2.0]), "b": np.array([7.0])}, {"a": np.array([3.0]), "b": np.array([7.0])}
    assert law.log_prob(old, new, NONE) == pytest.approx(law.masked.log_prob(old, new, NONE))


def sources(law: ExchangedNumbers, seed: int) -> Integers:
    """Whose number every record has, [record, column]."""
    streams, ids = Streams(bytes([seed] * 32)), np.zeros(7, int)
    turned = law.sample(law.columns, ids, range(7), streams)
    found = np.empty((7, 2), int)
    for j, (name, apart) in enumerate(zip("ab", law.apart, strict=True)):
        own = law.masked.sample(law.columns, ids, range(7), streams)[name]
        drawn = np.where(law.members == STAYS, own, apart.sample(law.columns, ids, range(7), streams)[name])
        found[:, j] = [drawn.tolist().index(value) for value in turned[name].tolist()]
    return found


def test_columns_are_turned_apart_and_no_record_keeps_its_own_numbers() -> None:
    law = law_of(GROUPS, None)
    found = np.array([sources(law, seed) for seed in range(60)])
    assert (found[:, 4] == 4).all()
    assert (found[:, [3, 5]] == np.array([5, 3])[:, None]).all()
    turns = {(tuple(run[:3, 0]), tuple(run[:3, 1])) for run in found.tolist() for run in [np.array(run)]}
    assert turns == {(one, two) for one in ((1, 2, 0), (2, 0, 1)) for two in ((1, 2, 0), (2, 0, 1))}


def test_nothing_is_exchanged_where_all_stay() -> None:
    law = law_of([STAYS] * 7, None)
    assert (sources(law, 1) == np.arange(7)[:, None]).all()
    assert law.described()["exchanged"] == 0
    assert law_of(GROUPS).described()["exchanged"] == 5
