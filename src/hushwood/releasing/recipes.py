"""The named ways to release a table: the papers' frameworks, their controls, and every technique on its own.

To add one: a line in FRAMEWORKS.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hushwood.errors import InputError, unknown_name
from hushwood.releasing.dials import Dial
from hushwood.releasing.noise_texts import ADDED
from hushwood.techniques.registry import TECHNIQUES
from hushwood.trees.builder_options import check_used
from hushwood.trees.options import GrowOptions
from hushwood.value_clusters.registry import VALUE_CLUSTERS

if TYPE_CHECKING:
    from hushwood.releasing.options import PerturbOptions
    from hushwood.releasing.plan import Over
    from hushwood.techniques.protocol import Within

FOREST_TREES = 3


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
        why="It keeps distributions and what goes together. Values are handed out within segments of at least {k} "
        "people.",
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
CORRELATED = ("gadp", "cgadp", "egadp", "shuffle", "rotation")


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


def recipe_named(name: str) -> Recipe:
    """The recipe of a name, which is refused if there is none."""
    if name not in RECIPES:
        raise unknown_name("technique", name, RECIPES)
    return RECIPES[name]


def dial_of(name: str) -> Dial | None:
    """The setting that makes a recipe protect more, if it has one."""
    return RECIPES[name].dial if name in RECIPES else None


def instead_of(name: str) -> str | None:
    """The recipe that protects where the dial of this one ends, if there is one."""
    return RECIPES[name].instead if name in RECIPES else None


def takes_k(name: str) -> bool:
    """Whether the recipe has segments of a least size."""
    dial = dial_of(name)
    return dial is not None and dial.setting == "k"


def adds_noise(name: str) -> bool:
    """Whether the recipe adds noise whose size can be chosen by column."""
    recipe = RECIPES.get(name)
    return recipe is not None and any(
        ADDED & set(TECHNIQUES[part.upper()]().options.values()) for part in recipe.techniques
    )


def check_recipe(options: PerturbOptions) -> None:
    """Refuse a recipe that there is not, and options that it has no use for; no technique is loaded for that."""
    name, recipe = options.technique, recipe_named(options.technique)
    if options.correlated is not None and options.correlated not in CORRELATED:
        raise unknown_name("way to draw numbers together", options.correlated, CORRELATED)
    if options.value_clusters not in VALUE_CLUSTERS:
        raise unknown_name("value clustering", options.value_clusters, VALUE_CLUSTERS)
    if options.correlated is not None and recipe.together is None:
        raise InputError(
            f"--correlated is for the extended frameworks; {name} does not draw numbers together. "
            "Omit it, or choose extended-framework."
        )
    if options.k is not None and not takes_k(name):
        raise InputError(f"--k is for segment-shuffle; {name} has no smallest segment. Omit it.")
    if options.trees not in (None, 1) and takes_k(name):
        raise InputError(
            f"{name} uses the segments of one tree, but --trees {options.trees} was given; omit it, or choose "
            "--technique forest-framework, which follows the rules of several trees."
        )
    options.coarsening_rules()
    GrowOptions(options.variant, options.criterion)  # refuses what does not go together
    check_used(options, options.trees or recipe.trees, options.variant, f"{name} grows")
