"""What a miner wins back, as a terminal shows it: one line for every column, and single columns in full."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from hushwood.errors import unknown_name
from hushwood.reconstruction.miner import OTHERS, ColumnBack, TreeFound, WonBack
from hushwood.reports.wording import columns, wrapped

BAR = 20
MOST_ROWS = 40  # of one column's distribution
NOTHING = "–"
LEAST_SHOWN = 0.0005
_SHOWN = ("released", "recovered", "original")


def won_back_lines(found: WonBack, shown: Sequence[str] = ()) -> list[str]:
    """Notes, all columns, those asked for in full, means by class, and the tree."""
    names = [column.name for column in found.columns]
    for name in shown:
        if name not in names:
            raise unknown_name("column", name, names)
    lines = [line for note in found.notes for line in wrapped(f"! {note}")]
    lines += _recovered(found) + _left(found)
    for column in found.columns:
        if column.name in shown:
            lines += ["", *_distribution(column)]
    return lines + _class_means(found) + ([] if found.tree is None else _tree(found.tree))


def _recovered(found: WonBack) -> list[str]:
    """The columns whose noise can be undone, with their distances from the original."""
    rows = [
        (
            column.name,
            "+".join(column.techniques),
            _number(column.apart("released")),
            _number(column.apart("recovered")),
            NOTHING if column.rules_out is None else f"{column.rules_out:.0%}",
            column.way,
        )
        for column in found.columns
        if column.recovered is not None
    ]
    if not rows:
        return ["", "No column's noise can be undone."]
    head = ("column", "noise", "off", "off after", "rules out", "by")
    kept = [i for i in range(len(head)) if any(row[i] != NOTHING for row in rows)]
    lines = ["", "Distributions won back"]
    lines += columns([[row[i] for i in kept] for row in rows], [head[i] for i in kept])
    if 2 in kept:
        lines += wrapped(
            "off: total variation between the released and the original distribution; off after: the same when the "
            "noise is undone. 0 is equal, 1 has nothing in common.",
            indent=2,
        )
    if 4 not in kept:
        return lines
    return lines + wrapped(
        "rules out: the share of what is uncertain about a person's value that the released value takes away.",
        indent=2,
    )


def _left(found: WonBack) -> list[str]:
    """Why the other columns are taken as they are, by reason."""
    reasons: dict[str, list[ColumnBack]] = {}
    for column in found.columns:
        if column.recovered is None:
            reasons.setdefault(column.reason, []).append(column)
    lines = ["", "Taken as released"] if reasons else []
    for reason, left in reasons.items():
        named = ", ".join(map(_named, left))
        lines += wrapped(f"{named}: {reason}", indent=2)
    return lines


def _named(column: ColumnBack) -> str:
    off = column.apart("released")
    return column.name if off is None or off < LEAST_SHOWN else f"{column.name} (off {off:.3f})"


def _distribution(column: ColumnBack) -> list[str]:
    """All cells of one column, with bars for what was recovered, or else released."""
    cells = _cells(column)
    bars = column.released if column.recovered is None else column.recovered
    known = [which for which in _SHOWN if getattr(column, which) is not None]
    highest = max(float(bars.max()), 1e-12)
    order = range(len(cells))
    rows = [
        (
            cells[i],
            *(f"{getattr(column, which)[i]:.1%}" for which in known),
            *((f"± {column.errors[i]:.1%}",) if column.errors is not None else ()),
            "█" * round(BAR * float(bars[i]) / highest),
        )
        for i in order
        if cells[i] != OTHERS or any(getattr(column, which)[i] > 0 for which in known)
    ]
    head = ("", *known, *(("error",) if column.errors is not None else ()), "")
    more = (
        [f"  ... and {len(rows) - MOST_ROWS} more; --json has all of them"] if len(rows) > MOST_ROWS else []
    )
    return [column.name, *columns(rows[:MOST_ROWS], head), *more]


def _cells(column: ColumnBack) -> list[str]:
    if column.limits is None:
        return [*column.labels, OTHERS]
    ends = [f"{limit:.6g}" for limit in column.limits.tolist()]
    return [f"{low} – {high}" for low, high in pairwise(ends)]


def _class_means(found: WonBack) -> list[str]:
    if not found.class_means:
        return []
    rows = [
        (row.column, row.label, f"{row.released:.4g}", f"{row.recovered:.4g}", _number(row.original, ".4g"))
        for row in found.class_means
    ]
    head = ("column", "class", "released", "recovered", "original")
    kept = [i for i in range(5) if i < 4 or any(row.original is not None for row in found.class_means)]
    return ["", "Means by class", *columns([[row[i] for i in kept] for row in rows], [head[i] for i in kept])]


def _tree(tree: TreeFound) -> list[str]:
    size = f"{tree.leaves} {'leaf' if tree.leaves == 1 else 'leaves'}"
    why = "" if not tree.plain else " None of its columns has added noise that a tree could undo."
    lines = ["", *wrapped(f"The tree: {tree.way}, {size}.{why}")]
    if not tree.accuracy:
        return lines
    named = {
        "original": "tree of the original",
        "released": "tree of the release",
        "recovered": "tree won back",
    }
    shown = {name: share for name, share in tree.accuracy.items() if not (tree.plain and name == "recovered")}
    rows = [(named[name], f"{share:.1%}") for name, share in shown.items()]
    return lines + columns(rows, ("correct on original records", ""))


def _number(value: float | None, form: str = ".3f") -> str:
    return NOTHING if value is None else f"{value:{form}}"
