"""`hushwood demo`: the whole job on a generated Credit Risk table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hushwood.cli.options import Quiet
from hushwood.cli.printing import say
from hushwood.cli.progress import shown_progress
from hushwood.cli.release import show_release


def demo(
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="DIR", help="Folder to create, or to replace.")
    ] = Path("hushwood-demo"),
    quiet: Quiet = False,
) -> None:
    """Release a generated Credit Risk table and show where the report is.

    Example: hushwood demo -o demo
    """
    from hushwood.demo.demonstration import demonstration

    with shown_progress(quiet) as stage:
        table, done = demonstration(output, stage)
    if quiet:
        return
    say(f"A table of {done.certificate['records']:,} invented people was made ({table}) and released.")
    show_release(done)
    say("")
    say(f"Open {output / 'release' / 'private' / 'report.html'} in a browser.")
