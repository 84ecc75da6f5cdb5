"""`hushwood tune`: the most useful release that a policy clears, and the risk-utility map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import typer

from hushwood.cli.options import ClassColumns, MaxBytes, Quiet, TableFile, with_options
from hushwood.cli.printing import as_typed, say
from hushwood.cli.progress import shown_progress
from hushwood.cli.release import show_release, warn_of_seed
from hushwood.jobs.requests import InputOptions, ReleaseRequest, TuneRequest


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
    tuned(table, inputs.arguments(target), wanted, quiet, request.techniques)


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
