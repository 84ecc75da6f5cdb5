"""What whoever signs a release must know and no limit is about: what went out as it was, and who is easily recognised.

Inside, sentences say how many records it is about; outsiders get the kind of a notice and the names of the columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from hushwood.evaluation.evaluation import Evaluation
from hushwood.evaluation.release_facts import RareCategories, RareColumn
from hushwood.measures.publishing import SMALL
from hushwood.reports.release.columns import copied_columns, copy_warnings, unchanged_everywhere
from hushwood.reports.words.wording import things


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing to know before signing; `columns` are those that outsiders may be told of."""

    kind: str
    says: str
    columns: tuple[str, ...] = ()


def notices(evaluation: Evaluation) -> list[Notice]:
    """All of them, what went out unchanged first; none for outsiders, from whom the counts are withheld."""
    return [] if evaluation.public else [*_unchanged(evaluation), *_recognised(evaluation)]


def announced(evaluation: Evaluation) -> list[dict[str, Any]]:
    """For the manifest: the kinds of the notices, and the columns, without a count or value."""
    copied = copied_columns(evaluation)
    found = {"copied": copied, "unchanged": [n for n in unchanged_everywhere(evaluation) if n not in copied]}
    columns: dict[str, list[str]] = {kind: names for kind, names in found.items() if names}
    for notice in notices(evaluation):
        columns.setdefault(notice.kind, []).extend(notice.columns)
    return [{"kind": kind, "columns": list(dict.fromkeys(names))} for kind, names in columns.items()]


def _unchanged(evaluation: Evaluation) -> Iterator[Notice]:
    for text in copy_warnings(evaluation):
        yield Notice("unchanged", text)


def _recognised(evaluation: Evaluation) -> Iterator[Notice]:
    """Rare levels, classes of one record and unique extremes, where rows are paired."""
    rare, extremes = evaluation.release.rare_categories, evaluation.release.unique_extremes
    if rare is not None and rare.columns:
        yield _rare(rare)
        classes = {column.name for column in evaluation.columns if column.role == "class"}
        alone = [c for c in rare.columns if c.column in classes and any(k.records == 1 for k in c.categories)]
        if alone:
            counted = _counted(alone, single=True)
            says = f"A class that only one record has is in the release: {counted}. It points to one person."
            yield Notice("rare levels", says)
    if extremes is not None and extremes.unchanged:
        still = ", ".join(dict.fromkeys(one.column for one in extremes.values if one.unchanged))
        says = f"A lowest or highest value that only one record had is still on that record: {still}."
        yield Notice("extremes", says)


def _rare(rare: RareCategories) -> Notice:
    return Notice(
        "rare levels",
        f"Levels that fewer than {SMALL} records have are in the release: {_counted(rare.columns)}. Records that still "
        f"have theirs: {rare.unchanged:,} of {rare.records:,}.",
        tuple(column.column for column in rare.columns),
    )


def _counted(columns: Sequence[RareColumn], *, single: bool = False) -> str:
    numbers = (
        (c.column, sum(k.records == 1 for k in c.categories) if single else len(c.categories))
        for c in columns
    )
    return ", ".join(f"{name} ({things(number, 'level')})" for name, number in numbers)
