"""`hushwood inspect`: what each column was taken for, and what to think about before a release."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hushwood.cli import options as o
from hushwood.cli.saying import say

if TYPE_CHECKING:
    from hushwood.tables.reading import Reading
    from hushwood.tables.schema import Attribute


def inspect(
    table: o.TableFile,
    target: Annotated[
        str | None,
        typer.Option("--class", metavar="COLUMN", help="The class column, if you know it already."),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the schema to this new TOML file, to edit and use."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an old schema file.")] = False,
    schema: o.SchemaFile = None,
    identifier: o.Identifier = None,
    quasi_identifier: o.QuasiIdentifier = None,
    confidential: o.Confidential = None,
    ignore: o.Ignore = None,
    missing: o.Missing = "",
    encoding: o.Encoding = "utf-8",
    separator: o.Separator = None,
    infinite: o.Infinite = "refuse",
    class_bins: o.ClassBins = None,
    class_threshold: o.ClassThreshold = None,
    max_bytes: o.MaxBytes = None,
) -> None:
    """Show what each column was taken for, and warnings.

    Example: hushwood inspect adult.csv --save adult.toml
    """
    reading = o.read_input(
        table,
        target,
        schema,
        o.Roles(identifier, quasi_identifier, confidential, ignore),
        o.Form(missing, encoding, separator, infinite),
        o.ClassCut(class_bins, class_threshold),
    )
    _show(reading)
    if save is not None:
        from hushwood.jobs.schema_files import save_schema

        save_schema(reading.table.schema, save, table, force)
        say(f"The schema is in {save}; edit it and use it with --schema {save}.")


def _show(reading: Reading) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from hushwood.visible_text import visible

    shown = Table(title=f"{reading.table.rows:,} records", title_justify="left")
    for heading in ("column", "kind", "role", "values", "missing"):
        shown.add_column(heading)
    for attribute in reading.table.schema.attributes:
        cells = (
            attribute.name,
            attribute.kind,
            attribute.role,
            _values(attribute),
            _missing(reading, attribute),
        )
        shown.add_row(*(Text(visible(cell)) for cell in cells))
    console = Console()
    console.print(shown)
    for warning in reading.warnings:
        console.print(visible(f"! {warning.sentence}"), style="yellow", markup=False, highlight=False)


def _values(attribute: Attribute) -> str:
    from hushwood.tables.value_texts import value_text

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
    return f"{low} to {high} ({_fineness(attribute)})"


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
