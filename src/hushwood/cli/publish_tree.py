"""`hushwood publish-tree`: a table in, a tree and a table that gives it again out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hushwood.cli import options as o
from hushwood.cli import publish_options as p
from hushwood.cli.progress import shown_progress
from hushwood.cli.saying import say

if TYPE_CHECKING:
    from hushwood.jobs.publish_tree import TreePublication


def publish_tree(
    table: o.TableFile,
    target: p.ClassColumn,
    output: p.Output = None,
    k: p.K = 5,
    l: p.L = 1.0,
    sensitive: p.Sensitive = None,
    criterion: p.CriterionOption = None,
    mode: p.Mode = "anchored",
    min_leaf: p.MinLeaf = 1,
    max_leaves: p.MaxLeaves = None,
    max_depth: p.MaxDepth = None,
    thresholds: p.Thresholds = "midpoint",
    stop_at_first_failure: p.StopAtFirstFailure = False,
    class_in_groups: p.ClassInGroups = False,
    missing_numbers: p.MissingNumbers = "refuse",
    schema: o.SchemaFile = None,
    identifier: o.Identifier = None,
    quasi_identifier: o.QuasiIdentifier = None,
    ignore: o.Ignore = None,
    missing: o.Missing = "",
    encoding: o.Encoding = "utf-8",
    separator: o.Separator = None,
    infinite: o.Infinite = "refuse",
    class_bins: o.ClassBins = None,
    class_threshold: o.ClassThreshold = None,
    max_bytes: o.MaxBytes = None,
    shuffle_rows: p.ShuffleRows = False,
    escape_formulas: o.EscapeFormulas = False,
    dry_run: p.DryRun = False,
    force: p.Force = False,
    quiet: o.Quiet = False,
) -> None:
    """Publish a tree and a table from which others rebuild exactly that tree, with K-anonymity and L-diversity.

    Example: hushwood publish-tree adult.csv --class income -k 5 -l 2 --sensitive occupation -o adult-tree
    """
    from hushwood.errors import InputError
    from hushwood.jobs.loading import load_kernels_for
    from hushwood.jobs.publish_tree import PublishRequest
    from hushwood.jobs.publish_tree import publish_tree as job
    from hushwood.jobs.tree_plans import plan_from_text, plans_for, response_of
    from hushwood.tree_publishing.options import PublishOptions

    if output is None and not dry_run:
        raise InputError("Name the folder to make with -o DIR, or look first with --dry-run.")
    plans = tuple(plan_from_text(text) for text in criterion or ())
    load_kernels_for(table)
    reading = o.read_input(
        table,
        target,
        schema,
        o.Roles(identifier, quasi_identifier, sensitive, ignore),
        o.Form(missing, encoding, separator, infinite),
        o.ClassCut(class_bins, class_threshold),
        response_of(plans),
    )
    options = PublishOptions(
        k=k,
        l=l,
        trees=plans_for(plans, reading.table.schema),
        mode=mode,
        min_leaf=min_leaf,
        max_leaves=max_leaves,
        max_depth=max_depth,
        thresholds=thresholds,
        stop_at_first_failure=stop_at_first_failure,
        class_in_groups=class_in_groups,
        missing_numbers=missing_numbers,
    )
    request = PublishRequest(options, None if dry_run else output, force, shuffle_rows, escape_formulas)
    with shown_progress(quiet) as stage:
        done = job(reading, request, stage)
    if not quiet:
        show_publication(done)


def show_publication(done: TreePublication) -> None:
    """The warnings, what was published, and which folder to send and which to keep."""
    from hushwood.reports.tree_terminal import tree_summary_lines

    for warning in done.warnings:
        say(f"! {warning}", colour="yellow", err=True)
    for line in tree_summary_lines(done.document):
        say(line)
    if done.folder is None:
        say("This was a dry run: nothing was kept.")
        return
    say(f"Read {done.folder / 'share' / 'report.html'} first.")
    say(f"Send {done.folder / 'share'}; keep {done.folder / 'private'} to yourself.")
