"""The table of columns that `hushwood inspect` shows first: kind, role, values and missing values of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from hushwood.tables.reading import Reading
    from hushwood.tables.schema import Attribute


def show_columns(console: Console, reading: Reading) -> None:
    """What each column was taken for, a row each."""
    from rich.table import Table
    from rich.text import Text

    from hushwood.errors import visible

    shown = Table(title=f"{reading.table.rows:,} records", title_justify="left")
    for heading in ("column", "kind", "role", "values", "missing"):
        shown.add_column(heading)
    for attribute in reading.table.schema.attributes:
        cells = (
            attribute.name,
            attribute.kind,
            _role(attribute),
            _values(attribute),
            _missing(reading, attribute),
        )
        shown.add_row(*(Text(visible(cell)) for cell in cells))
    console.print(shown)


def _role(attribute: Attribute) -> str:
    """What a column is for; a weight may have another role as well."""
    if attribute.weight:
        return "weight" if attribute.role == "ordinary" else f"weight, {attribute.role}"
    return "response" if attribute.response else attribute.role


def _values(attribute: Attribute) -> str:
    from hushwood.tables.columns.value_texts import are_years, value_text, without_separators

    if attribute.carried:
        return ""
    if attribute.kind == "categorical":
        if not attribute.categories:
            return "none known"
        first = (" < " if attribute.ordered else ", ").join(attribute.categories[:3])
        return f"{len(attribute.categories)}: {first}{', …' if len(attribute.categories) > 3 else ''}"
    if attribute.low is None or attribute.high is None:
        return "none known"
    ends = (attribute.low, attribute.high)
    low, high = (value_text(end, attribute.storage, attribute.precision) for end in ends)
    if attribute.integer and are_years(attribute.name, *ends):
        low, high = without_separators(low), without_separators(high)
    noise = "" if attribute.noise is None else f", noise {attribute.noise:g}"
    return f"{low} to {high} ({_fineness(attribute)}){noise}"


def _fineness(attribute: Attribute) -> str:
    """How close two values can be."""
    if attribute.precision is None:
        return "continuous"
    if attribute.storage == "Date":
        return "days"
    if attribute.precision:
        return f"{attribute.precision} {'decimal' if attribute.precision == 1 else 'decimals'}"
    return "seconds" if attribute.storage.startswith(("Datetime", "Duration", "Time")) else "whole numbers"


def _missing(reading: Reading, attribute: Attribute) -> str:
    from hushwood.tables.table import missing_values

    if attribute.carried:
        return ""
    return f"{missing_values(reading.table.columns[attribute.name]).sum():,}"
