"""`hushwood audit`: what a release keeps for miners and what an intruder learns from it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hushwood.cli.options import MaxBytes, Quiet, with_options
from hushwood.cli.printing import say
from hushwood.cli.progress import shown_progress
from hushwood.jobs.judging_requests import AuditRequest
from hushwood.jobs.requests import InputOptions

if TYPE_CHECKING:
    from hushwood.jobs.judging import Audit

Original = Annotated[
    Path, typer.Argument(metavar="ORIGINAL", help="The original table: CSV, Parquet or Arrow file.")
]
Released = Annotated[
    Path, typer.Argument(metavar="RELEASED", help="The released table, or a folder that a release made.")
]
ClassColumns = Annotated[
    list[str] | None,
    typer.Option(
        "--class",
        metavar="COLUMN",
        help="The class column. May be repeated; a table may have none.",
        show_default="that of the release folder",
    ),
]
Json = Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the evaluation as JSON.")]
Report = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write the report as one HTML page; it is not for publication."),
]


@with_options
def audit(
    original: Original,
    released: Released,
    request: AuditRequest,
    inputs: InputOptions,
    target: ClassColumns = None,
    json: Json = None,
    report: Report = None,
    max_bytes: MaxBytes = None,
    quiet: Quiet = False,
) -> None:
    """Judge a release, whoever made it: what miners keep, and what an intruder learns.

    Example: hushwood audit adult.csv adult-release --class income --report audit.html
    """
    from hushwood.jobs.audit import audit as job
    from hushwood.jobs.folder.release_files import PRIVATE_FILE_MODE, check_separate, write_whole

    inputs_given = [original, released, *([request.holdout] if isinstance(request.holdout, Path) else [])]
    for path in (json, report):
        if path is not None:
            check_separate(path, inputs_given)
    reading = inputs.arguments(target) if inputs.chosen or target else None
    with shown_progress(quiet) as stage:
        found = job(original, released, request, reading, stage)
    if json is not None:
        write_whole(found.to_json() + "\n", json, PRIVATE_FILE_MODE)
    if report is not None:
        write_whole(found.to_html(), report, PRIVATE_FILE_MODE)
    _show(found, quiet, report)


def _show(found: Audit, quiet: bool, report: Path | None) -> None:
    from hushwood.reports.release.terminal import audit_lines

    if not quiet:
        for line in audit_lines(found.evaluation, found.verdict):
            say(line)
        if report is not None:
            say(f"Read {report}; it shows counts of the original table, so keep it with the original.")
    for sentence in found.failed:
        say(f"hushwood: {sentence}", colour="red", err=True)
    if found.failed or (found.verdict is not None and not found.cleared):
        raise typer.Exit(1)
