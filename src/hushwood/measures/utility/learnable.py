"""Whether trees can be grown on both tables at all, asked before a measure that compares them starts."""

from __future__ import annotations

from hushwood.measures.protocol import Context, NotComputable


def nothing_to_learn(context: Context) -> NotComputable | None:
    """Why no rules can be learnt from one of the tables; None if they can."""
    for name, grown in (("original", context.original_grown), ("released", context.released_grown)):
        if not grown.training.attributes:
            return NotComputable("There is no attribute beside the class that a rule could test.")
        if not grown.training.records:
            return NotComputable(
                f"No record of the {name} table has a class, so nothing can be learnt from it."
            )
    return None
