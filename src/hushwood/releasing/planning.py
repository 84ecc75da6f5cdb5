"""From what is asked of a release to its plan: the techniques of a recipe, ready with their parameters, for a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from hushwood.errors import InputError, unknown_name
from hushwood.parameters import check_settings
from hushwood.releasing.noise_texts import ADDED, INFLUENTIAL, INNOCENT
from hushwood.releasing.options import LEAST_BLUR, PerturbOptions
from hushwood.releasing.plan import Plan, Step
from hushwood.releasing.recipes import RECIPES, SETTABLE, check_recipe
from hushwood.tables.recoding.taxonomies import read_hierarchies
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table
from hushwood.techniques.laws.noise import NoiseParameters
from hushwood.techniques.protocol import Target, Technique
from hushwood.techniques.registry import TECHNIQUES
from hushwood.techniques.suppression import check_names, parsed_rules
from hushwood.trees.forest import Forest
from hushwood.value_clusters.registry import VALUE_CLUSTERS

FEWEST_TO_SHUFFLE = 20
_MANY = 1_000_000  # as many records as a table is thought to have before it is read
ALONE = "noise"  # for records that cannot be drawn together with others
_ANY = frozenset({*ADDED, ALONE})
# Options, and the shared options of the techniques that have a use for them. The first three are older, and there are
# releases by techniques that ignore them; only a technique with another dial refuses them.
_OLD = ("noise", "boundary", "distribution")
_USED_BY: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(_OLD, _ANY),
    "noise_by_column": ADDED,
    "noise_of": ADDED,
    INFLUENTIAL: frozenset({INFLUENTIAL}),
    INNOCENT: frozenset({INNOCENT}),
}


def plan_for(options: PerturbOptions, table: Table) -> Plan:
    """The plan for a table, with the noise that its schema gives columns."""
    return make_plan(options.with_noise_of(table.schema), table.schema, table.rows)


def make_plan(options: PerturbOptions, schema: Schema, records: int) -> Plan:
    """The plan of the chosen recipe for a table with this many records."""
    techniques, recipe = techniques_of(options, records), RECIPES[options.technique]
    _check_noise(options, schema)
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
    _check_noise_used(name, techniques, options)
    _check_used(name, techniques, options)
    return tuple(techniques)


def columns_for(schema: Schema, target: Target) -> tuple[str, ...]:
    """The columns of one kind that a technique may perturb."""
    if target == "any":
        return tuple(a.name for a in schema.kept)
    if target == "class":
        return tuple(a.name for a in schema.classes)
    return tuple(a.name for a in schema.inputs if a.kind == target)


def why_used(name: str, parameters: Mapping[str, Any]) -> str:
    """Why a release was made in this way, in a sentence or two; the parameters are those that the manifest names."""
    reason = RECIPES[name].why.format(k=parameters.get("k", "k")) if name in RECIPES else ""
    return f"{'The default. ' if name == PerturbOptions().technique else ''}{reason}"


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
        **_noise_parameters(options),
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
        "blur": LEAST_BLUR if options.blur is None else options.blur,
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


def _noise_parameters(options: PerturbOptions) -> dict[str, NoiseParameters]:
    """The parameters of every shared option that stands for noise."""
    plain = NoiseParameters(options.noise, options.boundary, options.distribution)  # type: ignore[arg-type]
    added = replace(plain, of=options.noise_of, columns=options.noise_by_column)  # type: ignore[arg-type]
    return {ALONE: plain} | {
        name: added if given is None else replace(added, noise=given)
        for name, given in ((INFLUENTIAL, options.noise_influential), (INNOCENT, options.noise_innocent))
    }


def _check_noise(options: PerturbOptions, schema: Schema) -> None:
    """Refuse noise for columns that get none."""
    for name in options.noise_by_column:
        if name not in schema.names:
            raise unknown_name("column", name, schema.names)
        attribute = schema[name]
        if attribute.kind != "numeric" or attribute not in schema.inputs:
            what = (
                attribute.kind if attribute.role == "ordinary" else f"{attribute.kind} and {attribute.role}"
            )
            raise InputError(
                f"Noise is added to numeric columns that are perturbed, and {name!r} is {what}; omit its noise."
            )


def _check_noise_used(recipe: str, techniques: Sequence[Technique], options: PerturbOptions) -> None:
    """Refuse options about noise for which no technique of the recipe has a use."""
    taken = {shared for technique in techniques for shared in technique.options.values()}
    usual = PerturbOptions()
    segments = any(technique.smallest_segment is not None for technique in techniques)
    for name, users in _USED_BY.items():
        unused = not users & taken and (segments or name not in _OLD)
        if unused and getattr(options, name) != getattr(usual, name):
            option, kind = _option(name, options), "techniques that add noise"
            why = f"{recipe} adds none"
            if name in ADDED:
                kind = "LINFAPT" if name == INFLUENTIAL else "LINNAPT"
                kind += f", the noise on {name.removeprefix('noise_')} attributes"
                why = f"{recipe} does not use it"
            elif ALONE in taken:
                kind, why = "noise on single columns", f"{recipe} draws columns together"
            raise InputError(
                f"{option} is for {kind}, and {why}{_own_setting(techniques)}. Omit it, or choose --technique "
                "forest-framework."
            )


def _option(name: str, options: PerturbOptions) -> str:
    """An option as it was typed."""
    if name != "noise_by_column":
        return f"--{name.replace('_', '-')}"
    column, share = next(iter(options.noise_by_column.items()))
    return f"--noise {column}={share:g}"


def _own_setting(techniques: Sequence[Technique]) -> str:
    """What to set instead, where techniques have a setting of their own."""
    for technique in techniques:
        if technique.smallest_segment is not None:
            return ": its dial is --k"
        if hasattr(technique, "noise"):
            return f" of this kind: its dial is --set {technique.acronym.lower()}.noise"
    return ""


def for_forest(plan: Plan, forest: Forest, schema: Schema) -> Plan:
    """The plan with the number of trees that there are; without a class, what they predict is treated like one."""
    plan = plan.with_trees(len(forest.trees))
    if schema.classes:
        return plan
    kept = {attribute.name for attribute in schema.kept}
    predicted = dict.fromkeys(target.name for target in forest.predicts)
    return plan.predicting([name for name in predicted if name in kept])
