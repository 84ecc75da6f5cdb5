"""`hushwood inspect`: what each column was taken for and why, and what to think about before a release."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hushwood.cli.options import ClassColumns, MaxBytes, TableFile, with_options
from hushwood.cli.printing import say
from hushwood.jobs.requests import InputOptions

if TYPE_CHECKING:
    from rich.console import Console

    from hushwood.jobs.inspected_links import InspectedLinks
    from hushwood.tables.reading import Reading
    from hushwood.tables.schema import Attribute


Save = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write the schema to this new TOML file, to edit and use.")
]
LinksWanted = Annotated[
    str,
    typer.Option(
        "--links",
        metavar="auto|declared|none",
        help="Links between columns to show and save: found and declared, only declared, or none.",
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Replace an old schema file.")]


@with_options
def inspect(
    table: TableFile,
    inputs: InputOptions,
    target: ClassColumns = None,
    links: LinksWanted = "auto",
    save: Save = None,
    force: Force = False,
    max_bytes: MaxBytes = None,
) -> None:
    """Show what each column was taken for, which columns are linked, and warnings.

    Example: hushwood inspect adult.csv --save adult.toml
    """
    from hushwood.jobs.inputs import read_input, save_schema
    from hushwood.jobs.inspected_links import inspected_links

    reading = read_input(table, inputs.arguments(target))
    found = inspected_links(reading.table, links)
    _show(reading, found)
    if save is not None:
        linked = replace(reading, table=replace(reading.table, schema=found.schema))
        save_schema(linked, save, table, force)
        say(f"The schema is in {save}; edit it and use it with --schema {save}.")


def _show(reading: Reading, links: InspectedLinks) -> None:
    """One block after the other; each is a function of the console and what was read."""
    from rich.console import Console

    console = Console()
    show_columns(console, reading)
    show_reasons(console, reading)
    show_persons(console, reading)
    show_links(console, links)
    show_warnings(console, reading)


def show_links(console: Console, links: InspectedLinks) -> None:
    """What holds between columns, a line each, and how to turn one off."""
    from hushwood.errors import visible

    for line in links.lines():
        console.print(visible(line), markup=False, highlight=False)


def show_warnings(console: Console, reading: Reading) -> None:
    """What to think about before a release, a line each."""
    from hushwood.errors import visible

    for sentence in (*reading.notes, *(warning.sentence for warning in reading.warnings)):
        console.print(visible(f"! {sentence}"), style="yellow", markup=False, highlight=False)


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


def show_persons(console: Console, reading: Reading) -> None:
    """How many persons or households there are, and which columns are constant in them."""
    from hushwood.errors import visible
    from hushwood.tables.persons.units import described_people

    for sentence in described_people(reading.table):
        console.print(visible(sentence), markup=False, highlight=False)


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
