"""How several categories are written as one released value: "{a, b}", "{a, b and 12 more}", "ALL".

`category_texts` reads such texts again; which values belong together is decided elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

ALL = "ALL"
MISSING = "missing"
LONGEST = 80
_SEPARATORS = (", ", "; ", " | ")


def set_label(values: Sequence[str], all_of: int) -> str:
    """The released value that stands for these categories, of a column that has `all_of` of them.

    A label of more than 80 characters tells the first values only, and how many more there are; two long sets can
    then have the same label.

    >>> set_label(["a"], 3), set_label(["a", "b"], 3), set_label(["a", "b", "c"], 3)
    ('a', '{a, b}', 'ALL')
    """
    if len(values) == 1:
        return values[0]
    if len(values) == all_of:
        return ALL
    whole = braced(values)
    return whole if len(whole) <= LONGEST else _shortened(values)


def braced(values: Sequence[str]) -> str:
    """The values in braces, parted by a sign that none of them holds, where there is one.

    >>> braced(["a", "b"]), braced(["a, b", "c"])
    ('{a, b}', '{a, b; c}')
    """
    free = (s for s in _SEPARATORS if not any(s.strip() in value for value in values))
    return f"{{{next(free, _SEPARATORS[0]).join(values)}}}"


def named_in(label: str) -> list[str]:
    """A released value and, if it stands for a set, the values that it names.

    >>> named_in("a"), named_in("{a, b and 12 more}")
    (['a'], ['{a, b and 12 more}', 'a', 'b'])
    """
    inside = re.fullmatch(r"\{(.*?)( and \d+ more)?\}", label, re.DOTALL)
    if inside is None:
        return [label]
    sets = [inside[1].split(separator) for separator in _SEPARATORS]
    return list(dict.fromkeys([label, *(name for names in sets if len(names) > 1 for name in names)]))


def _shortened(values: Sequence[str]) -> str:
    """As many of the first values as fit, one at least, and the number of the others."""
    told = len(values) - 1
    while told > 1 and len(_told(values, told)) > LONGEST:
        told -= 1
    return _told(values, told)


def _told(values: Sequence[str], told: int) -> str:
    return f"{braced(values[:told])[:-1]} and {len(values) - told} more}}"
