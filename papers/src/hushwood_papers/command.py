"""`hushwood reproduce`: run the papers' experiments again and compare their numbers with ours.

The `hushwood` command finds this function by the entry point group `hushwood.commands`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hushwood.cli.printing import Stopped, say

if TYPE_CHECKING:
    from hushwood_papers.paper_tables import PaperTables
    from hushwood_papers.protocol import Experiment, Size
    from hushwood_papers.reproducing.reproduction import Request

ALL = "all"
_DIFFERENCES_SHOWN = 5


def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME]...", help="Experiments to run, or all; without a name, list them."),
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
    small: Annotated[bool, typer.Option("--small", help="Run a small version, in seconds.")] = False,
    folds: Annotated[
        int | None,
        typer.Option("--folds", metavar="N", help="Folds of cross-validation, instead of the paper's."),
    ] = None,
    repeats: Annotated[
        int | None, typer.Option("--repeats", metavar="N", help="Noise runs, instead of the usual number.")
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", metavar="N", help="Processes to run at once; by default one per core."),
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Run again what is already done.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
) -> None:
    """Run the papers' experiments again and compare their numbers with ours.

    A run that was stopped continues when the command is called again.

    Example: hushwood reproduce forest-framework --data tables
    """
    from hushwood.errors import InputError
    from hushwood_papers.registry import EXPERIMENTS, experiment_named

    if not names:
        _list_experiments()
        return
    if jobs is not None and jobs < 1:
        raise InputError(f"--jobs must be 1 or more; {jobs} was given.")
    named = [EXPERIMENTS if name == ALL else (name,) for name in names]
    experiments = [experiment_named(name) for name in dict.fromkeys(chain.from_iterable(named))]
    tables = _tables(experiments, data, download, quiet)
    from hushwood_papers.reproducing.reproduction import Request, sizes_for

    sizes = sizes_for(experiments, small, folds, repeats)
    _run(experiments, sizes, Request(tables, output, jobs or os.cpu_count() or 1, again), quiet)


def _list_experiments() -> None:
    from hushwood_papers.registry import EXPERIMENTS

    width = max(map(len, EXPERIMENTS))
    say("Experiments (hushwood reproduce NAME, or all):")
    for name, registered in EXPERIMENTS.items():
        say(f"  {name:{width}}  {registered.about}")


def _run(experiments: Sequence[Experiment], sizes: Sequence[Size], request: Request, quiet: bool) -> None:
    from hushwood_papers.reproducing.reproduction import check, reproduced, write_results
    from hushwood_papers.time_left import shown_time_left

    check(experiments, sizes, request)
    for experiment, size in zip(experiments, sizes, strict=True):
        try:
            with shown_time_left(experiment.name, quiet) as progress:
                document = reproduced(experiment, size, request, progress)
        except Stopped as stopped:
            sentence = (
                f"Stopped; finished work is kept in {request.folder}. Call again to continue from there."
            )
            raise Stopped(stopped.number, sentence) from None
        page = write_results(document, request.folder)
        if not quiet:
            _show(document, page)
    if not quiet:
        say(f"All results: {request.folder / 'index.html'}.")


def _tables(experiments: Sequence[Experiment], data: Path | None, download: bool, quiet: bool) -> PaperTables:
    """The tables, after fetching missing ones if that was asked for."""
    from hushwood.errors import InputError
    from hushwood_papers.paper_tables import PaperTables, paper_table

    tables = PaperTables(data)
    if not download:
        return tables
    if data is None:
        raise InputError("Name the folder to write the tables into with --data DIR.")
    from hushwood_papers.download import download as fetch

    for name in dict.fromkeys(need for experiment in experiments for need in experiment.needs):
        if not tables.has(name) and paper_table(name).uci is not None:
            fetch(name, data, say=lambda text: None if quiet else say(text, err=True))
    return tables


def _show(document: Mapping[str, Any], page: Path) -> None:
    from hushwood_papers.reproducing.comparison import in_words

    say(f"{document['experiment']}: {in_words(document['counts'])}.")
    differing = [row for row in document["rows"] if row["verdict"] == "differs"]
    for row in differing[:_DIFFERENCES_SHOWN]:
        say(f"  {row['source']}: {row['what'].removesuffix('.')}. {row['sentence']}")
    if len(differing) > _DIFFERENCES_SHOWN:
        say(f"  ... and {len(differing) - _DIFFERENCES_SHOWN} more that differ.")
    say(f"  Read {page}.")
