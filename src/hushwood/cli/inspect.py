"""`hushwood inspect`: what each column was taken for, and what to think about before a release."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hushwood.cli import options as o

if TYPE_CHECKING:
    from hushwood.tables.reading import Reading
    from hushwood.tables.schema import Attribute


def inspect(
    table: o.TableFile,
    target: Annotated[
        str | None, typer.Option("--class", help="The class column, if you know it already.")
    ] = None,
    save: Annotated[
        Path | None, typer.Option(help="Write the schema to this TOML file, to edit and use.")
    ] = None,
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
) -> None:
    """Show what each column was taken for, and warnings.

    Example: hushwood inspect adult.csv --save adult.toml
    """
    reading = o.read_input(
        table,
        target=target,
        schema=schema,
        roles=(
            ("identifier", identifier),
            ("quasi-identifier", quasi_identifier),
            ("confidential", confidential),
            ("ignored", ignore),
        ),
        missing=missing,
        encoding=encoding,
        separator=separator,
        infinite=infinite,
        class_bins=class_bins,
        class_threshold=class_threshold,
    )
    _show(reading)
    if save is not None:
        from hushwood.tables.schema_file import write_schema_file

        write_schema_file(reading.table.schema, save)
        typer.echo(f"The schema is in {save}; edit it and use it with --schema {save}.")


def _show(reading: Reading) -> None:
    from rich.console import Console
    from rich.table import Table

    shown = Table(title=f"{reading.table.rows:,} records", title_justify="left")
    for heading in ("column", "kind", "role", "values", "missing"):
        shown.add_column(heading)
    for attribute in reading.table.schema.attributes:
        shown.add_row(
            attribute.name, attribute.kind, attribute.role, _values(attribute), _missing(reading, attribute)
        )
    console = Console()
    console.print(shown)
    for warning in reading.warnings:
        console.print(
            f"! {warning.column}: {warning.sentence}", style="yellow", markup=False, highlight=False
        )


def _values(attribute: Attribute) -> str:
    from hushwood.evaluation.distributions import value_text

    if attribute.carried:
        return ""
    if attribute.kind == "categorical":
        first = ", ".join(attribute.categories[:3])
        return f"{len(attribute.categories)}: {first}{', …' if len(attribute.categories) > 3 else ''}"
    if attribute.low is None or attribute.high is None:
        return "none known"
    decimals = "continuous" if attribute.precision is None else f"{attribute.precision} decimals"
    low, high = (value_text(limit, attribute.storage) for limit in (attribute.low, attribute.high))
    return f"{low} to {high} ({'whole numbers' if attribute.precision == 0 else decimals})"


def _missing(reading: Reading, attribute: Attribute) -> str:
    from hushwood.tables.table import missing_values

    if attribute.carried:
        return ""
    return f"{missing_values(reading.table.columns[attribute.name]).sum():,}"
