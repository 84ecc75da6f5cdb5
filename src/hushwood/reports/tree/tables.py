"""The tables of a published tree: its groups, what became of every column, how it was grown; and its lines of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hushwood.evaluation.publication import Publication, PublishedColumn, What
from hushwood.reports.tree.findings import diversity_text, privacy_findings, tree_verdict, use_findings
from hushwood.reports.tree.published_trees import CRITERIA, readable_forest, rule_numbers
from hushwood.reports.wording import columns, count, things, wrapped

# More groups than this are hidden until they are asked for, and so are the parts of a column.
GROUPS_OPEN = 12
PARTS_OPEN = 12
_ROLES = {"ordinary": "", "class": "class"}
_NOT_SHOWN: Mapping[What, str] = {
    "unchanged": "Released unchanged",
    "suppressed": "Suppressed: one value for all records",
    "copied": "Copied without any change",
    "dropped": "Not released",
}
_ONE_ORDER = " Categories are cut in one order, which all nodes share."
_CLASS = {
    True: "Groups are formed with the class: an intruder is assumed to know it.",
    False: "Groups are formed without the class: an intruder is assumed not to know it.",
}
_MODES = {
    "anchored": "Numbers next to a threshold are released unchanged; all others become some other true value.",
    "delta": "Numbers next to a threshold move away from it by the same amount on both sides.",
}
_THRESHOLDS = {
    "midpoint": "Halfway between the two nearest values of the table.",
    "data": "The largest value of the table below the midpoint, as in C4.5.",
}
_AFTER = {
    True: ("stop", "The first expansion that would break K or L ends growth."),
    False: ("undo and go on", "The leaf is closed, and growth continues elsewhere."),
}
_KINDS = ("generalised", "suppressed", "unchanged", "copied", "dropped")


@dataclass(frozen=True, slots=True)
class GroupRow:
    """One group of records that look alike: their values, rules, number, and the diversity of sensitive columns."""

    number: int
    values: tuple[tuple[str, str], ...]
    rules: str
    records: str
    diversity: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GeneralisedColumn:
    """A column with coarser values, and what each released value stands for."""

    name: str
    role: str
    says: str
    parts: tuple[tuple[str, str, str], ...]
    unfolded: bool


@dataclass(frozen=True, slots=True)
class OptionRow:
    """One setting with its value and what it means."""

    name: str
    value: str
    meaning: str


def group_rows(publication: Publication) -> list[GroupRow]:
    """All groups that are listed, smallest first."""
    numbers = rule_numbers(readable_forest(publication.forest))
    sensitive = [found.name for found in publication.privacy.sensitive]
    return [
        GroupRow(
            place + 1,
            tuple(group.values.items()),
            _rules(group.leaves, numbers),
            count(group.records),
            tuple(diversity_text(group.l[name]) for name in sensitive),
        )
        for place, group in enumerate(publication.groups)
    ]


def generalised_columns(publication: Publication) -> list[GeneralisedColumn]:
    """Columns that keep some of their detail."""
    return [_generalised(column) for column in publication.columns if column.what == "generalised"]


def other_columns(publication: Publication) -> list[tuple[str, str]]:
    """What became of the other columns, one line for each kind."""
    kinds = {
        what: [_named(column) for column in publication.columns if column.what == what] for what in _NOT_SHOWN
    }
    return [(_NOT_SHOWN[what], ", ".join(named)) for what, named in kinds.items() if named]


def copied_columns(publication: Publication) -> list[str]:
    """Columns other than the class that are released without any change."""
    return [column.name for column in publication.columns if column.what == "copied"]


def option_rows(publication: Publication) -> list[OptionRow]:
    """What was asked for, in words."""
    asked = publication.options
    criteria = ", ".join(CRITERIA.get(name, name) for name in asked.criteria)
    return [
        OptionRow("K", f"{asked.k:,}", "Minimum group size: the number of records that must look alike."),
        OptionRow("L", diversity_text(asked.l), _mixture(publication)),
        OptionRow(
            "Tests scored by",
            criteria,
            "The score of all columns and all splits; of equal ones, the first is taken."
            f"{_ONE_ORDER if publication.one_order else ''}",
        ),
        OptionRow("Class in groups", "yes" if asked.class_in_groups else "no", _CLASS[asked.class_in_groups]),
        OptionRow("Minimum leaf size", f"{asked.min_leaf:,}", "Smaller leaves are never made."),
        OptionRow("Maximum number of leaves", _limit(asked.max_leaves), "In each tree."),
        OptionRow("Maximum depth", _limit(asked.max_depth), "Tests from the root of a tree to a leaf."),
        OptionRow("Mode", asked.mode, _MODES[asked.mode]),
        OptionRow("Thresholds", asked.thresholds, _THRESHOLDS[asked.thresholds]),
        OptionRow("If a promise breaks", *_AFTER[asked.stop_at_first_failure]),
    ]


def _rules(leaves: Sequence[int], numbers: Sequence[Mapping[int, int]]) -> str:
    """The rules of a group, one per tree; where trees test other columns as well, a group can follow several."""
    if len(leaves) != len(numbers):
        return "several"
    return " / ".join(str(own.get(leaf, "–")) for own, leaf in zip(numbers, leaves, strict=True))


def _mixture(publication: Publication) -> str:
    names = [found.name for found in publication.privacy.sensitive]
    if not names:
        return "No column was declared sensitive, so L is not needed."
    return f"No value of {' or '.join(names)} may make up more than 1/L of a group; 1 asks for nothing."


def _limit(value: int | None) -> str:
    return "no limit" if value is None else f"{value:,}"


def _named(column: PublishedColumn) -> str:
    if column.what == "suppressed" and column.parts:
        return f"{column.name} (now {column.parts[0].released})"
    return f"{column.name} (the class)" if column.role == "class" else column.name


def _generalised(column: PublishedColumn) -> GeneralisedColumn:
    parts = tuple((p.stands_for, p.released or "(empty)", count(p.records)) for p in column.parts)
    return GeneralisedColumn(
        column.name,
        _ROLES.get(column.role, column.role),
        f"{things(column.before, 'value')} became {count(column.after)}.{_listed(column)}",
        parts,
        len(parts) <= PARTS_OPEN,
    )


def _listed(column: PublishedColumn) -> str:
    listed = len(column.parts)
    return f" The first {count(listed)} are listed." if listed < column.after else ""


def tree_summary_lines(publication: Publication) -> list[str]:
    """The verdict, the numbers of both sides with their comparisons, what became of the columns, and why growth ended.

    Warnings are printed by the command.
    """
    found = [*privacy_findings(publication), *use_findings(publication)]
    # How well the tree fits its own table is worth a line only where nothing better is known.
    if publication.accuracy.unseen is not None:
        found = [finding for finding in found if finding.name != "on_the_table"]
    lines = wrapped(tree_verdict(publication).headline)
    lines += ["", *columns([(finding.title, finding.answer, finding.compares) for finding in found])]
    what = [column.what for column in publication.columns]
    became = ", ".join(f"{what.count(kind)} {kind}" for kind in _KINDS if kind in what)
    lines += ["", *wrapped(f"Columns: {became}. {publication.growth.stopped}")]
    copied = copied_columns(publication)
    return lines + wrapped(f"WARNING: copied without any change: {', '.join(copied)}.") if copied else lines
