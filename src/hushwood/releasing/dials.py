"""The dial of a recipe: the one setting that trades what analysts keep for what an intruder learns."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hushwood.releasing.options import PerturbOptions


@dataclass(frozen=True, slots=True)
class Dial:
    """A setting whose larger values protect more: an option of `release`, or a parameter ("cart-synthesis.min_leaf").

    `values` are worth trying, in steps of about two. Risk falls about with the power `falls` of the setting; the
    power of k was measured on the tables of docs/frontier.md between k = 10 and 200, and is that of the law of
    membership while the advantage is small. The others are guesses that only begin a search. `most` is the largest
    value that has an effect, where that does not depend on the table. `follows` names a second option that is set to
    a share of the value.
    """

    setting: str
    values: tuple[float, ...]
    falls: float = 0.5
    most: float | None = None
    follows: tuple[str, float] | None = None

    @property
    def whole(self) -> bool:
        """Whether it is set in whole numbers."""
        return all(isinstance(value, int) for value in self.values)

    def now(self, options: PerturbOptions, records: int) -> float:
        """The value that a release had or would have."""
        technique, dot, parameter = self.setting.rpartition(".")
        if dot:
            given = options.settings.get(technique, {})
            if parameter in given:
                return float(given[parameter])
            from hushwood.techniques.registry import TECHNIQUES

            return float(getattr(TECHNIQUES[technique.upper()](), parameter))
        value = options.smallest_segment(records) if self.setting == "k" else getattr(options, self.setting)
        return float(value or 0)

    def highest(self, records: int, drawn: float = 0.0) -> float:
        """The largest value that makes sense: two groups must remain, of different people where people are drawn."""
        if drawn:
            from hushwood.techniques.laws.counts import DIFFERENT

            return max(DIFFERENT * records // 2, 1)
        return self.most if self.most is not None else max(records // 2, 1)

    def values_for(self, records: int) -> tuple[float, ...]:
        """The values worth trying on a table of this size."""
        return tuple(value for value in self.values if value <= self.highest(records))

    def raised(self, now: float, times: float, records: int, drawn: float = 0.0) -> float | None:
        """The value at which the risk is about one part in `times` of what it is now; None if there is none higher."""
        high = self.highest(records, drawn)
        if now >= high:
            return None
        wanted = min(now * max(times, 1.0) ** (1 / self.falls), high)
        if not self.whole:
            return float(f"{wanted:.2g}") if wanted < high else high
        step = 5 if wanted < 100 else 10 if wanted < 500 else 50
        return float(min(max(ceil(wanted / step) * step, now + 1), high))

    def spelt(self, options: PerturbOptions, value: float) -> str:
        """How the command says it, with what follows."""
        others = self.followers(options, value)
        return " ".join([self.named(value), *(f"--{name} {n}" for name, n in others.items())])

    def named(self, value: float) -> str:
        """How the command says the setting alone."""
        said = f"{int(value)}" if self.whole else f"{value:g}"
        return f"--set {self.setting}={said}" if "." in self.setting else f"--{self.setting} {said}"

    def followers(self, options: PerturbOptions, value: float) -> dict[str, int]:
        """What else is set with the dial; a blur is never less than the usual one, and follows the table if drawn."""
        if self.follows is None or options.drawn:
            return {}
        name, share = self.follows
        return {name: max(int(share * value), 5)}

    def applied(self, options: PerturbOptions, value: float) -> PerturbOptions:
        """The options with the dial at a value."""
        number: Any = int(value) if self.whole else value
        technique, dot, parameter = self.setting.rpartition(".")
        if not dot:
            changes: dict[str, Any] = {self.setting: number, **self.followers(options, value)}
            return replace(options, **changes)
        given = {**options.settings, technique: {**options.settings.get(technique, {}), parameter: number}}
        return replace(options, settings=given)
