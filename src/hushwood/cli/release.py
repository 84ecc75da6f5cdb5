"""`hushwood release`: a table in, a folder to share and a folder to keep out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hushwood.cli import options as o
from hushwood.cli import release_options as r
from hushwood.cli.progress import shown_progress
from hushwood.cli.saying import say

if TYPE_CHECKING:
    from hushwood.jobs.release import Release


def release(
    table: o.TableFile,
    target: r.ClassColumn,
    output: r.Output = None,
    technique: r.Technique = "forest-framework",
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
    noise: r.Noise = "1/3",
    boundary: r.Boundary = "wrap",
    distribution: r.Distribution = "normal",
    capt: r.Capt = "strict",
    probability: r.Probability = 0.1,
    correlated: r.Correlated = None,
    value_clusters: r.ValueClusters = "detective",
    suppress: r.Suppress = None,
    settings: r.Set = None,
    trees: r.Trees = None,
    min_leaf: r.MinLeaf = None,
    variant: r.Variant = "c45",
    forest: r.Forest = None,
    forest_rows: r.ForestRows = 250_000,
    seed: r.Seed = None,
    seed_file: r.SeedFile = None,
    reuse_key: r.ReuseKey = False,
    ledger: r.Ledger = None,
    shuffle_rows: r.ShuffleRows = False,
    escape_formulas: o.EscapeFormulas = False,
    engine: r.Engine = "auto",
    chunk_rows: r.ChunkRows = None,
    evidence: r.Evidence = "quick",
    dry_run: r.DryRun = False,
    force: r.Force = False,
    quiet: o.Quiet = False,
) -> None:
    """Release a table: DIR/share to hand out, DIR/private to keep.

    Example: hushwood release adult.csv --class income -o adult-release
    """
    from hushwood.declared_settings import settings_from_texts
    from hushwood.errors import InputError
    from hushwood.frameworks.perturb import PerturbOptions
    from hushwood.frameworks.recipes import settable
    from hushwood.jobs.ledger import usual_ledger
    from hushwood.jobs.loading import load_kernels_for
    from hushwood.jobs.release import ReleaseRequest
    from hushwood.jobs.release import release as job

    if output is None and not dry_run:
        raise InputError("Name the folder to make with -o DIR, or look first with --dry-run.")
    load_kernels_for(table)
    reading = o.read_input(
        table,
        target,
        schema,
        o.Roles(identifier, quasi_identifier, confidential, ignore),
        o.Form(missing, encoding, separator, infinite),
        o.ClassCut(class_bins, class_threshold),
    )
    request = ReleaseRequest(
        options=PerturbOptions(
            technique=technique,
            noise=o.share(noise),
            boundary=boundary,
            distribution=distribution,
            capt=capt,
            probability=probability,
            correlated=correlated,
            value_clusters=value_clusters,
            suppress=tuple(suppress or ()),
            settings=settings_from_texts(settings, settable(), "technique", "gadp.rho=0.5")
            if settings
            else {},
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
        ledger=ledger or usual_ledger(),
        dry_run=dry_run,
        shuffle_rows=shuffle_rows,
        escape_formulas=escape_formulas,
        forest=forest,
        evidence=evidence,
    )
    with shown_progress(quiet) as stage:
        done = job(reading, request, stage)
    if quiet:
        return
    if seed is not None:
        warn(
            "Other users of this machine can read a command line, the seed included; use --seed-file instead."
        )
    show_release(done)


def warn(sentence: str) -> None:
    """Print a warning."""
    say(f"! {sentence}", colour="yellow", err=True)


def show_release(done: Release) -> None:
    """The warnings, the findings, and which folder to send and which never."""
    from hushwood.reports.terminal import summary_lines

    for warning in done.warnings:
        warn(warning)
    if done.evaluation is not None:
        for line in summary_lines(done.evaluation):
            say(line)
    else:
        kept = done.certificate
        say(f"{kept['kept']:,} of {kept['records']:,} records follow the same rules as before.")
    if done.folder is None:
        for step in done.manifest["steps"]:
            say(f"  {', '.join(step['columns'])}: {step['says']}")
        say("This was a dry run: nothing was kept.")
        return
    if done.evaluation is not None:
        say(f"Read {done.folder / 'private' / 'report.html'} first.")
    say(f"Send {done.folder / 'share'}; never send {done.folder / 'private'}, it can undo the release.")
