"""What a release says about singling out, and an audit with a hold-out of a fifth of the records, do not contradict."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from hushwood.demo.synthetic_tables import credit_risk, customer_status
from hushwood.evaluation.case import Case
from hushwood.evaluation.controls import control_releases, pair_of
from hushwood.evaluation.evaluation import About
from hushwood.jobs.audit import audit
from hushwood.jobs.judging import AUDIT_SECRET, Audit, AuditPlan, judge
from hushwood.jobs.judging_requests import AuditRequest
from hushwood.policies.verdict import Check
from hushwood.random_streams import Streams
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.perturb import perturb
from hushwood.tables.reading import read_table
from hushwood.tables.table import Table
from support.attack_tables import people
from support.clinical import clinical
from support.mixed_tables import mixed_table
from support.verdicts import policy_of

PEOPLE = 600
LIMIT = 0.05
SEED = "5a" * 32
TABLES: dict[str, Callable[[], Table]] = {
    "people": lambda: people(1, PEOPLE),
    "mixed": lambda: mixed_table(2, PEOPLE),
    "credit": lambda: credit_risk(PEOPLE, SEED),
    "customers": lambda: customer_status(PEOPLE, SEED),
    "clinical": lambda: read_table(clinical(PEOPLE)),
}
LARGE = {
    "people": lambda: people(1, 6_000),
    "credit": lambda: credit_risk(6_000, SEED),
    "clinical": lambda: read_table(clinical(6_000)),
}


def checks(table: Table, options: PerturbOptions) -> tuple[Check, Check]:
    """The check of singling out on the way of a release, and on that of an audit, of five sixths of a table."""
    policy = policy_of(singling_out__excess=LIMIT)
    request = AuditRequest(evidence="quick", only=("singling_out",), threads=1)
    asked = AuditPlan.of(request, policy)
    size = table.rows * 5 // 6
    inside, outside = table.take(np.arange(size)), table.take(np.arange(size, table.rows))
    perturbed = perturb(inside, options, Streams(bytes(range(32))))
    controls = control_releases(inside, perturbed.options, asked.level.effort, Streams(bytes(32)))
    about = About("a table", hushwood="this", technique=options.technique)
    pair, streams = pair_of(inside, perturbed), Streams(AUDIT_SECRET)
    released = judge(Case(pair, streams, perturbed, controls=controls, about=about, source=inside), asked)
    audited = audit(inside, perturbed.table, replace(request, policy=policy, holdout=outside))
    return _check(released), _check(audited)


def _check(found: Audit) -> Check:
    assert found.verdict is not None
    return found.verdict.checks[0]


def agree(released: Check, audited: Check) -> bool:
    """Not "pass" for one and "fail" for the other; and the intervals have a number in common."""
    one, other = released.estimate, audited.estimate
    assert one is not None
    assert other is not None
    assert other.value <= 1
    return {released.status, audited.status} != {"pass", "fail"} and max(one.low, other.low) <= min(
        one.high, other.high
    )


@pytest.mark.parametrize("technique", ["segment-shuffle", "forest-framework"])
@pytest.mark.parametrize("name", TABLES)
def test_both_ways_give_the_same_answer(name: str, technique: str) -> None:
    released, audited = checks(TABLES[name](), PerturbOptions(technique, threads=1))
    assert agree(released, audited), (released, audited)


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
@pytest.mark.parametrize("k", [10, 100])
def test_both_ways_give_the_same_answer_about_more_people(name: str, k: int) -> None:
    released, audited = checks(LARGE[name](), PerturbOptions(k=k, threads=1))
    assert agree(released, audited), (released, audited)


def test_a_release_that_shows_people_fails_both_ways() -> None:
    """Blurred by two neighbours in segments of five."""
    released, audited = checks(people(1, PEOPLE), PerturbOptions(k=5, blur=2, redraw=0, threads=1))
    assert released.status == "fail"
    assert audited.status != "pass"
