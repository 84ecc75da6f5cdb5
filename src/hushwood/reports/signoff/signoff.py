"""The sign-off of a release as a plain page to print, sign and keep: purpose, threats, risks, limits and use.

Dates are given, never taken from a clock; the tables are made in `tables`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hushwood.evaluation.evaluation import Evaluation
from hushwood.policies.verdict import Verdict
from hushwood.reports.page_frame import rendered
from hushwood.reports.release.clearance import clearance, recipient_of, unblocked
from hushwood.reports.release.columns import copied_columns
from hushwood.reports.release.headlines import miners_headlines
from hushwood.reports.release.signing import notices
from hushwood.reports.release.use import use_verdict
from hushwood.reports.release.verdicts import certificate_verdict
from hushwood.reports.signoff.tables import column_groups, criteria, known_limits, risk_rows, threats


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
