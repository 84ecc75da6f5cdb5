"""What may be asked of a published tree: how it is grown, and the privacy of the table that goes with it.

Checked here once; `publish` reads them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import Any, Literal, get_args

from hushwood.errors import InputError, unknown_name
from hushwood.trees.grow import available_threads

Criterion = Literal["information_gain", "gain_ratio", "gini", "variance"]
Mode = Literal["anchored", "delta"]
Thresholds = Literal["midpoint", "data"]
MissingNumbers = Literal["refuse", "suppress"]

# The smallest numbers allowed; all but l are whole.
_LEAST = {"k": 1, "l": 1, "min_leaf": 1, "max_leaves": 1, "max_depth": 0, "threads": 1}
_MAY_BE_NONE = frozenset({"max_leaves", "max_depth"})

CRITERIA: tuple[str, ...] = get_args(Criterion)


@dataclass(frozen=True, slots=True)
class TreePlan:
    """One tree to publish: how its splits are scored, and the columns it may test (none named: all)."""

    criterion: str = "information_gain"
    columns: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.criterion not in CRITERIA:
            raise unknown_name("criterion", str(self.criterion), CRITERIA)


@dataclass(frozen=True, slots=True)
class PublishOptions:
    """The trees, the privacy that every group of the release must have, and how growth goes on.

    `l` is strong L-diversity: no sensitive value has more than 1/l of a group; 1 asks for nothing. `min_leaf`,
    `max_leaves` and `max_depth` hold for each tree. Where all tested columns are quasi-identifiers, no leaf is
    smaller than `k`.
    """

    k: int = 5
    l: float = 1.0
    trees: tuple[TreePlan, ...] = (TreePlan(),)
    mode: str = "anchored"
    min_leaf: int = 1
    max_leaves: int | None = None
    max_depth: int | None = None
    thresholds: str = "midpoint"
    stop_at_first_failure: bool = False
    class_in_groups: bool = False
    missing_numbers: str = "refuse"
    threads: int = field(default_factory=available_threads)

    def __post_init__(self) -> None:
        for what, given, allowed in (
            ("mode", self.mode, Mode),
            ("way to set thresholds called", self.thresholds, Thresholds),
            ("way to treat missing numbers called", self.missing_numbers, MissingNumbers),
        ):
            if given not in get_args(allowed):
                raise unknown_name(what, str(given), get_args(allowed))
        for name, least in _LEAST.items():
            number = getattr(self, name)
            if number is not None or name not in _MAY_BE_NONE:
                # numpy's numbers are taken too, but would not go into a JSON file.
                object.__setattr__(self, name, _checked(name, number, least))
        if not self.trees:
            raise InputError("No tree is asked for; name at least one criterion.")
        if self.mode == "delta" and self.thresholds == "data":
            raise InputError(
                "Thresholds that are data values can only be kept in the anchored mode; use midpoints with delta."
            )

    @property
    def promises(self) -> bool:
        """Whether anything is asked of the groups: K = 1 and L = 1 hold for any table."""
        return self.k > 1 or self.l > 1

    @property
    def anchored(self) -> bool:
        """Whether boundary values stay as they are."""
        return self.mode == "anchored"

    def grown(self, columns: Mapping[int, tuple[str, ...]]) -> dict[str, Any]:
        """How the trees were grown, as the model file says it; `columns` are those that each tree may test."""
        return {
            "variant": "tpp",
            "criterion": self.trees[0].criterion,
            "criteria": [plan.criterion for plan in self.trees],
            "columns": [list(columns[place]) for place in range(len(self.trees))],
            "min_leaf": self.min_leaf,
            "max_leaves": self.max_leaves,
            "max_depth": self.max_depth,
            "thresholds": self.thresholds,
            "mode": self.mode,
            "k": self.k,
            "l": self.l,
        }


def _checked(name: str, given: Any, least: int) -> int | float:
    """A number as plain Python has it, refused if it is of the wrong kind or too small."""
    whole = name != "l"
    if isinstance(given, bool) or not isinstance(given, Integral if whole else Real):
        raise InputError(f"{name} must be a {'whole ' if whole else ''}number; {given!r} was given.")
    number = int(given) if isinstance(given, Integral) else float(given)
    if not number < float("inf"):
        raise InputError(f"{name} must be a finite number; {number} was given.")
    if number < least:
        raise InputError(f"{name} must be {least} or more; {number} was given.")
    return number
