from __future__ import annotations

from frontier.yardstick import ATTACKS, BY_KEY, MEASURES, measured, overall_risk

from support.frontier_people import split_people, strangers

SPLIT = split_people(250)


def test_every_measure_is_taken() -> None:
    found = measured(SPLIT.reference, strangers(SPLIT), partners=True)
    assert set(BY_KEY) <= set(found)
    assert all(value is not None for value in found.values())
    attacks = [found[f"membership_{name}"] for name in ATTACKS]
    assert found["membership_strongest"] == max(value for value in attacks if value is not None)


def test_linkage_has_no_meaning_without_partners() -> None:
    found = measured(SPLIT.reference, strangers(SPLIT), partners=False)
    assert [key for key, value in found.items() if value is None] == ["linkage", "linkage_worst"]


def test_keys_are_different_and_measures_explain_themselves() -> None:
    assert len(BY_KEY) == len(MEASURES)
    assert all(len(measure.says) > 10 for measure in MEASURES)


def test_overall_risk_is_the_worst() -> None:
    assert overall_risk({"linkage": 0.02, "class_excess": 0.05, "membership_nearest": 0.51}) == 0.05
    assert round(overall_risk({"class_excess": 0.05, "membership_unique": 0.6, "lift_share": 0.9}), 9) == 0.2
    assert overall_risk({"class_excess": -0.05, "membership_unique": 0.45}) == 0.0
