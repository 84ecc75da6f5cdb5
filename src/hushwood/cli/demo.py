"""`hushwood demo`: the whole job on a generated Credit Risk table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hushwood.cli import options as o
from hushwood.cli.progress import shown_progress
from hushwood.cli.release import show_release
from hushwood.cli.saying import say


def demo(
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="DIR", help="Folder to make, or to make anew.")
    ] = Path("hushwood-demo"),
    quiet: o.Quiet = False,
) -> None:
    """Release a generated Credit Risk table and show where the report is.

    Example: hushwood demo -o demo
    """
    from hushwood.experiments.demonstration import demonstration

    with shown_progress(quiet) as stage:
        table, done = demonstration(output, stage)
    if quiet:
        return
    say(f"A table of {done.certificate['records']:,} invented people was made ({table}) and released.")
    show_release(done)
    say("")
    say(f"Open {output / 'release' / 'private' / 'report.html'} in a browser.")
