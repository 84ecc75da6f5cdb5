"""`hushwood reproduce`: the papers' experiments run again, their numbers beside ours."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hushwood.cli import options as o
from hushwood.cli.progress import shown_time_left
from hushwood.cli.saying import say
from hushwood.cli.stopping import Stopped

if TYPE_CHECKING:
    from hushwood.experiments.paper_tables import PaperTables
    from hushwood.experiments.protocol import Experiment

ALL = "all"
_DIFFERENCES_SHOWN = 5


def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME]...", help="Experiments to run, or all; without a name they are listed."
        ),
    ] = None,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="DIR", help="Folder for the results.")
    ] = Path("results"),
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            metavar="DIR",
            envvar="HUSHWOOD_DATA",
            help="Folder that holds the tables (adult/adult.csv ...).",
        ),
    ] = None,
    download: Annotated[
        bool,
        typer.Option(
            "--download", help="Get missing tables from the UCI repository, over the network, into --data."
        ),
    ] = False,
    small: Annotated[bool, typer.Option("--small", help="A small version, in seconds.")] = False,
    folds: Annotated[
        int | None,
        typer.Option("--folds", metavar="N", help="Folds of cross-validation, instead of the paper's."),
    ] = None,
    repeats: Annotated[
        int | None, typer.Option("--repeats", metavar="N", help="Noise runs, instead of the usual number.")
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", metavar="N", help="Processes side by side; without it, one per core."),
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Run again what is already done.")] = False,
    quiet: o.Quiet = False,
) -> None:
    """Run the papers' experiments again and set their numbers beside ours.

    A run that was stopped goes on where it was when it is called again.

    Example: hushwood reproduce forest-framework --data tables
    """
    from hushwood.errors import InputError
    from hushwood.experiments.registry import EXPERIMENTS, experiment_named

    if not names:
        _list({name: registered.about for name, registered in EXPERIMENTS.items()})
        return
    if jobs is not None and jobs < 1:
        raise InputError(f"--jobs must be 1 or more; {jobs} was given.")
    named = [EXPERIMENTS if name == ALL else (name,) for name in names]
    experiments = [experiment_named(name) for name in dict.fromkeys(chain.from_iterable(named))]
    tables = _tables(experiments, data, download, quiet)
    from hushwood.experiments.reproducing.reproduction import Request, check, reproduced, sizes_for
    from hushwood.experiments.reproducing.results_files import write_results

    sizes = sizes_for(experiments, small, folds, repeats)
    request = Request(tables, output, jobs or os.cpu_count() or 1, again)
    check(experiments, sizes, request)
    for experiment, size in zip(experiments, sizes, strict=True):
        try:
            with shown_time_left(experiment.name, quiet) as progress:
                document = reproduced(experiment, size, request, progress)
        except Stopped as stopped:
            sentence = f"Stopped; what is done is kept in {output}. Call again to go on from there."
            raise Stopped(stopped.number, sentence) from None
        page = write_results(document, output)
        if not quiet:
            _show(document, page)
    if not quiet:
        say(f"All results: {output / 'index.html'}.")


def _list(experiments: Mapping[str, str]) -> None:
    width = max(map(len, experiments))
    say("Experiments (hushwood reproduce NAME, or all):")
    for name, about in experiments.items():
        say(f"  {name:{width}}  {about}")


def _tables(experiments: Sequence[Experiment], data: Path | None, download: bool, quiet: bool) -> PaperTables:
    """The tables, after those that are missing have been fetched if that was asked for."""
    from hushwood.errors import InputError
    from hushwood.experiments.paper_tables import PaperTables, paper_table

    if download and data is None:
        raise InputError("Name the folder that the tables are to be written into with --data DIR.")
    tables = PaperTables(data)
    if download and data is not None:
        from hushwood.experiments.download import download as fetch

        for name in dict.fromkeys(need for experiment in experiments for need in experiment.needs):
            if not tables.has(name) and paper_table(name).uci is not None:
                fetch(name, data, say=lambda text: None if quiet else say(text, err=True))
    return tables


def _show(document: Mapping[str, Any], page: Path) -> None:
    from hushwood.experiments.reproducing.verdicts import in_words

    say(f"{document['experiment']}: {in_words(document['counts'])}.")
    differing = [row for row in document["rows"] if row["verdict"] == "differs"]
    for row in differing[:_DIFFERENCES_SHOWN]:
        say(f"  {row['source']}: {row['what'].removesuffix('.')}. {row['sentence']}")
    if len(differing) > _DIFFERENCES_SHOWN:
        say(f"  ... and {len(differing) - _DIFFERENCES_SHOWN} more that differ.")
    say(f"  Read {page}.")
