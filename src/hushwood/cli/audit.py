"""`hushwood audit`: what miners keep of a release and what an intruder learns from it, whoever made it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hushwood.cli import options as o
from hushwood.cli.progress import shown_progress
from hushwood.cli.saying import say

if TYPE_CHECKING:
    from hushwood.jobs.audit import Audit
    from hushwood.tables.reading import Reading

Original = Annotated[
    Path, typer.Argument(metavar="ORIGINAL", help="The table before: CSV, Parquet or Arrow file.")
]
Released = Annotated[
    Path, typer.Argument(metavar="RELEASED", help="The released table, or a folder that a release made.")
]
ClassColumn = Annotated[
    str | None,
    typer.Option(
        "--class", metavar="COLUMN", help="The class column.", show_default="that of the release folder"
    ),
]
Match = Annotated[
    str | None,
    typer.Option(
        metavar="rows|none|COLUMN",
        help="How rows belong together: by their place, not at all, or by a column that names people.",
        show_default="by their place if rows there are alike",
    ),
]
Holdout = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="People who were never in the table: the control of the attacks."),
]
Evidence = Annotated[
    str, typer.Option(metavar="quick|full", help="The main numbers in seconds, or everything.")
]
Only = Annotated[
    str,
    typer.Option(
        metavar="NAMES", help='Only these measures and attacks: "sers,linkage".', show_default="all"
    ),
]
Hierarchy = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMN=FILE", help="Hierarchy of a column, as ARX writes it (CSV). May be repeated."
    ),
]
Json = Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the evaluation as JSON.")]
Report = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write the report as one HTML page; it is not for publication."),
]
FailIf = Annotated[
    list[str] | None,
    typer.Option(metavar="LIMIT", help='Exit code 1 if so: "linkage>0.05". May be repeated.'),
]

Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="MEASURE.PARAMETER=VALUE",
        help='A parameter of a measure: "reidentification_entropy.threshold_bits=6". May be repeated.',
    ),
]


def audit(
    original: Original,
    released: Released,
    target: ClassColumn = None,
    match: Match = None,
    holdout: Holdout = None,
    only: Only = "",
    evidence: Evidence = "full",
    json: Json = None,
    report: Report = None,
    fail_if: FailIf = None,
    hierarchy: Hierarchy = None,
    settings: Set = None,
    schema: o.SchemaFile = None,
    identifier: o.Identifier = None,
    quasi_identifier: o.QuasiIdentifier = None,
    confidential: o.Confidential = None,
    ignore: o.Ignore = None,
    missing: o.Missing = "",
    encoding: o.Encoding = "utf-8",
    separator: o.Separator = None,
    infinite: o.Infinite = "refuse",
    class_bins: o.ClassBins = None,
    class_threshold: o.ClassThreshold = None,
    max_bytes: o.MaxBytes = None,
    quiet: o.Quiet = False,
) -> None:
    """Judge a release, whoever made it: what miners keep, and what an intruder learns.

    Example: hushwood audit adult.csv adult-release --class income --report audit.html
    """
    from hushwood.evaluation.levels import level_named
    from hushwood.evaluation.limits import limit_from_text
    from hushwood.evaluation.settings import settings_from_texts
    from hushwood.jobs.audit import AuditRequest
    from hushwood.jobs.audit import audit as job
    from hushwood.jobs.release_files import PRIVATE_FILE_MODE
    from hushwood.jobs.whole_files import check_other_file, check_outside_release, write_whole

    inputs = [path for path in (original, released, holdout) if path is not None]
    for path in (json, report):
        if path is not None:
            check_other_file(path, inputs)
            check_outside_release(path, released)
    limits = tuple(limit_from_text(text) for text in fail_if or ())
    reading = _reading(
        original,
        released,
        target,
        schema,
        o.Roles(identifier, quasi_identifier, confidential, ignore),
        o.Form(missing, encoding, separator, infinite),
        o.ClassCut(class_bins, class_threshold),
    )
    request = AuditRequest(
        match=match,
        holdout=holdout,
        only=tuple(name.strip() for name in only.split(",") if name.strip()),
        limits=limits,
        level=level_named(evidence),
        taxonomies=o.hierarchies(hierarchy or (), encoding),
        settings=settings_from_texts(settings or ()),
    )
    with shown_progress(quiet) as stage:
        found = job(reading, released, request, stage)
    if json is not None:
        write_whole(found.to_json() + "\n", json, PRIVATE_FILE_MODE)
    if report is not None:
        write_whole(found.to_html(), report, PRIVATE_FILE_MODE)
    _show(found, quiet, report)


def _reading(
    original: Path,
    released: Path,
    target: str | None,
    schema: Path | None,
    roles: o.Roles,
    form: o.Form,
    cut: o.ClassCut,
) -> Reading:
    """The original, read as the options say, or else as it was read for the release that is judged."""
    from hushwood.errors import InputError
    from hushwood.jobs.release_folder import is_source, read_as_released, release_folder

    folder = release_folder(released)
    asked = (target, schema, form.missing, form.separator, cut.bins, cut.threshold, *roles)
    if folder is not None and not any(asked) and folder.private is not None:
        if original.is_file() and is_source(folder, original) is False:
            raise InputError(
                f"{released} was not made from {original}; give that table, or judge them all the same with --class."
            )
        return read_as_released(folder, original)
    if target is None and schema is None:
        raise InputError("No class column is set; name it with --class.")
    return o.read_input(original, target, schema, roles, form, cut)


def _show(found: Audit, quiet: bool, report: Path | None) -> None:
    from hushwood.reports.terminal import audit_lines

    if not quiet:
        for line in audit_lines(found.document):
            say(line)
        if report is not None:
            say(
                f"Read {report}; it shows counts of the original table, so keep it where the original is kept."
            )
    for sentence in found.failed:
        say(f"hushwood: {sentence}", colour="red", err=True)
    if found.failed:
        raise typer.Exit(1)
