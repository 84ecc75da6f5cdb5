"""The sign-off of a release as a plain page to print, sign and keep: purpose, threats, risks, limits and use.

Dates are given, never taken from a clock.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from string import ascii_uppercase

from hushwood.evaluation.answers import AttackAnswer
from hushwood.evaluation.evaluation import Evaluation
from hushwood.evaluation.levels import level_named
from hushwood.measures.publishing import percent
from hushwood.policies.verdict import Check, Verdict
from hushwood.reports.page_frame import rendered
from hushwood.reports.release.clearance import clearance, recipient_of, title_of, unblocked
from hushwood.reports.release.columns import column_rows, copied_columns, notices
from hushwood.reports.release.findings import people_words, sample_words
from hushwood.reports.release.headlines import (
    AttackRow,
    attack_row,
    miners_headlines,
    strongest_place,
    use_verdict,
)
from hushwood.reports.release.judgement import certificate_verdict
from hushwood.reports.wording import amount

_MOST_NAMED = 40
_LONG = 60  # letters of a sentence that is worth a letter of its own
_SENTENCES = re.compile(r"(?<=\.) (?=[A-Z])")
# By what an attack looks for: the criterion of Opinion 05/2014, and the kind of disclosure that policies name.
_CRITERIA = (
    ("Singling out", "identity", ("predicate",)),
    ("Linkability", "identity", ("row", "parts")),
    ("Inference", "attribute", ("value", "numbers")),
    ("Not in the Opinion", "membership", ("member",)),
)
_NOT_PROVEN_BY_THIS = (
    "The numbers are measured on this release by attacks. It is not differential privacy, a bound for any intruder.",
    "An intruder who knows more, combines this release with other tables, or tries something else may learn more.",
    "What is true of a group is revealed about everyone who is known to be in it.",
)


@dataclass(frozen=True, slots=True)
class SignOff:
    """What the evaluation does not know: dates (ISO), checksums by file, the key, the command and the purpose.

    Without a purpose there is a line to fill in by hand. `rows_are_people` says why rows that repeat are not those
    of one person. `accepted` says who accepted a risk that is left, why and when, under "by", "reason" and "on".
    """

    made_on: str
    review_on: str
    checksums: Mapping[str, str] = field(default_factory=dict)
    key_id: str = ""
    command: str = ""
    purpose: str = ""
    accepted: Mapping[str, str] | None = None
    rows_are_people: str = ""


def signoff_page(evaluation: Evaluation, verdict: Verdict, facts: SignOff) -> str:
    """The page as one HTML text that opens offline and prints on two sheets of A4."""
    groups, letters = column_groups(evaluation)
    release, kept = evaluation.release, miners_headlines(evaluation)
    return rendered(
        "signoff.html.j2",
        {
            "facts": facts,
            "accepted": dict(facts.accepted or {}),
            "about": release.about,
            "records": release.records,
            "people": evaluation.audit.people,
            "released_records": release.released_records,
            "policy": verdict.policy,
            "recipient": recipient_of(verdict.policy),
            "clearance": clearance(verdict, accepted=facts.accepted),
            "columns": groups,
            "letters": letters,
            "copied": unblocked(copied_columns(evaluation), verdict),
            "notices": notices(evaluation),
            "threats": threats(evaluation),
            "risks": risk_rows(evaluation, verdict),
            "criteria": criteria(evaluation),
            "kept": kept,
            "use": use_verdict(kept),
            "certificate": certificate_verdict(evaluation),
            "limits": known_limits(evaluation),
        },
    )


@dataclass(frozen=True, slots=True)
class ColumnGroup:
    """Columns of one role to which the same was done."""

    names: str
    role: str
    done: str


@dataclass(frozen=True, slots=True)
class Threat:
    """What an intruder knows, and the attacks that were tried with it."""

    knows: str
    attacks: str


@dataclass(frozen=True, slots=True)
class RiskRow:
    """One limit: the risk of the untouched table, the limit with its source, and the risk that is left."""

    about: str
    initial: str
    limit: str
    source: str
    residual: str
    result: str


@dataclass(frozen=True, slots=True)
class Criterion:
    """A criterion of Opinion 05/2014 and a kind of disclosure, with the attack that came furthest."""

    criterion: str
    disclosure: str
    attack: AttackRow | None


def column_groups(evaluation: Evaluation) -> tuple[list[ColumnGroup], dict[str, str]]:
    """The columns by role and what was done to them, in the order of the table; and what the letters stand for.

    A long sentence about several groups, such as what the technique does, has a letter and is said once.
    """
    groups: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
    for row in column_rows(evaluation):
        key = row.role or "ordinary", row.technique, tuple(_SENTENCES.split(row.done))
        groups.setdefault(key, []).append(row.name)
    said = Counter((way, text) for _, way, texts in groups for text in texts if len(text) > _LONG)
    letters = dict(zip((one for one, number in said.items() if number > 1), ascii_uppercase, strict=False))
    rows = []
    for (role, way, texts), names in groups.items():
        parts = [f"See {letters[way, text]}." if (way, text) in letters else text for text in texts]
        named_way = f"{way}: " if way and any((way, text) not in letters for text in texts) else ""
        rows.append(ColumnGroup(named(names), role, named_way + " ".join(parts)))
    return rows, {letter: f"{way}: {text}" if way else text for (way, text), letter in letters.items()}


def threats(evaluation: Evaluation) -> list[Threat]:
    """Every intruder once, with the names of the attacks."""
    attacks: dict[str, list[str]] = {}
    for answer in evaluation.tried:
        if answer.scenario is not None:
            attacks.setdefault(answer.scenario.says, []).append(answer.attack.title)
    return [Threat(says, ", ".join(dict.fromkeys(titles))) for says, titles in attacks.items()]


def risk_rows(evaluation: Evaluation, verdict: Verdict) -> list[RiskRow]:
    """Every limit of the policy with the risk before and after."""
    pairs = zip(verdict.checks, clearance(verdict).rows, strict=True)
    return [
        RiskRow(
            ", ".join(part for part in (title_of(check.requirement), row.people) if part),
            _initial(evaluation, check),
            f"{row.limit} ({row.own})" if row.own else row.limit,
            row.source,
            ". ".join(filter(None, (f"{row.found} ({row.within})" if row.within else row.found, row.reason))),
            f"{row.mark} {row.status}",
        )
        for check, row in pairs
    ]


def criteria(evaluation: Evaluation) -> list[Criterion]:
    """The three criteria of Opinion 05/2014 and membership, each with the attack that came furthest."""
    found = []
    for criterion, disclosure, goals in _CRITERIA:
        answers = [answer for answer in evaluation.tried if answer.attack.goal in goals]
        row = attack_row(answers[strongest_place(answers)]) if answers else None
        found.append(Criterion(criterion, disclosure, row))
    return found


def known_limits(evaluation: Evaluation) -> list[str]:
    """What was not tested, and what no number here promises."""
    audit, release = evaluation.audit, evaluation.release
    tried = {answer.name for answer in evaluation.tried}
    full = level_named("full")
    missed = [full.attack(name).title for name in full.attacks if name not in tried]
    found = [f"Not tried: {', '.join(missed)}."] if missed else []
    if release.sample is not None:
        found.append(sample_words(evaluation))
    elif audit.people is not None:
        found.append(people_words(evaluation))
    elif audit.records < release.records:
        found.append(f"Judged by a sample of {audit.records:,} of {release.records:,} records.")
    if release.coarsened:
        coarser = "; ".join(f"{one.column} ({one.says})" for one in release.coarsened)
        found.append(f"All risks are those of the coarser table. Coarsened before: {coarser}.")
    if audit.left_out:
        found.append(f"Not compared: {named([entry.column for entry in audit.left_out])}.")
    return [*found, f"Evidence: {audit.evidence}.", *_NOT_PROVEN_BY_THIS]


def named(names: Sequence[str]) -> str:
    """Names of columns; a long list is cut.

    >>> named(["age", "job"]), named([f"c{i}" for i in range(42)])[-24:]
    ('age, job', 'c37, c38, c39 and 2 more')
    """
    more = len(names) - _MOST_NAMED
    return ", ".join(names) if more <= 0 else f"{', '.join(names[:_MOST_NAMED])} and {more} more"


def _initial(evaluation: Evaluation, check: Check) -> str:
    """What the untouched table would give away by the same attack or measure, in the worst scenario."""
    answers = [a for a in evaluation.named(check.requirement.quantity.name) if a.untouched is not None]
    if not answers:
        return "not known"
    first, most = answers[0], max(answer.untouched or 0.0 for answer in answers)
    if isinstance(first, AttackAnswer):
        return f"right in {percent(most)}"
    return amount(first.untouched, first.measure.unit)
