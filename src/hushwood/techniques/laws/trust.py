"""How far a released column can be trusted: the sentences that several techniques share, for dictionary.md."""

from __future__ import annotations

WITHIN_RANGE = (
    "Do not rely on single values. Which side of a rule's limit a value lies on is exact; averages drift towards the "
    "middle of each range."
)
EXACT_COUNTS = "Do not rely on single values. Counts within a segment, and so in the whole table, are exact."
EXACT_TOTALS = "Do not rely on single values. Counts in the whole table are exact."
AVERAGE_COUNTS = "Do not rely on single values. Counts are right on average."
ESTIMATED_COUNTS = (
    "Do not rely on single values. Counts can be estimated from the technique's probabilities, as "
    "docs/techniques.md explains."
)
NOTHING = "Rely neither on single values nor on their links to other columns."
EXACT_MOMENTS = (
    "Do not rely on single values. Averages, variances and correlations with the other numbers are exact up to "
    "rounding, except for records that are alone in their segment or in their pattern of missing values; the report "
    "says how many."
)
MOMENTS = (
    "Do not rely on single values. Averages and correlations with other numbers are right where the range is wide "
    "enough; skewed columns drift."
)
WEAKER_LINKS = (
    "Do not rely on single values. Averages drift inwards at the ends of the range; correlations with other numbers "
    "are weaker."
)
COARSE = "Coarse but true: a label names the values it stands for, and a number is the middle of its group."


def exact_or_blurred(blur: int) -> str:
    """How far to trust the distribution of a column whose numbers are handed out to other records."""
    if blur:
        return "The column's distribution is nearly exact: only numbers that few records share are blurred"
    return "The column's set of values is exact"
