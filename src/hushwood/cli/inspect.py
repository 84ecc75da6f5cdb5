"""`hushwood inspect`: what each column was taken for, and what to think about before a release."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hushwood.cli.options import ClassColumns, MaxBytes, TableFile, with_options
from hushwood.cli.printing import say
from hushwood.jobs.requests import InputOptions

if TYPE_CHECKING:
    from hushwood.tables.reading import Reading
    from hushwood.tables.schema import Attribute

Save = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write the schema to this new TOML file, to edit and use.")
]
Force = Annotated[bool, typer.Option("--force", help="Replace an old schema file.")]


@with_options
def inspect(
    table: TableFile,
    inputs: InputOptions,
    target: ClassColumns = None,
    save: Save = None,
    force: Force = False,
    max_bytes: MaxBytes = None,
) -> None:
    """Show what each column was taken for, and warnings.

    Example: hushwood inspect adult.csv --save adult.toml
    """
    from hushwood.jobs.inputs import read_input, save_schema

    reading = read_input(table, inputs.arguments(target))
    _show(reading)
    if save is not None:
        save_schema(reading.table.schema, save, table, force)
        say(f"The schema is in {save}; edit it and use it with --schema {save}.")


def _show(reading: Reading) -> None:
    from rich.console import Console
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
            "response" if attribute.response else attribute.role,
            _values(attribute),
            _missing(reading, attribute),
        )
        shown.add_row(*(Text(visible(cell)) for cell in cells))
    console = Console()
    console.print(shown)
    for warning in reading.warnings:
        console.print(visible(f"! {warning.sentence}"), style="yellow", markup=False, highlight=False)


def _values(attribute: Attribute) -> str:
    from hushwood.tables.columns.value_texts import value_text

    if attribute.carried:
        return ""
    if attribute.kind == "categorical":
        if not attribute.categories:
            return "none known"
        first = ", ".join(attribute.categories[:3])
        return f"{len(attribute.categories)}: {first}{', …' if len(attribute.categories) > 3 else ''}"
    if attribute.low is None or attribute.high is None:
        return "none known"
    low, high = (value_text(limit, attribute.storage) for limit in (attribute.low, attribute.high))
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
