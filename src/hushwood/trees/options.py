"""How trees and forests are grown: the choices a user can make, checked once. Light to import.

The variants differ in many small constants; they are spelled out here, and the growing code only reads them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Annotated, Any, Literal, get_args

from hushwood.errors import InputError
from hushwood.parameters import SHARE, AtLeast, Between, Checked, OneOf, check_parameters

Variant = Literal["c45", "j48", "see5", "credal"]
Criterion = Literal["gain_ratio", "information_gain", "gini"]
Thresholds = Literal["data", "midpoint"]


SMALLEST_LEAF, LARGEST_LEAF, LEAF_SHARE = 10, 200, 0.045


@dataclass(frozen=True, slots=True)
class Constants:
    """Where C4.5 release 8, J48, See5 and credal trees differ while growing and pruning (docs/trees.md)."""

    slack: float  # by how much a weight may miss a minimum, for sums of fractions
    improvement: float  # by how much a later cut or attribute must be better to win: the tie rule
    least_score: float  # a score must be above this to be chosen
    least_information: float  # split information must be above this
    both_sides: bool  # both sides of a cut hold min_leaf, also above 25
    collapse_bottom_up: bool
    collapse_share: float = 1.0  # branches that make this share of their parent's errors are useless ...
    collapse_slack: float = 1e-3  # ... or this much less
    least_branch: float = 0.0  # a branch with less weight is empty


CONSTANTS: Mapping[str, Constants] = {
    "c45": Constants(1e-9, 1e-10, -1e-3, 1e-3, both_sides=True, collapse_bottom_up=True),
    "j48": Constants(1e-6, 1e-6, 0.0, 0.0, both_sides=False, collapse_bottom_up=False),
    "see5": Constants(
        1e-9,
        0.0,
        0.0,
        0.0,
        both_sides=True,
        collapse_bottom_up=True,
        collapse_share=0.999,
        collapse_slack=1e-9,
        least_branch=0.05 - 1e-9,
    ),
    "credal": Constants(1e-9, 1e-10, 0.0, 0.0, both_sides=True, collapse_bottom_up=True),
}
# What a credal tree does not have: it chooses by imprecise information gain and is not pruned.
_NOT_CREDAL = ("criterion", "confidence", "prune")


# What takes no survey weights: See5's single precision and the counts of the imprecise Dirichlet model know none.
NOT_WEIGHTED = ("see5", "credal")
NAMES = {"c45": "C4.5", "j48": "J48", "see5": "See5", "credal": "the credal builder"}


@dataclass(frozen=True, slots=True)
class GrowOptions:
    """Everything that decides the shape of one tree; `global_pruning` is See5's, after its other pruning."""

    variant: Annotated[str, OneOf(get_args(Variant))] = "c45"
    criterion: Annotated[str, OneOf(get_args(Criterion))] = "gain_ratio"
    min_leaf: Annotated[float, AtLeast(1)] = 2
    confidence: Annotated[float, Between(0, 0.5, open_low=True)] = 0.25
    prune: bool = True
    global_pruning: bool = True
    max_depth: Annotated[int | None, AtLeast(0)] = None
    thresholds: Annotated[str, OneOf(get_args(Thresholds))] = "data"

    def __post_init__(self) -> None:
        check_parameters(self)
        if self.variant == "see5" and self.criterion != "gain_ratio":
            raise InputError(f"See5 chooses by gain_ratio; for {self.criterion} use 'c45' or 'j48'.")
        if self.variant == "credal" and self.criterion != "gain_ratio":
            raise InputError(
                f"Credal trees choose by imprecise information gain; for {self.criterion} use 'c45' or 'j48'."
            )

    @property
    def constants(self) -> Constants:
        """The constants of the chosen variant."""
        return CONSTANTS[self.variant]

    def described(self) -> dict[str, Any]:
        """The options as they are written to forest.json."""
        options = asdict(self)
        if self.variant != "see5":
            del options["global_pruning"]
        if self.variant == "credal":
            options = {name: value for name, value in options.items() if name not in _NOT_CREDAL}
        return options


@dataclass(frozen=True, slots=True)
class SysForOptions(Checked):
    """How many trees, and how different their first tests must be (the Forest Framework paper's values)."""

    trees: Annotated[int, AtLeast(1)] = 3
    goodness: Annotated[float, SHARE] = 0.5
    separation: Annotated[float, SHARE] = 0.3
    minimum_gain_ratio: Annotated[float, SHARE] = 0.01
    deduplicate: bool = True


@dataclass(frozen=True, slots=True)
class Builder:
    """What grows a forest: how each tree is grown, and how SysFor makes the trees differ.

    One tree is a plain one; `grow_trees` in `sysfor` does what is said here. Leaves of fewer records than the
    `smallest_segment` are merged afterwards.
    """

    grow: GrowOptions = GrowOptions()
    sysfor: SysForOptions = SysForOptions()
    smallest_segment: int | None = None

    def with_trees(self, trees: int) -> Builder:
        """The same for another number of trees."""
        return replace(self, sysfor=replace(self.sysfor, trees=trees))

    def described(self) -> dict[str, Any]:
        """The builder as it is written to forest.json; SysFor has no say in a single tree or a credal forest."""
        if self.sysfor.trees == 1:
            return self.grow.described()
        credal = self.grow.variant == "credal"
        return self.grow.described() | ({"trees": self.sysfor.trees} if credal else asdict(self.sysfor))

    def says(self) -> str:
        """The builder in words.

        >>> Builder(GrowOptions("see5", min_leaf=20), SysForOptions(goodness=0.2)).says()
        '3 trees of See5, minimum leaf size 20, goodness 0.2'
        """
        grow, trees, usual = self.grow, self.sysfor.trees, Builder()
        size = max(grow.min_leaf, self.smallest_segment or 0)
        parts = [f"{'one tree' if trees == 1 else f'{trees} trees'} of {NAMES[grow.variant]}"]
        parts.append(f"minimum leaf size {size:g}")
        parts += [] if grow.criterion == usual.grow.criterion else [f"criterion {grow.criterion}"]
        parts += [] if grow.confidence == usual.grow.confidence else [f"confidence {grow.confidence:g}"]
        for own in ("goodness", "separation", "minimum_gain_ratio"):
            value = getattr(self.sysfor, own)
            if trees > 1 and value != getattr(usual.sysfor, own):
                parts.append(f"{own.replace('_', ' ')} {value:g}")
        return ", ".join(parts)

    def like(self, grown: Mapping[str, Any]) -> Builder:
        """The builder that a forest.json describes; this one where that says nothing, or another program grew it."""
        if grown.get("variant") not in CONSTANTS:
            return self
        # Regression trees know no criterion but the variance, so no option names it.
        known = {name: value for name, value in grown.items() if value != "variance"}
        tree, forest = (
            {own.name: known[own.name] for own in fields(part) if own.name in known}
            for part in (self.grow, self.sysfor)
        )
        return replace(self, grow=replace(self.grow, **tree), sysfor=replace(self.sysfor, **forest))


def default_min_leaf(records: int) -> int:
    """At least 10, 4.5 % of the records, at most 200.

    >>> [default_min_leaf(n) for n in (50, 1000, 30162)]
    [10, 45, 200]
    """
    return int(min(max(SMALLEST_LEAF, round(LEAF_SHARE * records)), LARGEST_LEAF))
