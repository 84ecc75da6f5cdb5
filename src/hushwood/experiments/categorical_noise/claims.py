"""What chapter 6 says in words, held against all generated tables.

The numbers are in `numbers`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from statistics import NormalDist, fmean

from hushwood.experiments.categorical_noise.chapter_six_labels import LABELS, UNCLASSIFIED
from hushwood.experiments.categorical_noise.few_trees import chance_of_such
from hushwood.experiments.categorical_noise.numbers import (
    TREE_KEYS,
    counts_of,
    printed_counts,
    tables_like_figure_6_9,
)
from hushwood.experiments.categorical_noise.runs import BUILDERS, RECORDS
from hushwood.experiments.protocol import Finding, Outcome

# An outcome that is less likely than this is called unlikely.
UNLIKELY = 0.05
SIMILAR = 3  # the first three labels say at least "Similar"
ONE_PAIR = [["Ford", "Toyota"]]


def claims_of(tables: Sequence[Outcome]) -> dict[str, Finding]:
    """All sentences that these tables can tell about."""
    like = tables_like_figure_6_9(tables)
    found = dict(_clusters(tables)) | {"CR, few wrong records": _few_wrong(tables)}
    if like:
        found |= {f"{key}: three trees": _three_trees(like, key) for key in TREE_KEYS}
        found |= {f"{builder}, most trees are similar": _similar(like, builder) for builder in BUILDERS}
        found |= _wrong_alike(like)
    return found


def _clusters(tables: Sequence[Outcome]) -> Mapping[str, Finding]:
    clusters = [table["clusters"] for table in tables]
    return {
        "the cluster of CACTUS": _mostly([c["cluster"] for c in clusters], "the printed cluster is found"),
        "CACTUS finds one pair of cars": _mostly(
            [c["cactus"] == ONE_PAIR for c in clusters],
            "Ford and Toyota are the only cars that CACTUS finds alike",
        ),
        "DETECTIVE finds more": _mostly(
            [len(c["detective"]) > len(c["cactus"]) for c in clusters],
            "DETECTIVE finds more pairs of cars alike",
        ),
        "unrelated attributes are not tested": _mostly(
            [not c["unrelated tested"] for c in clusters], "the Car Make tree tests neither of them"
        ),
        "the tree of figure 6.9": _not_unlikely(
            [c["leaf 1"] is not None for c in clusters], "the Car Make tree is the printed one"
        ),
    }


def _mostly(holds: Sequence[bool], what: str) -> Finding:
    """In at least half of the tables; which one the thesis drew is not known."""
    return Finding(2 * sum(holds) >= len(holds), f"{_told(holds, what)}; half of them are asked for")


def _told(holds: Sequence[bool], what: str) -> str:
    return f"{what} in {sum(holds)} of {len(holds)} generated tables"


def _not_unlikely(holds: Sequence[bool], what: str) -> Finding:
    """For what is said of one table alone: it need not come often."""
    return Finding(
        sum(holds) >= UNLIKELY * len(holds),
        f"{_told(holds, what)}; {100 * UNLIKELY:g} % of them are asked for",
    )


def _few_wrong(tables: Sequence[Outcome]) -> Finding:
    wrong = [
        (share, table["CR"]["guessing"]["Credit Risk"])
        for table in tables
        for share in table["CR"]["wrong"]["Credit Risk"]
    ]
    return Finding(
        all(share < guessing for share, guessing in wrong),
        f"{_percent(fmean(share for share, _ in wrong))} of the records are wrong, at most "
        f"{_percent(max(share for share, _ in wrong))}; guessing is wrong for {_percent(fmean(g for _, g in wrong))}, "
        "and each tree is asked to be better",
    )


def _three_trees(like: Sequence[Outcome], key: str) -> Finding:
    found = counts_of(like, key)
    chance = chance_of_such(printed_counts(key), found)
    means = _shares(found)
    ours = ", ".join(f"{name} {_percent(mean)}" for name, mean in zip(LABELS, means, strict=True) if mean)
    told = f"{chance:.2g}" if chance >= 1e-4 else "below 0.0001"
    return Finding(
        chance >= UNLIKELY,
        f"the chance of an outcome at most as likely is {told}, and {UNLIKELY:g} is asked for; our trees are {ours}",
    )


def _similar(like: Sequence[Outcome], builder: str) -> Finding:
    shares = [_shares(counts_of(like, key)) for key in TREE_KEYS if key.startswith(builder)]
    similar = fmean(sum(own[:SIMILAR]) for own in shares)
    unlabelled = fmean(own[LABELS.index(UNCLASSIFIED)] for own in shares)
    return Finding(
        similar > 0.5,
        f"{_percent(similar)} of our trees are at least Similar, {_percent(unlabelled)} have no label; more than half "
        "are asked for",
    )


def _shares(found: Sequence[Sequence[int]]) -> list[float]:
    """The share of each label, the mean of the tables."""
    return [fmean(own[place] / sum(own) for own in found) for place in range(len(LABELS))]


def _wrong_alike(like: Sequence[Outcome]) -> dict[str, Finding]:
    pairs = [pair for table in like for pair in table["literal"]["wrong"]]
    if not pairs:
        return {}
    more = sum(significantly_greater(after, before) for before, after in pairs)
    numbers = (
        f"{_percent(fmean(after for _, after in pairs))} of the records are wrong after the noise, "
        f"{_percent(fmean(before for before, _ in pairs))} before; "
        f"significantly more in {more} of {len(pairs)} identical trees; fewer than half are asked for"
    )
    return {"same tree, as many wrong records": Finding(2 * more < len(pairs), numbers)}


def significantly_greater(after: float, before: float, records: int = RECORDS) -> bool:
    """Whether one share is greater than another, each of so many records: one-sided, at 5 %."""
    common = (after + before) / 2
    spread = sqrt(2 * common * (1 - common) / records)
    return after - before > NormalDist().inv_cdf(0.95) * spread


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"
