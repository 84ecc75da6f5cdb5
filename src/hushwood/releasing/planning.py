"""From what is asked of a release to its plan: the techniques of a recipe, ready with their parameters, for a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from hushwood.errors import InputError, unknown_name
from hushwood.parameters import check_settings
from hushwood.releasing.noise_given import ADDED, check_noise, check_noise_used, noise_parameters
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.plan import Plan, Step
from hushwood.releasing.recipes import RECIPES, check_recipe
from hushwood.tables.recoding.taxonomies import read_hierarchies
from hushwood.tables.schema import Schema
from hushwood.techniques.protocol import Target, Technique
from hushwood.techniques.registry import TECHNIQUES
from hushwood.techniques.suppression import check_names, parsed_rules
from hushwood.trees.forest import Forest
from hushwood.value_clusters.registry import VALUE_CLUSTERS

FEWEST_TO_SHUFFLE = 20
_MANY = 1_000_000  # as many records as a table is thought to have before it is read


def make_plan(options: PerturbOptions, schema: Schema, records: int) -> Plan:
    """The plan of the chosen recipe for a table with this many records."""
    techniques, recipe = techniques_of(options, records), RECIPES[options.technique]
    check_noise(options, schema)
    steps = tuple(Step(technique, columns_for(schema, technique.perturbs)) for technique in techniques)
    # In a table without a class, the forest says later which columns are treated like one.
    kept = tuple(s for s in steps if s.attributes or (s.technique.perturbs == "class" and len(steps) > 1))
    kept = kept if any(step.attributes for step in kept) else ()
    plan = Plan(options.technique, recipe.over, kept, recipe.trees)
    check_names(parsed_rules(options.suppress), schema)
    if not plan.steps:
        raise InputError(
            f"The technique {plan.recipe!r} finds no column to work on in this table; choose another one."
        )
    if plan.smallest_segment is not None and records < FEWEST_TO_SHUFFLE:
        raise InputError(
            f"{plan.recipe} needs {FEWEST_TO_SHUFFLE} records or more to hide people among, and the table has "
            f"{records}; release more records together, or choose --technique forest-framework, which adds noise."
        )
    if len(plan.steps) < len(techniques):
        _check_used(plan.recipe, [step.technique for step in plan.steps], options, " on this table")
    return plan if options.trees is None else plan.with_trees(options.trees)


def techniques_of(options: PerturbOptions, records: int | None = None) -> tuple[Technique, ...]:
    """The techniques of the chosen recipe, with their parameters; what can be refused without a table is refused here.

    Before a table is read, `records` is None, and files of hierarchies are not opened.
    """
    check_recipe(options)
    check_settings(options.settings, SETTABLE, "technique")
    name, recipe, shared = options.technique, RECIPES[options.technique], _shared_options(options, records)
    parsed_rules(options.suppress)
    techniques = [_technique(part, options, shared) for part in recipe.techniques]
    if recipe.together is not None:
        together = options.correlated or recipe.together
        techniques = [_technique(together, options, shared, within=recipe.within), *techniques]
    check_noise_used(name, techniques, options)
    _check_used(name, techniques, options)
    return tuple(techniques)


def columns_for(schema: Schema, target: Target) -> tuple[str, ...]:
    """The columns of one kind that a technique may perturb."""
    if target == "any":
        return tuple(a.name for a in schema.kept)
    if target == "class":
        return tuple(a.name for a in schema.classes)
    return tuple(a.name for a in schema.inputs if a.kind == target)


class Settable(Mapping[str, Any]):
    """The techniques and clusterings whose parameters can be set, by name; loaded when they are asked for."""

    def __getitem__(self, name: str) -> Any:
        clustering = VALUE_CLUSTERS.get(name)
        return TECHNIQUES[name.upper()] if clustering is None else clustering.parameters

    def __contains__(self, name: object) -> bool:
        return name in tuple(self)

    def __iter__(self) -> Iterator[str]:
        yield from (acronym.lower() for acronym in TECHNIQUES)
        yield from (name for name, clustering in VALUE_CLUSTERS.items() if clustering.parameter_class)

    def __len__(self) -> int:
        return sum(1 for _ in self)


SETTABLE = Settable()


def adds_noise(name: str) -> bool:
    """Whether the recipe adds noise whose size can be chosen by column."""
    recipe = RECIPES.get(name)
    return recipe is not None and any(
        ADDED & set(TECHNIQUES[part.upper()]().options.values()) for part in recipe.techniques
    )


def announced_technique(name: str, options: PerturbOptions, records: int) -> Technique:
    """A technique with the parameters that a release of this many records announces."""
    if name.upper() not in TECHNIQUES:
        raise unknown_name("technique", name, [acronym.lower() for acronym in TECHNIQUES])
    return _technique(name, options, _shared_options(options, records))


def _technique(name: str, options: PerturbOptions, shared: Mapping[str, Any], **fixed: Any) -> Technique:
    """A technique with the shared options that it takes; a recipe's own parameters and the user's settings win."""
    kind: Any = TECHNIQUES[name.upper()]
    # An option that was not given keeps the technique's own default.
    given = {field: shared[option] for field, option in kind.options.items() if shared[option] is not None}
    given |= fixed
    clusters = options.settings.get(options.value_clusters)
    if clusters and "value_clusters" in kind.options.values():
        parameters: Any = VALUE_CLUSTERS[options.value_clusters].parameters
        given["how"] = parameters(**clusters)
    if "how" in options.settings.get(name, {}) and "value_clusters" in kind.options.values():
        raise InputError(f"'how' of {name} is set by the name of the clusters, such as cactus.alpha=1.15.")
    made = cast("Technique", kind(**{**given, **options.settings.get(name, {})}))
    if name == "suppress" and not getattr(made, "rules", ()):
        raise InputError('Say what to blank with --suppress, such as --suppress "age >= 90".')
    if name == "coarsen" and not getattr(made, "rules", ()):
        raise InputError("Say what to coarsen with --coarsen, such as --coarsen age=5.")
    return made


def _shared_options(options: PerturbOptions, records: int | None) -> dict[str, Any]:
    """The options that several techniques take, by the names under which the techniques ask for them."""
    many = _MANY if records is None else records
    return {
        **noise_parameters(options),
        "probability": options.probability,
        "capt": options.capt,
        "suppress": tuple(options.suppress),
        "coarsen": tuple(rule.text() for rule in options.coarsening_rules()),
        "hierarchies": None if records is None else read_hierarchies(options.hierarchies) or None,
        "grow": options.grow_options(many),
        "value_clusters": options.value_clusters,
        "pram_matrix": options.pram_matrix or None,
        "k": options.smallest_segment(many),
        "teacher": options.teacher,
        "blur": options.blur,
        "redraw": options.drawn,
    }


# Options that only some techniques have a use for, by the name under which these ask for them; what is said to others.
_FOR_SOME: Mapping[str, str] = {
    "value_clusters": "--value-clusters is for CAPT, which {recipe} does not use{here}; omit it.",
    "hierarchies": "--hierarchy is for mondrian and tds; {recipe} does not generalise by one. Omit it.",
    "pram_matrix": "--pram-matrix is for PRAM, which {recipe} does not use{here}; omit it.",
    "teacher": "--teacher is for techniques that ask a model for classes; {recipe} does not. Omit it.",
    "blur": "--blur is for techniques that hand out original numbers; {recipe} hands out none. Omit it.",
    "redraw": "--redraw is for segment-shuffle; {recipe} draws nobody. Omit it.",
}


def _check_used(
    recipe: str, techniques: Sequence[Technique], options: PerturbOptions, here: str = ""
) -> None:
    """Refuse options for techniques that the recipe does not use, or not `here`: on a table without such columns."""
    usual, taken = PerturbOptions(), {shared for one in techniques for shared in one.options.values()}
    for name, sentence in _FOR_SOME.items():
        value = getattr(options, name)
        asked = value != getattr(usual, name) and not (name in ("blur", "redraw") and value == 0)
        if asked and name not in taken:
            raise InputError(sentence.format(recipe=recipe, here=here))
    used = {technique.acronym.lower() for technique in techniques}
    used |= {options.value_clusters} if "value_clusters" in taken else set()
    for name in options.settings:
        if name not in used:
            raise InputError(f"Parameters of {name} are set, but {recipe} does not use it{here}; omit them.")


def for_forest(plan: Plan, forest: Forest, schema: Schema) -> Plan:
    """The plan with the number of trees that there are; without a class, what they predict is treated like one."""
    plan = plan.with_trees(len(forest.trees))
    if schema.classes:
        return plan
    kept = {attribute.name for attribute in schema.kept}
    predicted = dict.fromkeys(target.name for target in forest.predicts)
    return plan.predicting([name for name in predicted if name in kept])
