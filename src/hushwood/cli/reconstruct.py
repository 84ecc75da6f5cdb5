"""`hushwood reconstruct`: what an honest miner wins back from a release."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hushwood.cli.options import MaxBytes, Quiet, with_options
from hushwood.cli.printing import say
from hushwood.cli.progress import shown_progress
from hushwood.jobs.judging_requests import ReconstructRequest

Folder = Annotated[
    Path, typer.Argument(metavar="RELEASE", help="Folder of a release, or its share/ or not-cleared/ folder.")
]
Original = Annotated[
    Path | None, typer.Option(metavar="FILE", help="The original table, to compare with what is won back.")
]
ClassColumn = Annotated[
    str | None,
    typer.Option("--class", metavar="COLUMN", help="The class column.", show_default="as the manifest says"),
]
SchemaFile = Annotated[
    Path | None,
    typer.Option(
        "--schema", metavar="FILE", help="Schema file with the ranges of columns, if the miner knows them."
    ),
]
Columns = Annotated[
    list[str] | None,
    typer.Option("--column", metavar="COLUMN", help="Show the distribution of this column. May be repeated."),
]
Json = Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write everything as JSON.")]


@with_options
def reconstruct(
    folder: Folder,
    request: ReconstructRequest,
    original: Original = None,
    target: ClassColumn = None,
    schema: SchemaFile = None,
    column: Columns = None,
    json: Json = None,
    max_bytes: MaxBytes = None,
    quiet: Quiet = False,
) -> None:
    """Show what an honest miner wins back from a release: distributions, and a tree.

    Only the shared files are used, as a miner has them: the released table, and the noise that the manifest announces.

    Example: hushwood reconstruct adult-release --original adult.csv --column age
    """
    import json as plain

    from hushwood.jobs.folder.release_files import PRIVATE_FILE_MODE, check_separate, write_whole
    from hushwood.jobs.reconstruct import reconstruct as job
    from hushwood.reports.reconstruction import won_back_lines

    if json is not None:
        check_separate(json, [folder] if original is None else [folder, original])
    with shown_progress(quiet) as stage:
        found = job(folder, original, request, {"target": target, "schema": schema}, stage)
    lines = won_back_lines(found, column or ())
    if json is not None:
        text = plain.dumps(found.to_json(), ensure_ascii=False, indent=1)
        write_whole(text + "\n", json, PRIVATE_FILE_MODE)
    if not quiet:
        for line in lines:
            say(line)
