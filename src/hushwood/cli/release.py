"""`hushwood release`: a table in, a folder to share and a folder to keep out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hushwood.cli import options as o
from hushwood.cli.progress import shown_progress

if TYPE_CHECKING:
    from hushwood.jobs.release import Release

_TREES = "Trees"
_NOISE = "Noise"
_RUN = "Run"


def release(
    table: o.TableFile,
    target: Annotated[
        str, typer.Option("--class", metavar="COLUMN", help="The class column: what the rules predict.")
    ],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="DIR", help="Folder to make; it must be new or empty."),
    ] = None,
    technique: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="forest-framework, framework, the controls random-framework and rt, or one technique alone "
            "(rpt, ppt, alpt, linfapt, linnapt, rnat, capt, rc, swap; then all other columns are copied).",
        ),
    ] = "forest-framework",
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
    noise: Annotated[
        str,
        typer.Option(
            metavar="SHARE",
            help="Spread of the noise as a share of the range it stays in.",
            rich_help_panel=_NOISE,
        ),
    ] = "1/3",
    boundary: Annotated[
        str,
        typer.Option(
            metavar="RULE", help="How noise stays inside: wrap, reflect or truncate.", rich_help_panel=_NOISE
        ),
    ] = "wrap",
    distribution: Annotated[
        str,
        typer.Option(metavar="SHAPE", help="Shape of the noise: normal or uniform.", rich_help_panel=_NOISE),
    ] = "normal",
    capt: Annotated[
        str,
        typer.Option(
            metavar="MODE",
            help="strict keeps every record's rules; literal is CAPT as the thesis prints it.",
            rich_help_panel=_NOISE,
        ),
    ] = "strict",
    probability: Annotated[
        float,
        typer.Option(
            metavar="P", help="Probability of change in CAPT and random categorical.", rich_help_panel=_NOISE
        ),
    ] = 0.1,
    trees: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Exactly so many trees in the forest.",
            show_default="3 in forest-framework or fewer if the table has no more good splits, else 1",
            rich_help_panel=_TREES,
        ),
    ] = None,
    min_leaf: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Least records in a leaf.",
            show_default="4.5 % of the records, from 10 to 200",
            rich_help_panel=_TREES,
        ),
    ] = None,
    variant: Annotated[
        str, typer.Option(metavar="NAME", help="Tree builder: c45 or j48.", rich_help_panel=_TREES)
    ] = "c45",
    forest: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="A forest.json to use instead of growing one.", rich_help_panel=_TREES
        ),
    ] = None,
    forest_rows: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="Most rows to grow the forest on; of a longer table a secret sample is taken.",
            rich_help_panel=_TREES,
        ),
    ] = 250_000,
    seed: Annotated[
        str | None,
        typer.Option(
            metavar="HEX",
            help="Secret of 64 hex digits, to repeat a release; others on this machine may see a command line.",
            show_default="a fresh one",
            rich_help_panel=_RUN,
        ),
    ] = None,
    seed_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="File that holds the secret, such as an old private/key.",
            rich_help_panel=_RUN,
        ),
    ] = None,
    reuse_key: Annotated[
        bool,
        typer.Option(
            "--reuse-key",
            help="Allow a secret that made a different release; the two together may undo the noise.",
            rich_help_panel=_RUN,
        ),
    ] = False,
    shuffle_rows: Annotated[
        bool, typer.Option("--shuffle-rows", help="Break the order of the rows.", rich_help_panel=_RUN)
    ] = False,
    engine: Annotated[
        str, typer.Option(metavar="NAME", help="What does the work: auto or memory.", rich_help_panel=_RUN)
    ] = "auto",
    chunk_rows: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Rows worked on at a time; changes no value.",
            show_default="chosen by the engine",
            rich_help_panel=_RUN,
        ),
    ] = None,
    evidence: Annotated[
        str, typer.Option(metavar="none|quick", help="Whether reports are written.", rich_help_panel=_RUN)
    ] = "quick",
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Show what would come out, and keep nothing.", rich_help_panel=_RUN),
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Replace an old release in the folder.", rich_help_panel=_RUN)
    ] = False,
    quiet: o.Quiet = False,
) -> None:
    """Release a table: DIR/share to hand out, DIR/private to keep.

    Example: hushwood release adult.csv --class income -o adult-release
    """
    from hushwood.errors import InputError
    from hushwood.frameworks.perturb import PerturbOptions
    from hushwood.jobs.release import ReleaseRequest
    from hushwood.jobs.release import release as job

    if output is None and not dry_run:
        raise InputError("Name the folder to make with -o DIR, or look first with --dry-run.")
    reading = o.read_input(
        table,
        target=target,
        schema=schema,
        roles=(
            ("identifier", identifier),
            ("quasi-identifier", quasi_identifier),
            ("confidential", confidential),
            ("ignored", ignore),
        ),
        missing=missing,
        encoding=encoding,
        separator=separator,
        infinite=infinite,
        class_bins=class_bins,
        class_threshold=class_threshold,
    )
    request = ReleaseRequest(
        options=PerturbOptions(
            technique=technique,
            noise=o.share(noise),
            boundary=boundary,
            distribution=distribution,
            capt=capt,
            probability=probability,
            trees=trees,
            min_leaf=min_leaf,
            variant=variant,
            forest_rows=forest_rows,
            engine=engine,
            chunk_rows=chunk_rows,
        ),
        output=None if dry_run else output,
        force=force,
        seed=seed,
        seed_file=seed_file,
        reuse_key=reuse_key,
        shuffle_rows=shuffle_rows,
        forest=forest,
        evidence=evidence,
    )
    with shown_progress(quiet) as stage:
        done = job(reading, request, stage)
    if not quiet:
        show_release(done)


def show_release(done: Release) -> None:
    """The warnings, the findings, and which folder to send and which never."""
    from hushwood.reports.terminal import summary_lines

    for warning in done.warnings:
        typer.secho(f"! {warning}", fg="yellow", err=True)
    if done.evaluation is not None:
        for line in summary_lines(done.evaluation):
            typer.echo(line)
    else:
        kept = done.certificate
        typer.echo(f"{kept['kept']:,} of {kept['records']:,} records follow the same rules as before.")
    if done.folder is None:
        for step in done.manifest["steps"]:
            typer.echo(f"  {', '.join(step['columns'])}: {step['says']}")
        typer.echo("This was a dry run: nothing was kept.")
        return
    if done.evaluation is not None:
        typer.echo(f"Read {done.folder / 'private' / 'report.html'} first.")
    typer.echo(
        f"Send {done.folder / 'share'}; never send {done.folder / 'private'}, it can undo the release."
    )
