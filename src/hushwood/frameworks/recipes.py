"""The named ways to release a table: the papers' frameworks, their controls, and every technique on its own.

To add one: a function here and a line in RECIPES. Later rooms carry the plans out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from hushwood.declared_settings import Settings, check_settings
from hushwood.errors import InputError, unknown_name
from hushwood.frameworks.plan import Plan, Step
from hushwood.tables.schema import Schema
from hushwood.techniques.capt import Capt
from hushwood.techniques.noise import NoiseParameters
from hushwood.techniques.protocol import Target, Technique
from hushwood.techniques.registry import TECHNIQUES
from hushwood.techniques.suppression_rules import check_names, parsed_rules
from hushwood.value_clusters.registry import VALUE_CLUSTERS

FOREST_TREES = 3


CORRELATED = ("gadp", "cgadp", "egadp", "shuffle", "rotation")
DEFAULT_CORRELATED = "shuffle"


@dataclass(frozen=True, slots=True)
class RecipeOptions:
    """What a user can set of the techniques in a recipe.

    `correlated` is how the extended frameworks draw numbers together, None for the recipe's own choice; `settings`
    are parameters of techniques by their names in lower case.
    """

    noise: NoiseParameters = field(default_factory=NoiseParameters)
    capt: Capt = field(default_factory=Capt)
    probability: float = 0.1
    correlated: str | None = None
    suppress: tuple[str, ...] = ()
    settings: Settings = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.correlated is not None and self.correlated not in CORRELATED:
            raise unknown_name("way to draw numbers together", self.correlated, CORRELATED)
        if self.settings:
            check_settings(self.settings, settable(), "technique")

    def technique(self, name: str, **fixed: Any) -> Technique:
        """The technique of that name (in lower case) with these options; `fixed` are a recipe's own parameters."""
        shared: Mapping[str, Mapping[str, Any]] = {
            "linfapt": {"parameters": self.noise},
            "linnapt": {"parameters": self.noise},
            **{key: {"probability": self.probability} for key in ("rc", "pram", "ipram")},
            "suppress": {"rules": self.suppress},
        }
        if name in CORRELATED:
            fixed = {"alone": self.noise} | fixed
        made: Any = self._clustered() if name == "capt" else TECHNIQUES[name.upper()]()
        given = {**shared.get(name, {}), **fixed, **self.settings.get(name, {})}
        return cast("Technique", replace(made, **given))

    def _clustered(self) -> Capt:
        """CAPT with the parameters of its clustering, if any are set."""
        given = self.settings.get(self.capt.clusters)
        parameters = VALUE_CLUSTERS[self.capt.clusters].parameters if given else None
        return self.capt if parameters is None else replace(self.capt, how=parameters(**(given or {})))


def settable() -> dict[str, Any]:
    """The techniques and clusterings whose parameters can be set, by their names."""
    techniques = {acronym.lower(): technique for acronym, technique in TECHNIQUES.items()}
    clusterings = {name: clustering.parameters for name, clustering in VALUE_CLUSTERS.items()}
    return techniques | {name: parameters for name, parameters in clusterings.items() if parameters}


Recipe = Callable[[Schema, RecipeOptions], Plan]


def make_plan(name: str, schema: Schema, options: RecipeOptions, trees: int | None = None) -> Plan:
    """The plan of a recipe for a table, with another number of trees if wished."""
    if name not in RECIPES:
        raise unknown_name("technique", name, RECIPES)
    plan = RECIPES[name](schema, options)
    check_names(parsed_rules(options.suppress), schema)
    _check_used(plan, options)
    if not plan.steps:
        raise InputError(
            f"The technique {name!r} finds no column to work on in this table; choose another one."
        )
    return plan if trees is None else plan.with_trees(trees)


def _check_used(plan: Plan, options: RecipeOptions) -> None:
    """Refuse options that say something about techniques which the recipe does not use."""
    used = {step.technique.acronym.lower() for step in plan.steps}
    if options.correlated is not None and "extended" not in plan.recipe:
        raise InputError(
            f"--correlated is for the extended frameworks; {plan.recipe} does not draw numbers together. "
            "Leave it out, or choose extended-framework."
        )
    clusters = options.capt.clusters
    if clusters != Capt().clusters and "capt" not in used:
        raise InputError(
            f"--value-clusters is for CAPT, which {plan.recipe} does not use on this table; leave it out."
        )
    for name in options.settings:
        if name not in used and not ("capt" in used and name == clusters):
            raise InputError(
                f"Parameters of {name} are set, but {plan.recipe} does not use it on this table; leave them out."
            )


def columns_for(schema: Schema, target: Target) -> tuple[str, ...]:
    """The columns of one kind that a technique may perturb."""
    if target == "any":
        return tuple(a.name for a in schema.kept)
    if target == "class":
        return (schema.class_attribute.name,) if schema.class_attribute else ()
    return tuple(a.name for a in schema.inputs if a.kind == target)


def _steps(schema: Schema, *techniques: Technique) -> tuple[Step, ...]:
    steps = (Step(t, columns_for(schema, t.perturbs)) for t in techniques)
    return tuple(step for step in steps if step.attributes)


def _forest_framework(schema: Schema, options: RecipeOptions) -> Plan:
    """Forest Framework (Fletcher and Islam, section 3)."""
    techniques = map(options.technique, ("linfapt", "linnapt", "swap", "rpt"))
    return Plan("forest-framework", "intersections", _steps(schema, *techniques), FOREST_TREES)


def _framework(schema: Schema, options: RecipeOptions) -> Plan:
    """Framework (thesis 7.1)."""
    techniques = map(options.technique, ("linfapt", "linnapt", "capt", "rpt"))
    return Plan("framework", "leaves", _steps(schema, *techniques), 1)


def _random_framework(schema: Schema, options: RecipeOptions) -> Plan:
    """Random Framework, the control (thesis 7.3); its tree only says how many classes change."""
    techniques = map(options.technique, ("rnat", "rc", "alpt"))
    return Plan("random-framework", "leaves", _steps(schema, *techniques), 1)


def _rt(schema: Schema, options: RecipeOptions) -> Plan:
    """RT of the Forest Framework paper: read as the Random Framework (errata G14)."""
    return replace(_random_framework(schema, options), recipe="rt")


def _extended_framework(schema: Schema, options: RecipeOptions) -> Plan:
    """Extended Framework (thesis 7.2): numbers drawn together inside every leaf."""
    numbers = options.technique(options.correlated or DEFAULT_CORRELATED, within="segment")
    techniques = numbers, options.technique("capt"), options.technique("rpt")
    return Plan("extended-framework", "leaves", _steps(schema, *techniques), 1)


def _forest_extended_framework(schema: Schema, options: RecipeOptions) -> Plan:
    """The Forest Framework with numbers drawn together inside every intersection (ours)."""
    numbers = options.technique(options.correlated or DEFAULT_CORRELATED, within="segment")
    techniques = numbers, options.technique("swap"), options.technique("rpt")
    return Plan("forest-extended-framework", "intersections", _steps(schema, *techniques), FOREST_TREES)


def _random_extended_framework(schema: Schema, options: RecipeOptions) -> Plan:
    """Random Extended Framework, the control (thesis 7.3): numbers drawn together over the whole table."""
    numbers = options.technique(options.correlated or "gadp")
    techniques = numbers, options.technique("rc"), options.technique("alpt")
    return Plan("random-extended-framework", "leaves", _steps(schema, *techniques), 1)


def _single(name: str) -> Recipe:
    """A recipe of one technique; all other columns are copied."""

    def recipe(schema: Schema, options: RecipeOptions) -> Plan:
        if name == "suppress" and not options.technique(name).rules:  # type: ignore[attr-defined]
            raise InputError('Say what to leave out with --suppress, such as --suppress "age >= 90".')
        return Plan(name, "leaves", _steps(schema, options.technique(name)), 1)

    return recipe


RECIPES: Mapping[str, Recipe] = {
    "forest-framework": _forest_framework,
    "framework": _framework,
    "random-framework": _random_framework,
    "rt": _rt,
    "extended-framework": _extended_framework,
    "forest-extended-framework": _forest_extended_framework,
    "random-extended-framework": _random_extended_framework,
    **{acronym.lower(): _single(acronym.lower()) for acronym in TECHNIQUES},
}
DEFAULT_RECIPE = "forest-framework"
