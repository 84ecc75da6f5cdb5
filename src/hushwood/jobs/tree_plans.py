"""The trees that were asked for: what they take the class for, and which tree it is when none was named."""

from __future__ import annotations

from collections.abc import Sequence

from hushwood.errors import InputError
from hushwood.tables.class_column import Response
from hushwood.tables.schema import Schema
from hushwood.tree_publishing.options import TreePlan

VARIANCE = "variance"


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


def response_of(plans: Sequence[TreePlan]) -> Response:
    """How the class is to be read: a number for the variance, categories for other criteria, else as it looks."""
    if not plans:
        return "either"
    return "number" if all(plan.criterion == VARIANCE for plan in plans) else "class"


def plans_for(plans: Sequence[TreePlan], schema: Schema) -> tuple[TreePlan, ...]:
    """The trees asked for or, without any, one that suits the class."""
    target = schema.class_attribute
    numeric = target is not None and target.kind == "numeric"
    return tuple(plans) or (TreePlan(VARIANCE if numeric else "information_gain"),)
