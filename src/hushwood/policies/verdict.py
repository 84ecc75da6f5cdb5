"""The verdict of a policy on an evaluation: cleared, not cleared or not proven, check by check.

Every limit is compared with the upper end of the interval. An estimate above the limit fails; an estimate below it
whose interval reaches over it is not proven. A release keeps its verdict in private/verdict.json.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from statistics import NormalDist
from typing import Any, Literal

from hushwood.attacks.judging.estimates import Excess
from hushwood.attacks.judging.pooled import FURTHER
from hushwood.attacks.judging.running import MADE_UP, NOBODY
from hushwood.errors import InputError
from hushwood.evaluation.answers import AttackAnswer, MeasureAnswer
from hushwood.evaluation.evaluation import Evaluation
from hushwood.measures.posterior.uncertainty import share_below
from hushwood.measures.publishing import two_digits
from hushwood.policies.advice import NO_ADVICE, Advice, Change, Changes, MadeHow, Tried, advice_for
from hushwood.policies.policy import (
    BELOW,
    COMPARISONS,
    CONFIDENCE,
    SUCCESS,
    Limit,
    Policy,
    Quantity,
    Requirement,
    built_in_names,
    policy_named,
    quantity_from_text,
)

Status = Literal["cleared", "not cleared", "not proven"]
CheckStatus = Literal["pass", "fail", "not proven"]
_URGENT: tuple[CheckStatus, ...] = ("pass", "not proven", "fail")
NO_EVIDENCE = "No evidence was collected."
NOT_TRIED = "It was not tried."
FEWEST_COMPARED = 0.4  # people who were never in the table, as a share of those of the table
ONE_COLUMN = "It is the worst of several columns, and nothing is shown yet."
FEW_PEOPLE = "It is about few people, and nothing is shown yet."
FEW_COMPARED = (
    "Too few people who were never in the table to tell. Give more of them with --holdout, at best as many as the "
    "table has."
)
NO_CONTROL = "There are no people to compare with who were never in the table."


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its interval; a measure's is exact if it is about all records. `scenario` names the intruder.

    `unsure` says why the number alone tells little: it then fails only if its whole interval is above the limit.
    """

    value: float
    low: float
    high: float
    attempts: int = 0
    scenario: str = ""
    unsure: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """One requirement and how the release meets it; `reason` says why there is no estimate, or none is needed."""

    requirement: Requirement
    status: CheckStatus
    estimate: Estimate | None = None
    reason: str = ""
    needed: int | None = None  # attempts that would decide it, if the estimate stays the same
    advice: Advice = NO_ADVICE

    @property
    def name(self) -> str:
        """What is limited, as it is spelt in a limit."""
        return str(self.requirement.quantity)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        asked, found = self.requirement, self.estimate
        return {
            "check": self.name,
            "disclosure": asked.disclosure,
            "people": asked.people,
            "at_most": asked.at_most,
            **({} if asked.not_shown_above is None else {"not_shown_above": asked.not_shown_above}),
            **({} if asked.overrides is None else {"overrides": asked.overrides}),
            "source": asked.source,
            "secondary": asked.secondary,
            "status": self.status,
            "estimate": None if found is None else found.value,
            "interval": None if found is None else [found.low, found.high],
            "scenario": "" if found is None else found.scenario,
            "reason": self.reason,
            "change": [change.to_json() for change in self.advice.changes],
            "advice": self.advice.says,
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to "can I hand this out?"; `blocking` are reasons to hold it back that no limit is about.

    `settling` are changes that settle such reasons. `tried` are the settings that were tried on throw-away releases for
    its advice, in that order.
    """

    policy: Policy
    checks: tuple[Check, ...]
    blocking: tuple[str, ...] = ()
    tried: tuple[Tried, ...] = ()
    settling: tuple[Change, ...] = ()

    @property
    def status(self) -> Status:
        """Cleared only if every check passes and nothing blocks."""
        found = {check.status for check in self.checks}
        if self.blocking or "fail" in found:
            return "not cleared"
        return "not proven" if "not proven" in found else "cleared"

    @property
    def cleared(self) -> bool:
        """Whether the release may be handed out by this policy."""
        return self.status == "cleared"

    @property
    def changes(self) -> Changes:
        """What to change, the most urgent first."""
        urgent = sorted(self.checks, key=lambda check: -_URGENT.index(check.status))
        advised = (change for check in urgent for change in check.advice.changes)
        return Changes.merged((*self.settling, *advised))

    def publishable(self) -> dict[str, Any]:
        """What outsiders may see: every limit with its source, whether it is kept, and two digits of the upper end."""
        return {
            "policy": self.policy.name,
            "status": self.status,
            "checks": [
                {
                    "check": check.name,
                    "at_most": check.requirement.at_most,
                    "source": check.requirement.source,
                    "status": check.status,
                    "upper_end": None if check.estimate is None else two_digits(check.estimate.high),
                }
                for check in self.checks
            ],
        }

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "policy": self.policy.name,
            "title": self.policy.title,
            "recipient": self.policy.recipient,
            "confidence": self.policy.confidence,
            "status": self.status,
            "blocking": list(self.blocking),
            "checks": [check.to_json() for check in self.checks],
            "tried": [one.to_json() for one in self.tried],
            "settling": [change.to_json() for change in self.settling],
        }


def verdict_on(evaluation: Evaluation | None, policy: Policy, made: MadeHow | None = None) -> Verdict:
    """Check every requirement of the policy; `made` says how the release was made, for advice."""
    checks = tuple(_check(evaluation, requirement, policy, made) for requirement in policy.requirements)
    return Verdict(policy, checks, () if evaluation is None else tuple(_blocking(evaluation)))


def broken_limits(evaluation: Evaluation, limits: Sequence[Limit]) -> list[str]:
    """A sentence for every limit that holds and should not, or that could not be checked."""
    sentences = []
    for limit in limits:
        found, reason = _estimates(evaluation, limit.quantity)
        ends = [one.high if limit.comparison.startswith(">") else one.low for one in found]
        fails = [end for end in ends if COMPARISONS[limit.comparison](end, limit.number)]
        if not found:
            sentences.append(f"{limit} could not be checked: {reason}")
        elif fails:
            worst = (max if limit.comparison.startswith(">") else min)(fails)
            end = "the upper end of its interval" if limit.comparison.startswith(">") else "the lower end"
            known = not limit.quantity.is_attack and all(one.low == one.high for one in found)
            of = "," if known else f", {end},"
            sentences.append(f"{limit.quantity} is {worst:.4g}{of} which the limit {limit} does not allow.")
    return sentences


def _check(
    evaluation: Evaluation | None, requirement: Requirement, policy: Policy, made: MadeHow | None
) -> Check:
    if evaluation is None:
        return Check(
            requirement, "not proven", reason=NO_EVIDENCE, advice=advice_for(requirement, None, made)
        )
    found, reason = _estimates(evaluation, requirement.quantity, policy.confidence)
    if not found:
        if reason in {MADE_UP, NOBODY}:  # a fact about the release, not a lack of evidence
            return Check(requirement, "pass", reason=reason)
        return Check(requirement, "not proven", reason=reason, advice=advice_for(requirement, None, made))
    worst = max(found, key=lambda one: (_URGENT.index(_status(requirement, one)), one.high, one.value))
    status = _status(requirement, worst)
    if status == "pass":
        return Check(requirement, status, worst)
    if status == "not proven" and worst.unsure == FEW_COMPARED:
        return Check(requirement, status, worst, FEW_COMPARED, advice=Advice(says=FEW_COMPARED))
    needed = _needed(requirement, worst) if status == "not proven" else None
    value = worst.value if status == "fail" else min(worst.value, requirement.at_most)
    codes = _codes(evaluation, requirement.quantity)
    advice = advice_for(requirement, (value, worst.high), made, needed, codes=codes)
    reason = worst.unsure if status == "not proven" else ""
    return Check(requirement, status, worst, reason, needed=needed, advice=advice)


def _codes(evaluation: Evaluation, quantity: Quantity) -> Mapping[str, Mapping[str, str]]:
    """What a measure itself advises to set."""
    answer = None if quantity.is_attack else evaluation.measure(quantity.name)
    return {} if answer is None else answer.measure.advises(answer.details)


def _status(requirement: Requirement, found: Estimate) -> CheckStatus:
    above = requirement.not_shown_above
    fails = found.low if found.unsure else found.value
    if fails > requirement.at_most or (above is not None and found.low > above):
        return "fail"
    return "pass" if found.high <= requirement.at_most else "not proven"


def _needed(requirement: Requirement, found: Estimate) -> int | None:
    """The attempts after which the interval would end at the limit; its width falls with their square root."""
    room = requirement.at_most - found.value
    if room <= 0 or not found.attempts:
        return None
    return ceil(found.attempts * ((found.high - found.value) / room) ** 2)


def _estimates(
    evaluation: Evaluation, quantity: Quantity, confidence: float = CONFIDENCE
) -> tuple[list[Estimate], str]:
    """The quantity in every scenario, and the reason if there is none."""
    answers = evaluation.named(quantity.name)
    reasons = [answer.reason for answer in answers if answer.reason is not None]
    found = [_estimate(answer, quantity) for answer in answers if answer.reason is None or _tried(answer)]
    known = [_at(one, quantity, confidence) for one in found if one is not None]
    lacks = NO_CONTROL if found and quantity.compares else NOT_TRIED
    return known, reasons[0] if reasons else lacks


def _tried(answer: MeasureAnswer | AttackAnswer) -> bool:
    """Whether something was found on throw-away releases, if not on the first."""
    return isinstance(answer, AttackAnswer) and answer.excess is not None


def _estimate(answer: MeasureAnswer | AttackAnswer, quantity: Quantity) -> Estimate | None:
    if isinstance(answer, MeasureAnswer) and quantity.aspect == BELOW:
        share = share_below(answer.details, quantity.threshold)
        return None if share is None else Estimate(*share)
    if isinstance(answer, MeasureAnswer):
        value = answer.value
        return None if value is None else Estimate(value, *(answer.interval or (value, value)))
    scenario = answer.scenario.name if answer.scenario else ""
    if quantity.aspect != SUCCESS:
        excess = answer.excess
        if excess is not None and quantity.aspect in FURTHER:
            excess = excess.about(quantity.aspect)
        if excess is None:
            return None
        found = _excess_estimate(excess, scenario)
        return replace(found, unsure=found.unsure or FEW_PEOPLE) if quantity.of_worst_off else found
    if answer.success is None or answer.interval is None:
        return None
    return Estimate(answer.success, *answer.interval, answer.attempts, scenario)


def _excess_estimate(excess: Excess, scenario: str) -> Estimate:
    few = excess.over == "control" and excess.control_attempts < FEWEST_COMPARED * excess.attempts
    unsure = FEW_COMPARED if few else ONE_COLUMN if excess.by and excess.interval[0] <= 0 else ""
    by = f"{scenario}, by {excess.by!r}" if excess.by else scenario
    attempts = excess.control_attempts or excess.attempts
    return Estimate(excess.value, *excess.interval, attempts, by, unsure)


def _at(found: Estimate, quantity: Quantity, confidence: float) -> Estimate:
    """The estimate with an interval of another confidence, by the widths of a normal distribution."""
    if confidence == CONFIDENCE:
        return found
    normal = NormalDist()
    wider = normal.inv_cdf((1 + confidence) / 2) / normal.inv_cdf((1 + CONFIDENCE) / 2)
    low = found.value - wider * (found.value - found.low)
    high = found.value + wider * (found.high - found.value)
    if quantity.is_attack:
        low, high = max(low, -1.0 if quantity.compares and not quantity.is_share else 0.0), min(high, 1.0)
    return replace(found, low=low, high=high)


def _blocking(evaluation: Evaluation) -> Iterator[str]:
    """Columns that no attack is about and that can identify people by themselves."""
    for entry in evaluation.audit.left_out:
        if entry.still_identifies:
            yield f"Column {entry.column!r} identifies people and is still in the release; drop it."
    for column in evaluation.columns:
        if column.role == "ignored":
            yield (
                f"Column {column.name!r} is copied unchanged, and no attack was tried on it; perturb it, or drop it "
                "with --identifier."
            )


def verdict_from_json(plain: Mapping[str, Any]) -> Verdict:
    """What `Verdict.to_json` gave, except how many attempts would decide a check; a damaged one is refused."""
    try:
        checks = tuple(_check_from_json(entry) for entry in plain["checks"])
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
        intruder=known.intruder if known else "",
        source=known.source if known else "",
        requirements=tuple(check.requirement for check in checks),
        confidence=float(plain["confidence"]),
    )


def _check_from_json(entry: Mapping[str, Any]) -> Check:
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
