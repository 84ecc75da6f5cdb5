"""Which recipes can keep rows together: those that change values within segments, and nothing row by row."""

from __future__ import annotations

from hushwood.errors import InputError
from hushwood.releasing.plan import Plan


def check_recipe(plan: Plan, blanks: bool) -> None:
    """Refuse what works on rows one by one, or in groups of rows, whatever person they belong to."""
    instead = "choose segment-shuffle, forest-framework or another recipe that changes values within segments"
    if plan.row_order == "none":
        raise InputError(
            f"{plan.recipe} makes up one record after the other, so no rows stay together for --person or --household; "
            f"{instead}."
        )
    if blanks:
        raise InputError(
            "--suppress blanks single rows, so a person's constant columns would not stay constant; omit it, or omit "
            "--person and --household."
        )
    for step in plan.steps:
        own = step.technique
        groups = hasattr(own, "k") and own.smallest_segment is None
        if groups or own.promise.values in ("generalised", "ranges") or own.promise.blanks:
            raise InputError(
                f"{plan.recipe} treats rows, not persons: it cannot be used with --person or --household; {instead}."
            )
