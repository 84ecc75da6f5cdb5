"""How much evidence to collect: which measures and attacks, with which parameters, on how many records and targets."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from hushwood import parameters as declared_settings
from hushwood.attacks.registry import ATTACKS
from hushwood.errors import InputError, unknown_name
from hushwood.evaluation.controls import Effort
from hushwood.measures.registry import MEASURES
from hushwood.parameters import Settings

_DECLARED: Mapping[str, Any] = MEASURES | ATTACKS

if TYPE_CHECKING:
    from hushwood.attacks.protocol import Attack
    from hushwood.measures.protocol import Measure


@dataclass(frozen=True, slots=True)
class Level:
    """Which measures and attacks to run, on at most `most_records` (None: all), each attack on `targets` people.

    `references` says whether the untouched table and pure noise are judged as well. `brief` measures give only their
    one number; `settings` are parameters of measures and attacks that differ from the usual ones. `excess_targets`
    people inside and outside of each throw-away release are attacked to tell what being in the table adds; `effort`
    says how many such releases there are. Without `rates`, that is all that is asked of an attack. Measures
    named `if_weighted` are added where records have survey weights.
    """

    name: str
    measures: tuple[str, ...]
    attacks: tuple[str, ...]
    targets: int = 2_000
    most_records: int | None = None
    references: bool = True
    brief: frozenset[str] = frozenset()
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, hash=False)
    excess_targets: int = 4_000
    effort: Effort = Effort(outsiders=20_000, releases=24)  # noqa: RUF009 - frozen
    rates: bool = True
    if_weighted: tuple[str, ...] = ()

    def measure(self, name: str) -> Measure:
        """A measure with the settings of this level."""
        return MEASURES[name](**self.settings.get(name, {}))

    def attack(self, name: str) -> Attack:
        """An attack with the settings of this level."""
        return ATTACKS[name](**self.settings.get(name, {}))

    def only(self, names: Sequence[str]) -> Level:
        """The same level for some measures and attacks, in the order of the registries."""
        for name in names:
            if name not in MEASURES and name not in ATTACKS:
                raise unknown_name("measure or attack", name, (*MEASURES, *ATTACKS))
        return replace(
            self,
            measures=tuple(name for name in MEASURES if name in names),
            attacks=tuple(name for name in ATTACKS if name in names),
            if_weighted=(),
        )

    def for_weights(self, weighted: bool) -> Level:
        """The level for a table with or without survey weights."""
        return self.including(self.if_weighted, ()) if weighted and self.if_weighted else self

    def counting(self, thresholds: Mapping[str, Sequence[float]]) -> Level:
        """The same level, with the records below these thresholds counted by the measures named."""
        settings = {name: dict(given) for name, given in self.settings.items()}
        for name, wanted in thresholds.items():
            own = settings.setdefault(name, {})
            own["below"] = tuple(dict.fromkeys((*own.get("below", ()), *wanted)))
        return replace(self, settings=settings)

    def including(self, measures: Sequence[str], attacks: Sequence[str]) -> Level:
        """The same level with further measures and attacks, in the order of the registries."""
        return replace(
            self,
            measures=tuple(name for name in MEASURES if name in {*self.measures, *measures}),
            attacks=tuple(name for name in ATTACKS if name in {*self.attacks, *attacks}),
        )


# Made when first asked for, by `__getattr__`: measures and attacks say themselves whether they are quick.
FULL: Level
QUICK: Level


def __getattr__(name: str) -> Level:
    if name not in {"FULL", "QUICK"}:
        raise AttributeError(name)
    globals().update(_levels())
    level: Level = globals()[name]
    return level


def _levels() -> dict[str, Level]:
    measures = {name: make() for name, make in MEASURES.items()}
    weighted = tuple(name for name, measure in measures.items() if measure.of_weights)
    usual = {name: measure for name, measure in measures.items() if name not in weighted}
    quick = {name: measure for name, measure in usual.items() if measure.quick}
    return {
        "FULL": Level("full", tuple(usual), tuple(ATTACKS), if_weighted=weighted),
        "QUICK": Level(
            "quick",
            tuple(quick),
            tuple(name for name, make in ATTACKS.items() if make().quick),
            targets=500,
            most_records=20_000,
            effort=Effort(),
            brief=frozenset(name for name, measure in quick.items() if measure.brief),
            settings={name: measure.quick_settings for name, measure in quick.items()},
            if_weighted=weighted,
        ),
    }


def level_named(name: str) -> Level:
    """The level of that name."""
    if name not in {"quick", "full"}:
        raise unknown_name("evidence", name, ("quick", "full"))
    level: Level = getattr(sys.modules[__name__], name.upper())
    return level


def settings_from_texts(texts: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The settings of every measure and attack named in texts such as "reidentification_entropy.threshold_bits=6".

    >>> settings_from_texts(["generalisation_loss.weights=age:2,town:0.5", "membership.members=0.8"])
    {'generalisation_loss': {'weights': {'age': 2.0, 'town': 0.5}}, 'membership': {'members': 0.8}}
    """
    found = declared_settings.settings_from_texts(texts, _DECLARED, "measure", "l_diversity.c=2")
    _check_attacks(found)
    return found


def check_settings(settings: Settings) -> None:
    """Refuse parameters that a measure or attack does not have, and values that it does not allow."""
    declared_settings.check_settings(settings, _DECLARED, "measure or attack")
    _check_attacks(settings)
    for name, given in settings.items():
        _DECLARED[name](**given)


def _check_attacks(settings: Settings) -> None:
    """Refuse parameters that tell the variants of an attack apart: all variants are tried in any case."""
    for name in settings.keys() & ATTACKS.keys():
        allowed = ATTACKS[name]().settings
        if not allowed:
            raise InputError(f"The attack {name!r} has no parameters to set.")
        for parameter in settings[name]:
            if parameter not in allowed:
                raise unknown_name(f"parameter of {name}", parameter, allowed)
