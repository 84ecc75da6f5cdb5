"""`hushwood demo`: the whole job on a generated Credit Risk table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hushwood.cli.options import Quiet
from hushwood.cli.printing import say, shown_progress
from hushwood.cli.release import show_release

if TYPE_CHECKING:
    from hushwood.policies.advice import Change


def demo(
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="DIR", help="Folder to create, or to replace.")
    ] = Path("hushwood-demo"),
    quiet: Quiet = False,
) -> None:
    """Release a generated table for named researchers, follow advice until it is cleared, and name the report.

    Example: hushwood demo -o demo
    """
    from hushwood.demo.demonstration import POLICY, demonstration
    from hushwood.reports.release.terminal import verdict_lines

    with shown_progress(quiet) as stage:
        table, tries = demonstration(output, stage)
    if quiet:
        return
    usual = f"--policy {POLICY}"
    records = tries[0].done.certificate["records"]
    say(f"A table of {records:,} invented people was made ({table}). Can it be handed to named researchers?")
    for number, one in enumerate(tries[:-1], start=1):
        say("")
        say(_asked(number, usual, one.changes), colour="cyan")
        for line in verdict_lines(one.done.verdict):
            say(line)
    say("")
    say(_asked(len(tries), usual, tries[-1].changes), colour="cyan")
    show_release(tries[-1].done)
    say("")
    say(f"Open {output / 'release' / 'private' / 'report.html'} in a browser.")


def _asked(number: int, usual: str, changes: tuple[Change, ...]) -> str:
    """The command of a try."""
    options = " ".join([usual, *(change.option for change in changes)])
    return f"Try {number}: hushwood release credit-risk.csv --class 'Credit Risk' {options}"
