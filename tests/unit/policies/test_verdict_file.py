"""A verdict written and read back."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from hushwood.errors import InputError
from hushwood.policies.advice import GROUPED
from hushwood.policies.policy import policy_named
from hushwood.policies.verdict import verdict_on
from hushwood.policies.verdict_file import verdict_from_json
from hushwood.reports.release.clearance import clearance
from support.sample_verdicts import mixed_verdict


def test_it_says_the_same_in_words() -> None:
    for verdict in (mixed_verdict(), mixed_verdict("linkage<=0.001"), verdict_on(None, policy_named("wp29"))):
        plain = json.loads(json.dumps(verdict.to_json()))
        again = verdict_from_json(plain)
        assert again.to_json() == verdict.to_json()
        assert clearance(again).rows == clearance(verdict).rows
        assert (again.status, again.changes) == (verdict.status, verdict.changes)


def test_a_damaged_verdict_is_refused() -> None:
    good = mixed_verdict().to_json()
    for bad in ({}, {**good, "checks": None}, {**good, "checks": [{}]}, {**good, "confidence": "high"}):
        with pytest.raises(InputError, match="damaged"):
            verdict_from_json(bad)


def test_what_settles_a_reason_comes_back_and_older_files_lack_it() -> None:
    verdict = replace(mixed_verdict(), blocking=("Rare levels.",), settling=(GROUPED,))
    plain = json.loads(json.dumps(verdict.to_json()))
    assert verdict_from_json(plain).changes == verdict.changes
    assert verdict.changes.keywords["rare"] == "group"
    del plain["settling"]
    assert "rare" not in verdict_from_json(plain).changes.keywords
