"""Commands about releases that are there: `hushwood verify`, `accept`, `compare`, and `policies`, which judge them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hushwood.cli.options import MaxBytes, Quiet, with_options
from hushwood.cli.printing import Stopped, say, say_what_to_send, warn
from hushwood.jobs.judging_requests import VerifyRequest

Folder = Annotated[
    Path, typer.Argument(metavar="DIR", help="Folder of a release, or its share/ or not-cleared/ folder.")
]
CertifiedOriginal = Annotated[
    Path | None,
    typer.Argument(metavar="[ORIGINAL]", help="The table that was released, to repeat the certificate."),
]


@with_options
def verify(
    folder: Folder,
    request: VerifyRequest,
    original: CertifiedOriginal = None,
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


HeldBack = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a release, with DIR/not-cleared.")]
Reason = Annotated[
    str, typer.Option(metavar="TEXT", help="Why it may be handed out all the same; recipients can read it.")
]
By = Annotated[str, typer.Option(metavar="NAME", help="Who takes responsibility; recipients can read it.")]


Ledger = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Ledger that the release was entered in, if not the usual one."),
]


def accept(folder: HeldBack, reason: Reason, by: By, ledger: Ledger = None, quiet: Quiet = False) -> None:
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


Folders = Annotated[
    list[Path], typer.Argument(metavar="DIR DIR...", help="Folders of releases of one table.")
]
ComparedOriginal = Annotated[
    Path | None, typer.Option(metavar="FILE", help="The table, to make sure that all were made from it.")
]
Json = Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the comparison as JSON.")]


def compare(
    folders: Folders, original: ComparedOriginal = None, json: Json = None, quiet: Quiet = False
) -> None:
    """Compare releases of one table: verdicts, what an intruder learns, and what analysts keep.

    Example: hushwood compare release-1 release-2 --json comparison.json
    """
    import json as plain

    from hushwood.jobs.compare import compare as job
    from hushwood.jobs.folder.release_files import PRIVATE_FILE_MODE, check_separate, write_whole
    from hushwood.reports.comparison import comparison_lines

    found = job(folders, original)
    if json is not None:
        check_separate(json, folders if original is None else [*folders, original])
        text = plain.dumps(found.to_json(), ensure_ascii=False, indent=1)
        write_whole(text + "\n", json, PRIVATE_FILE_MODE)
    if not quiet:
        for line in comparison_lines(found):
            say(line)


Names = Annotated[
    list[str] | None,
    typer.Argument(metavar="[NAME|FILE]...", help="Explain these policies.", show_default="list all"),
]


def policies(names: Names = None) -> None:
    """List the built-in policies, or explain some of them, with the source of every number.

    Example: hushwood policies public
    """
    from hushwood.policies.policy import built_in_names, policy_named
    from hushwood.reports.policies import explained, policy_lines

    if not names:
        for line in policy_lines([policy_named(name) for name in built_in_names()]):
            say(line)
        say("Explain one with hushwood policies NAME; use one with hushwood release --policy NAME.")
        return
    for place, policy in enumerate([policy_named(name) for name in names]):
        for line in ["", ""] * bool(place) + explained(policy):
            say(line)
