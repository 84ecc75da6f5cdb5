"""A verdict as a release keeps it in private/verdict.json, read back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hushwood.errors import InputError
from hushwood.policies.advice import Advice, Change
from hushwood.policies.limits import quantity_from_text
from hushwood.policies.policy import Policy, Requirement, built_in_names, policy_named
from hushwood.policies.tried import Tried
from hushwood.policies.verdict import Check, Estimate, Verdict


def verdict_from_json(plain: Mapping[str, Any]) -> Verdict:
    """What `Verdict.to_json` gave, except how many attempts would decide a check; a damaged one is refused."""
    try:
        checks = tuple(_check(entry) for entry in plain["checks"])
        tried = tuple(map(Tried.from_json, plain.get("tried", ())))
        settling = tuple(map(Change.from_json, plain.get("settling", ())))
        blocking = tuple(map(str, plain["blocking"]))
        return Verdict(_policy(plain, checks), checks, blocking, tried, settling)
    except InputError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as fault:
        raise InputError("The verdict of the release is damaged; make the release again.") from fault


def _policy(plain: Mapping[str, Any], checks: tuple[Check, ...]) -> Policy:
    """The policy with the limits that were used; what only its file says is known of a built-in one."""
    name = str(plain["policy"])
    known = policy_named(name) if name in built_in_names() else None
    policy = Policy(name, str(plain["title"]), str(plain["recipient"]), "", "", ())
    return replace(
        policy,
        says=known.says if known else "",
        source=known.source if known else "",
        requirements=tuple(check.requirement for check in checks),
        confidence=float(plain["confidence"]),
    )


def _check(entry: Mapping[str, Any]) -> Check:
    asked = Requirement(
        entry["disclosure"],
        quantity_from_text(entry["check"]),
        float(entry["at_most"]),
        str(entry["source"]),
        str(entry["people"]),
        entry.get("not_shown_above"),
        bool(entry["secondary"]),
        entry.get("overrides"),
    )
    found = None
    if entry["estimate"] is not None:
        low, high = map(float, entry["interval"])
        found = Estimate(float(entry["estimate"]), low, high, scenario=str(entry["scenario"]))
    changes = tuple(map(Change.from_json, entry["change"]))
    return Check(
        asked,
        entry["status"],
        found,
        str(entry["reason"]),
        advice=Advice(changes, str(entry["advice"])),
    )
