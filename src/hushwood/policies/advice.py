"""What to change so that a check passes: a setting and its new value, estimated from how the release was made.

`Tried` is what was found about such a setting on throw-away releases before it was advised.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor, sqrt
from shlex import quote
from typing import Any, Literal

from hushwood.evaluation.levels import level_named
from hushwood.policies.policy import Requirement
from hushwood.releasing.dials import Dial
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.recipes import dial_of, instead_of
from hushwood.techniques.laws.counts import BOOTSTRAP, LISTED

FULL, TECHNIQUE, EVIDENCE = "full", "technique", "evidence"
CODES = ("top_code", "bottom_code")  # done before any technique, as GROUPED is
MOST_REDRAW = 10  # beyond that, hardly anything of single columns is left in a small table
SMALLEST_STEP = 1.2  # a smaller step would drown in the uncertainty of the estimate
LEAST_EFFECT = 1.1  # what remains of a dial is not worth a step if it lowers the risk by less
OTHERWISE = (
    "Compare all techniques with hushwood tune, release more records together, or hand the table to fewer people under "
    "another --policy."
)
Outlook = Literal["cleared", "open", "not cleared"]


@dataclass(frozen=True, slots=True)
class MadeHow:
    """How a release was made, as far as advice depends on it."""

    options: PerturbOptions
    records: int
    evidence: str


@dataclass(frozen=True, slots=True)
class Change:
    """A setting to change: its name in Python, its new value, and how the command spells it."""

    setting: str
    value: Any
    option: str

    def stronger(self, other: Change) -> Change:
        """The one that protects more: dials go up, and words are kept as first said."""
        numbers = isinstance(self.value, int | float) and isinstance(other.value, int | float)
        return other if numbers and other.value > self.value else self

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"setting": self.setting, "value": self.value, "option": self.option}

    @staticmethod
    def from_json(plain: Mapping[str, Any]) -> Change:
        """What `to_json` gave."""
        return Change(plain["setting"], plain["value"], str(plain["option"]))


class Changes(tuple[Change, ...]):
    """Everything that is to be set, the most urgent first."""

    __slots__ = ()

    @classmethod
    def merged(cls, changes: Iterable[Change]) -> Changes:
        """Each setting once, with its strongest value; with another technique, without the settings of this one."""
        found: dict[str, Change] = {}
        for change in changes:
            old = found.get(change.setting)
            found[change.setting] = change if old is None else old.stronger(change)
        if TECHNIQUE in found:
            found = {
                name: found[name] for name in found if name in {TECHNIQUE, EVIDENCE, GROUPED.setting, *CODES}
            }
        return cls(found.values())

    @property
    def settings(self) -> Changes:
        """Without how much evidence is collected, which does not change the release."""
        return Changes(change for change in self if change.setting != EVIDENCE)

    @property
    def options(self) -> str:
        """How the command spells all of it."""
        return " ".join(change.option for change in self)

    @property
    def keywords(self) -> dict[str, Any]:
        """Keywords for `hushwood.release`: `hw.release(table, **verdict.changes.keywords)`."""
        found: dict[str, Any] = {}
        for change in self:
            technique, dot, parameter = change.setting.rpartition(".")
            if dot:
                found.setdefault("settings", {}).setdefault(technique, {})[parameter] = change.value
            else:
                found[change.setting] = change.value
        return found


@dataclass(frozen=True, slots=True)
class Advice:
    """Changes, and a sentence that says why."""

    changes: tuple[Change, ...] = ()
    says: str = ""


NO_ADVICE = Advice()
GROUPED = Change("rare", "group", "--rare group")
FULL_EVIDENCE = Change(EVIDENCE, FULL, f"--evidence {FULL}")


def advice_for(
    requirement: Requirement,
    found: tuple[float, float] | None,
    made: MadeHow | None,
    needed: int | None = None,
    step: float = SMALLEST_STEP,
    codes: Mapping[str, Mapping[str, str]] | None = None,
) -> Advice:
    """What would make a check pass; `found` is the estimate and its upper end, `needed` the attempts to decide it.

    A setting is changed far enough to divide the risk by `step` at least. `codes` are options with a value for each
    column that would mend what was found.
    """
    if found is None:
        return _more_evidence(made)
    value, high = found
    if made is None:
        return Advice(says="Ask whoever made the release for a stronger setting.")
    limit = requirement.at_most
    if value <= limit and made.evidence != FULL:
        narrowed = f" It takes about {needed:,} attempts to decide." if needed else ""
        return Advice(
            (FULL_EVIDENCE,),
            f"The estimate is below the limit, but its interval is not.{narrowed} More attempts narrow the interval.",
        )
    if value <= requirement.quantity.by_guessing:  # and only the interval is above the limit
        return Advice(says=f"Nothing was found, but the interval is wide. {OTHERWISE}")
    return _coded(codes or {}, made) or _turned_up(requirement, value, high, made, step)


def _coded(codes: Mapping[str, Mapping[str, str]], made: MadeHow) -> Advice | None:
    """Columns to code at their ends, added to those that are; None where that was done or there is nothing to do."""
    changes = []
    for option, limits in codes.items():
        given = getattr(made.options, option)
        if any(text.rpartition("=")[0] in limits for text in given):
            return None
        new = [f"{column}={limit}" for column, limit in limits.items()]
        said = " ".join(f"--{option.replace('_', '-')} {quote(text)}" for text in new)
        changes.append(Change(option, (*given, *new), said))
    says = "Numbers of few people stand far out, and the release gives them away; release a limit in their place."
    return Advice(tuple(changes), says) if changes else None


def _turned_up(requirement: Requirement, value: float, high: float, made: MadeHow, step: float) -> Advice:
    """The recipe's dial, turned up until the estimate and its interval should be below the limit."""
    options, records, guessing = made.options, made.records, requirement.quantity.by_guessing
    # What guessing gives as well cannot be taken away.
    value, high, limit = (number - guessing for number in (value, high, requirement.at_most))
    dial = dial_of(options.technique)
    if dial is None:
        return _other_recipe(options.technique, f"{options.technique} has no setting that protects more.")
    if dial.setting == "noise" and options.noise_apart:
        return Advice(
            says="Columns of this release have noise of their own. Give more to those that tell most, or one --noise "
            "to all; docs/techniques.md says how."
        )
    now = dial.now(options, records)
    # The estimate must make room for the interval, which is as wide as full evidence makes it; less than a tenth of
    # the limit is not worth aiming for.
    half = (high - value) * _narrowed(made)
    aim = max(limit - half, limit / 10)
    if requirement.not_shown_above is not None:
        aim = min(aim, requirement.not_shown_above + half)
    raised = dial.raised(now, value / aim if 0 < aim * step < value else step, records, options.drawn)
    # A step that is not worth trying: the dial is at its end, or as good as there.
    if raised is None or (now / raised) ** dial.falls > 1 / LEAST_EFFECT:
        if 0 < options.drawn < MOST_REDRAW:
            return _redrawn(options, value, high, aim, guessing)
        return _other_recipe(
            options.technique,
            f"{dial.named(now)} is the end of what {options.technique} can do with {records:,} records.",
        )
    changes = _set(dial, raised, options)
    less = value * (now / raised) ** dial.falls
    more = () if made.evidence == FULL else (FULL_EVIDENCE,)
    return Advice(
        (*changes, *more),
        f"With {dial.named(now)} it is {_points(value, high, guessing)}. {Changes(changes).options} was not tried; the "
        f"risk falls about with the power {dial.falls:g} of that setting, so it should be "
        f"{_points(less, less + half, guessing)} then.",
    )


def _redrawn(options: PerturbOptions, value: float, high: float, aim: float, guessing: float) -> Advice:
    """More noise in the counts, where segments cannot be larger: by the law, the risk falls with its square root."""
    before = LISTED + BOOTSTRAP + options.drawn
    wanted = ceil(before * (value / max(aim, 1e-9)) ** 2 - LISTED - BOOTSTRAP)
    redraw = min(max(wanted, floor(options.drawn) + 1), MOST_REDRAW)
    less = value * sqrt(before / (LISTED + BOOTSTRAP + redraw))
    return Advice(
        (Change("redraw", float(redraw), f"--redraw {redraw}"),),
        f"The segments cannot be larger, so draw the counts with more noise. With --redraw {options.drawn:g} it is "
        f"{_points(value, high, guessing)}; by the law of counts it should be about {100 * (less + guessing):.1f} with "
        f"--redraw {redraw}, which was not tried.",
    )


def _set(dial: Dial, value: float, options: PerturbOptions) -> tuple[Change, ...]:
    """All that is set with a dial."""
    followers = dial.followers(options, value)
    return (
        Change(dial.setting, int(value) if dial.whole else value, dial.named(value)),
        *(Change(name, number, f"--{name} {number}") for name, number in followers.items()),
    )


def _points(value: float, high: float, guessing: float) -> str:
    """An estimate with its upper end: the one that does not fall may be the one that decides."""
    digits, unit = ".1f" if 100 * value >= 1 else ".2g", "points"
    if guessing:
        value, high, digits, unit = value + guessing, high + guessing, ".1f", "%"
    return f"{100 * value:{digits}} {unit} (at most {100 * high:.1f})"


def _narrowed(made: MadeHow) -> float:
    """The width of an interval by full evidence, as a share of the one that was found."""
    if made.evidence == FULL:
        return 1.0
    quick, full = (level.effort.number(made.records) for level in map(level_named, ("quick", FULL)))
    return sqrt(quick / full) if full else 1.0


def _other_recipe(name: str, why: str) -> Advice:
    """The recipe that protects more, where there is one; else what is left to do."""
    other = instead_of(name)
    if other is None:
        return Advice(
            says=f"{why} {OTHERWISE}",
        )
    return Advice((Change(TECHNIQUE, other, f"--technique {other}"),), f"{why} {other} protects more.")


def _more_evidence(made: MadeHow | None) -> Advice:
    if made is None:
        return Advice(
            says="Give people who were never in the table with --holdout FILE, and use --evidence full."
        )
    if made.evidence == FULL:
        return Advice(says="There is no evidence about this for such a release, so it cannot be cleared.")
    better = "quick" if made.evidence == "none" else FULL
    return Advice(
        (Change(EVIDENCE, better, f"--evidence {better}"),), f"Collect evidence with --evidence {better}."
    )


def followed(options: PerturbOptions, evidence: str, changes: Sequence[Change]) -> tuple[PerturbOptions, str]:
    """The options and the evidence with the changes made: what a user who follows the advice would ask for."""
    for change in changes:
        technique, dot, parameter = change.setting.rpartition(".")
        if change.setting == EVIDENCE:
            evidence = str(change.value)
        elif change.setting == TECHNIQUE:
            # What was set for the old technique does not fit the new one; what is done before and after it does.
            options = PerturbOptions(
                technique=str(change.value),
                rare=options.rare,
                rare_below=options.rare_below,
                suppress=options.suppress,
                coarsen=options.coarsen,
                top_code=options.top_code,
                bottom_code=options.bottom_code,
                threads=options.threads,
            )
        elif dot:
            given = {**options.settings.get(technique, {}), parameter: change.value}
            options = replace(options, settings={**options.settings, technique: given})
        else:
            options = replace(options, **{change.setting: change.value})
    return options, evidence


@dataclass(frozen=True, slots=True)
class Tried:
    """A setting, what the checks found with it on `releases` throw-away releases, and what to expect of a whole one.

    `found` has the estimate and both ends of its interval by check; `broken` are those that a whole release is not
    expected to pass. It is open whether it does where their estimates are within the limits. `keeps` is what is left
    for analysts, from 0, pure noise, to 1, the untouched table; the release that the advice is about keeps `kept`.
    """

    changes: Changes
    found: Mapping[str, tuple[float, float, float]]
    broken: tuple[str, ...]
    releases: int
    keeps: float
    kept: float
    outlook: Outlook

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "change": [change.to_json() for change in self.changes],
            "found": {name: list(ends) for name, ends in self.found.items()},
            "broken": list(self.broken),
            "releases": self.releases,
            "keeps": self.keeps,
            "kept": self.kept,
            "outlook": self.outlook,
        }

    @staticmethod
    def from_json(plain: Mapping[str, Any]) -> Tried:
        """What `to_json` gave."""
        found = {}
        for name, ends in plain["found"].items():
            value, low, high = map(float, ends)
            found[str(name)] = (value, low, high)
        return Tried(
            Changes(map(Change.from_json, plain["change"])),
            found,
            tuple(map(str, plain["broken"])),
            int(plain["releases"]),
            float(plain["keeps"]),
            float(plain["kept"]),
            plain["outlook"],
        )
