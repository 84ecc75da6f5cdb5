"""The named ways to release a table: the papers' frameworks, their controls, and every technique on its own.

To add one: a function here and a line in RECIPES. Later rooms carry the plans out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from hushwood.errors import InputError, unknown_name
from hushwood.frameworks.plan import Plan, Step
from hushwood.tables.schema import Schema
from hushwood.techniques.alpt import Alpt
from hushwood.techniques.capt import Capt
from hushwood.techniques.linfapt import Linfapt
from hushwood.techniques.linnapt import Linnapt
from hushwood.techniques.noise import NoiseParameters
from hushwood.techniques.protocol import Target, Technique
from hushwood.techniques.random_categorical import RandomCategorical
from hushwood.techniques.registry import TECHNIQUES
from hushwood.techniques.rnat import Rnat
from hushwood.techniques.rpt import Rpt
from hushwood.techniques.swap import Swap

FOREST_TREES = 3


@dataclass(frozen=True, slots=True)
class RecipeOptions:
    """What a user can set of the techniques in a recipe."""

    noise: NoiseParameters = field(default_factory=NoiseParameters)
    capt: Capt = field(default_factory=Capt)
    probability: float = 0.1


Recipe = Callable[[Schema, RecipeOptions], Plan]


def make_plan(name: str, schema: Schema, options: RecipeOptions, trees: int | None = None) -> Plan:
    """The plan of a recipe for a table, with another number of trees if wished."""
    if name not in RECIPES:
        raise unknown_name("technique", name, RECIPES)
    plan = RECIPES[name](schema, options)
    if not plan.steps:
        raise InputError(
            f"The technique {name!r} finds no column to work on in this table; choose another one."
        )
    return plan if trees is None else plan.with_trees(trees)


def columns_for(schema: Schema, target: Target) -> tuple[str, ...]:
    """The columns of one kind that a technique may perturb."""
    if target == "class":
        return (schema.class_attribute.name,) if schema.class_attribute else ()
    return tuple(a.name for a in schema.inputs if a.kind == target)


def _steps(schema: Schema, *techniques: Technique) -> tuple[Step, ...]:
    steps = (Step(t, columns_for(schema, t.perturbs)) for t in techniques)
    return tuple(step for step in steps if step.attributes)


def _forest_framework(schema: Schema, options: RecipeOptions) -> Plan:
    """Forest Framework (Fletcher and Islam, section 3)."""
    techniques = Linfapt(options.noise), Linnapt(options.noise), Swap(), Rpt()
    return Plan("forest-framework", "intersections", _steps(schema, *techniques), FOREST_TREES)


def _framework(schema: Schema, options: RecipeOptions) -> Plan:
    """Framework (thesis 7.1)."""
    techniques = Linfapt(options.noise), Linnapt(options.noise), options.capt, Rpt()
    return Plan("framework", "leaves", _steps(schema, *techniques), 1)


def _random_framework(schema: Schema, options: RecipeOptions) -> Plan:
    """Random Framework, the control (thesis 7.3); its tree only says how many classes change."""
    techniques = Rnat(), RandomCategorical(options.probability), Alpt()
    return Plan("random-framework", "leaves", _steps(schema, *techniques), 1)


def _rt(schema: Schema, options: RecipeOptions) -> Plan:
    """RT of the Forest Framework paper: read as the Random Framework (errata G14)."""
    return replace(_random_framework(schema, options), recipe="rt")


def _single(acronym: str) -> Recipe:
    """A recipe of one technique; all other columns are copied."""

    def recipe(schema: Schema, options: RecipeOptions) -> Plan:
        made: Mapping[str, Technique] = {
            "LINFAPT": Linfapt(options.noise),
            "LINNAPT": Linnapt(options.noise),
            "CAPT": options.capt,
            "RC": RandomCategorical(options.probability),
        }
        technique = made.get(acronym) or TECHNIQUES[acronym]()
        return Plan(acronym.lower(), "leaves", _steps(schema, technique), 1)

    return recipe


RECIPES: Mapping[str, Recipe] = {
    "forest-framework": _forest_framework,
    "framework": _framework,
    "random-framework": _random_framework,
    "rt": _rt,
    **{acronym.lower(): _single(acronym) for acronym in TECHNIQUES},
}
DEFAULT_RECIPE = "forest-framework"
