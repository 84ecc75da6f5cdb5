"""`hushwood verify`: is a release what was written, and do its rules hold?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hushwood.cli.options import MaxBytes, Quiet, with_options
from hushwood.cli.printing import say
from hushwood.jobs.judging_requests import VerifyRequest

Folder = Annotated[
    Path, typer.Argument(metavar="DIR", help="Folder of a release, or its share/ or not-cleared/ folder.")
]
Original = Annotated[
    Path | None,
    typer.Argument(metavar="[ORIGINAL]", help="The table that was released, to repeat the certificate."),
]


@with_options
def verify(
    folder: Folder,
    request: VerifyRequest,
    original: Original = None,
    max_bytes: MaxBytes = None,
    quiet: Quiet = False,
) -> None:
    """Check a release: the files against the manifest, and with ORIGINAL the certificate.

    Also says whether the release was cleared, not cleared, or accepted: by whom, when and why.

    Exit code 1 if anything differs.

    Example: hushwood verify adult-release adult.csv
    """
    from hushwood.jobs.verify import verify as job

    found = job(folder, original, request)
    for check in found.checks:
        if not check.holds or not quiet:
            sign, colour = {True: ("ok", "green"), False: ("NO", "red"), None: ("--", "yellow")}[check.holds]
            if check.holds is not None or not quiet:
                say(f"{sign}  {check.sentence}", colour=colour, err=check.holds is False)
    if not found.holds:
        raise typer.Exit(1)
