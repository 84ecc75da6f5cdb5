"""`hushwood inspect`: what each column was taken for, and what to think about before a release."""

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

    from hushwood.cli.inspect_columns import show_columns
    from hushwood.cli.inspect_persons import show_persons
    from hushwood.cli.inspect_reasons import show_reasons

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
