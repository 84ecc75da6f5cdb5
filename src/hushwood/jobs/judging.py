"""A release judged: what is asked, with its names and limits checked, and what comes out.

`audit` judges releases that lie on disk or in frames, `release` those that it makes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from hushwood.arrays import Floats
from hushwood.errors import InputError, unknown_name
from hushwood.evaluation.answers import Answer
from hushwood.evaluation.case import Case
from hushwood.evaluation.evaluate import Findings, evaluate, evaluation_of
from hushwood.evaluation.evaluation import Evaluation
from hushwood.evaluation.levels import Level, check_settings, level_named
from hushwood.jobs.judging_requests import AuditRequest
from hushwood.jobs.requests import DEFAULT_POLICY
from hushwood.measures.protocol import Details
from hushwood.policies.advice import MadeHow
from hushwood.policies.policy import Limit, Policy, limit_from_text, policy_named, thresholds_in
from hushwood.policies.verdict import Verdict, broken_limits, verdict_on
from hushwood.reports.evaluated import ATTACKS, Evaluated
from hushwood.stages import Stage, silent
from hushwood.tables.recoding.taxonomies import Taxonomy, read_hierarchies

# Samples of an audit are drawn with a public key: they hide nothing, and the same audit gives the same numbers.
AUDIT_SECRET = b"hushwood audit".ljust(32, b"\0")


@dataclass(frozen=True, slots=True)
class AuditPlan:
    """A request with its texts read: measures and attacks that exist, limits, and hierarchies."""

    request: AuditRequest
    level: Level
    limits: tuple[Limit, ...]
    taxonomies: Mapping[str, Taxonomy]
    policy: Policy | None = None

    @property
    def compares(self) -> bool:
        """Whether it must be known what an intruder learns about people who were never in the table."""
        return self.policy is not None or any(limit.quantity.compares for limit in self.limits)

    @staticmethod
    def of(request: AuditRequest, policy: Policy | None = None, encoding: str = "auto") -> AuditPlan:
        """Refuse names that do not exist, and limits, policies and files that cannot be read."""
        if policy is None and (request.policy or request.limits):
            policy = policy_named(request.policy or DEFAULT_POLICY, request.limits)
        if request.made_up:
            if request.match not in {None, "none"}:
                raise InputError(
                    f"Records that were made up stand for no one, so they cannot be matched by {request.match!r}; omit "
                    "--match, or --made-up."
                )
            request = replace(request, match="none")
            policy = None if policy is None else policy.for_made_up()
        check_settings(request.settings)
        level = level_named(request.evidence)
        level = replace(level, settings={**level.settings, **request.settings})
        limits = tuple(limit_from_text(text) for text in request.fail_if)
        level = level.counting(thresholds_in(limit.quantity for limit in limits))
        if request.only:
            level = level.only([*request.only, *(limit.quantity.name for limit in limits)])
        if policy is not None:
            level = level.including(policy.measures, policy.attacks).counting(policy.thresholds)
        return AuditPlan(request, level, limits, read_hierarchies(request.hierarchies, encoding), policy)


def judge(case: Case, asked: AuditPlan, stage: Stage = silent) -> Audit:
    """Run the measures and attacks on a release, put together what they found, and compare it with limits."""
    findings = evaluate(case, asked.level, stage)
    evaluation = evaluation_of(case, asked.level, findings)
    failed = tuple(broken_limits(evaluation, asked.limits))
    if asked.policy is None:
        return Audit(evaluation, findings, failed)
    records = case.people.original.rows if case.people else evaluation.release.records
    made = MadeHow(case.perturbed.options, records, asked.request.evidence) if case.perturbed else None
    return Audit(evaluation, findings, failed, verdict_on(evaluation, asked.policy, made))


@dataclass(frozen=True, slots=True)
class Answered:
    """What one measure or attack found."""

    answer: Answer

    @property
    def value(self) -> float:
        """The measure's value, or the attack's success."""
        if self.answer.value is None:
            raise InputError(f"{self.answer.name} could not be computed: {self.answer.reason}")
        return self.answer.value

    @property
    def details(self) -> Details:
        """What stands behind the number."""
        return self.answer.details

    @property
    def entry(self) -> dict[str, Any]:
        """Its entry in the evaluation's JSON."""
        return self.answer.to_json()


@dataclass(frozen=True)
class Audit(Evaluated):
    """What an audit found; `found["sers"].value` is a measure's number, or an attack's highest success."""

    evaluation: Evaluation
    findings: Findings
    failed: tuple[str, ...] = ()
    verdict: Verdict | None = None  # by the policy, if one was asked

    @property
    def cleared(self) -> bool:
        """Whether the policy clears the release; without a policy nothing does."""
        return self.verdict is not None and self.verdict.cleared

    def __getitem__(self, name: str) -> Answered:
        answers = self.evaluation.named(name)
        if not answers:
            known = {*(m.name for m in self.evaluation.measures), *(a.name for a in self.evaluation.attacks)}
            raise unknown_name("measure or attack in this audit", name, known)
        return Answered(max(answers, key=lambda answer: -1.0 if answer.value is None else answer.value))

    @property
    def document(self) -> dict[str, Any]:
        """The evaluation as plain data."""
        return self.evaluation.to_json()

    def to_json(self) -> str:
        """The evaluation as text."""
        return json.dumps(self.document, ensure_ascii=False, allow_nan=False, indent=1)

    def to_html(self) -> str:
        """The internal report: it shows exact counts of the original table."""
        from hushwood.reports.release.page import internal_report

        return internal_report(self.evaluation, self.verdict)

    def __repr__(self) -> str:
        said = "" if self.verdict is None else f": {self.verdict.status} by {self.verdict.policy.name}"
        answers = len(self.evaluation.measures), len(self.evaluation.attacks)
        return "<Audit{}, {} measures, {} attacks>".format(said, *answers)

    def _repr_html_(self) -> str:
        from hushwood.reports.notebook import audit_card

        return audit_card(self.evaluation, self.verdict)

    @property
    def _about(self) -> str:
        return ATTACKS

    @property
    def records(self) -> Mapping[str, Floats]:
        """Numbers of single records, in the order of the original's rows: keep them where the original is kept."""
        return self.findings.records
