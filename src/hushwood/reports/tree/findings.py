"""The numbers of a published tree, each with its question, meaning, good direction and comparison; and its verdict."""

from __future__ import annotations

import math

from hushwood.evaluation.publication import Growth, Publication, Score, SensitiveColumn, UnseenScores
from hushwood.measures.publishing import percent
from hushwood.reports.release.findings import WAYS, Finding
from hushwood.reports.release.headlines import Headline
from hushwood.reports.release.judgement import TONES, Conclusion, badge, grade_at, place_between
from hushwood.reports.wording import Tone, count, things

_TELLING = frozenset(("generalised", "unchanged", "copied"))
_KEPT, _BROKEN = "promise kept", "promise broken"
_AMONG = (
    "An intruder who knows all quasi-identifiers of a person cannot tell which record of the group is theirs."
)
_ALONE = "An intruder who knows all quasi-identifiers of a person may find the one record that is theirs."
# How much better trees on other records must be before the report says so.
_MUCH = 0.05
_TITLES: dict[Score, str] = {"accuracy": "Accuracy", "r_squared": "Explained variance (R²)"}
_CHECK = (
    "The released file was read back from disk, and at every inner node the published test is the best split "
    "that {}."
)


def privacy_findings(publication: Publication) -> list[Finding]:
    """How well people are hidden: K of the groups, and L of every sensitive column."""
    return [
        _anonymity(publication),
        *(_diversity(found, publication) for found in publication.privacy.sensitive),
    ]


def use_findings(publication: Publication) -> list[Finding]:
    """How useful the tree is: how well it predicts with and without the promises, and how fine it is."""
    return [*_predictions(publication), _leaves(publication)]


def headlines(findings: list[Finding]) -> list[Headline]:
    """The same numbers in short."""
    return [Headline(f.title, f.answer, f.compares, f.tone, f.badge) for f in findings]


def score_text(value: float | None, measure: Score) -> str:
    """How well a tree predicts: a share of records, or R² with three decimals; a dash if all numbers are the same.

    >>> score_text(0.825, "accuracy"), score_text(0.6128, "r_squared")
    ('82.5\\xa0%', '0.613')
    """
    if value is None:
        return "–"
    # A tiny negative number is written as 0.000, without its sign.
    return percent(value) if measure == "accuracy" else f"{round(value, 3) + 0.0:.3f}"


def diversity_text(value: float) -> str:
    """L with at most two decimals, never rounded up.

    >>> diversity_text(4.129), diversity_text(2.0), diversity_text(2.3)
    ('4.12', '2', '2.3')
    """
    return f"{math.floor(100 * value + 1e-6) / 100:.10g}"


def promises_kept(publication: Publication) -> bool:
    """Whether the release has the K and the L that were asked for."""
    asked, privacy = publication.options, publication.privacy
    diverse = all(s.l >= asked.l for s in privacy.sensitive)
    return privacy.k >= asked.k and diverse


def uncounted_columns(publication: Publication) -> list[str]:
    """Columns that differ between records and are no quasi-identifiers: those who know them find smaller groups."""
    counted = set(publication.privacy.quasi_identifiers)
    return [
        column.name
        for column in publication.columns
        if column.what in _TELLING and column.role != "class" and column.name not in counted
    ]


def _anonymity(publication: Publication) -> Finding:
    privacy, asked = publication.privacy, publication.options.k
    smallest = privacy.k
    kept = smallest >= asked
    tone: Tone = "bad" if not kept else "care" if smallest < 2 else "good"
    with_class = (
        f"{publication.class_name} is counted as known."
        if publication.options.class_in_groups
        else f"If {publication.class_name} is counted as known too, it is {count(privacy.k_with_class)}."
    )
    return Finding(
        "k",
        "How many records look alike at least?",
        f"K = {count(smallest)}",
        "Records with the same released quasi-identifiers form a group; there "
        f"{'is' if privacy.groups == 1 else 'are'} {things(privacy.groups, 'group')}, "
        f"and the smallest has {things(smallest, 'record')}. "
        f"{_ALONE if smallest < 2 else _AMONG}",
        WAYS["higher"],
        f"Asked for: {asked:,}. In the original table it was {count(privacy.original_k)}. {with_class}",
        tone,
        "Records alike (K)",
        _BROKEN if not kept else "no one is hidden" if smallest < 2 else _KEPT,
    )


def _diversity(found: SensitiveColumn, publication: Publication) -> Finding:
    asked, value = publication.options.l, found.l
    tone: Tone = "bad" if value < asked else "good" if asked > 1 else "plain"
    return Finding(
        f"l-{found.name}",
        f"How mixed is {found.name} in every group?",
        f"L = {diversity_text(value)}",
        f"In every group, at most {percent(1 / value)} of the records have the most frequent value of {found.name}: an "
        "intruder who finds a person's group and guesses that value is right no more often than that. The original "
        "values were counted; the release does not show them.",
        WAYS["higher"],
        f"Asked for: {diversity_text(asked)}{'' if asked > 1 else ', which is nothing'}. "
        f"The whole table has {diversity_text(found.whole_table)}, and no grouping can have more.",
        tone,
        f"Mixture of {found.name} (L)",
        {"bad": _BROKEN, "good": _KEPT}.get(tone, ""),
    )


def _predictions(publication: Publication) -> list[Finding]:
    found = publication.accuracy
    many = len(publication.forest.trees) > 1
    title = _TITLES[found.measure]
    table = Finding(
        "on_the_table",
        f"How well {'do the trees' if many else 'does the tree'} fit the table itself?",
        score_text(found.on_the_table, found.measure),
        "The original and the released table give the same number: every record follows the same rules in both, and "
        f"{publication.class_name} is released unchanged.",
        "Higher is better, but a tree that fits too well reveals more about single records.",
        "These are the records that it was grown on: this is a fit, not a forecast.",
        title=f"{title} on the table",
    )
    return [_unseen(found.unseen, publication, title), table] if found.unseen else [table]


def _unseen(scores: UnseenScores, publication: Publication, title: str) -> Finding:
    found = publication.accuracy
    published, unlimited, naive = (
        score_text(score, found.measure) for score in (scores.published, scores.unlimited, scores.naive)
    )
    place = place_between(scores.published, scores.naive, scores.unlimited, "higher")
    grade = grade_at(place)
    return Finding(
        "unseen",
        "How well are records predicted that a tree was not grown on?",
        published,
        found.sentence,
        WAYS["higher"],
        f"{_siblings(publication)} Grown without K and L: {unlimited}. Naive guess: {naive}."
        f"{_worse(scores, publication)}",
        TONES[grade],
        f"{title} on unseen records",
        badge("utility", grade),
        place,
        (f"naive guess {naive}", f"no K and L {unlimited}"),
    )


def _siblings(publication: Publication) -> str:
    """Which trees the number is about: not the published one, which has seen all records."""
    leaves = publication.accuracy.unseen_leaves
    low, high = min(leaves), max(leaves)
    sizes = things(low, "leaf", "leaves") if low == high else f"{low:,} to {high:,} leaves"
    if len(publication.forest.trees) > 1:
        return f"The average vote of trees grown in the same way on other records ({sizes} together)."
    who = "A tree" if len(leaves) == 1 else f"{len(leaves)} trees"
    return f"{who} grown in the same way on other records ({sizes})."


def _worse(scores: UnseenScores, publication: Publication) -> str:
    """A warning where the number flatters the published tree."""
    found, leaves = publication.accuracy, sum(publication.growth.leaves)
    own = found.on_the_table
    if own is None or scores.published <= own + _MUCH:
        return ""
    many = len(publication.forest.trees) > 1
    what = "The published trees happen" if many else "The published tree happens"
    smaller = leaves < min(found.unseen_leaves)
    how = f"smaller than these ({things(leaves, 'leaf', 'leaves')})" if smaller else "worse than these"
    only = score_text(own, found.measure)
    return f" {what} to be {how}: even on the table itself the score is only {only}."


def _leaves(publication: Publication) -> Finding:
    growth = publication.growth
    leaves, closed = sum(growth.leaves), sum(growth.closed)
    per_tree = " + ".join(map(str, growth.leaves)) if len(growth.leaves) > 1 else ""
    return Finding(
        "leaves",
        "How detailed is what is published?",
        f"{things(leaves, 'leaf', 'leaves')}{f' ({per_tree})' if per_tree else ''}",
        "Every leaf is a rule about a group of records. A leaf is closed where another test would help the "
        "prediction but break the promise of K or L.",
        "More leaves tell analysts more, fewer hide people better.",
        f"{_closed(closed, leaves)} {_tried(growth)}",
        title="Leaves",
    )


def _closed(closed: int, leaves: int) -> str:
    if leaves == 1:
        return "It is closed." if closed else "It is not closed."
    return f"{count(closed).capitalize()} {'are' if closed > 1 else 'is'} closed."


def _tried(growth: Growth) -> str:
    if not growth.tried:
        return "No expansion was tried."
    return f"Expansions tried: {growth.tried:,}, undone: {growth.barred:,}."


def tree_verdict(publication: Publication) -> Conclusion:
    """The headline with its tone, and how it was checked."""
    number = len(publication.forest.trees)
    trees = {1: "the tree", 2: "both trees"}.get(number, f"all {number} trees")
    check = _CHECK.format("growing tries there" if publication.one_order else "the file offers")
    if not publication.verified.same:
        return Conclusion(
            "bad",
            f"Do not publish: the {'tree' if number == 1 else 'trees'} cannot be grown again from the table.",
            publication.verified.sentence,
        )
    if not promises_kept(publication):
        return Conclusion(
            "bad", f"Do not publish: {trees} can be grown again, but a promise is broken.", check
        )
    others = publication.privacy.k - 1
    tone: Tone = "good" if others else "care"
    like = "with the same quasi-identifiers" if uncounted_columns(publication) else "like it"
    alike = f"Every record has at least {things(others, 'other')} {like}"
    headline = f"{alike if others else 'Some records are alone'}, and {trees} can be grown again."
    return Conclusion(tone, headline, check)


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
