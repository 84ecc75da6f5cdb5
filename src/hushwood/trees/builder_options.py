"""The builder's options as the command spells them: of a release, and of an audit that grows the trees in another way.

Light to import, because the command reads its options from here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Annotated, Any, get_args

from hushwood.errors import InputError
from hushwood.parameters import SHARE, AtLeast, Between, Checked, OneOf, Option
from hushwood.trees.options import Builder, Criterion, Variant

_TREES = "Trees"
ERROR_LEVEL = Between(0, 0.5, open_low=True)
VARIANTS, CRITERIA = OneOf(get_args(Variant)), OneOf(get_args(Criterion))
VARIANT = Option("Tree builder: c45, j48, see5 or credal.", metavar="NAME", panel=_TREES)
CRITERION = Option(
    "What decides which test is best: gain_ratio, information_gain or gini; see5 knows gain_ratio alone, and credal "
    "has its own.",
    metavar="NAME",
    panel=_TREES,
)
MIN_LEAF = Option("Minimum number of records in a leaf.", metavar="N", panel=_TREES)
CONFIDENCE = Option(
    "Confidence level of pruning, above 0 and at most 0.5; a lower one prunes more.",
    metavar="P",
    panel=_TREES,
)
TREES = Option("Number of trees.", metavar="N", panel=_TREES)
GOODNESS = Option(
    "How much lower than the best gain ratio that of another tree's first test may be (SysFor).",
    metavar="SHARE",
    panel=_TREES,
)
SEPARATION = Option(
    "How far apart first tests of the same number must be, as a share of its range (SysFor).",
    metavar="SHARE",
    panel=_TREES,
)
MIN_GAIN_RATIO = Option(
    "Lowest gain ratio that a tree may start with (SysFor).", metavar="SHARE", panel=_TREES
)
SYSFOR_OPTIONS = ("goodness", "separation", "min_gain_ratio")
TREE_OPTIONS = ("variant", "criterion", "confidence")
_AS_RELEASED = "as in the release; for a table of unknown origin "


def _unless(option: Option, usual: str) -> Option:
    return replace(option, default=_AS_RELEASED + usual)


@dataclass(frozen=True, slots=True)
class BuilderOptions(Checked):
    """How an audit grows the trees that it compares; None is what the release was made with, or else the usual."""

    variant: Annotated[str | None, VARIANTS, _unless(VARIANT, "c45")] = None
    criterion: Annotated[str | None, CRITERIA, _unless(CRITERION, "gain_ratio")] = None
    min_leaf: Annotated[int | None, AtLeast(1), _unless(MIN_LEAF, "4.5 % of the records, from 10 to 200")] = (
        None
    )
    confidence: Annotated[float | None, ERROR_LEVEL, _unless(CONFIDENCE, "0.25")] = None
    trees: Annotated[int | None, AtLeast(1), _unless(TREES, "3")] = None
    goodness: Annotated[float | None, SHARE, _unless(GOODNESS, "0.5")] = None
    separation: Annotated[float | None, SHARE, _unless(SEPARATION, "0.3")] = None
    min_gain_ratio: Annotated[float | None, SHARE, _unless(MIN_GAIN_RATIO, "0.01")] = None

    def over(self, usual: Builder) -> Builder:
        """The usual builder with what is asked for in its place."""
        grow = _given(
            variant=self.variant,
            criterion=self.criterion,
            min_leaf=self.min_leaf,
            confidence=self.confidence,
        )
        sysfor = _given(
            trees=self.trees,
            goodness=self.goodness,
            separation=self.separation,
            minimum_gain_ratio=self.min_gain_ratio,
        )
        trees = usual.sysfor.trees if self.trees is None else self.trees
        check_used(self, trees, self.variant or usual.grow.variant, "the audit grows")
        return replace(usual, grow=replace(usual.grow, **grow), sysfor=replace(usual.sysfor, **sysfor))


def changed_options(options: Any, names: Sequence[str]) -> list[str]:
    """Those options that differ from their defaults, as the command spells them."""
    usual = {own.name: own.default for own in fields(options)}
    changed = (name for name in names if getattr(options, name) != usual[name])
    return [f"--{name.replace('_', '-')}" for name in changed]


def check_used(options: Any, trees: int, variant: str, who: str) -> None:
    """Refuse options that this builder has no use for: SysFor does not grow single trees or credal forests."""
    if variant == "credal":
        unused = changed_options(options, (*SYSFOR_OPTIONS, "confidence"))
        if unused:
            raise InputError(f"{unused[0]} has no use for credal trees; omit it, or choose --variant c45.")
    changed = changed_options(options, SYSFOR_OPTIONS)
    if changed and trees == 1:
        raise InputError(
            f"{changed[0]} tells the first tests of several trees apart, but {who} one tree; omit it, or ask for "
            "several: --trees 3, in a technique that takes them."
        )


def _given(**options: Any) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}
