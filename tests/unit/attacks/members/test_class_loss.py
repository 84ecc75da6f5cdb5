from __future__ import annotations

from math import log

import numpy as np
import pytest

from hushwood.attacks.members import class_loss
from hushwood.attacks.members.class_loss import TREES, class_certainty, why_not
from hushwood.tables.table import Table
from support.intruders import knowing
from support.mixed_tables import category, number, table_of, target
from support.table_pairs import STREAMS

NAMES = ["x", "k"]


def classed(values: list[float], classes: list[int]) -> Table:
    return table_of({"x": (number("x", 0, 99), values), "k": (target("k", "abc"), classes)})


def test_by_hand() -> None:
    """Classes that follow from the number: the model is certain, and smoothed by half a tree on either side."""
    released = classed([0.0] * 20 + [50.0] * 20, [0] * 20 + [1] * 20)
    targets = classed([0.0, 0.0, 50.0, 50.0, 0.0], [0, 1, 1, 2, -1])
    found = class_certainty(knowing(targets, NAMES), released, STREAMS)
    sure, never = log((TREES + 0.5) / (TREES + 1)), log(0.5 / (TREES + 1))
    assert found[:4].tolist() == pytest.approx([sure, never, sure, never])
    assert found[4] == pytest.approx((2 * sure + 2 * never) / 4)


def test_half_and_half_is_between() -> None:
    released = classed([0.0] * 40, [0, 1] * 20)
    found = class_certainty(knowing(classed([0.0, 0.0], [0, 1]), NAMES), released, STREAMS)
    assert found.tolist() == pytest.approx([log((TREES / 2 + 0.5) / (TREES + 1))] * 2)


def test_targets_without_any_class_are_all_alike() -> None:
    released = classed([0.0] * 4, [0, 1, 0, 1])
    assert class_certainty(knowing(classed([0.0, 9.0], [-1, -1]), NAMES), released, STREAMS).tolist() == [
        0,
        0,
    ]


def test_what_cannot_be_learnt_says_why() -> None:
    table = classed([1.0, 2.0], [0, 1])
    assert why_not(knowing(table, NAMES), table) is None
    assert "no class" in str(why_not(knowing(table, ["x"]), table))
    assert "nothing else" in str(why_not(knowing(table, ["k"]), table))
    assert "fewer than two classes" in str(
        why_not(knowing(table, NAMES), classed([1.0, 2.0, 3.0], [0, 0, -1]))
    )
    plain = table_of({"x": (number("x", 0, 9), [1.0]), "c": (category("c", "a"), [0])})
    assert "no class" in str(why_not(knowing(plain, ["x", "c"]), plain))
    with pytest.raises(LookupError):
        class_loss._class_and_inputs(knowing(plain, ["x", "c"]))


def test_large_releases_are_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(class_loss, "MOST_RELEASED", 10)
    released = classed([0.0] * 40, [0, 1] * 20)
    found = class_certainty(knowing(classed([0.0, 0.0], [0, 1]), NAMES), released, STREAMS)
    chances = np.exp(found) * (TREES + 1) - 0.5
    # Ten of the records, of which some are of either class.
    assert chances.sum() == pytest.approx(TREES)
    assert all(chance / TREES * 10 == pytest.approx(round(chance / TREES * 10)) for chance in chances)
