"""What a release can be asked for, as plain data for people to choose from: techniques and policies, in words."""

from __future__ import annotations

from typing import Any

from hushwood.policies.policy import Policy, built_in_names, policy_named
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.recipes import RECIPES, Recipe
from hushwood.reports.release.clearance import asked_of, limit_of, recipient_of, source_of, title_of


def choices() -> dict[str, Any]:
    """Techniques that are worth trying, the default first, and the built-in policies, the default first."""
    usual = PerturbOptions().technique
    worth = [usual, *(name for name, one in RECIPES.items() if one.tried and name != usual)]
    return {
        "techniques": [_technique(name, RECIPES[name]) | {"recommended": name == usual} for name in worth],
        "policies": [_policy(policy_named(name)) for name in built_in_names()],
    }


def _technique(name: str, recipe: Recipe) -> dict[str, Any]:
    dial = recipe.dial
    return {
        "name": name,
        "says": recipe.why.format(k="k"),
        "dial": None if dial is None else dial.setting,
        "values": [] if dial is None else [f"{value:.3g}" for value in dial.values],
    }


def _policy(policy: Policy) -> dict[str, Any]:
    return {
        "name": policy.name,
        "title": policy.title,
        "recipient": recipient_of(policy),
        "says": policy.says,
        "published": not policy.source.startswith("ours"),
        "limits": [
            {
                "asked": asked_of(limit),
                "title": title_of(limit),
                "people": limit.people,
                "limit": limit_of(limit),
                "source": source_of(limit),
            }
            for limit in policy.requirements
        ],
    }
