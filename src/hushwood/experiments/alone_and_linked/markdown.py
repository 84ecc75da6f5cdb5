"""The numbers of `alone_and_linked` as Markdown for docs/findings.md: one table for every question.

The page's own words stand outside of the marks; between them everything is made anew from a run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import log2
from statistics import fmean

from hushwood.experiments.alone_and_linked import alone_segments, names
from hushwood.experiments.alone_and_linked.claims import correlation_key, signed
from hushwood.experiments.protocol import Measured

Numbers = Mapping[str, Sequence[float]]
# Heading, measure, digits after the point.
TABLES = (
    ("Records linked by the best of three attacks, in %", names.LINKED, 1),
    ("Records in segments of fewer than 5, in %", names.FEW, 1),
    ("SERS, in bits", names.SERS, 3),
    ("H_RI, in bits, all attributes but the class known", names.RI, 1),
    ("Cells released unchanged, in %", names.SAME_CELLS, 0),
    ("Categories beside the class released unchanged, in %", names.SAME_CATEGORIES, 0),
    ("EDUDS", names.EDUDS, 2),
    ("Unseen records predicted rightly by a forest of the release, in %", names.ACCURACY, 1),
)


def page_with_numbers(page: str, measured: Measured, says: Mapping[str, str]) -> str:
    """The page with the tables and sentences of this run between its marks."""
    parts = {"claims": claims_markdown(measured, says), "tables": finding_markdown(measured)}
    for name, text in parts.items():
        start, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        before, rest = page.split(start)
        page = f"{before}{start}{text}\n{end}{rest.split(end)[1]}"
    return page


def finding_markdown(measured: Measured) -> str:
    """All tables, each under its heading."""
    parts = [
        f"**{heading}**\n\n{_by_way(measured.numbers, what, digits)}" for heading, what, digits in TABLES
    ]
    parts.insert(1, f"**Rank correlation with linkage**\n\n{_correlations(measured.numbers)}")
    for heading, key, digits in (
        ("Records alone in their intersection, in %", alone_segments.key, 1),
        ("Intersections", alone_segments.count_key, 0),
    ):
        parts.append(f"**{heading}**\n\n{_by_trees(measured.numbers, key, digits)}")
    return "\n\n".join(parts)


def claims_markdown(measured: Measured, says: Mapping[str, str]) -> str:
    """Every sentence of the papers and what came of it, by the claims' keys."""
    lines = []
    for name, finding in measured.claims.items():
        verdict = "Holds" if finding.holds else "Does not hold"
        lines.append(f'- "{says[name]}" **{verdict}**: {finding.numbers}.')
    return "\n".join(lines)


def _by_way(numbers: Numbers, what: str, digits: int) -> str:
    tables = _there(numbers)
    rows = []
    for way in names.WAYS:
        cells = [_cell(numbers.get(names.key(table, way, what)), digits) for table in tables]
        if any(cells):
            rows.append((way, *(cell or "–" for cell in cells)))
    if what == names.LINKED:
        rows.append(
            ("blind guesser", *(f"{100 / _records(numbers, table):.{digits + 1}f}" for table in tables))
        )
    if what in names.ENTROPIES:
        rows.append(("most possible", *(f"{log2(_records(numbers, table)):.{digits}f}" for table in tables)))
    return _table(("", *(names.LABELS[table] for table in tables)), rows)


def _correlations(numbers: Numbers) -> str:
    tables = _there(numbers)
    rows = []
    for entropy in names.ENTROPIES:
        found = [numbers.get(correlation_key(table, entropy)) for table in tables]
        rows.append((entropy, *(signed(one[0]) if one else "–" for one in found)))
    return _table(("", *(names.LABELS[table] for table in tables)), rows)


def _by_trees(numbers: Numbers, key: Callable[[str, str, int], str], digits: int) -> str:
    head = ("", "leaves", *(f"{trees} tree{'s' * (trees > 1)}" for trees in alone_segments.TREES))
    rows = []
    for table, label in names.LABELS.items():
        for leaves in alone_segments.LEAVES:
            found = [numbers.get(key(table, leaves, trees)) for trees in alone_segments.TREES]
            if any(found):
                words = alone_segments.LEAF_WORDS[leaves]
                rows.append((label, words, *(f"{one[0]:.{digits}f}" if one else "–" for one in found)))
    return _table(head, rows)


def _there(numbers: Numbers) -> list[str]:
    return [table for table in names.LABELS if names.records_key(table) in numbers]


def _records(numbers: Numbers, table: str) -> float:
    return numbers[names.records_key(table)][0]


def _cell(values: Sequence[float] | None, digits: int) -> str:
    """The mean, and the lowest and highest run where they differ."""
    if not values:
        return ""
    mean, low, high = (f"{value:.{digits}f}" for value in (fmean(values), min(values), max(values)))
    return mean if low == high else f"{mean} ({low}-{high})"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
