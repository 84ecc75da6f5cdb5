"""The numbers of `tree_builders` as Markdown for docs/trees.md: c45 and see5 side by side, and who is ahead."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from hushwood.experiments.protocol import Measured
from hushwood.experiments.tree_builders import releases as names
from hushwood.experiments.tree_builders.tree_builders import TABLES
from hushwood.experiments.tree_builders.verdict import OUTCOMES, leader, sides
from hushwood.experiments.tree_builders.words import SHARES, counts_key, key, kind_of

# So many digits after the point; one for all else.
_DIGITS = {
    names.ALONE: 2,
    **dict.fromkeys(names.LINKED.values(), 2),
    names.UTILITY["eduds"]: 3,
    names.UTILITY["edusc"]: 3,
    names.RISK["sers"]: 4,
    names.RISK["reidentification_entropy"]: 2,
}
_PLAIN = (names.SEGMENTS, names.MEDIAN, names.LEAVES, names.UNPRUNED)


def builder_table(measured: Measured) -> str:
    """Means of the runs, c45 / see5, the one in bold that is ahead."""
    signs = dict.fromkeys(_PLAIN, 0) | {
        what: sign for side in sides().values() for what, sign in side.items()
    }
    rows = [
        (_label(what), *(_cell(measured, table, what, signs[what]) for table in TABLES)) for what in signs
    ]
    return _table(("", *TABLES), rows)


def score_table(measured: Measured, other: str) -> str:
    """How many pairs of table and measure see5 is ahead in, behind in, or neither."""
    rows = [
        (side, *(f"{measured.numbers[counts_key(side, other, outcome)][0]:.0f}" for outcome in OUTCOMES))
        for side in sides()
    ]
    return _table(("pairs", *OUTCOMES), rows)


def _cell(measured: Measured, table: str, what: str, sign: int) -> str:
    both = [measured.numbers.get(key(table, way, what)) for way in (names.C45, names.SEE5)]
    c45, see5 = both
    if c45 is None or see5 is None:
        return "–"
    ahead = sign * leader([b - a for a, b in zip(c45, see5, strict=True)])
    first, second = (_shown(what, fmean(values)) for values in (c45, see5))
    return " / ".join((f"**{first}**" if ahead < 0 else first, f"**{second}**" if ahead > 0 else second))


def _shown(what: str, mean: float) -> str:
    return f"{mean:.{_DIGITS.get(kind_of(what), 1)}f}"


def _label(what: str) -> str:
    """The name with its unit.

    >>> _label("rules found again, reader c45"), _label("segments")
    ('rules found again, reader c45, %', 'segments')
    """
    return f"{what}, %" if kind_of(what) in SHARES else what


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
