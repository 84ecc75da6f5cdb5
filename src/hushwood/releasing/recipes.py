"""The named ways to release a table: the papers' frameworks, their controls, and every technique on its own.

To add one: a line in FRAMEWORKS.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from hushwood.errors import InputError, unknown_name
from hushwood.parameters import check_settings
from hushwood.releasing.dials import Dial
from hushwood.releasing.noise_given import ADDED, check_noise, check_noise_used, noise_parameters
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.plan import Over, Plan, Step
from hushwood.tables.recoding.taxonomies import read_hierarchies
from hushwood.tables.schema import Schema
from hushwood.techniques.coarsening import Coarsening
from hushwood.techniques.protocol import Target, Technique, Within
from hushwood.techniques.registry import TECHNIQUES
from hushwood.techniques.suppression import Suppression, check_names, parsed_rules
from hushwood.trees.builder_options import check_used
from hushwood.value_clusters.registry import VALUE_CLUSTERS

FOREST_TREES = 3
FEWEST_TO_SHUFFLE = 20
_MANY = 1_000_000  # as many records as a table is thought to have before it is read


@dataclass(frozen=True, slots=True)
class Recipe:
    """Techniques by name, the segments they work over, and the number of trees.

    `together` is how numbers are drawn together unless --correlated says otherwise; None if they are not. `why` says
    what speaks for it, or against it. `dial` is the setting that makes it protect more, and `instead` the recipe to
    take where the dial ends. `tried` are further options that `tune` tries it with, none if it is only tried when it
    is named.
    """

    techniques: tuple[str, ...]
    over: Over = "leaves"
    trees: int = 1
    together: str | None = None
    within: Within = "segment"
    why: str = ""
    dial: Dial | None = None
    instead: str | None = None
    tried: tuple[Mapping[str, Any], ...] = ()


_PLAIN: tuple[Mapping[str, Any], ...] = ({},)
_K = Dial("k", (10, 20, 50, 100, 200, 500, 1_000), follows=("blur", 1 / 2))
_NOISE = Dial("noise", (1 / 6, 1 / 3, 1 / 2, 1.0), most=1.0)
_RANDOM = Recipe(("rnat", "rc", "alpt"), why="A control: noise without regard to any rule.")
FRAMEWORKS: Mapping[str, Recipe] = {
    # ours: docs/segment-shuffle.md
    "segment-shuffle": Recipe(
        ("segment-shuffle",),
        why="It keeps distributions and what goes together. Values change places within segments of at least {k} "
        "records.",
        dial=_K,
        instead="forest-framework",
        tried=({"teacher": "ensemble"}, {"teacher": "tree"}),
    ),
    # Fletcher and Islam, section 3
    "forest-framework": Recipe(
        ("linfapt", "linnapt", "swap", "rpt"),
        "intersections",
        FOREST_TREES,
        why="It keeps the rules of a whole forest and adds noise inside them; distributions and correlations suffer.",
        dial=_NOISE,
        tried=_PLAIN,
    ),
    # thesis 7.1
    "framework": Recipe(
        ("linfapt", "linnapt", "capt", "rpt"),
        why="It keeps the rules of one tree and adds noise inside them; distributions and correlations suffer.",
        dial=_NOISE,
        tried=_PLAIN,
    ),
    # the control (thesis 7.3); its tree only says how many classes change
    "random-framework": _RANDOM,
    # RT of the Forest Framework paper: read as the Random Framework (errata G14)
    "rt": _RANDOM,
    # thesis 7.2: numbers drawn together inside every leaf
    "extended-framework": Recipe(
        ("capt", "rpt"),
        together="shuffle",
        why="It keeps the rules of one tree, and the correlations of numbers inside its leaves.",
    ),
    # ours: numbers drawn together inside every intersection
    "forest-extended-framework": Recipe(
        ("swap", "rpt"),
        "intersections",
        FOREST_TREES,
        together="shuffle",
        why="It keeps the rules of a whole forest, and the correlations of numbers inside its segments.",
        tried=_PLAIN,
    ),
    # the control (thesis 7.3): numbers drawn together over the whole table
    "random-extended-framework": Recipe(
        ("rc", "alpt"),
        together="gadp",
        within="table",
        why="A control: correlated noise without regard to any rule.",
    ),
    "cart-synthesis": Recipe(
        ("cart-synthesis",),
        why="It makes records up: values are drawn from leaves of trees, column by column.",
        dial=Dial("cart-synthesis.min_leaf", (5, 10, 25, 50, 100)),
        instead="segment-shuffle",
        tried=_PLAIN,
    ),
    "forest-synthesis": Recipe(
        ("forest-synthesis",),
        why="It makes records up: values are drawn from leaves of an adversarial forest.",
        dial=Dial("forest-synthesis.min_node", (5, 10, 25, 50, 100)),
        instead="segment-shuffle",
        tried=_PLAIN,
    ),
    "copula-synthesis": Recipe(
        ("copula-synthesis",),
        why="It makes records up: ranks are drawn with the correlations of the table.",
        tried=_PLAIN,
    ),
}
_ALONE = "A single technique; every column that it does not perturb is copied."
RECIPES = {
    **FRAMEWORKS,
    **{
        name: Recipe((name,), why=_ALONE, instead="segment-shuffle")
        for name in (acronym.lower() for acronym in TECHNIQUES)
        if name not in FRAMEWORKS
    },
}

# Techniques that draw numbers together in segments and have noise for lone records; --correlated chooses from them.
CORRELATED = tuple(
    acronym.lower() for acronym, technique in TECHNIQUES.items() if "alone" in technique().options
)


def recipe_named(name: str) -> Recipe:
    """The recipe of a name, which is refused if there is none."""
    if name not in RECIPES:
        raise unknown_name("technique", name, RECIPES)
    return RECIPES[name]


def why_used(name: str, parameters: Mapping[str, Any]) -> str:
    """Why a release was made in this way, in a sentence or two; the parameters are those that the manifest names."""
    reason = RECIPES[name].why.format(k=parameters.get("k", "k")) if name in RECIPES else ""
    return f"{'The default. ' if name == PerturbOptions().technique else ''}{reason}"


def dial_of(name: str) -> Dial | None:
    """The setting that makes a recipe protect more, if it has one."""
    return RECIPES[name].dial if name in RECIPES else None


def instead_of(name: str) -> str | None:
    """The recipe that protects where the dial of this one ends, if there is one."""
    return RECIPES[name].instead if name in RECIPES else None


def takes_k(name: str) -> bool:
    """Whether the recipe has segments of a least size."""
    recipe = RECIPES.get(name)
    return recipe is not None and any(
        "k" in TECHNIQUES[part.upper()]().options.values() for part in recipe.techniques
    )


def adds_noise(name: str) -> bool:
    """Whether the recipe adds noise whose size can be chosen by column."""
    recipe = RECIPES.get(name)
    return recipe is not None and any(
        ADDED & set(TECHNIQUES[part.upper()]().options.values()) for part in recipe.techniques
    )


def settable() -> dict[str, Any]:
    """The techniques and clusterings whose parameters can be set, by name."""
    techniques = {acronym.lower(): technique for acronym, technique in TECHNIQUES.items()}
    clusterings = {name: clustering.parameters for name, clustering in VALUE_CLUSTERS.items()}
    return techniques | {name: parameters for name, parameters in clusterings.items() if parameters}


def techniques_of(options: PerturbOptions, records: int | None = None) -> tuple[Technique, ...]:
    """The techniques of the chosen recipe, with their parameters; what can be refused without a table is refused here.

    Before a table is read, `records` is None, and files of hierarchies are not opened.
    """
    name, recipe = options.technique, recipe_named(options.technique)
    if options.correlated is not None and options.correlated not in CORRELATED:
        raise unknown_name("way to draw numbers together", options.correlated, CORRELATED)
    if options.value_clusters not in VALUE_CLUSTERS:
        raise unknown_name("value clustering", options.value_clusters, VALUE_CLUSTERS)
    check_settings(options.settings, settable(), "technique")
    shared = _shared_options(options, records)
    parsed_rules(options.suppress)
    techniques = [_technique(part, options, shared) for part in recipe.techniques]
    if recipe.together is not None:
        together = options.correlated or recipe.together
        techniques = [_technique(together, options, shared, within=recipe.within), *techniques]
    elif options.correlated is not None:
        raise InputError(
            f"--correlated is for the extended frameworks; {name} does not draw numbers together. "
            "Omit it, or choose extended-framework."
        )
    _check_segments(name, techniques, options)
    check_noise_used(name, techniques, options)
    _check_used(name, techniques, options)
    check_used(options, options.trees or recipe.trees, options.variant, f"{name} grows")
    return tuple(techniques)


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
    }


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
    if isinstance(made, Suppression) and not made.rules:
        raise InputError('Say what to blank with --suppress, such as --suppress "age >= 90".')
    if isinstance(made, Coarsening) and not made.rules:
        raise InputError("Say what to coarsen with --coarsen, such as --coarsen age=5.")
    return made


def announced_technique(name: str, options: PerturbOptions, records: int) -> Technique:
    """A technique with the parameters that a release of this many records announces."""
    if name.upper() not in TECHNIQUES:
        raise unknown_name("technique", name, [acronym.lower() for acronym in TECHNIQUES])
    return _technique(name, options, _shared_options(options, records))


# Options that only some techniques have a use for, by the name under which these ask for them; what is said to others.
_FOR_SOME: Mapping[str, str] = {
    "value_clusters": "--value-clusters is for CAPT, which {recipe} does not use{here}; omit it.",
    "hierarchies": "--hierarchy is for mondrian and tds; {recipe} does not generalise by one. Omit it.",
    "pram_matrix": "--pram-matrix is for PRAM, which {recipe} does not use{here}; omit it.",
    "teacher": "--teacher is for techniques that ask a model for classes; {recipe} does not. Omit it.",
    "blur": "--blur is for techniques that hand out original numbers; {recipe} hands out none. Omit it.",
}


def _check_used(
    recipe: str, techniques: Sequence[Technique], options: PerturbOptions, here: str = ""
) -> None:
    """Refuse options for techniques that the recipe does not use, or not `here`: on a table without such columns."""
    usual, taken = PerturbOptions(), {shared for one in techniques for shared in one.options.values()}
    for name, sentence in _FOR_SOME.items():
        value = getattr(options, name)
        asked = value != getattr(usual, name) and not (name == "blur" and value == 0)
        if asked and name not in taken:
            raise InputError(sentence.format(recipe=recipe, here=here))
    used = {technique.acronym.lower() for technique in techniques}
    used |= {options.value_clusters} if "value_clusters" in taken else set()
    for name in options.settings:
        if name not in used:
            raise InputError(f"Parameters of {name} are set, but {recipe} does not use it{here}; omit them.")


def _check_segments(recipe: str, techniques: Sequence[Technique], options: PerturbOptions) -> None:
    """Segments of a least size come from one tree; without them there is no k."""
    if all(technique.smallest_segment is None for technique in techniques):
        if options.k is not None:
            raise InputError(f"--k is for segment-shuffle; {recipe} has no smallest segment. Omit it.")
    elif options.trees not in (None, 1):
        raise InputError(
            f"{recipe} uses the segments of one tree, but --trees {options.trees} was given; omit it, or choose "
            "--technique forest-framework, which follows the rules of several trees."
        )


def columns_for(schema: Schema, target: Target) -> tuple[str, ...]:
    """The columns of one kind that a technique may perturb."""
    if target == "any":
        return tuple(a.name for a in schema.kept)
    if target == "class":
        return tuple(a.name for a in schema.classes)
    return tuple(a.name for a in schema.inputs if a.kind == target)
