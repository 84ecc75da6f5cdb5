"""`hushwood compare`: releases of one table side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hushwood.cli.options import Quiet
from hushwood.cli.printing import say

Folders = Annotated[
    list[Path], typer.Argument(metavar="DIR DIR...", help="Folders of releases of one table.")
]
Original = Annotated[
    Path | None, typer.Option(metavar="FILE", help="The table, to make sure that all were made from it.")
]
Json = Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the comparison as JSON.")]


def compare(folders: Folders, original: Original = None, json: Json = None, quiet: Quiet = False) -> None:
    """Compare releases of one table: verdicts, what an intruder learns, and what analysts keep.

    Example: hushwood compare release-1 release-2 --json comparison.json
    """
    import json as plain

    from hushwood.jobs.compare import compare as job
    from hushwood.jobs.folder.release_files import PRIVATE_FILE_MODE, check_separate, write_whole
    from hushwood.reports.comparison import comparison_lines

    found = job(folders, original)
    if json is not None:
        check_separate(json, folders if original is None else [*folders, original])
        text = plain.dumps(found.to_json(), ensure_ascii=False, indent=1)
        write_whole(text + "\n", json, PRIVATE_FILE_MODE)
    if not quiet:
        for line in comparison_lines(found):
            say(line)
