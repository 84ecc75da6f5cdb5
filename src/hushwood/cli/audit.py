"""`hushwood audit`: what a release keeps and what an intruder learns; `hushwood reconstruct`: what a miner recovers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hushwood.cli.options import MaxBytes, Quiet, with_options
from hushwood.cli.printing import say, shown_progress
from hushwood.jobs.judging_requests import AuditRequest, ReconstructRequest
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
EvaluationJson = Annotated[
    Path | None, typer.Option("--json", metavar="FILE", help="Write the evaluation as JSON.")
]
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
    json: EvaluationJson = None,
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


Folder = Annotated[
    Path, typer.Argument(metavar="RELEASE", help="Folder of a release, or its share/ or not-cleared/ folder.")
]
ComparedOriginal = Annotated[
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
    original: ComparedOriginal = None,
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
