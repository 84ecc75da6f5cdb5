"""`hushwood reproduce`: the experiments of the papers, from a package of their own that is found by its entry point."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer

from hushwood.errors import InputError

GROUP, NAME = "hushwood.commands", "reproduce"


def reproduce(context: typer.Context) -> None:
    """Run the experiments of the papers again and compare their numbers with ours.

    Example: hushwood reproduce forest-framework --data tables
    """
    inner = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="markdown")
    inner.command()(_experiments())
    code = inner(args=context.args, prog_name=context.command_path, standalone_mode=False)
    if code:
        raise typer.Exit(code)


def _experiments() -> Callable[..., Any]:
    from importlib.metadata import entry_points

    for found in entry_points(group=GROUP, name=NAME):
        command: Callable[..., Any] = found.load()
        return command
    raise InputError(
        "The experiments are in a package of their own, hushwood-papers; install it with `pip install ./papers` "
        "from a copy of Hushwood's repository."
    )
