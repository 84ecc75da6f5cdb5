"""`hushwood inspect`: what each column was taken for, and what to think about before a release."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hushwood.cli.options import ClassColumns, MaxBytes, TableFile, with_options
from hushwood.cli.printing import say
from hushwood.jobs.requests import InputOptions

if TYPE_CHECKING:
    from rich.console import Console

    from hushwood.tables.reading import Reading

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
        save_schema(reading, save, table, force)
        say(f"The schema is in {save}; edit it and use it with --schema {save}.")


def _show(reading: Reading) -> None:
    """One block after the other; each is a function of the console and what was read."""
    from rich.console import Console

    from hushwood.cli.inspect_columns import show_columns
    from hushwood.cli.inspect_persons import show_persons
    from hushwood.cli.inspect_reasons import show_reasons

    console = Console()
    show_columns(console, reading)
    show_reasons(console, reading)
    show_persons(console, reading)
    show_warnings(console, reading)


def show_warnings(console: Console, reading: Reading) -> None:
    """What to think about before a release, a line each."""
    from hushwood.errors import visible

    for sentence in (*reading.notes, *(warning.sentence for warning in reading.warnings)):
        console.print(visible(f"! {sentence}"), style="yellow", markup=False, highlight=False)
