"""`hushwood publish-tree`: a tree, and a table from which others rebuild it; `hushwood verify-tree` does so."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hushwood.cli.options import MaxBytes, Quiet, TableFile, with_options
from hushwood.cli.printing import say, say_what_to_send, shown_progress, warn
from hushwood.jobs.requests import SENSITIVE, InputOptions, PublishRequest

if TYPE_CHECKING:
    from hushwood.jobs.publish_tree import TreePublication


ClassColumn = Annotated[
    list[str],  # typer would silently take the last of several texts
    typer.Option(
        "--class",
        metavar="COLUMN",
        help="The class column: what the tree predicts. More than 50 different numbers give a regression tree.",
    ),
]
Criteria = Annotated[
    list[str] | None,
    typer.Option(
        "--criterion",
        metavar="NAME[:COLUMN,...]",
        help="How splits are scored: information_gain, gain_ratio, gini or variance, and the columns that the tree "
        "may test. Repeat it for several trees.",
        show_default="information_gain; variance for a numeric class",
        rich_help_panel="Tree",
    ),
]


@partial(with_options, confidential=SENSITIVE)
def publish_tree(
    table: TableFile,
    target: ClassColumn,
    request: PublishRequest,
    inputs: InputOptions,
    criterion: Criteria = None,
    max_bytes: MaxBytes = None,
    quiet: Quiet = False,
) -> None:
    """Publish a tree and a table from which others rebuild exactly that tree, with K-anonymity and L-diversity.

    Example: hushwood publish-tree adult.csv --class income -k 5 -l 2 --sensitive occupation -o adult-tree
    """
    from hushwood.jobs.inputs import load_kernels_for
    from hushwood.jobs.publish_tree import publish_any
    from hushwood.jobs.resolve import check_output
    from hushwood.tree_publishing.options import plan_from_text

    check_output(request.output, request.dry_run)
    plans = tuple(plan_from_text(text) for text in criterion or ())
    load_kernels_for(table)
    request = replace(request, output=None if request.dry_run else request.output)
    with shown_progress(quiet) as stage:
        done = publish_any(table, inputs.arguments(target), plans, request, stage)
    if not quiet:
        _show(done)


def _show(done: TreePublication) -> None:
    """The warnings, what was published, and which folder to send and which to keep."""
    from hushwood.jobs.folder.whole_folders import SHARE, shared_part
    from hushwood.reports.tree.tables import tree_summary_lines

    for warning in done.warnings:
        warn(warning)
    for line in tree_summary_lines(done.publication):
        say(line)
    if done.folder is None:
        say("This was a dry run: nothing was kept.")
        return
    say(f"Read {done.folder / (shared_part(done.folder) or SHARE) / 'report.html'} first.")
    say_what_to_send(done.folder, f"keep {done.folder / 'private'} to yourself")


Released = Annotated[
    Path,
    typer.Argument(metavar="RELEASED", help="The released table, or the folder that publish-tree made."),
]
Tree = Annotated[Path, typer.Argument(metavar="TREE", help="The tree.json that was published with it.")]


def verify_tree(released: Released, tree: Tree, max_bytes: MaxBytes = None, quiet: Quiet = False) -> None:
    """Check from the released table alone that at every inner node the best split is the published test.

    Exit code 1 with the first difference if it is not.

    Example: hushwood verify-tree adult-tree/share/released.csv adult-tree/share/tree.json
    """
    from hushwood.jobs.verify_tree import verify_tree as job

    found = job(released, tree)
    if not found:
        say(f"NO  {found.sentence}", colour="red", err=True)
        raise typer.Exit(1)
    if not quiet:
        say(f"ok  {found.sentence}", colour="green")
