"""`hushwood accept`: hand out a release that was not cleared, on a person's responsibility."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hushwood.cli.options import Quiet
from hushwood.cli.printing import Stopped, say, say_what_to_send, warn

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a release, with DIR/not-cleared.")]
Reason = Annotated[
    str, typer.Option(metavar="TEXT", help="Why it may be handed out all the same; recipients can read it.")
]
By = Annotated[str, typer.Option(metavar="NAME", help="Who takes responsibility; recipients can read it.")]


Ledger = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Ledger that the release was entered in, if not the usual one."),
]


def accept(folder: Folder, reason: Reason, by: By, ledger: Ledger = None, quiet: Quiet = False) -> None:
    """Hand out a release that was not cleared: DIR/not-cleared becomes DIR/share, and its manifest says who and why.

    Example: hushwood accept adult-release --reason "only for the data trust, under contract" --by "the data office"
    """
    from hushwood.jobs.accept import accept as job
    from hushwood.jobs.folder.keys import usual_ledger
    from hushwood.jobs.folder.whole_folders import completed

    try:
        done = job(folder, reason, by, ledger=ledger or usual_ledger())
    except Stopped as stopped:
        if completed:
            raise
        raise Stopped(stopped.number, f"Stopped; {folder} is as it was.") from None
    if quiet:
        return
    for warning in done.warnings:
        warn(warning)
    say_what_to_send(folder, f"never send {folder / 'private'}, it can undo the release")
    said = done.acceptance
    say(
        f"The manifest that is handed out says: accepted by {said.by} on {said.on}, for this reason: {said.reason}"
    )
