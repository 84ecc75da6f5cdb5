"""The block of `hushwood inspect` that says why each column was taken for what it is, and how to change that."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from hushwood.tables.reading import Reading


def show_reasons(console: Console, reading: Reading) -> None:
    """A row for each column: the reason, and the line of a schema file that says otherwise."""
    from rich.table import Table
    from rich.text import Text

    from hushwood.errors import visible
    from hushwood.tables.columns.meanings import reason_of
    from hushwood.tables.columns.warnings import suspicions

    shown = Table(title="Why, and which line of a schema changes it", title_justify="left")
    for heading in ("column", "taken for that because", "line of the schema"):
        shown.add_column(heading)
    suspected = suspicions(reading.warnings)
    for attribute in reading.table.schema.attributes:
        reason = reason_of(attribute, suspected.get(attribute.name, ""))
        cells = (attribute.name, reason.why, reason.line)
        shown.add_row(*(Text(visible(cell)) for cell in cells))
    console.print(shown)
