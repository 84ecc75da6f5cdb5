"""Association rules: are the frequent item sets of the original frequent in the release, and do its rules hold there?

The thesis (2 and 3.1.2) names rules destroyed and created, and changes of support and confidence, as the loss for
this task; what an item is, and which rules count, is left open (errata D13). Sets are counted in `item_sets`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

import numpy as np

from hushwood.arrays import Flags, Floats, Integers
from hushwood.detail_tables import DetailTable
from hushwood.measures.columns.joint_cells import (
    PAIR_ONLY,
    ItemCounts,
    JointColumn,
    count_items,
    frequent_triples,
    item_bits,
    joint_columns,
    pair_counts,
    triple_counts,
)
from hushwood.measures.protocol import Context, Details, Measure, Measurement, NotComputable
from hushwood.measures.publishing import PUBLIC, TWO_DECIMALS, percent
from hushwood.parameters import AtLeast, Between, Checked
from hushwood.tables.table import Table

WIDEST = 60  # columns
MOST_ITEMS = 120
LISTED = 10  # rules
_WHOLE = 1e-9  # what rounding may take from a threshold


# A rule that one table has and the other lacks; "if" is not a name in Python.
FoundRule = TypedDict(
    "FoundRule",
    {
        "if": list[str],
        "then": str,
        "support_before": float,
        "support_after": float,
        "confidence_before": float,
        "confidence_after": float,
    },
)


class RuleDetails(TypedDict):
    """Sets and rules of both tables, counted."""

    items: int
    left_out: int
    sets: dict[str, int]
    rules: Annotated[dict[str, int], PUBLIC]
    support_change: Annotated[float | None, TWO_DECIMALS]
    confidence_change: Annotated[float | None, TWO_DECIMALS]
    lost: list[FoundRule]
    spurious: list[FoundRule]


@dataclass(frozen=True, slots=True)
class AssociationRules(Measure, Checked):
    """The rules that both tables have, as a share of those that either has.

    A rule of one or two items for another counts if all its items together have the `support`, and if among the
    records with the first ones the last has the `confidence` and `lift` times its share of all records.
    """

    support: Annotated[float, Between(0, 1, open_low=True)] = 0.05
    confidence: Annotated[float, Between(0, 1, open_low=True)] = 0.5
    lift: Annotated[float, AtLeast(0)] = 1.1
    cells: Annotated[int, AtLeast(2)] = 5
    name = "association_rules"
    title = "Association rules kept"
    question = "What share of the association rules of either table do both have?"
    meaning = (
        "Of the association rules that can be mined from the original or from the release, this share can be mined "
        "from both: at 1 the two give the same rules."
    )
    side = "utility"
    unit = "share"
    better = "higher"
    bounds = (0.0, 1.0)
    declared = RuleDetails
    best = 1.0
    quick = False

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Mine both tables for rules of up to three items, which are categories and quantile cells of numbers."""
        if not original.rows or not released.rows:
            return NotComputable("One of the tables has no records, so it has no rules.")
        columns = joint_columns(original, released, self.cells)
        chosen = context.streams.sample(self.name, "columns", len(columns), WIDEST)
        items = _items([columns[place] for place in chosen.tolist()], self.support)
        before, after = _mined(items, original.rows, released.rows, self.support)
        was, now = (self._holds(rules) for rules in (before, after))
        either = int((was | now).sum())
        if not either:
            return NotComputable(
                f"Neither table has a rule with support {percent(self.support)}, confidence "
                f"{percent(self.confidence)} and lift {self.lift:g}."
            )
        value = int((was & now).sum()) / either
        if context.value_only:
            return Measurement(value)
        details = {
            "items": len(items),
            "left_out": len(columns) - len(chosen),
            "sets": _compared(*(rules.sets >= self.support - _WHOLE for rules in (before, after))),
            "rules": _compared(was, now),
            **_changes(before, after, was),
            "lost": _listed(items, before, after, was & ~now, before.support),
            "spurious": _listed(items, before, after, now & ~was, after.support),
        }
        return Measurement(value, details)

    def _holds(self, rules: _Rules) -> Flags:
        """Which of the possible rules a table has."""
        strong = (rules.support >= self.support - _WHOLE) & (rules.confidence >= self.confidence - _WHOLE)
        return np.asarray(strong & (rules.confidence >= self.lift * rules.share - _WHOLE))

    def tables(self, details: Details) -> tuple[DetailTable, ...]:
        """The most frequent rules that were lost, and those that were not there."""
        return tuple(
            DetailTable.of(
                title,
                "Support is the share of all records, confidence that of the records which fit the first items.",
                {
                    "Rule": "text",
                    "support before": "share",
                    "support after": "share",
                    "confidence before": "share",
                    "confidence after": "share",
                },
                (
                    (
                        f"{' and '.join(row['if'])} → {row['then']}",
                        row["support_before"],
                        row["support_after"],
                        row["confidence_before"],
                        row["confidence_after"],
                    )
                    for row in details[key]
                ),
            )
            for key, title in (("lost", "Rules that were lost"), ("spurious", "Rules that are spurious"))
            if details.get(key)
        )

    def remarks(self, details: Details) -> str:
        """Rules of both tables, and how support and confidence changed."""
        if "rules" not in details:
            return ""
        before, after, both = (details["rules"][key] for key in ("before", "after", "kept"))
        said = [f"The original has {before:,} rules and the release {after:,}; they share {both:,}."]
        if details["confidence_change"] is not None:
            said.append(
                f"The support of the original's rules changed by {percent(details['support_change'])} of the records "
                f"on average, their confidence by {details['confidence_change']:.2f}."
            )
        return " ".join(said)


@dataclass(frozen=True, slots=True)
class _Item:
    """One value or cell of a column: in which records of both tables it is."""

    words: str
    before: Flags
    after: Flags

    @property
    def share(self) -> float:
        """Its share of the records of the table where it is more frequent."""
        return float(max(self.before.mean(), self.after.mean()))


@dataclass(frozen=True, slots=True)
class _Rules:
    """All possible rules of one table: their items (first, first or -1, last), and their numbers.

    `sets` are the supports of the pairs and triples that they are made of, and `share` is that of the last item.
    """

    items: Integers
    support: Floats
    confidence: Floats
    share: Floats
    sets: Floats


def _items(columns: Sequence[JointColumn], support: float) -> list[_Item]:
    """Values and cells that are frequent in one of the tables; missing values and the rest of a column do not count."""
    found = [
        item
        for column in columns
        for code, words in enumerate(column.words)
        if words is not None
        and (item := _Item(f"{column.name} = {words}", column.before == code, column.after == code)).share
        >= support - _WHOLE
    ]
    order = np.argsort([-round(item.share, 9) for item in found], kind="stable")[:MOST_ITEMS]
    return [found[place] for place in np.sort(order).tolist()]


def _mined(items: Sequence[_Item], rows: int, others: int, support: float) -> tuple[_Rules, _Rules]:
    """The same possible rules in both tables: of all sets that are frequent in one of them."""
    bits = [
        item_bits([item.before for item in items], rows),
        item_bits([item.after for item in items], others),
    ]
    counts = [count_items(*one) for one in zip(bits, (rows, others), strict=True)]
    least = [(support - _WHOLE) * one.records for one in counts]
    pairs = np.argwhere(
        np.triu(np.any([c.pairs >= s for c, s in zip(counts, least, strict=True)], axis=0), 1)
    )
    triples = [frequent_triples(*one) for one in zip(bits, counts, least, strict=True)]
    both = np.unique(np.concatenate(triples), axis=0)
    sets = np.concatenate([np.column_stack([pairs, np.full(len(pairs), PAIR_ONLY)]), both])
    before, after = (
        _rules(sets, np.concatenate([pair_counts(c, pairs), triple_counts(b, both)]), c)
        for b, c in zip(bits, counts, strict=True)
    )
    return before, after


def _rules(sets: Integers, together: Integers, counts: ItemCounts) -> _Rules:
    """Every set gives a rule for each of its items."""
    found, number = [], []
    for last in range(3):
        first = np.delete(sets, last, axis=1)
        there = sets[:, last] != PAIR_ONLY
        found.append(np.column_stack([first, sets[:, last]])[there])
        number.append(np.flatnonzero(there))
    items, of_set = np.concatenate(found), np.concatenate(number)
    a, b, last = items.T
    given = np.where(b == PAIR_ONLY, counts.single[a], counts.pairs[a, b])
    support = together[of_set] / counts.records
    confidence = np.divide(together[of_set], given, out=np.zeros(len(items)), where=given > 0)
    return _Rules(items, support, confidence, counts.single[last] / counts.records, together / counts.records)


def _compared(was: Flags, now: Flags) -> dict[str, int]:
    return {
        "before": int(was.sum()),
        "after": int(now.sum()),
        "kept": int((was & now).sum()),
        "lost": int((was & ~now).sum()),
        "spurious": int((now & ~was).sum()),
    }


def _changes(before: _Rules, after: _Rules, was: Flags) -> dict[str, float | None]:
    """Mean absolute changes of support and confidence over the original's rules."""
    if not was.any():
        return {"support_change": None, "confidence_change": None}
    return {
        "support_change": float(np.abs(after.support - before.support)[was].mean()),
        "confidence_change": float(np.abs(after.confidence - before.confidence)[was].mean()),
    }


def _listed(
    items: Sequence[_Item], before: _Rules, after: _Rules, chosen: Flags, support: Floats
) -> list[dict[str, Any]]:
    """The rules with the most support."""
    places = np.flatnonzero(chosen)
    rows = []
    for at in places[np.argsort(-support[places], kind="stable")[:LISTED]].tolist():
        *first, last = before.items[at].tolist()
        rows.append(
            {
                "if": [items[place].words for place in first if place != PAIR_ONLY],
                "then": items[last].words,
                "support_before": float(before.support[at]),
                "support_after": float(after.support[at]),
                "confidence_before": float(before.confidence[at]),
                "confidence_after": float(after.confidence[at]),
            }
        )
    return rows
