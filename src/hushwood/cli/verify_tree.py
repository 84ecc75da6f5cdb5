"""`hushwood verify-tree`: does the released table give the published tree?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hushwood.cli.options import MaxBytes, Quiet
from hushwood.cli.printing import say

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
