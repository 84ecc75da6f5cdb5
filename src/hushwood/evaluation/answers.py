"""What a measure or an attack found out about a release, with what it finds out about other tables.

`evaluate` makes them, reports show them; JSON entries of the evaluation are read and written here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from hushwood.attacks.judging import estimates
from hushwood.attacks.judging.estimates import Excess, gain_over, wilson
from hushwood.attacks.protocol import Attack, Scenario
from hushwood.attacks.registry import ATTACKS
from hushwood.measures.protocol import Details, Measure, Measurement, NotComputable
from hushwood.measures.publishing import safe_count, safe_share, two_digits
from hushwood.measures.registry import MEASURES

AttackVerdict = estimates.AttackVerdict
CLASS, BY_CLASS = "class", "by_class"  # keys of the details
_WIDER = 1.5  # times the plain interval


@dataclass(frozen=True, slots=True)
class MeasureAnswer:
    """A measure's number, and those it gives for the untouched table and for pure noise; or the reason for none.

    A number of None was withheld because it counts few records. `by_class` has the number of every class or column that
    it was asked about, and `about` is the one that number and details are about; empty if the only class goes without
    saying. Of a sample of a longer table, `interval` tells where the number of the table lies, where that is known.
    """

    measure: Measure
    value: float | None = None
    untouched: float | None = None
    noise: float | None = None
    details: Details = field(default_factory=dict)
    reason: str | None = None
    about: str | None = None
    by_class: Mapping[str, float | None] = field(default_factory=dict)
    interval: tuple[float, float] | None = None

    @property
    def name(self) -> str:
        """The measure's name."""
        return self.measure.name

    def publishable(self, records: int) -> MeasureAnswer:
        """What outsiders may see of it."""
        if self.reason is not None:
            return self
        value, details = self.measure.publishable(self.value, self.details, records)
        each = {name: self.measure.rounded(number, records) for name, number in self.by_class.items()}
        untouched, noise = (self.measure.rounded(number, records) for number in (self.untouched, self.noise))
        return replace(
            self,
            value=value,
            untouched=untouched,
            noise=noise,
            details=details,
            by_class=each,
            interval=None if value is None else self._rounded_interval(records),
        )

    def _rounded_interval(self, records: int) -> tuple[float, float] | None:
        ends = [self.measure.rounded(end, records) for end in self.interval or ()]
        return (ends[0], ends[1]) if ends and ends[0] is not None and ends[1] is not None else None

    def to_json(self) -> dict[str, Any]:
        """Its entry in the evaluation."""
        measure = self.measure
        head = {"name": measure.name, "question": measure.question, "side": measure.side}
        if self.reason is not None:
            return head | {"not_computable": self.reason}
        return head | {
            "value": self.value,
            **({} if self.interval is None else {"interval": list(self.interval)}),
            "better": measure.better,
            "bounds": list(measure.bounds),
            "untouched": self.untouched,
            "noise": self.noise,
            "details": {
                **self.details,
                **({CLASS: self.about, BY_CLASS: dict(self.by_class)} if self.by_class else {}),
            },
        }

    @classmethod
    def from_json(cls, entry: Mapping[str, Any]) -> MeasureAnswer:
        """Read an entry; its measure has its usual parameters."""
        measure = MEASURES[entry["name"]]() if entry["name"] in MEASURES else _unlisted_measure(entry)
        if "not_computable" in entry:
            return cls(measure, reason=entry["not_computable"])
        details, about, by_class = taken_apart(entry["details"])
        numbers = entry["value"], entry["untouched"], entry["noise"]
        interval = (entry["interval"][0], entry["interval"][1]) if entry.get("interval") else None
        return cls(measure, *numbers, details, about=about, by_class=by_class, interval=interval)


@dataclass(frozen=True, slots=True)
class AttackAnswer:
    """How often an attack succeeded in one scenario, and what to compare that with; or why it was not tried.

    `naive` is the rate of a guesser who ignores what is known of the targets, `control` that of the same attack on
    people who were never in the table, and `excess` is what being in the table adds. A success of None was withheld
    because it counts few attempts.
    """

    attack: Attack
    scenario: Scenario | None = None
    attempts: int = 0
    success: float | None = None
    naive: float = 0.0
    control: float | None = None
    interval: tuple[float, float] | None = None
    untouched: float | None = None
    noise: float | None = None
    verdict: AttackVerdict | None = None
    details: Details = field(default_factory=dict)
    reason: str | None = None
    excess: Excess | None = None

    @property
    def name(self) -> str:
        """The attack's name."""
        return self.attack.name

    @property
    def value(self) -> float | None:
        """The rate of success."""
        return self.success

    @property
    def shown_success(self) -> float:
        """The rate of success; a withheld one is taken for the naive guesser's."""
        return self.naive if self.success is None else self.success

    @property
    def strength(self) -> tuple[float, float]:
        """How far it comes from guessing to certainty, then the rate itself: larger is a stronger attack."""
        return gain_over(self.naive, self.shown_success), self.shown_success

    def publishable(self) -> AttackAnswer:
        """What outsiders may see of it: rates in steps of five attempts, with the interval of the rounded rate."""
        if self.reason is not None:
            return self
        tries = self.attempts
        success = safe_share(self.success, tries)
        return replace(
            self,
            attempts=safe_count(tries) or 0,
            success=success,
            naive=round(float(f"{self.naive:.2g}"), 4),
            control=safe_share(self.control, tries),
            interval=None if success is None else self._interval_of(success),
            untouched=safe_share(self.untouched, tries),
            noise=safe_share(self.noise, tries),
            details={},
        )

    def _interval_of(self, success: float) -> tuple[float, float]:
        tries = self.attempts
        low, high = wilson(min(safe_count(success * tries) or 0, tries), tries).interval
        # An interval that allows for luck as well is much wider and does not reveal the exact count.
        if self.interval and self.interval[1] - self.interval[0] > _WIDER * (high - low):
            low, high = self.interval
        return two_digits(low) or 0.0, two_digits(high) or 0.0

    def to_json(self) -> dict[str, Any]:
        """Its entry in the evaluation."""
        head = {"name": self.attack.name, "question": self.attack.question}
        if self.scenario is None or self.verdict is None:
            return head | {"not_computable": self.reason}
        return head | {
            "scenario": self.scenario.name,
            "says": self.scenario.says,
            "knows": list(self.scenario.knows),
            "other": list(self.scenario.other),
            "wants": self.scenario.wants,
            "attempts": self.attempts,
            "success": self.success,
            "naive": self.naive,
            "control": self.control,
            "interval": None if self.interval is None else list(self.interval),
            "untouched": self.untouched,
            "noise": self.noise,
            "verdict": self.verdict.value,
            "details": dict(self.details),
            **({} if self.excess is None else {"excess": self.excess.to_json()}),
        }

    @classmethod
    def from_json(cls, entry: Mapping[str, Any]) -> AttackAnswer:
        """Read an entry."""
        attack = ATTACKS[entry["name"]]() if entry["name"] in ATTACKS else _unlisted_attack(entry)
        if "not_computable" in entry:
            return cls(attack, reason=entry["not_computable"])
        keys = ("attempts", "success", "naive", "control", "untouched", "noise", "details")
        knows, other = tuple(entry["knows"]), tuple(entry["other"])
        return cls(
            attack,
            Scenario(entry["scenario"], entry["says"], knows, other, entry["wants"]),
            interval=None if entry["interval"] is None else tuple(entry["interval"]),
            verdict=AttackVerdict(entry["verdict"]),
            excess=Excess.from_json(entry["excess"]) if "excess" in entry else None,
            **{key: entry[key] for key in keys},
        )


Answer = MeasureAnswer | AttackAnswer


def taken_apart(details: Details) -> tuple[dict[str, Any], str | None, dict[str, float | None]]:
    """The measure's own details, the class that they are about if there is a choice, and the number of every class."""
    own = {key: value for key, value in details.items() if key not in {CLASS, BY_CLASS}}
    return own, details.get(CLASS), dict(details.get(BY_CLASS, {}))


def worst_of(
    measure: Measure, found: Mapping[str, Measurement | NotComputable], *, declared: bool
) -> tuple[Measurement | NotComputable, str]:
    """The worst answer and the class that it is about; a reason only if no class has an answer.

    The details say which class that is, unless it is the only one that was `declared`. In a table without a class,
    measures of rules are asked about columns that trees predict from the others.
    """
    answers = {name: one for name, one in found.items() if isinstance(one, Measurement)}
    if not answers:
        name, reason = next(iter(found.items()))
        return reason, name
    pick = min if measure.better == "higher" else max
    worst = pick(answers, key=lambda name: answers[name].value)
    if len(found) == 1 and declared:
        return answers[worst], worst
    values = {name: answers[name].value if name in answers else None for name in found}
    records = {
        f"{title} ({name})" if len(found) > 1 else title: numbers
        for name, answer in answers.items()
        for title, numbers in answer.records.items()
    }
    details = {**answers[worst].details, CLASS: worst, BY_CLASS: values}
    return Measurement(answers[worst].value, details, records), worst


def _unlisted_measure(entry: Mapping[str, Any]) -> Measure:
    """A stand-in for a measure that this version does not have."""
    bounds = tuple(entry.get("bounds", (None, None)))
    facts = {
        "name": entry["name"],
        "title": entry["name"].replace("_", " ").capitalize(),
        "question": entry["question"],
        "meaning": "",
        "side": entry["side"],
        "unit": "share" if bounds == (0.0, 1.0) else "number",
        "better": entry.get("better", "higher"),
        "bounds": bounds,
    }
    measure: Measure = type("UnlistedMeasure", (Measure,), facts)()
    return measure


def _unlisted_attack(entry: Mapping[str, Any]) -> Attack:
    """A stand-in for an attack that this version does not have."""
    title = entry["name"].replace("_", " ").capitalize()
    facts = {"name": entry["name"], "title": title, "question": entry["question"]}
    attack: Attack = type("UnlistedAttack", (Attack,), facts)()
    return attack
