"""How much evidence is wanted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hushwood.attacks.membership import Membership
from hushwood.attacks.registry import ATTACKS
from hushwood.errors import InputError
from hushwood.evaluation.levels import FULL, QUICK, check_settings, settings_from_texts
from hushwood.measures.registry import MEASURES
from hushwood.parameters import parameters_of


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


def test_values_are_read_as_the_measure_declares_them() -> None:
    found = settings_from_texts(
        [
            "reidentification_entropy.threshold_bits=6.5",
            "class_entropy.classes=sick, very sick",
            "sers.targets=50",
            "correlations.corrected=false",
            "edusc.normalise=paper",
        ]
    )

    assert found["reidentification_entropy"] == {"threshold_bits": 6.5}
    assert found["class_entropy"] == {"classes": ("sick", "very sick")}
    assert found["sers"] == {"targets": 50}
    assert found["correlations"] == {"corrected": False}
    for name, given in found.items():
        MEASURES[name](**given)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("sers", "MEASURE.PARAMETER=VALUE"),
        ("sers=3", "MEASURE.PARAMETER=VALUE"),
        ("serz.targets=3", "Did you mean 'sers'"),
        ("sers.target=3", "Did you mean 'targets'"),
        ("sers.targets=many", "'many' is not a value"),
        ("correlations.corrected=perhaps", "'perhaps' is not a value"),
        ("generalisation_loss.weights=age", "is not a value"),
        ("edusc.normalise=papr", "Did you mean 'paper'"),
        ("membership.member=0.8", "Did you mean 'members'"),
        ("membership.by=class loss", "parameter of membership"),
        ("linkage.scaling=rank", "'linkage' has no parameters to set"),
    ],
)
def test_wrong_texts_are_one_sentence(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        settings_from_texts([text])


def test_attacks_have_settings_too() -> None:
    found = settings_from_texts(["membership.members=0.8"])
    assert found == {"membership": {"members": 0.8}}
    check_settings(found)
    assert replace(FULL, settings=found).attack("membership") == Membership(members=0.8)
    assert FULL.attack("membership") == Membership()
    with pytest.raises(InputError, match="parameter of membership"):
        check_settings({"membership": {"by": "class loss"}})


def test_values_are_refused_before_anything_is_measured() -> None:
    with pytest.raises(InputError, match="members must be above 0 and below 1"):
        check_settings({"membership": {"members": 2.0}})
    with pytest.raises(InputError, match="queries must be"):
        check_settings({"count_queries": {"queries": 0}})


def test_given_settings_are_checked_by_name() -> None:
    check_settings({"sers": {"targets": 3}})
    with pytest.raises(InputError, match="'targets'"):
        check_settings({"sers": {"target": 3}})


def test_every_measure_names_its_parameters() -> None:
    assert {"targets", "exact_up_to"} <= parameters_of(MEASURES["sers"]).keys()
    assert all(isinstance(parameters_of(measure), dict) for measure in MEASURES.values())
