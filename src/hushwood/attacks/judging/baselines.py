"""What the success of an attack is compared with: a naive guesser, luck, and people who were never in the table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hushwood.arrays import Floats, Integers
from hushwood.attacks.judging.estimates import Rate, wilson
from hushwood.attacks.judging.scoring import Truth, hits, rate_of, tolerance_of
from hushwood.attacks.judging.targets import Known, Trial, draw_rows, known_rows
from hushwood.attacks.protocol import Attack, Guesses, MemberGuesses, NumberGuesses, RowGuesses
from hushwood.tables.table import Table

BLIND_REPEATS = 6

NO_CONTROL = "No people who were never in the table were given."
NO_PARTNERS = "People who were never in the table have no record in the release to be found."
CONTROL_INSIDE = "Some of the targets were never in the table, so the control group is among them."


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
