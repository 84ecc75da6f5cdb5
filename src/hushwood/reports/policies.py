"""The policies as lines of text: a list of all, and one explained in full with the source of every number."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hushwood.policies.policy import Policy, Requirement
from hushwood.reports.release.clearance import (
    asked_of,
    intruder_of,
    limit_of,
    recipient_of,
    source_of,
    title_of,
)
from hushwood.reports.wording import columns, things, wrapped

_OURS = re.compile(r"\bours\b")


def policy_lines(policies: Sequence[Policy]) -> list[str]:
    """The list of several policies, or one policy explained in full."""
    if len(policies) == 1:
        return explained(policies[0])
    rows = [(policy.name, policy.title, policy.recipient) for policy in policies]
    return columns(rows, ("policy", "title", "recipient"))


def explained(policy: Policy) -> list[str]:
    """Who it is for, every limit with its source, its notes, and which numbers are ours."""
    lines = wrapped(f"{policy.name}: {policy.title}. For {recipient_of(policy)}.")
    lines += wrapped(policy.says)
    lines += wrapped(f"Source: {policy.source}.")
    lines += wrapped(intruder_of(policy)) if policy.intruder else []
    lines += wrapped(
        f"A limit is met if the upper end of the {100 * policy.confidence:g} % interval is not above it."
    )
    for requirement in policy.requirements:
        lines += ["", *_limit(requirement)]
    if policy.notes:
        lines += ["", *(line for note in policy.notes for line in wrapped(f"Note: {note}"))]
    return [*lines, "", *wrapped(_whose(policy))]


def _limit(requirement: Requirement) -> list[str]:
    people = f", {requirement.people}" if requirement.people else ""
    return [
        *wrapped(f"{requirement.disclosure}: {asked_of(requirement)}"),
        *wrapped(
            f"{limit_of(requirement)} ({title_of(requirement)}{people}; {requirement.quantity})", indent=2
        ),
        *wrapped(f"Source: {source_of(requirement)}.", indent=2),
    ]


def _whose(policy: Policy) -> str:
    """How many of the numbers are ours, and how many were read in a source that quotes them."""
    ours = sum(_OURS.search(requirement.source) is not None for requirement in policy.requirements)
    quoted = sum(requirement.secondary for requirement in policy.requirements)
    total = things(len(policy.requirements), "number")
    said = f"Of {total}, {ours or 'none'} {'is' if ours == 1 else 'are'} ours"
    was, it = ("was", "it") if quoted == 1 else ("were", "them")
    return f"{said} and {quoted} {was} read in a source that quotes {it}." if quoted else f"{said}."
