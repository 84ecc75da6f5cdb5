"""`hushwood release`: a table in, a folder to share and one to keep out; `hushwood tune` finds the settings first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import typer

from hushwood.cli.options import ClassColumns, MaxBytes, Quiet, TableFile, TableSource, with_options
from hushwood.cli.printing import as_typed, say, say_what_to_send, shown_progress, warn
from hushwood.jobs.requests import InputOptions, ReleaseRequest, TuneRequest
from hushwood.tables.sql.addresses import has_password

if TYPE_CHECKING:
    from hushwood.jobs.release import Release


@with_options
def release(
    table: TableSource,
    request: ReleaseRequest,
    inputs: InputOptions,
    target: ClassColumns = None,
    max_bytes: MaxBytes = None,
    quiet: Quiet = False,
) -> None:
    """Release a table: DIR/share to hand out, DIR/private to keep.

    Example: hushwood release adult.csv --class income -o adult-release
    """
    from hushwood.jobs.folder.keys import usual_ledger
    from hushwood.jobs.resolve import check_output, resolve

    check_output(request.output, request.dry_run)
    request = replace(
        request,
        output=None if request.dry_run else request.output,
        ledger=request.ledger or usual_ledger(),
        command=as_typed(),
    )
    if request.tune:
        tuned(table, inputs.arguments(target), request, quiet)
        return
    asked = resolve(request, table, inputs.arguments(target))
    # These take longer to load than a request takes to be refused.
    from hushwood.jobs.inputs import load_kernels_for
    from hushwood.jobs.release import release_any

    load_kernels_for(table)
    with shown_progress(quiet) as stage:
        done = release_any(table, inputs.arguments(target), asked, stage)
    if not quiet:
        warn_of_seed(request)
        warn_of_password(table, request)
        show_release(done)
    if not done.cleared:
        raise typer.Exit(1)


def warn_of_seed(request: ReleaseRequest) -> None:
    """Warn about a seed that was typed."""
    if request.seed is not None:
        warn(
            "Other users of this machine can read a command line, the seed included; use --seed-file instead."
        )


def warn_of_password(source: object, request: ReleaseRequest) -> None:
    """Warn about a password that was typed."""
    if any(has_password(text) for text in (source, request.to)):
        warn(
            "Other users of this machine can read a command line, the password included; use PGPASSWORD or ~/.pgpass."
        )


def show_release(done: Release) -> None:
    """The warnings, the findings, and which folder to send and which never."""
    from hushwood.reports.release.terminal import summary_lines, verdict_lines

    for warning in done.warnings:
        warn(warning)
    if done.evaluation is not None:
        lines = summary_lines(done.evaluation, done.verdict)
    else:
        kept = done.certificate
        rules = f"{kept['kept']:,} of {kept['records']:,} records follow the same rules as before."
        lines = [*verdict_lines(done.verdict), "", rules]
    for line in lines:
        say(line)
    if done.folder is None:
        for step in done.manifest["steps"]:
            say(f"  {', '.join(step['columns'])}: {step['says']}")
        say("This was a dry run: nothing was kept.")
        return
    if done.evaluation is not None:
        say(f"Read {done.folder / 'private' / 'report.html'} first.")
    say_what_to_send(done.folder, f"never send {done.folder / 'private'}, it can undo the release")


@with_options
def tune(
    table: TableFile,
    request: TuneRequest,
    inputs: InputOptions,
    target: ClassColumns = None,
    max_bytes: MaxBytes = None,
    quiet: Quiet = False,
) -> None:
    """Find the most useful release that the policy clears, and make it; DIR/private/map.html shows all that was tried.

    A search that was stopped goes on where it ended. Exit code 1 if nothing is cleared.

    Example: hushwood tune adult.csv --class income --policy research -o adult-release
    """
    from hushwood.jobs.folder.keys import usual_ledger
    from hushwood.jobs.resolve import check_output

    check_output(request.output, request.dry_run)
    wanted = replace(
        request.as_release(),
        output=None if request.dry_run else request.output,
        ledger=request.ledger or usual_ledger(),
        command=as_typed(),
    )
    tuned(table, inputs.arguments(target), wanted, quiet, request.options.techniques)


def tuned(
    table: object,
    arguments: Mapping[str, Any],
    request: ReleaseRequest,
    quiet: bool,
    techniques: Sequence[str] = (),
) -> None:
    """Run the search and show what it found; also what `release --tune` does."""
    from hushwood.jobs.resolve import resolve_search

    asked = resolve_search(request, table, arguments, techniques)
    # These take longer to load than a request takes to be refused.
    from hushwood.jobs.inputs import load_kernels_for
    from hushwood.jobs.tune import tune_any
    from hushwood.reports.wording import wrapped

    load_kernels_for(table)

    with shown_progress(quiet) as stage:
        found = tune_any(table, arguments, asked, techniques, stage)
    if not quiet:
        warn_of_seed(request)
        for sentence in found.outcome.why:
            for line in wrapped(sentence):
                say(line)
        if found.release.folder is not None:
            say(f"The map of all that was tried: {found.release.folder / 'private' / 'map.html'}")
        say("")
        show_release(found.release)
    if not found.cleared:
        raise typer.Exit(1)
