"""One attack tried on one release: targets drawn, guesses made, scored and compared.

`targets` says what the intruder is given, `scoring` what is right, `estimates` what the rates mean. Only these
see the original; the attack gets its knowledge, the release, and streams from which the draw of targets cannot be
worked out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from math import ceil
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.attacks.beyond_hits import beyond_hits
from hushwood.attacks.blind_tries import blind_rates
from hushwood.attacks.estimates import Rate, verdict, widened, wilson
from hushwood.attacks.findings import details_of, records_of
from hushwood.attacks.guesses import Floats, Guesses, RowGuesses
from hushwood.attacks.hooks import Refusing, Selective, SizeAware, Varied
from hushwood.attacks.protocol import Attack, Attacked, NotAttackable, Scenario
from hushwood.attacks.scoring import Truth, hits, tolerance_of
from hushwood.attacks.targets import Known, draw_rows, members_and_others, targets_of
from hushwood.random_streams import Streams
from hushwood.tables.table import Table

TARGETS = 2_000
# The naive guesser's rate is a yardstick: this often repeated, its own chance hardly counts.
NAIVE_REPEATS = 10

UNPAIRED = "The release's rows are not paired with the original's, so no record has a partner to be found."
NO_HOLDOUT = (
    "It asks who was in the table, and for that it needs people who were not: give them with --holdout FILE, or let "
    "release --evidence full make some."
)
NO_CONTROL = "No people who were never in the table were given."
NO_PARTNERS = "People who were never in the table have no record in the release to be found."
CONTROL_INSIDE = "Half of the targets were never in the table, so the control group is among them."


@dataclass(frozen=True, slots=True)
class _Trial:
    """One attack, one scenario and one release, with all that the scorer knows."""

    attack: Attack
    scenario: Scenario
    original: Table
    released: Table
    partner: NDArray[np.int64] | None
    holdout: Table | None
    streams: Streams
    targets: int
    method: Mapping[str, Any]
    threads: int
    luck: bool

    def streams_for(self, purpose: str, draw: int = 0) -> Streams:
        """Streams of the attack's own, from which the scorer's cannot be found."""
        return Streams(self.streams.derive(f"attack {purpose}", self.attack.name, draw))


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


def run_attack(
    attack: Attack,
    scenario: Scenario,
    original: Table,
    released: Table,
    *,
    partner: NDArray[np.int64] | None,
    streams: Streams,
    holdout: Table | None = None,
    targets: int = TARGETS,
    method: Mapping[str, Any] | None = None,
    threads: int = 1,
    luck: bool = True,
) -> Attacked | NotAttackable:
    """Try an attack on a release, as an intruder with this knowledge would, and judge it.

    `partner[i]` is the released row of original row i (-1: dropped), `holdout` people who were never in the table,
    `method` what the release says about how it was made. Of several variants that counts whose interval begins
    farthest above its own naive guesser. Without `luck` the attack is not tried blindly as well: its rate is the same,
    its interval is not to be trusted.
    """
    trial = _Trial(
        attack, scenario, original, released, partner, holdout, streams, targets, method or {}, threads, luck
    )
    reason = _why_not(trial)
    if reason:
        return NotAttackable(attack.name, reason)
    known = _known(trial)
    reason = attack.refuses(known.knowledge, released) if isinstance(attack, Refusing) else None
    if reason:
        return NotAttackable(attack.name, reason)
    variants = attack.variants() if isinstance(attack, Varied) else (attack,)
    tried = [_tried(variant, known, trial, len(variants)) for variant in variants]
    best = max(tried, key=lambda one: (one.rate.attempts > 0, one.gain, one.rate.share))
    if best.rate.attempts == 0:
        return NotAttackable(attack.name, "The attack found nothing in this release to make a guess from.")
    return _judged(trial, known, tried, best)


def _why_not(trial: _Trial) -> str | None:
    """Why the attack cannot even begin, or None."""
    goal, scenario = trial.attack.goal, trial.scenario
    if goal in {"row", "numbers"} and trial.partner is None:
        return UNPAIRED
    if goal == "member" and (trial.holdout is None or trial.holdout.rows == 0):
        return NO_HOLDOUT
    named = (*scenario.knows, *scenario.other, *((scenario.wants,) if scenario.wants else ()))
    for name in named:
        if name not in trial.original.columns or name not in trial.released.columns:
            return f"It needs the attribute {name!r}, which is not in both tables."
    if trial.original.rows == 0 or trial.released.rows == 0 or trial.targets < 1:
        return "There are no records to attack."
    if goal in {"row", "value", "member"} and not scenario.knows:
        return "The intruder of this scenario knows nothing of the targets."
    if goal == "parts" and not (scenario.knows and scenario.other):
        return "It needs two sets of attributes, and one of them is empty."
    return None


def _known(trial: _Trial) -> Known:
    """Targets of the original, and what the intruder knows of them."""
    rows = np.arange(trial.original.rows)
    if trial.attack.goal == "member" and trial.holdout is not None:
        inside = rows if trial.partner is None else rows[trial.partner >= 0]
        known = members_and_others(
            trial.original, inside, trial.holdout, trial.targets, trial.scenario, trial.streams
        )
        return _described(known, trial)
    shown = ceil(trial.targets / trial.attack.picks) if isinstance(trial.attack, Selective) else trial.targets
    drawn = draw_rows(rows, shown, trial.streams)
    return _described(_of(trial, trial.original, drawn, trial.partner), trial)


def _of(trial: _Trial, table: Table, rows: NDArray[np.int64], partner: NDArray[np.int64] | None) -> Known:
    return targets_of(table, rows, trial.scenario, trial.attack.goal, partner, trial.streams)


def _described(known: Known, trial: _Trial) -> Known:
    knowledge = replace(known.knowledge, method=trial.method, threads=trial.threads)
    return replace(known, knowledge=knowledge)


def _tried(attack: Attack, known: Known, trial: _Trial, ways: int) -> _Tried:
    guesses = attack.guess(known.knowledge, trial.released, trial.streams_for("guess"))
    right = hits(guesses, known.truth)
    naive, interval = _naive(trial, attack, known)
    blind: tuple[float, ...] = ()
    if trial.luck:
        streams = trial.streams_for("blind")
        blind = blind_rates(attack, guesses, known.knowledge, trial.released, known.truth, streams)
    rate = widened(_rate(right, ways), blind)
    return _Tried(attack, guesses, right, rate, max(naive, fmean(blind or (naive,))), interval, blind)


def _rate(right: Floats, ways: int = 1) -> Rate:
    made = right[~np.isnan(right)]
    return wilson(float(made.sum()), len(made), ways)


def _judged(trial: _Trial, known: Known, tried: list[_Tried], best: _Tried) -> Attacked:
    # Who would do better by the naive guess of another variant gains nothing; predicates differ too much for that.
    rivals = [best] if trial.attack.goal == "predicate" else tried
    naive, best_naive = best.naive, max(one.naive for one in rivals)
    control, no_control = _control(trial, best)
    details = details_of(trial.attack, trial.scenario, known.knowledge.count, best.rate, naive, control)
    details |= {
        "naive_interval": list(best.naive_interval),
        "best_naive": best_naive,
        "blind": list(best.blind),
        "no_control": no_control,
    }
    details |= beyond_hits(best.guesses, known.truth)
    if len(tried) > 1:
        details["variants"] = [
            {
                **_parameters(one.attack),
                "success": one.rate.share,
                **beyond_hits(one.guesses, known.truth),
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


def _naive(trial: _Trial, attack: Attack, known: Known) -> tuple[float, tuple[float, float]]:
    """The naive guesser's rate and interval; for rows it is known exactly.

    Targets come in keyed order, so a row named blindly is a target's with chance 1 / (records of the original),
    if it was made from one at all.
    """
    guessed = [
        attack.naive(known.knowledge, trial.released, trial.streams_for("naive", draw))
        for draw in range(NAIVE_REPEATS)
    ]
    if trial.partner is not None and all(isinstance(one, RowGuesses) for one in guessed):
        rows = np.concatenate([one.rows for one in guessed if isinstance(one, RowGuesses)])
        made = rows[rows >= 0]
        share = float(np.isin(made, trial.partner).mean()) / trial.original.rows if len(made) else 0.0
        return share, (share, share)
    rate = _rate(np.concatenate([hits(one, known.truth) for one in guessed]))
    return rate.share, rate.interval


def _control(trial: _Trial, best: _Tried) -> tuple[Rate | None, str | None]:
    """The same attack on people who were never in the table, or why there is no such thing."""
    goal, holdout = trial.attack.goal, trial.holdout
    if goal in {"row", "numbers"}:
        return None, NO_PARTNERS
    if goal == "member":
        return None, CONTROL_INSIDE
    if holdout is None or holdout.rows == 0:
        return None, NO_CONTROL
    if goal == "predicate":
        return _predicate_control(trial, best, holdout), None
    rows = draw_rows(np.arange(holdout.rows), trial.targets, trial.streams, "control")
    known = _described(_of(trial, holdout, rows, None), trial)
    truth = replace(known.truth, tolerances=_tolerances(trial))
    guesses = best.attack.guess(known.knowledge, trial.released, trial.streams_for("control"))
    return _rate(hits(guesses, truth)), None


def _predicate_control(trial: _Trial, best: _Tried, holdout: Table) -> Rate:
    """The same predicates counted among the others, as if there were as many of them as in the original."""
    right = hits(best.guesses, Truth(holdout, np.empty(0, np.int64)))
    factor = 1.0
    if isinstance(best.attack, SizeAware) and holdout.rows != trial.original.rows:
        factor = best.attack.control_factor(best.guesses, holdout, trial.original.rows)
    return wilson(min(factor * float(right.sum()), len(right)), len(right))


def _tolerances(trial: _Trial) -> dict[str, float]:
    """The others' numbers are judged by the original's spread."""
    wants = trial.scenario.wants
    if wants is None or trial.original.schema[wants].kind != "numeric":
        return {}
    return {wants: tolerance_of(trial.original.columns[wants])}
