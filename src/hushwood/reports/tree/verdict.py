"""What comes first about a published tree: whether it grows again and people are hidden; and what that proves."""

from __future__ import annotations

from hushwood.evaluation.publication import Publication
from hushwood.reports.release.verdicts import Verdict
from hushwood.reports.tree.findings import promises_kept, uncounted_columns
from hushwood.reports.words.wording import Tone, things

_CHECK = (
    "The released file was read back from disk, and at every inner node the published test is the best split "
    "that {}."
)


def tree_verdict(publication: Publication) -> Verdict:
    """The headline with its tone, and how it was checked."""
    number = len(publication.forest.trees)
    trees = {1: "the tree", 2: "both trees"}.get(number, f"all {number} trees")
    check = _CHECK.format("growing tries there" if publication.one_order else "the file offers")
    if not publication.verified.same:
        return Verdict(
            "bad",
            f"Do not publish: the {'tree' if number == 1 else 'trees'} cannot be grown again from the table.",
            publication.verified.sentence,
        )
    if not promises_kept(publication):
        return Verdict("bad", f"Do not publish: {trees} can be grown again, but a promise is broken.", check)
    others = publication.privacy.k - 1
    tone: Tone = "good" if others else "care"
    like = "with the same quasi-identifiers" if uncounted_columns(publication) else "like it"
    alike = f"Every record has at least {things(others, 'other')} {like}"
    headline = f"{alike if others else 'Some records are alone'}, and {trees} can be grown again."
    return Verdict(tone, headline, check)


def proof(publication: Publication) -> str:
    """What growing the trees again from the released table proves: what holds at every inner node, and what follows.

    It depends on which tests are tried: all, or those that one order of the categories offers.
    """
    asked = publication.options
    which = " that its tree may test" if any(asked.columns) else ""
    least = asked.min_leaf
    large = f" (with at least {least:,} records on each side)" if least > 1 else ""
    if not publication.one_order:
        return (
            f"at every inner node, no test on any column of the released table{which} scores better than the "
            f"published one{large}. {_conclusion(publication, '')}"
        )
    order = (
        f"by the mean of {publication.class_name} among their records in the whole table"
        if publication.regression
        else "by their share, in the whole table, of the class that is most frequent there"
    )
    return (
        f"at every inner node, no threshold of any column of the released table{which} scores better than the "
        f"published test{large}, and no cut through the categories of a column, put in one order: {order}. "
        "Other ways to split categories are not tried and may score better. "
        f"{_conclusion(publication, ', with the categories in that order,')} A program that splits categories in "
        "another way may grow other trees."
    )


def _conclusion(publication: Publication, order: str) -> str:
    asked = publication.options
    limited = asked.max_leaves is not None or asked.max_depth is not None
    trees, gets = ("trees", "these") if len(publication.forest.trees) > 1 else ("a tree", "this one")
    within = " within the same limits" if limited else ""
    return f"So anyone who grows {trees} from that table by the same score{within}{order} gets {gets}."
