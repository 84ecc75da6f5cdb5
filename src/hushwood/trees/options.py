"""How a tree is to be grown: the choices a user can make, checked once.

The variants differ in many small constants; they are spelled out here, and the growing code only reads them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from hushwood.errors import InputError, unknown_name

Variant = Literal["c45", "j48", "see5"]
Criterion = Literal["gain_ratio", "information_gain", "gini"]
Thresholds = Literal["data", "midpoint"]


@dataclass(frozen=True, slots=True)
class Constants:
    """Where C4.5 release 8, J48 and See5 differ while growing and pruning (algorithms 1.5 and 1.6)."""

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
}


@dataclass(frozen=True, slots=True)
class GrowOptions:
    """Everything that decides the shape of one tree; `global_pruning` is See5's, after its other pruning."""

    variant: str = "c45"
    criterion: str = "gain_ratio"
    min_leaf: float = 2
    confidence: float = 0.25
    prune: bool = True
    global_pruning: bool = True
    max_depth: int | None = None
    thresholds: str = "data"

    def __post_init__(self) -> None:
        for name, kinds in (("variant", Variant), ("criterion", Criterion), ("thresholds", Thresholds)):
            if getattr(self, name) not in get_args(kinds):
                raise unknown_name(name, str(getattr(self, name)), get_args(kinds))
        if self.variant == "see5" and self.criterion != "gain_ratio":
            raise InputError(f"See5 chooses by gain_ratio; for {self.criterion} use 'c45' or 'j48'.")
        if not self.min_leaf >= 1:
            raise InputError(f"min_leaf must be 1 or more; {self.min_leaf} was given.")
        if not 0 < self.confidence <= 0.5:
            raise InputError(f"confidence must be above 0 and at most 0.5; {self.confidence} was given.")
        if self.max_depth is not None and self.max_depth < 0:
            raise InputError(f"max_depth must be 0 or more; {self.max_depth} was given.")

    @property
    def constants(self) -> Constants:
        """The constants of the chosen variant."""
        return CONSTANTS[self.variant]

    def described(self) -> dict[str, Any]:
        """The options as they are written to forest.json."""
        options = asdict(self)
        if self.variant != "see5":
            del options["global_pruning"]
        return options
