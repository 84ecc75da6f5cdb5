"""Scales that surveys and records use, in English and German: words whose order is certain whatever the column.

A column is taken for a scale only if all its words are on one, three or more of them. One word too many, such as
"don't know", and the column has no order unless it is declared.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

# One scale a paragraph, ascending; words for the same place are separated by bars.
_WORDS = """
very low, low, medium|moderate|middle|average, high, very high

sehr niedrig|sehr gering, niedrig|gering, mittel|mäßig, hoch, sehr hoch

none|no, mild|slight, moderate, severe, very severe

keine, leicht, mittel|mäßig|mittelschwer, schwer, sehr schwer

strongly disagree|disagree strongly|completely disagree, disagree, somewhat disagree|slightly disagree,
neutral|undecided|neither agree nor disagree|neither nor,
somewhat agree|slightly agree, agree, strongly agree|agree strongly|completely agree

stimme überhaupt nicht zu|stimme gar nicht zu, stimme nicht zu, stimme eher nicht zu,
neutral|teils teils|weder noch|unentschieden,
stimme eher zu, stimme zu, stimme voll zu|stimme völlig zu|stimme voll und ganz zu

trifft überhaupt nicht zu|trifft gar nicht zu, trifft nicht zu, trifft eher nicht zu,
neutral|teils teils|weder noch,
trifft eher zu, trifft zu, trifft voll zu|trifft voll und ganz zu

never, rarely|seldom, sometimes|occasionally, often|frequently, very often, always

nie|niemals, selten, manchmal|gelegentlich, oft|häufig, sehr oft|sehr häufig, immer

very poor|very bad, poor|bad, fair, good, very good, excellent

sehr schlecht, schlecht, mittelmäßig|mittel|teils teils, gut, sehr gut, ausgezeichnet

very dissatisfied|very unsatisfied, dissatisfied|unsatisfied, neutral|neither nor, satisfied, very satisfied

sehr unzufrieden, unzufrieden, neutral|teils teils|weder noch, zufrieden, sehr zufrieden

very unlikely, unlikely, neutral, likely, very likely

very small, small, medium, large|big, very large

sehr klein, klein, mittel, groß, sehr groß

xs, s, m, l, xl, xxl, xxxl
"""
_SCALES = tuple(
    tuple(place.strip().split("|") for place in scale.split(",")) for scale in _WORDS.split("\n\n")
)
_PLACES = tuple({word: place for place, words in enumerate(scale) for word in words} for scale in _SCALES)
_FEWEST = 3


def in_scale_order(categories: Sequence[str]) -> tuple[str, ...] | None:
    """The categories in ascending order if all are words of one scale, three or more; else None.

    >>> in_scale_order(["high", "low", "medium"]), in_scale_order(["high", "low", "tall"])
    (('low', 'medium', 'high'), None)
    """
    if len(categories) < _FEWEST:
        return None
    words = [_word(category) for category in categories]
    for places in _PLACES:
        found = [places.get(word, -1) for word in words]
        if min(found) >= 0 and len(set(found)) == len(found):
            return tuple(category for _, category in sorted(zip(found, categories, strict=True)))
    return None


def _word(category: str) -> str:
    """Lower-case words with single spaces, whatever stands between them."""
    return re.sub(r"[\s_/,.-]+", " ", category).strip().lower()
