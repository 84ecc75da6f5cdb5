"""The `hushwood` command: words in, jobs called, results shown. Computes nothing itself."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from hushwood import __version__
from hushwood.cli.demo import demo
from hushwood.cli.inspect import inspect
from hushwood.cli.release import release
from hushwood.errors import HushwoodError

app = typer.Typer(
    name="hushwood",
    help="Release tables about people: the patterns stay, the people do not show.\n\n"
    "Start with `hushwood demo`, then `hushwood inspect TABLE`, then `hushwood release TABLE --class C -o DIR`.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)
app.command()(demo)
app.command()(inspect)
app.command()(release)

INTERRUPTED = 130


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"hushwood {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and stop."),
    ] = False,
) -> None:
    del version


def run() -> None:
    """Run the command; every error that Hushwood knows becomes one sentence and its exit code."""
    try:
        app()
    except HushwoodError as fault:
        typer.secho(f"hushwood: {fault}", fg="red", err=True)
        sys.exit(fault.exit_code)
    except KeyboardInterrupt:
        typer.secho("hushwood: stopped; nothing was written.", err=True)
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    run()
