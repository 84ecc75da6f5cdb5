"""What comes first about a published tree: whether it can be grown again, and whether people are hidden.

The numbers behind it are in `tree_findings`; the verdict on a release with noise is in `verdicts`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hushwood.reports.tree_findings import promises_kept, uncounted_columns
from hushwood.reports.tree_proof import in_one_order
from hushwood.reports.verdicts import Verdict
from hushwood.reports.wording import Tone, things

_CHECK = (
    "The released file was read back from disk, and at every inner node the published test is the best split "
    "that {}."
)


def tree_verdict(document: Mapping[str, Any]) -> Verdict:
    """The headline with its tone, and how it was checked."""
    same, kept = document["verified"]["same"], promises_kept(document)
    trees = len(document["forest"]["trees"])
    what = _trees(trees)
    check = _CHECK.format("growing tries there" if in_one_order(document) else "the file offers")
    if not same:
        return Verdict(
            "bad",
            f"Do not publish: the {'tree' if trees == 1 else 'trees'} cannot be grown again from the table.",
            document["verified"]["sentence"],
        )
    if not kept:
        return Verdict("bad", f"Do not publish: {what} can be grown again, but a promise is broken.", check)
    others = document["privacy"]["k"] - 1
    tone: Tone = "good" if others else "care"
    like = "with the same quasi-identifiers" if uncounted_columns(document) else "like it"
    alike = f"Every record has at least {things(others, 'other')} {like}"
    return Verdict(
        tone,
        f"{alike if others else 'Some records are alone'}, and {what} can be grown again.",
        check,
    )


def _trees(number: int) -> str:
    return {1: "the tree", 2: "both trees"}.get(number, f"all {number} trees")
