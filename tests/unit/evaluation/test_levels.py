"""How much evidence is wanted."""

from __future__ import annotations

import pytest

from hushwood.attacks.registry import ATTACKS
from hushwood.errors import InputError
from hushwood.evaluation.levels import FULL, QUICK
from hushwood.measures.registry import MEASURES


def test_full_is_everything() -> None:
    assert (*FULL.measures, *FULL.if_weighted) == tuple(MEASURES)
    assert FULL.attacks == tuple(ATTACKS)


def test_quick_is_a_part() -> None:
    assert set(QUICK.measures) < set(MEASURES)
    assert set(QUICK.attacks) < set(ATTACKS)
    assert set(QUICK.settings) | QUICK.brief <= set(QUICK.measures)
    assert QUICK.measure("sers") == MEASURES["sers"](exact_up_to=10_000, targets=500)
    assert FULL.measure("sers") == MEASURES["sers"]()


def test_some_can_be_asked_for_by_name() -> None:
    level = FULL.only(["linkage", "sers", "eduds"])

    assert (level.measures, level.attacks) == (("eduds", "sers"), ("linkage",))
    with pytest.raises(InputError, match="Did you mean 'eduds'"):
        FULL.only(["edudss"])


def test_the_effort_of_the_levels() -> None:
    # The names of the module: for the tests they are levels with less effort.
    assert [QUICK.effort.number(n) for n in (40, 300, 3_000, 30_000, 10**6)] == [0, 6, 4, 1, 1]
    assert [FULL.effort.number(n) for n in (40, 300, 3_000, 30_000, 10**6)] == [0, 24, 20, 2, 2]


def test_weights_are_only_asked_about_where_there_are_some() -> None:
    for level in (QUICK, FULL):
        assert "weighted_totals" not in level.measures
        assert level.for_weights(False) is level
        assert level.for_weights(True).measures == (*level.measures, "weighted_totals")
    assert QUICK.only(["sers"]).for_weights(True).measures == ("sers",)
    assert QUICK.only(["weighted_totals"]).for_weights(False).measures == ("weighted_totals",)
