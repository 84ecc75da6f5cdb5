"""What growing a published tree again from its table proves, in words.

It depends on which tests are tried: all of them, or those that one order of the categories offers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def in_one_order(document: Mapping[str, Any]) -> bool:
    """Whether categories were cut in one order only, so that some ways to part them were never tried."""
    from hushwood.tree_publishing.growth import needs_fixed_order

    asked = document["options"]
    parted = any(a["kind"] == "categorical" for a in document["forest"]["attributes"])
    return parted and needs_fixed_order(asked["criteria"], len(document["classes"]), asked["min_leaf"])


def proof(document: Mapping[str, Any]) -> str:
    """What is true of every inner node, and what follows from it."""
    asked = document["options"]
    which = " that its tree may test" if any(asked.get("columns") or ()) else ""
    least = asked["min_leaf"]
    large = f" (with at least {least:,} records on each side)" if least > 1 else ""
    if not in_one_order(document):
        return (
            f"at every inner node, no test on any column of the released table{which} scores better than the "
            f"published one{large}. {_follows(document, '')}"
        )
    return (
        f"at every inner node, no threshold of any column of the released table{which} scores better than the "
        f"published test{large}, and no cut through the categories of a column, put in one order: {_order(document)}. "
        "Other ways to part categories are not tried and may score better. "
        f"{_follows(document, ', with the categories in that order,')} A program that parts categories in another way "
        "may grow something else."
    )


def _follows(document: Mapping[str, Any], order: str) -> str:
    asked = document["options"]
    limits = asked["max_leaves"] is not None or asked["max_depth"] is not None
    what, gets = ("trees", "these") if len(document["forest"]["trees"]) > 1 else ("a tree", "this one")
    within = " within the same limits" if limits else ""
    return f"So whoever grows {what} from that table by the same score{within}{order} gets {gets}."


def _order(document: Mapping[str, Any]) -> str:
    if document["regression"]:
        return f"by the mean of {document['class']} among their records in the whole table"
    return "by their share, in the whole table, of the class that is most frequent there"
