"""The commands that releases are measured by: `hushwood release` into a folder that is emptied first."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from measuring import hushwood_command

FOREST = ("--technique", "forest-framework")
NO_EVIDENCE = ("--evidence", "none")


def release(
    table: Path, target: str, folder: Path, *options: str, interpreter: str = sys.executable
) -> list[str]:
    """The command; its ledger lies next to the folder, and the certificate is always part of it."""
    asked = ["release", str(table), "--class", target, "--quiet", *options]
    kept = ["-o", str(folder), "--ledger", str(folder.with_name("ledger.json"))]
    return [hushwood_command(interpreter), *asked, *kept]


def again(arguments: list[str], written: Path) -> Callable[[int], list[str]]:
    """The same command for every run; what the run before has written is removed, outside the time."""

    def arguments_of(_: int) -> list[str]:
        if written.is_dir():
            shutil.rmtree(written)
        return arguments

    return arguments_of
