"""What can be chosen for a release."""

from __future__ import annotations

from hushwood.jobs.choices import choices
from hushwood.policies.policy import built_in_names
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.recipes import RECIPES


def test_the_recommended_come_first_and_all_are_explained() -> None:
    found = choices()
    techniques, policies = found["techniques"], found["policies"]

    assert [one["name"] for one in techniques if one["recommended"]] == [PerturbOptions().technique]
    assert techniques[0]["recommended"]
    assert {one["name"] for one in techniques} == {name for name, recipe in RECIPES.items() if recipe.tried}
    assert all(one["says"].endswith(".") and "{" not in one["says"] for one in techniques)
    assert [one["name"] for one in policies] == list(built_in_names())
    assert all(one["limits"] and one["says"] for one in policies)
    assert {one["name"] for one in policies if not one["published"]} >= {"public", "internal"}
