"""No badge contradicts its sentence: over all measures and attacks, sentences say what a number means, badges judge."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from hushwood.attacks.judging.estimates import AttackVerdict, Excess
from hushwood.attacks.registry import ATTACKS
from hushwood.evaluation.answers import AttackAnswer, MeasureAnswer
from hushwood.measures.registry import MEASURES
from hushwood.reports.release.findings import measure_finding
from hushwood.reports.release.headlines import attack_row
from hushwood.reports.wording import Tone
from support.sample_entries import attacked

PRAISE = re.compile(
    r"\b(hidden|safe|safer|secure|protected|protection|anonymous|kept|well preserved)\b", re.I
)
BLAME = re.compile(
    r"\b(exposed|exposes|unsafe|insecure|lost|loss|this one is not|not (hidden|safe|secure|protected|kept))\b",
    re.I,
)
VALUES = (0.0, 0.05, 0.3, 0.5, 0.7, 0.95, 1.0, 3.0, 9.0, 12.0)
ENDS = ((0.0, 1.0), (1.0, 0.0), (0.0, 10.0), (10.0, 0.0), (None, None))
# What remarks read, from the best case to the worst.
DETAILS: tuple[dict[str, Any], ...] = (
    {},
    *(
        {
            "below_threshold": below,
            "allowed_share": 0.05,
            "threshold_bits": 3.3,
            "secure": below <= 0.05,
            "likelihood": "laws",
            "estimated": True,
            "targets": 2000,
            "interval": [1.0, 2.0],
            "partner": {"median_rank": rank, "blind_rank": 500.0},
            "records_share": below,
            "pairs_share": below,
            "pairs_by_chance": 0.1,
            "numbers": 5,
            "quantiles": {"median": below, "nine_tenths": below},
            "queries": 100,
            "shares": {"B": below},
            "area_under_curve": 0.4 + below,
            "advantage": below,
            "advantage_interval": (0.0, below),
            "true_positive_rate": below,
            "false_positive_rate": 0.0,
            "found_at_1_percent": below,
            "everyone": {"people": 1.0, "perceived": below, "true": below, "true_value": below},
            "convinced": {"people": below, "perceived": 1.0, "true": below, "true_value": None},
            "believed": 0.5,
            "secret": "income",
            "declared": False,
            "compared": 20,
            "significant": 9,
            "significant_kept": 5,
            "three_way": {"tables": 3, "total_variation": below},
            "rules": {"before": 9, "after": 9, "kept": 5},
            "support_change": below,
            "confidence_change": below,
        }
        for below, rank in ((0.0, 500.0), (0.04, 100.0), (0.5, 10.0), (1.0, 1.0))
    ),
)


def contradicts(sentence: str, tone: Tone) -> bool:
    """Whether a sentence praises what its badge does not call good, or blames what it does not call bad."""
    praises, blames = PRAISE.search(sentence), BLAME.search(sentence)
    return bool((praises and tone != "good") or (blames and tone != "bad"))


def measure_cases() -> Iterator[MeasureAnswer]:
    for make, value, (untouched, noise), details in product(MEASURES.values(), VALUES, ENDS, DETAILS):
        yield MeasureAnswer(make(), value, untouched, noise, details)


def attack_cases() -> Iterator[AttackAnswer]:
    excesses = (
        None,
        *(Excess(v, (v - 0.02, v + 0.02), "control", 1000) for v in (-0.1, 0.0, 0.03, 0.1, 0.5)),
        Excess(0.1, (-0.1, 0.3), "chance", 1000),
    )
    cases = product(ATTACKS, AttackVerdict, excesses, (0.0, 0.01, 0.5, 1.0), DETAILS)
    for name, verdict, excess, success, details in cases:
        more = {} if excess is None else {"excess": excess.to_json()}
        yield attacked(name, success, verdict=verdict.value, details=details, **more)


@pytest.mark.parametrize(
    ("sentence", "tone"),
    [
        (
            "9 % have fewer than 3 bits; a release is called secure if at most 5 % do, so this one is not.",
            "good",
        ),
        ("People are hidden.", "bad"),
        ("Its rules are kept.", "care"),
        ("Everyone is exposed.", "good"),
    ],
)
def test_a_contradiction_is_noticed(sentence: str, tone: Tone) -> None:
    assert contradicts(sentence, tone)


def test_no_measure_contradicts_its_badge() -> None:
    tones, wrong = set(), set()
    for answer in measure_cases():
        found = measure_finding(answer)
        tones.add(found.tone)
        sentence = f"{found.meaning} {found.compares}"
        if contradicts(sentence, found.tone):
            wrong.add((answer.name, found.badge, sentence))
    assert tones == {"good", "care", "bad", "plain"}
    assert sorted(wrong) == []


def test_every_marked_measure_is_seen_with_good_and_bad_news() -> None:
    seen: dict[str, set[str]] = {}
    for answer in measure_cases():
        if answer.measure.marked:
            seen.setdefault(answer.name, set()).add(measure_finding(answer).tone)

    assert all({"good", "bad"} <= tones for tones in seen.values())


def test_no_attack_contradicts_its_badge() -> None:
    badges = set()
    for answer in attack_cases():
        row = attack_row(answer)
        badges.add(row.badge)
        assert not contradicts(row.who, row.tone), row
        better = row.verdict in {AttackVerdict.BETTER, AttackVerdict.MUCH_BETTER}
        assert not (row.badge == "no risk shown" and better), row
        assert not (row.badge in {"clear risk", "large risk"} and row.verdict == AttackVerdict.NO_BETTER), row
    assert badges == {"no risk shown", "small risk", "risk not ruled out", "clear risk", "large risk"}
