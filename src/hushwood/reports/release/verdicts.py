"""What the certificate says in a sentence or, without one, how the attacks went; policies are in `clearance`."""

from __future__ import annotations

from dataclasses import dataclass

from hushwood.evaluation.evaluation import Evaluation
from hushwood.measures.publishing import percent
from hushwood.measures.utility.rule_types import RuleTypes
from hushwood.reports.release.judgement import TONES, grade_of_attack
from hushwood.reports.words.wording import Tone

_CHECK = (
    "The released file was read back from disk, and every record was sent through {} again by code that had no part in "
    "changing it."
)
_MADE_UP = (
    "All records are made up: they were drawn from a model of the table, and none stands for one person. Nothing is "
    "promised about rules."
)
_MATCHED = (
    "The released file was read back from disk and sent through the rules of the original: {share} of the released "
    "records can be matched with an original record that takes the same path through {where}."
)
_NO_RULE = (
    "No rule was found in the original, so all {records} records are in one segment and the certificate promises "
    "nothing about rules."
)
_NOT_FOUND_AGAIN = (
    "That is the certificate: the records stayed where the rules of the original had put them. Who has only the "
    "release and looks for rules finds the same rule for {share} of the records."
)
_FOREIGN = "Nothing was promised about it here, so there is no certificate; it is judged by its values alone."


@dataclass(frozen=True, slots=True)
class Verdict:
    """A headline, and one sentence on how it was found."""

    tone: Tone
    headline: str
    check: str


def made_here(evaluation: Evaluation) -> bool:
    """Whether it is known how the release was made."""
    return bool(evaluation.release.plan)


def made_up(evaluation: Evaluation) -> bool:
    """Whether it is known that no released record stands for one person."""
    certificate = evaluation.release.certificate
    return certificate is not None and not certificate.paired


def certificate_verdict(evaluation: Evaluation) -> Verdict:
    """The certificate in words; without one, how the attacks went."""
    if not made_here(evaluation):
        return _foreign(evaluation)
    certificate = evaluation.release.certificate
    if certificate is None or not certificate.per_tree:
        return Verdict(
            "plain", "This release was made without a forest, so it promises nothing about rules.", ""
        )
    records, kept, trees = certificate.records, certificate.kept, len(certificate.per_tree)
    if evaluation.release.segments is not None and evaluation.release.segments.count == 1:
        return Verdict("care", _NO_RULE.format(records=f"{records:,}"), "")
    where = "the tree" if trees == 1 else f"all {trees} trees"
    check = _CHECK.format("the tree" if trees == 1 else "every tree")
    if not certificate.paired:
        share = f"{kept:,} of {records:,} ({percent(kept / records)})"
        return Verdict("plain", _MADE_UP, _MATCHED.format(share=share, where=where))
    if kept == records and certificate.claimed:
        held = [
            f" The rows of each {name} are together in one segment." for name in certificate.together or ()
        ]
        said = f"All {records:,} records still follow the same rules in {where}.{''.join(held)}"
        return Verdict("good", said, f"{_found_again(evaluation)}{check}")
    share = f"{kept:,} of {records:,} records ({percent(kept / records)})"
    headline = f"{share} still follow the same rules in {where}."
    if certificate.claimed:
        return Verdict("care", f"The promise is broken: only {headline}", check)
    return Verdict("plain", f"{headline} No promise was made.", check)


def attack_sentence(evaluation: Evaluation) -> str:
    """How many of the attacks learn something about people of the table; empty if none was tried."""
    grades = [grade_of_attack(answer) for answer in evaluation.tried]
    if not grades:
        return ""
    one, many = len(grades) == 1, f"the {len(grades)} attacks that were tried"
    much, undecided = grades.count("large"), grades.count("open")
    better = grades.count("small") + grades.count("clear") + much
    who = "The attack that was tried" if one else f"{better or 'None'} of {many}"
    learns = ("does not learn" if one else "learns") if not better else "learns" if better == 1 else "learn"
    more = "much more" if better and much == better else "more"
    some = f", and {much} much more" if 0 < much < better else ""
    undone = f" For {'it' if one else f'{undecided} of them'} this cannot be ruled out." if undecided else ""
    return f"{who} {learns} {more} about people of the table than guessing{some}.{undone}"


def _found_again(evaluation: Evaluation) -> str:
    """How the certificate goes with rules that are found again for a part of the records only."""
    found = evaluation.measure(RuleTypes.name)
    if found is None or found.value is None or found.value >= 1 or found.measure.says_nothing(found.details):
        return ""
    return _NOT_FOUND_AGAIN.format(share=percent(found.value)) + " "


def _foreign(evaluation: Evaluation) -> Verdict:
    known = bool(evaluation.release.about.technique)
    maker = "A release judged without its private part." if known else "A release that was not made here."
    said = attack_sentence(evaluation)
    if not said:
        return Verdict("plain", f"{maker} No attack was tried.", _FOREIGN)
    tones: set[Tone] = {TONES[grade_of_attack(answer)] for answer in evaluation.tried}
    tone: Tone = "bad" if "bad" in tones else "care" if "care" in tones else "good"
    return Verdict(tone, f"{maker} {said}", _FOREIGN)
