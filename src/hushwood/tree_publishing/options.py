"""What can be asked of a published tree: how it is grown, and the privacy of the table that goes with it.

Checked here once; `publish` reads them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

from hushwood.errors import InputError
from hushwood.parameters import AtLeast, Checked, OneOf, Option, available_threads, check_parameters

if TYPE_CHECKING:
    from hushwood.tables.read_options import Response
    from hushwood.tables.schema import Role, Schema

Criterion = Literal["information_gain", "gain_ratio", "gini", "variance"]
Mode = Literal["anchored", "delta"]
Thresholds = Literal["midpoint", "data"]
MissingNumbers = Literal["refuse", "suppress"]

CRITERIA: tuple[str, ...] = get_args(Criterion)
VARIANCE = "variance"
_PRIVACY, _TREE = "Privacy", "Tree"
VARIANT = "tpp"  # what the tree file calls these trees


@dataclass(frozen=True, slots=True)
class TreePlan(Checked):
    """One tree to publish: how its splits are scored, and the columns it may test (none named: all)."""

    criterion: Annotated[str, OneOf(CRITERIA)] = "information_gain"
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PublishOptions:
    """The trees, the privacy that every group of the release must have, and how growth goes on.

    `l` is strong L-diversity: no sensitive value has more than 1/l of a group; 1 asks for nothing. `min_leaf`,
    `max_leaves` and `max_depth` hold for each tree. Where all tested columns are quasi-identifiers, no leaf is
    smaller than `k`.
    """

    k: Annotated[
        int,
        AtLeast(1),
        Option(
            "Minimum group size: at least N records share their quasi-identifiers.",
            spelling=("-k",),
            metavar="N",
            panel=_PRIVACY,
        ),
    ] = 5
    l: Annotated[
        float,
        AtLeast(1),
        Option(
            "No sensitive value has more than 1/N of any group; needs --sensitive.",
            spelling=("-l",),
            metavar="N",
            panel=_PRIVACY,
        ),
    ] = 1.0
    trees: tuple[TreePlan, ...] = (TreePlan(),)
    mode: Annotated[
        str,
        OneOf(get_args(Mode)),
        Option(
            "anchored keeps the values next to every cut as they are; delta moves them towards their neighbours.",
            metavar="anchored|delta",
            panel=_TREE,
        ),
    ] = "anchored"
    min_leaf: Annotated[
        int,
        AtLeast(1),
        Option(
            "Minimum number of records in a leaf; -k is a limit too where all columns are quasi-identifiers.",
            metavar="N",
            panel=_TREE,
        ),
    ] = 1
    max_leaves: Annotated[
        int | None,
        AtLeast(1),
        Option("Maximum number of leaves of each tree.", metavar="N", panel=_TREE, default="no limit"),
    ] = None
    max_depth: Annotated[
        int | None,
        AtLeast(0),
        Option(
            "Maximum number of tests from the root to a leaf.", metavar="N", panel=_TREE, default="no limit"
        ),
    ] = None
    thresholds: Annotated[
        str,
        OneOf(get_args(Thresholds)),
        Option(
            "Cut halfway between two values, or at a value of the data as C4.5 does (anchored only).",
            metavar="midpoint|data",
            panel=_TREE,
        ),
    ] = "midpoint"
    stop_at_first_failure: Annotated[
        bool,
        Option(
            "End growth at the first split that breaks K or L, as in the paper, instead of closing that leaf.",
            panel=_PRIVACY,
        ),
    ] = False
    class_in_groups: Annotated[
        bool,
        Option(
            "Assume that the intruder knows the class too: K and L then hold for records that also share it.",
            panel=_PRIVACY,
        ),
    ] = False
    missing_numbers: Annotated[
        str,
        OneOf(get_args(MissingNumbers)),
        Option(
            "Refuse a column with missing numbers, or release it as one value.",
            metavar="refuse|suppress",
            panel=_TREE,
        ),
    ] = "refuse"
    threads: Annotated[int, AtLeast(1)] = field(default_factory=available_threads)

    def __post_init__(self) -> None:
        check_parameters(self)
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
            "variant": VARIANT,
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


def plan_from_text(text: str) -> TreePlan:
    """One tree as people write it: a criterion, and after a colon the columns it may test.

    >>> plan_from_text("gini:age, sex")
    TreePlan(criterion='gini', columns=('age', 'sex'))
    """
    criterion, sign, rest = text.partition(":")
    columns = tuple(name.strip() for name in rest.split(",") if name.strip())
    if sign and not columns:
        raise InputError(
            f"After the colon of {text!r} no column is named; write NAME:COLUMN,COLUMN or NAME alone."
        )
    return TreePlan(criterion.strip(), columns)


def plans_from(criterion: object) -> list[TreePlan]:
    """The trees that a criterion, a TreePlan or a list of these asks for; none for None."""
    plans: list[TreePlan] = []
    for plan in one_or_several(criterion):
        if not isinstance(plan, str | TreePlan):
            raise InputError(f"criterion must be a name, a TreePlan or a list of these; {plan!r} was given.")
        plans.append(plan_from_text(plan) if isinstance(plan, str) else plan)
    return plans


def one_or_several(given: object) -> Iterable[object]:
    """One thing or a list as a list; nothing for None."""
    if given is None:
        return ()
    return given if isinstance(given, Iterable) and not isinstance(given, str | bytes) else (given,)


def response_of(plans: Sequence[TreePlan]) -> Response:
    """How the class is to be read: a number for the variance, categories for other criteria, else as it looks."""
    if not plans:
        return "auto"
    return "number" if all(plan.criterion == VARIANCE for plan in plans) else "class"


def plans_for(plans: Sequence[TreePlan], schema: Schema) -> tuple[TreePlan, ...]:
    """The trees asked for or, without any, one that suits the class."""
    target = schema.class_attribute
    numeric = target is not None and target.kind == "numeric"
    return tuple(plans) or (TreePlan(VARIANCE if numeric else "information_gain"),)


def with_sensitive(roles: Mapping[str, Role], sensitive: object) -> dict[str, Role]:
    """The roles, with those that must stay secret as confidential."""
    named: dict[str, Role] = dict(roles)
    for name in one_or_several(sensitive):
        if not isinstance(name, str):
            raise InputError(
                f"sensitive must be the name of a column or a list of names; {name!r} was given."
            )
        if named.setdefault(name, "confidential") != "confidential":
            raise InputError(f"Column {name!r} cannot be both sensitive and {named[name]}; choose one role.")
    return named
