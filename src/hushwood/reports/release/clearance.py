"""The verdict of a policy in words, check by check: what was asked, the limit, what was found, and what to change.

The page, the summary in the terminal and the sign-off share these rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hushwood.evaluation.levels import level_named
from hushwood.measures.publishing import percent, two_digits
from hushwood.policies.advice import Tried
from hushwood.policies.policy import BELOW, INTRUDERS, Policy, Requirement
from hushwood.policies.verdict import Check, CheckStatus, Estimate, Status, Verdict
from hushwood.reports.wording import Tone, amount, points, things

SECONDARY = "secondary source"
# By what an attack looks for: the question a policy asks, and what its limit stands for.
QUESTIONS: Mapping[str, str] = {
    "row": "Can someone who knows a person find that person's record?",
    "predicate": "Does the release describe someone whom it fits alone?",
    "parts": "Can two sources about the same people be joined through the release?",
    "value": "Can a secret of a person be worked out from what is known?",
    "member": "Can someone find out who was in the table?",
    "numbers": "Can the noise be filtered out of the numbers?",
}
STATUS_TONES: Mapping[Status, Tone] = {"cleared": "good", "not cleared": "bad", "not proven": "care"}
STATUS_MARKS: Mapping[Status, str] = {"cleared": "✓", "not cleared": "✗", "not proven": "?"}
_CHECK_TONES: Mapping[CheckStatus, Tone] = {"pass": "good", "fail": "bad", "not proven": "care"}
MARKS: Mapping[CheckStatus, str] = {"pass": "✓", "fail": "✗", "not proven": "?"}
_SHORT = 24  # letters of a source that is not worth a number
_RECIPIENTS = {"public": "the public", "internal": "use inside the organisation"}


@dataclass(frozen=True, slots=True)
class CheckRow:
    """One check in words; `own` is the policy's own number where another one was given.

    `reason` says why nothing was found. `cited` is the source, or its number in the list if it is long.
    """

    asked: str
    title: str
    people: str
    limit: str
    source: str
    cited: str
    own: str
    found: str
    upper: str
    within: str
    reason: str
    status: CheckStatus
    mark: str
    tone: Tone
    advice: str
    options: tuple[str, ...]
    scenario: str


@dataclass(frozen=True, slots=True)
class Clearance:
    """A verdict in words; `counted` says how many limits are met, `accepted` who hands it out all the same."""

    status: Status
    tone: Tone
    headline: str
    policy: str
    says: str
    intruder: str
    counted: str
    confidence: str
    rows: tuple[CheckRow, ...]
    sources: tuple[str, ...]
    blocking: tuple[str, ...]
    options: tuple[str, ...]
    accepted: str = ""
    mark: str = ""
    tried: tuple[str, ...] = ()


def clearance(
    verdict: Verdict, *, public: bool = False, accepted: Mapping[str, str] | None = None
) -> Clearance:
    """The verdict, and who accepted the risk ("by", "on", "reason").

    Outsiders see neither estimates nor advice, and upper ends with two digits only.
    """
    policy = verdict.policy
    named = (source_of(check.requirement) for check in verdict.checks)
    sources = tuple(dict.fromkeys(source for source in named if len(source) > _SHORT))
    rows = tuple(_row(check, sources, public=public) for check in verdict.checks)
    return Clearance(
        verdict.status,
        "care" if accepted else STATUS_TONES[verdict.status],
        f"Accepted, though {verdict.status} for {recipient_of(policy)}" if accepted else headline(verdict),
        f"{policy.title} ({policy.recipient})",
        policy.says,
        intruder_of(policy),
        _counted(verdict),
        percent(policy.confidence),
        rows,
        sources,
        _outside(verdict.blocking) if public else verdict.blocking,
        () if public else tuple(change.option for change in verdict.changes),
        "Accepted by {by} on {on}: {reason}".format(**accepted) if accepted else "",
        "!" if accepted else STATUS_MARKS[verdict.status],
        () if public else tuple(_tried(one, verdict) for one in verdict.tried),
    )


def unblocked(names: Sequence[str], verdict: Verdict | None) -> list[str]:
    """The columns that no reason to hold the release back names already."""
    said = verdict.blocking if verdict else ()
    return [name for name in names if not any(repr(name) in text for text in said)]


def headline(verdict: Verdict) -> str:
    """The answer in a few words: "Cleared for the public"."""
    return f"{verdict.status.capitalize()} for {recipient_of(verdict.policy)}"


def recipient_of(policy: Policy) -> str:
    """Who gets the table, as part of a sentence."""
    return _RECIPIENTS.get(policy.recipient, policy.recipient)


def intruder_of(policy: Policy) -> str:
    """Who the policy takes to look for members of the table; empty if it limits nothing of the kind."""
    if not policy.intruder:
        return ""
    return f"Whoever looks for members of the table {INTRUDERS[policy.intruder]}."


def asked_of(requirement: Requirement) -> str:
    """The question that a limit stands for."""
    quantity = requirement.quantity
    if quantity.is_attack:
        return QUESTIONS[level_named("full").attack(quantity.name).goal]
    return level_named("full").measure(quantity.name).question


def title_of(requirement: Requirement) -> str:
    """The name of the attack or measure that a limit is about."""
    quantity = requirement.quantity
    level = level_named("full")
    known = level.attack(quantity.name) if quantity.is_attack else level.measure(quantity.name)
    if quantity.aspect == BELOW:
        limit = "its threshold" if quantity.threshold is None else f"{quantity.threshold:g} bits"
        return f"{known.title} below {limit}"
    whom = ", worst-off" if quantity.of_worst_off else ""
    alarms = f"{'' if whom else ', found'} at {percent(quantity.by_guessing)}" if quantity.is_share else ""
    return known.title + whom + alarms


def limit_of(requirement: Requirement) -> str:
    """The limit: "at most 5 points", and what must not be shown."""
    shown = f"at most {number_of(requirement, requirement.at_most).lstrip('+')}"
    above = requirement.not_shown_above
    if above is None:
        return shown
    if not above:
        return f"{shown}, and none shown"
    return f"{shown}, and not shown to be above {number_of(requirement, above).lstrip('+')}"


def source_of(requirement: Requirement) -> str:
    """Where the number comes from; sources that quote another one are marked."""
    quoted = requirement.secondary and requirement.overrides is None
    return f"{requirement.source} ({SECONDARY})" if quoted else requirement.source


def _row(check: Check, sources: Sequence[str], *, public: bool) -> CheckRow:
    asked, found, source = check.requirement, check.estimate, source_of(check.requirement)
    own = "" if asked.overrides is None else f"{number_of(asked, asked.overrides).lstrip('+')} in the policy"
    return CheckRow(
        asked_of(asked),
        title_of(asked),
        asked.people,
        limit_of(asked),
        source,
        _cited(source, sources),
        own,
        "" if found is None else _found(asked, found, public=public),
        "" if found is None else _upper(asked, found, public=public),
        "" if found is None or public else _within(asked, found),
        check.reason or _why_failed(check, public=public),
        check.status,
        MARKS[check.status],
        _CHECK_TONES[check.status],
        "" if public else check.advice.says,
        () if public else tuple(change.option for change in check.advice.changes),
        "" if found is None or public else found.scenario,
    )


def _cited(source: str, sources: Sequence[str]) -> str:
    """A short source itself, a long one by its number; that it quotes another one is said in any case."""
    if source not in sources:
        return source
    number = f"source {sources.index(source) + 1}"
    return f"{number} ({SECONDARY})" if source.endswith(f"({SECONDARY})") else number


def _found(asked: Requirement, found: Estimate, *, public: bool) -> str:
    """The estimate; outsiders see that of a measure only, rounded, and upper ends of all others."""
    if not public:
        return number_of(asked, found.value)
    return "" if asked.quantity.is_attack else number_of(asked, two_digits(found.value) or 0.0)


def _upper(asked: Requirement, found: Estimate, *, public: bool) -> str:
    """The upper end of the interval; a measure's number is exact."""
    if not asked.quantity.is_attack:
        return ""
    high = (two_digits(found.high) or 0.0) if public else found.high
    shown = number_of(asked, high)
    # Rounded, it would look as if the limit were met.
    same = found.high > asked.at_most and shown == number_of(asked, asked.at_most)
    return f"up to just over {shown}" if same else f"up to {shown}"


def _why_failed(check: Check, *, public: bool) -> str:
    """Why a check fails whose estimate is below the limit: an excess is shown, and the policy allows none."""
    asked, found = check.requirement, check.estimate
    above = asked.not_shown_above
    if check.status != "fail" or found is None or above is None or found.value > asked.at_most:
        return ""
    bound = "0" if not above else number_of(asked, above).lstrip("+")
    where = "" if public else f", from {_within(asked, found)},"
    shown = f"All of the interval{where} is above {bound}"
    return f"{shown}, so an excess is shown, and this policy allows none, however small."


def _within(asked: Requirement, found: Estimate) -> str:
    """Both ends of the interval; a measure's number is exact."""
    if not asked.quantity.is_attack:
        return ""
    shares = asked.quantity.is_share or not asked.quantity.aspect
    low = percent(found.low) if shares else points(found.low, unit="")
    return f"{low} to {number_of(asked, found.high)}"


def number_of(asked: Requirement, value: float) -> str:
    """A measure's number in its unit, an attack's success as a share, all else in points."""
    quantity = asked.quantity
    if quantity.is_share:
        return percent(value)
    if not quantity.is_attack:
        return amount(value, level_named("full").measure(quantity.name).unit)
    return points(value) if quantity.aspect else percent(value)


def _tried(one: Tried, verdict: Verdict) -> str:
    """What was found with a setting that was tried, and what it leaves for analysts."""
    on = f"{one.changes.settings.options} was tried on {things(one.releases, 'throw-away release')}"
    keeps = f"It keeps {percent(one.keeps)} of the way from pure noise to the untouched table"
    kept = f"this release keeps {percent(one.kept)}"
    full = "with --evidence full"
    if one.outlook == "cleared":
        more = "" if one.changes.settings == one.changes else f" {full}"
        return f"{on} and should be cleared{more}. {keeps}; {kept}."
    broken = [
        f"{title_of(asked)}: {number_of(asked, value)}, up to {number_of(asked, high)}; {limit_of(asked)} is allowed"
        for asked in (check.requirement for check in verdict.checks if check.name in one.broken)
        for value, _, high in [one.found[str(asked.quantity)]]
    ]
    expected = f"and may be cleared {full}" if one.outlook == "open" else "and would hardly be cleared"
    return " ".join((f"{on} {expected}.", *(f"{text}." for text in broken), f"{keeps}; {kept}."))


def _counted(verdict: Verdict) -> str:
    """How the checks went, in a sentence.

    A verdict of three met limits and one broken: "3 of 4 limits are met, 1 is broken."
    """
    states = [check.status for check in verdict.checks]
    met, broken, undecided = (states.count(state) for state in ("pass", "fail", "not proven"))
    if met == len(states):
        said = "The limit is met" if met == 1 else f"All {met} limits are met"
    else:
        said = f"{met} of {things(len(states), 'limit')} {'is' if met == 1 else 'are'} met"
    others = [
        f"{n} {'is' if n == 1 else 'are'} {word}"
        for n, word in ((broken, "broken"), (undecided, "not proven"))
        if n
    ]
    return ", ".join([said, *others]) + "."


def _outside(blocking: tuple[str, ...]) -> tuple[str, ...]:
    """That there are reasons to hold it back; what they advise stays inside."""
    if not blocking:
        return ()
    number = things(len(blocking), "reason", "reasons")
    return (
        f"It is held back for {number} that no limit is about, such as a column that was copied unchanged.",
    )
