"""One attack tried on one release: targets drawn, guesses made, scored and compared.

`targets` says what the intruder is given, `scoring` what is right and `estimates` what the rates mean. They are
compared with a naive guesser, luck, and people who were never in the table. Only these see the original; the attack
gets its knowledge, the release, and streams from which the draw of targets cannot be worked out.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass, replace
from statistics import fmean
from typing import Any

import numpy as np

from hushwood.arrays import Floats, Integers
from hushwood.attacks.judging.estimates import Rate, verdict, widened, wilson
from hushwood.attacks.judging.scoring import (
    Truth,
    beyond_hits,
    details_of,
    hits,
    rate_of,
    records_of,
    tolerance_of,
)
from hushwood.attacks.judging.targets import Known, Trial, draw_rows, known_rows, known_targets
from hushwood.attacks.protocol import (
    Attack,
    Attacked,
    Guesses,
    MemberGuesses,
    NotAttackable,
    NumberGuesses,
    RowGuesses,
)
from hushwood.tables.table import Table

UNPAIRED = "The release's rows are not paired with the original's, so no record has a partner to be found."
MADE_UP = "No released record stands for one person, so there is no record of a person to be found."
NOTHING_FOUND = "The attack found nothing in this release to base a guess on."
NOBODY = "No property in the release fits one record alone, so it singles out nobody."
NO_HOLDOUT = (
    "It needs people who were never in the table for comparison: give them with --holdout FILE, or use release "
    "--evidence full, which sets some aside."
)
BLIND_REPEATS = 6
NO_CONTROL = "No people who were never in the table were given."
NO_PARTNERS = "People who were never in the table have no record in the release to be found."
CONTROL_INSIDE = "Some of the targets were never in the table, so the control group is among them."


@dataclass(frozen=True, slots=True)
class _Tried:
    """What one variant of an attack guessed, and which guesses were right."""

    attack: Attack
    guesses: Guesses
    right: Floats
    rate: Rate
    naive: float
    naive_interval: tuple[float, float]
    blind: tuple[float, ...]

    @property
    def gain(self) -> float:
        """How far the interval begins above the naive guesser's rate."""
        return self.rate.interval[0] - self.naive


def run_attack(trial: Trial) -> Attacked | NotAttackable:
    """Try an attack on a release, as an intruder with this knowledge would, and judge it.

    Of several variants, the one counts whose interval begins farthest above its own naive guesser.
    """
    attack = trial.attack
    reason = _why_not(trial)
    if reason:
        return NotAttackable(attack.name, reason)
    known = known_targets(trial)
    ways = attack.plain_variants() if trial.naive_once else attack.variants()
    reasons = [(one, one.refuses(known.knowledge, trial.released)) for one in ways]
    variants = [one for one, reason in reasons if reason is None]
    if not variants:
        return NotAttackable(attack.name, str(reasons[0][1]))
    guessed = attack.all_guesses(variants, known.knowledge, trial.released, trial.streams_for("guess"))
    tried = [
        _tried(one, made, known, trial, len(variants)) for one, made in zip(variants, guessed, strict=True)
    ]
    best = max(tried, key=lambda one: (one.rate.attempts > 0, one.gain, one.rate.share))
    if best.rate.attempts == 0:
        return NotAttackable(attack.name, NOTHING_FOUND)
    refused = [{**_parameters(one), "reason": reason} for one, reason in reasons if reason is not None]
    return _judged(trial, known, tried, best, refused)


def refusal(trial: Trial) -> NotAttackable | None:
    """Why the attack cannot be tried on this release; None if it can."""
    reason = _why_not(trial)
    if reason is None:
        known = known_targets(trial)
        reasons = [one.refuses(known.knowledge, trial.released) for one in trial.attack.variants()]
        reason = None if None in reasons else reasons[0]
    return None if reason is None else NotAttackable(trial.attack.name, reason)


def _why_not(trial: Trial) -> str | None:
    """Why the attack cannot even begin, or None."""
    goal, scenario = trial.attack.goal, trial.scenario
    if goal in {"row", "numbers"} and trial.partner is None:
        return MADE_UP if trial.made_up else UNPAIRED
    if goal == "member" and (trial.holdout is None or trial.holdout.rows == 0):
        return NO_HOLDOUT
    named = (*scenario.knows, *scenario.other, *((scenario.wants,) if scenario.wants else ()))
    for name in named:
        if name not in trial.original.columns or name not in trial.released.columns:
            return f"It needs the attribute {name!r}, which is not in both tables."
    if trial.original.rows == 0 or trial.released.rows == 0 or trial.targets < 1:
        return "There are no records to attack."
    if goal in {"row", "value", "member"} and not scenario.knows:
        return "The intruder of this scenario knows nothing about the targets."
    if goal == "parts" and not (scenario.knows and scenario.other):
        return "It needs two sets of attributes, and one is empty."
    return None


def _tried(attack: Attack, guesses: Guesses, known: Known, trial: Trial, ways: int) -> _Tried:
    right = hits(guesses, known.truth)
    naive, interval = naive_rate(trial, attack, known)
    blind = blind_rates(trial, attack, guesses, known) if trial.luck else ()
    rate = widened(rate_of(right, ways), blind)
    return _Tried(attack, guesses, right, rate, max(naive, fmean(blind or (naive,))), interval, blind)


def _judged(
    trial: Trial, known: Known, tried: list[_Tried], best: _Tried, refused: list[dict[str, Any]]
) -> Attacked:
    # An attack that does worse than the naive guess of another variant gains nothing; predicates differ too much to be
    # compared in this way.
    rivals = [best] if trial.attack.goal == "predicate" else tried
    naive, best_naive = best.naive, max(one.naive for one in rivals)
    control, no_control = control_rate(trial, best.attack, best.guesses)
    details = details_of(trial.attack, trial.scenario, known.knowledge.count, best.rate, naive, control)
    details |= {
        "naive_interval": list(best.naive_interval),
        "best_naive": best_naive,
        "blind": list(best.blind),
        "no_control": no_control,
    }
    details |= beyond_hits(best.guesses, known.truth, len(tried))
    details |= {"not_tried": refused} if refused else {}
    if len(tried) > 1:
        details["strongest"] = _parameters(best.attack)
        details["variants"] = [
            {
                **_parameters(one.attack),
                "success": one.rate.share,
                **beyond_hits(one.guesses, known.truth, len(tried)),
            }
            for one in tried
        ]
    return Attacked(
        trial.attack.name,
        trial.scenario,
        best.rate.attempts,
        best.rate.share,
        naive,
        best.rate.interval,
        None if control is None else control.share,
        verdict(best.rate, best_naive, control),
        details,
        records_of(trial.attack.goal, best.guesses, best.right, known.truth),
    )


def _parameters(attack: Attack) -> dict[str, Any]:
    return {part.name: getattr(attack, part.name) for part in fields(attack)} if is_dataclass(attack) else {}


def naive_rate(trial: Trial, attack: Attack, known: Known) -> tuple[float, tuple[float, float]]:
    """The naive guesser's rate and interval; for rows and members it is known exactly.

    Targets come in keyed order, so a row named blindly is a target's with chance 1 / (records of the original), if it
    was made from one at all. Who names a share q of the targets blindly, of whom a share p are members, is right about
    pq + (1 - p)(1 - q) of them.
    """
    guessed = [
        attack.naive(known.knowledge, trial.released, trial.streams_for("naive", draw))
        for draw in range(1 if trial.naive_once else attack.naive_repeats)
    ]
    if trial.partner is not None and all(isinstance(one, RowGuesses) for one in guessed):
        rows = np.concatenate([one.rows for one in guessed if isinstance(one, RowGuesses)])
        tried = rows[rows >= 0]
        share = float(np.isin(tried, trial.partner).mean()) / trial.original.rows if len(tried) else 0.0
        return share, (share, share)
    members = known.truth.members
    if members is not None and len(members) and all(isinstance(one, MemberGuesses) for one in guessed):
        named = float(np.mean([one.member.mean() for one in guessed if isinstance(one, MemberGuesses)]))
        inside = float(members.mean())
        share = named * inside + (1 - named) * (1 - inside)
        return share, (share, share)
    rate = rate_of(np.concatenate([hits(one, known.truth) for one in guessed]))
    return rate.share, rate.interval


def blind_rates(trial: Trial, attack: Attack, guesses: Guesses, known: Known) -> tuple[float, ...]:
    """How often the attack is right where it cannot know anything: the part of its success that is luck.

    A naive guesser may do worse than an attack does without knowing anything: the guesses of an attack have a
    distribution of their own, and people who are much alike are all guessed right or all wrong together. So the attack
    is repeated with the wanted column shuffled among the released records. Attacks whose success by luck is known in
    other ways have no such rates.
    """
    knowledge, released, streams = known.knowledge, trial.released, trial.streams_for("blind")
    orders = [
        np.argsort(streams.words("blind tries", "order", draw, range(released.rows)))
        for draw in range(BLIND_REPEATS)
    ]
    if isinstance(guesses, NumberGuesses):
        blind: list[Guesses] = [
            NumberGuesses({name: values[order] for name, values in guesses.columns.items()})
            for order in orders
        ]
    elif attack.goal == "value" and knowledge.wants is not None:
        secret = released.columns[knowledge.wants]
        blind = [
            attack.guess(knowledge, released.with_columns({knowledge.wants: secret[order]}), streams)
            for order in orders
        ]
    else:
        return ()
    right = [hits(each, known.truth) for each in blind]
    return tuple(float(np.nanmean(one)) for one in right if not np.isnan(one).all())


def control_rate(trial: Trial, attack: Attack, guesses: Guesses) -> tuple[Rate | None, str | None]:
    """The same attack on people who were never in the table, or why that is not possible."""
    goal, holdout = trial.attack.goal, trial.holdout
    if goal in {"row", "numbers"}:
        return None, NO_PARTNERS
    if goal == "member":
        return None, CONTROL_INSIDE
    if holdout is None or holdout.rows == 0:
        return None, NO_CONTROL
    if goal == "predicate":
        return _predicate_control(trial, attack, guesses, holdout), None
    return rate_of(control_hits(trial, attack, holdout)[0]), None


def control_hits(trial: Trial, attack: Attack, holdout: Table) -> tuple[Floats, Integers]:
    """Which guesses about people who were never in the table are right, and their rows of the hold-out."""
    rows = draw_rows(np.arange(holdout.rows), trial.targets, trial.streams, "control")
    known = known_rows(trial, holdout, rows, None)
    others = attack.guess(known.knowledge, trial.released, trial.streams_for("control"))
    return hits(others, replace(known.truth, tolerances=_tolerances(trial))), rows


def _predicate_control(trial: Trial, attack: Attack, guesses: Guesses, holdout: Table) -> Rate:
    """The same predicates counted in the hold-out, as if it had as many people as the original."""
    right = hits(guesses, Truth(holdout, np.empty(0, np.int64)))
    same_size = holdout.rows == trial.original.rows
    factor = 1.0 if same_size else attack.control_factor(guesses, holdout, trial.original.rows)
    return wilson(min(factor * float(right.sum()), len(right)), len(right))


def _tolerances(trial: Trial) -> dict[str, float]:
    """The hold-out's numbers are judged by the original's spread."""
    wants = trial.scenario.wants
    if wants is None or trial.original.schema[wants].kind != "numeric":
        return {}
    return {wants: tolerance_of(trial.original.columns[wants])}
