"""What a notebook shows: cards of a release, an audit, a tuned map, a table and a forest.

Names and values of tables are data: the template escapes them, and pictures cannot run anything.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass

from hushwood.evaluation.distributions import Distribution, distributions
from hushwood.evaluation.evaluation import Evaluation
from hushwood.policies.verdict import Verdict
from hushwood.reports.charts.altair_charts import picture
from hushwood.reports.charts.columns import distribution_chart
from hushwood.reports.charts.frame import Chart
from hushwood.reports.charts.risk import attack_charts
from hushwood.reports.charts.risk_utility import CLEARED, HEAD, MapPoint, map_chart
from hushwood.reports.page_frame import fragment
from hushwood.reports.release.changes import most_changed
from hushwood.reports.release.clearance import CheckRow, clearance
from hushwood.reports.release.headlines import Headline, intruder_headlines, miners_headlines
from hushwood.reports.wording import Tone, count, share_or_dash, things
from hushwood.tables.columns.value_texts import value_text
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table, missing_values
from hushwood.trees.drawing.drawing import draw_svg
from hushwood.trees.forest import Forest

_MOST_COLUMNS = 60
_MOST_CHANGED = 2
_MOST_POINTS = 8
_MOST_TREES = 3


@dataclass(frozen=True, slots=True)
class CardRow:
    """A line of a table; the last cell has a tone, and small bars may follow it."""

    cells: Sequence[str]
    tone: Tone | str = ""
    bars: Sequence[float] = ()


@dataclass(frozen=True, slots=True)
class CardPart:
    """A table of a card."""

    head: Sequence[str]
    rows: Sequence[CardRow]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture of a card and its text for those who cannot see it."""

    alt: str
    source: str


@dataclass(frozen=True, slots=True)
class Card:
    """All that a card shows, from top to bottom."""

    headline: str = ""
    tone: Tone | str = ""
    lines: Sequence[str] = ()
    tables: Sequence[CardPart] = ()
    pictures: Sequence[Drawn] = ()
    notes: Sequence[str] = ()

    def to_html(self) -> str:
        """The card as HTML."""
        return fragment("notebook.html.j2", {"card": self})


def release_card(evaluation: Evaluation | None, verdict: Verdict, notes: Sequence[str]) -> str:
    """The verdict with every check, and the columns that changed most."""
    changed = most_changed(evaluation)[:_MOST_CHANGED] if evaluation else []
    charts = [distribution_chart(change.distribution) for change in changed]
    return Card(*_answer(verdict), (_checks(verdict),), _drawn(charts), notes).to_html()


def audit_card(evaluation: Evaluation, verdict: Verdict | None) -> str:
    """The verdict if there is one, the headlines of both sides, and the attacks."""
    sides = (
        _headlines("What an intruder learns", intruder_headlines(evaluation)),
        _headlines("What miners keep", miners_headlines(evaluation)),
    )
    drawn = _drawn(attack_charts(evaluation.tried))
    if verdict is None:
        return Card("", "", (f"{count(evaluation.release.records)} records judged.",), sides, drawn).to_html()
    return Card(*_answer(verdict), (_checks(verdict), *sides), drawn).to_html()


def map_card(points: Sequence[MapPoint], why: Sequence[str], *, cleared: bool) -> str:
    """The risk-utility map, why its winner won, and the front in numbers."""
    chart = map_chart(points)
    front = sorted((point for point in points if point.front or point.winner), key=lambda one: -one.utility)
    rows = [
        CardRow(
            (p.label, share_or_dash(p.utility), f"{p.upper:.2f}", p.what),
            "good" if p.what == CLEARED else "bad",
        )
        for p in front[:_MOST_POINTS]
    ]
    head = (HEAD[0], HEAD[1], "Upper end of the risk, limit = 1", "")
    headline = "Cleared" if cleared else "Nothing that was tried is cleared"
    tone: Tone = "good" if cleared else "bad"
    return Card(headline, tone, why, (CardPart(head, rows),), _drawn([chart])).to_html()


def table_card(table: Table) -> str:
    """Each column with its kind, role, values, missing share and a small histogram."""
    kept = {entry.column: entry for entry in distributions(table, table)}
    shown = table.schema.attributes[:_MOST_COLUMNS]
    rows = [_column(a, table, kept.get(a.name)) for a in shown]
    more = len(table.schema.attributes) - len(shown)
    notes = (f"{things(more, 'more column', 'more columns')}.",) if more else ()
    size = f"{things(table.rows, 'record', 'records')}, {things(len(table.schema.attributes), 'column', 'columns')}"
    columns = CardPart(("column", "kind", "role", "values", "missing", ""), rows)
    return Card(lines=(size,), tables=(columns,), notes=notes).to_html()


def forest_card(forest: Forest) -> str:
    """The trees as pictures."""
    shown = forest.trees[:_MOST_TREES]
    titles = [f"Tree {place} of {len(forest.trees)}" for place in range(1, len(shown) + 1)]
    pictures = [
        Drawn(title, _svg(draw_svg(tree, forest, title))) for tree, title in zip(shown, titles, strict=True)
    ]
    predicted = ", ".join(dict.fromkeys(target.name for target in forest.predicts))
    about = f"{things(len(forest.trees), 'tree', 'trees')} for {predicted}"
    more = len(forest.trees) - len(shown)
    notes = (f"{things(more, 'more tree', 'more trees')}: plot(tree=…) draws one.",) if more else ()
    return Card(lines=(about,), pictures=pictures, notes=notes).to_html()


def _answer(verdict: Verdict) -> tuple[str, Tone, tuple[str, ...]]:
    found = clearance(verdict)
    lines = [
        f"Policy: {found.policy}. {found.counted}",
        *(f"Hold it back: {text}" for text in found.blocking),
    ]
    if found.options:
        lines.append(f"What to change: {' '.join(found.options)}")
    return found.headline, found.tone, tuple(lines)


def _checks(verdict: Verdict) -> CardPart:
    rows = [
        CardRow((row.asked, row.title, row.limit, _found(row), f"{row.mark} {row.status}"), row.tone)
        for row in clearance(verdict).rows
    ]
    return CardPart(("What was asked", "by", "Limit", "Found", "Result"), rows)


def _found(row: CheckRow) -> str:
    return ", ".join(word for word in (row.found, row.upper) if word) or row.reason


def _headlines(title: str, found: Sequence[Headline]) -> CardPart:
    return CardPart((title, "", ""), [CardRow((one.title, one.answer, one.badge), one.tone) for one in found])


def _column(attribute: Attribute, table: Table, entry: Distribution | None) -> CardRow:
    if entry is None:
        return CardRow((attribute.name, attribute.kind, attribute.role, "", "", ""))
    missing = float(missing_values(table.columns[attribute.name]).mean()) if table.rows else 0.0
    found = entry.histogram or entry.counts
    heights = [float(number or 0) for number in found.before] if found else []
    top = max(heights, default=0.0) or 1.0
    gaps = share_or_dash(missing) if missing else ""
    cells = (attribute.name, attribute.kind, attribute.role, _values(attribute), gaps)
    return CardRow(cells, "", [height / top for height in heights])


def _values(attribute: Attribute) -> str:
    if attribute.kind == "numeric":
        ends = (attribute.low, attribute.high)
        return " – ".join(value_text(end, attribute.storage) for end in ends if end is not None)
    few = ", ".join(attribute.categories[:3])
    return f"{few}, … ({count(len(attribute.categories))})" if len(attribute.categories) > 3 else few


def _drawn(charts: Sequence[Chart]) -> tuple[Drawn, ...]:
    return tuple(Drawn(f"{chart.title}. {chart.says}", picture([chart])) for chart in charts)


def _svg(text: str) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(text.encode('utf-8')).decode('ascii')}"
