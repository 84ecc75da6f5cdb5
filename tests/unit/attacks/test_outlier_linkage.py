from __future__ import annotations

import numpy as np
import pytest

import hushwood.attacks.search.outliers as module
from hushwood.attacks.outlier_linkage import OutlierLinkage, most_outlying
from hushwood.attacks.search.outliers import outlyingness
from hushwood.random_streams import Streams
from oracles.linkage import mean_distance_to_fellows
from support.attack_tables import people, untouched
from support.intruders import knowing
from support.linkage_records import plain_records
from support.mixed_tables import mixed_table, number, table_of

STREAMS = Streams(bytes(range(32)))


@pytest.mark.parametrize(("rows", "fellows"), [(40, 5000), (40, 15), (4, 5000), (30, 5)])
def test_outlyingness_equals_the_oracles(rows: int, fellows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "COMPARED", fellows)
    table = mixed_table(3, rows)
    names = [a.name for a in table.schema.inputs]
    found = outlyingness(knowing(table, names))
    plain = plain_records(table, names)
    expected = mean_distance_to_fellows(plain, min(rows, fellows), module.NEIGHBOURS)
    assert found == pytest.approx(expected, abs=1e-5)


def test_the_odd_one_out_is_picked() -> None:
    values = [float(v) for v in range(38)] + [500.0, 90.0]
    table = table_of({"x": (number("x", 0, 500), values)})
    knowledge = knowing(table, ("x",))
    assert most_outlying(knowledge, 0.05).tolist() == [38, 39]
    assert most_outlying(knowledge, 0.01).tolist() == [38]


def test_only_the_picked_are_guessed() -> None:
    pair = untouched(1, 400)
    names = ("age", "height", "balance", "city", "job")
    knowledge = knowing(pair.original, names)
    rows = OutlierLinkage().guess(knowledge, pair.released, STREAMS).rows
    guessed = rows >= 0
    assert sorted(np.flatnonzero(guessed)) == sorted(most_outlying(knowledge, 0.05))
    assert int(guessed.sum()) == 20
    assert (rows[guessed] == pair.partner[guessed]).all()


def test_who_stands_out_does_not_depend_on_the_release() -> None:
    knowledge = knowing(people(1, 200), ("age", "height", "balance"))
    one, other = (OutlierLinkage().guess(knowledge, people(seed, 150), STREAMS).rows for seed in (2, 3))
    assert np.array_equal(one >= 0, other >= 0)


def test_a_single_target_is_the_most_unusual() -> None:
    knowledge = knowing(people(1, 1), ("age",))
    assert most_outlying(knowledge, 0.05).tolist() == [0]
