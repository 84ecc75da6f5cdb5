"""The one sentence that comes first: what the certificate says, or, for a release of somebody else, the attacks.

Single numbers are put into words by `wording`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hushwood.reports.attack_views import attempted
from hushwood.reports.judgement import tone_of_attack
from hushwood.reports.wording import Tone, percent

_CHECK = (
    "The released file was read back from disk, and every record was sent through every tree again "
    "by code that had no part in changing it."
)
_FOREIGN = "Nothing was promised about it here, so there is no certificate; it is judged by its values alone."


@dataclass(frozen=True, slots=True)
class Verdict:
    """A headline, and one sentence on how it was found."""

    tone: Tone
    headline: str
    check: str


def made_here(document: Mapping[str, Any]) -> bool:
    """Whether it is known how the release was made."""
    return bool(document["release"]["plan"])


def verdict(document: Mapping[str, Any]) -> Verdict:
    """The certificate in words; without one, how the attacks went."""
    if not made_here(document):
        return _of_somebody_else(document)
    certificate = document["release"]["certificate"]
    if certificate is None or not certificate["per_tree"]:
        return Verdict(
            "plain", "This release was made without a forest, so it promises nothing about rules.", ""
        )
    records, kept, trees = certificate["records"], certificate["kept"], len(certificate["per_tree"])
    where = "the tree" if trees == 1 else f"all {trees} trees"
    if kept == records and certificate["claimed"]:
        return Verdict("good", f"All {records:,} records still follow the same rules in {where}.", _CHECK)
    share = f"{kept:,} of {records:,} records ({percent(kept / records)})"
    headline = f"{share} still follow the same rules in {where}."
    if certificate["claimed"]:
        return Verdict("care", f"The promise is broken: only {headline}", _CHECK)
    return Verdict("plain", f"{headline} No promise was made.", _CHECK)


def attack_sentence(document: Mapping[str, Any]) -> str:
    """How many of the attacks did better than guessing; empty if none was tried."""
    tones = [tone_of_attack(entry) for entry in attempted(document)]
    if not tones:
        return ""
    better, much = sum(tone in {"care", "bad"} for tone in tones), tones.count("bad")
    many = f"the {len(tones)} attacks that were tried"
    if not better:
        who = "The attack that was tried does not learn" if len(tones) == 1 else f"None of {many} learns"
        return f"{who} more about people in the table than guessing."
    who = "The attack that was tried" if len(tones) == 1 else f"{better} of {many}"
    learns = "learns" if better == 1 else "learn"
    more = "much more" if much == better else "more"
    some = f", {much} of them much more" if 0 < much < better else ""
    return f"{who} {learns} {more} than guessing{some}."


def _of_somebody_else(document: Mapping[str, Any]) -> Verdict:
    known = "technique" in document["release"]["about"]
    maker = "A release judged without its private part." if known else "A release made by somebody else."
    said = attack_sentence(document)
    if not said:
        return Verdict("plain", f"{maker} No attack was tried.", _FOREIGN)
    tones = {tone_of_attack(entry) for entry in attempted(document)}
    tone: Tone = "bad" if "bad" in tones else "care" if "care" in tones else "good"
    return Verdict(tone, f"{maker} {said}", _FOREIGN)
