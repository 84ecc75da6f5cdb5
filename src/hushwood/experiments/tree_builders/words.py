"""What the numbers of `tree_builders` are called on its page: tables, ways to grow and measures in words, with units.

`releases` has the short names by which outcomes are kept, and shares between 0 and 1; here shares become percentages.
"""

from __future__ import annotations

from collections.abc import Mapping

from hushwood.experiments.tree_builders import releases as names

LABELS: Mapping[str, str] = {
    "adult": "Adult",
    "wbc": "WBC",
    "crx": "Credit",
    "cmc": "CMC",
    "abalone": "Abalone",
}
GROWN: Mapping[str, str] = {
    names.C45: "C4.5",
    names.SEE5: "See5",
    names.LARGER: "C4.5 with doubled leaves",
}
SHARES: Mapping[str, str] = {
    names.ALONE: "% of records alone in their segment",
    names.UTILITY["rule_types"]: "% of records under rules found again",
    names.ACCURACY: "% of unseen records right",
    names.RISK["unchanged_cells"]: "% of cells unchanged",
    names.RISK["changed_classes"]: "% of classes changed",
    names.LINKED["everything"]: "% of records linked by who knows all attributes",
    names.LINKED["quasi-identifiers"]: "% of records linked by who knows some attributes",
}
_PLAIN: Mapping[str, str] = {
    names.SEGMENTS: "number of segments",
    names.MEDIAN: "records in a segment, median",
    names.LEAVES: "leaves of one tree",
    names.UNPRUNED: "leaves of one tree before pruning",
    names.UTILITY["eduds"]: "EDUDS, 0 to 1",
    names.UTILITY["edusc"]: "EDUSC, 0 to 1",
    names.RISK["sers"]: "SERS, bits",
    names.RISK["reidentification_entropy"]: "entropy of re-identification, bits",
}


def kind_of(what: str) -> str:
    """What is measured, whoever reads the release.

    >>> kind_of("EDUDS, reader see5"), kind_of("segments")
    ('EDUDS', 'segments')
    """
    return what.partition(", reader ")[0]


def in_words(what: str) -> str:
    """A measure with its unit, and the receiver's builder where it matters.

    >>> in_words("rules found again, reader see5")
    '% of records under rules found again, receiver grows See5'
    """
    kind, _, reader = what.partition(", reader ")
    words = SHARES.get(kind) or _PLAIN[kind]
    return f"{words}, receiver grows {GROWN[reader]}" if reader else words


def scaled(what: str, value: float) -> float:
    """A share in per cent, all else as it is.

    >>> scaled("unchanged cells", 0.5), scaled("segments", 22)
    (50.0, 22)
    """
    return 100 * value if kind_of(what) in SHARES else value


def key(table: str, way: str, what: str) -> str:
    """What a number of ours goes by.

    >>> key("wbc", "see5", "segments")
    'WBC, released with See5: number of segments'
    """
    return f"{LABELS[table]}, released with {GROWN[way]}: {in_words(what)}"


def counts_key(side: str, other: str, outcome: str) -> str:
    """The key of the number of pairs in which See5 is ahead of, or behind, another way to grow, or neither.

    >>> counts_key("risk", "c45", "ahead")
    'Risk, See5 against C4.5: pairs of table and measure, ahead'
    """
    return f"{side.capitalize()}, See5 against {GROWN[other]}: pairs of table and measure, {outcome}"
