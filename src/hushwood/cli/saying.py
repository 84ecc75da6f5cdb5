"""The one way in which commands print: nothing that a table holds can command the terminal or hide there."""

from __future__ import annotations

import typer

from hushwood.visible_text import visible


def say(line: str, *, colour: str | None = None, err: bool = False) -> None:
    """Print one line."""
    typer.secho(visible(line), fg=colour, err=err)
