"""What is tried: recipes that are worth it, each at every value of its dial.

Recipes say themselves whether they are worth trying and with which options; there is no second list here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from hushwood.errors import InputError
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.planning import plan_for
from hushwood.releasing.recipes import RECIPES, recipe_named
from hushwood.tables.table import Table


@dataclass(frozen=True, slots=True)
class Candidate:
    """A way to release the table; `family` is shared by those that differ in their dial alone, at its `value`."""

    label: str
    options: PerturbOptions
    family: str
    value: float = 0.0

    @property
    def technique(self) -> str:
        """The recipe's name."""
        return self.options.technique

    @property
    def spelt(self) -> str:
        """The options of `release` that ask for it."""
        dial, others = RECIPES[self.technique].dial, self.family.split()[1:]
        said = [
            f"--technique {self.technique}",
            *([] if dial is None else [dial.spelt(self.options, self.value)]),
        ]
        rare = [] if self.options.rare is None else [f"--rare {self.options.rare}"]
        return " ".join([*said, *(f"--{other.replace('=', ' ')}" for other in others), *rare])


def candidates_for(
    table: Table, techniques: Sequence[str] = (), usual: PerturbOptions | None = None
) -> tuple[Candidate, ...]:
    """All candidates for a table, in the order of their dials; `techniques` replaces the recipes worth trying.

    A recipe that cannot work on the table is passed over, unless it was named. `usual` are options that all share.
    """
    names = tuple(dict.fromkeys(techniques)) or tuple(name for name, one in RECIPES.items() if one.tried)
    found: list[Candidate] = []
    for name in names:
        try:
            some = list(_of_recipe(name, table.rows, usual or PerturbOptions()))
            for candidate in some:
                plan_for(candidate.options, table)
        except InputError:
            if techniques:
                raise
            continue
        found += some
    if not found:
        raise InputError("No technique can release this table; name one with --technique to see why.")
    return tuple(found)


def _of_recipe(name: str, records: int, usual: PerturbOptions) -> Iterator[Candidate]:
    recipe = recipe_named(name)
    for others in recipe.tried or ({},):
        options = replace(usual, technique=name, **others)
        said = [f"{option}={value}" for option, value in others.items()]
        family = " ".join([name, *said])
        if recipe.dial is None:
            yield Candidate(family, options, family)
            continue
        setting = recipe.dial.setting.rpartition(".")[2]
        for value in recipe.dial.values_for(records) or recipe.dial.values[:1]:
            label = " ".join([name, f"{setting}={value:.3g}" if value < 1 else f"{setting}={value:g}", *said])
            yield Candidate(label, recipe.dial.applied(options, value), family, float(value))
