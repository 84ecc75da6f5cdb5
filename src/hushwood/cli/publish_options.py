"""The options of `hushwood publish-tree` alone; those it shares with other commands are in `options`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

_TREE = "Tree"
_PRIVACY = "Privacy"
_RUN = "Run"

ClassColumn = Annotated[
    str,
    typer.Option(
        "--class",
        metavar="COLUMN",
        help="The class column: what the tree predicts. More than 50 different numbers give a regression tree.",
    ),
]
Output = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="DIR", help="Folder to make; it must be new or empty."),
]
K = Annotated[
    int,
    typer.Option(
        "-k",
        metavar="N",
        help="At least so many records share their quasi-identifiers.",
        rich_help_panel=_PRIVACY,
    ),
]
L = Annotated[
    float,
    typer.Option(
        "-l",
        metavar="N",
        help="No sensitive value has more than 1/N of any group; needs --sensitive.",
        rich_help_panel=_PRIVACY,
    ),
]
Sensitive = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMN",
        help="Column that must stay secret: never tested, released as one value. May be repeated.",
        rich_help_panel=_PRIVACY,
    ),
]
ClassInGroups = Annotated[
    bool,
    typer.Option(
        "--class-in-groups",
        help="Count the class as known too: K and L then hold for records that also share it.",
        rich_help_panel=_PRIVACY,
    ),
]
StopAtFirstFailure = Annotated[
    bool,
    typer.Option(
        "--stop-at-first-failure",
        help="End growth at the first split that breaks K or L, as the paper says, instead of closing that leaf.",
        rich_help_panel=_PRIVACY,
    ),
]
CriterionOption = Annotated[
    list[str] | None,
    typer.Option(
        "--criterion",
        metavar="NAME[:COLUMN,...]",
        help="How splits are scored: information_gain, gain_ratio, gini or variance, and the columns the tree may "
        "test. Repeat it for several trees.",
        show_default="information_gain; variance for a numeric class",
        rich_help_panel=_TREE,
    ),
]
Mode = Annotated[
    str,
    typer.Option(
        metavar="anchored|delta",
        help="anchored keeps the values beside every cut as they are; delta moves them towards their neighbours.",
        rich_help_panel=_TREE,
    ),
]
MinLeaf = Annotated[
    int,
    typer.Option(
        metavar="N",
        help="Least records in a leaf; -k limits it too where all columns are quasi-identifiers.",
        rich_help_panel=_TREE,
    ),
]
MaxLeaves = Annotated[
    int | None,
    typer.Option(
        metavar="N", help="Most leaves of each tree.", show_default="no limit", rich_help_panel=_TREE
    ),
]
MaxDepth = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Most tests from the root to a leaf.",
        show_default="no limit",
        rich_help_panel=_TREE,
    ),
]
Thresholds = Annotated[
    str,
    typer.Option(
        metavar="midpoint|data",
        help="Cut halfway between two values, or at a value of the data as C4.5 does (anchored only).",
        rich_help_panel=_TREE,
    ),
]
MissingNumbers = Annotated[
    str,
    typer.Option(
        metavar="refuse|suppress",
        help="Whether a column with missing numbers is refused, or released as one value.",
        rich_help_panel=_TREE,
    ),
]
ShuffleRows = Annotated[
    bool, typer.Option("--shuffle-rows", help="Break the order of the rows.", rich_help_panel=_RUN)
]
DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="Show what would come out, and keep nothing.", rich_help_panel=_RUN),
]
Force = Annotated[
    bool, typer.Option("--force", help="Replace an old release in the folder.", rich_help_panel=_RUN)
]
