"""Releases of a few bytes, all of whose files hold one word: whether one is whole shows at a glance.

Run as a program, `python tiny_releases.py command FOLDER WORD` writes one as the command would; with `plain` it loads
less and catches nothing, for tests that kill it; with `memory` it asks for more than it may have.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from pathlib import Path

from hushwood.jobs.folder.whole_folders import whole_folder

BEGIN, END = "/begin-of-the-release", "/end-of-the-release"


def write_release(target: Path, word: str, force: bool = False, part: str = "share") -> None:
    with whole_folder(target, force) as aside:
        write_files(aside, word, part)


def write_files(folder: Path, word: str, part: str = "share") -> None:
    if part != "share":
        (folder / "share").rmdir()
        (folder / part).mkdir()
    (folder / part / "table.csv").write_text(word, "utf-8")
    (folder / "private" / "key").write_text(word, "utf-8")
    manifest = {"files": {f"{part}/table.csv": ""}, "private_files": ["private/key"], "word": word}
    (folder / part / "manifest.json").write_text(json.dumps(manifest), "utf-8")


def read_release(target: Path) -> str | None:
    """The word of a whole release; None where there is no folder, and a failed assertion at everything else."""
    from support.release_parts import files_in  # not there where this file runs as a program

    if not target.exists():
        return None
    share = files_in(target)
    (word,) = {
        json.loads((share / "manifest.json").read_text("utf-8"))["word"],
        (share / "table.csv").read_text("utf-8"),
        (target / "private" / "key").read_text("utf-8"),
    }
    assert (target / "private").stat().st_mode & 0o777 == 0o700
    return str(word)


def _program(how: str, target: Path, word: str) -> None:
    def app() -> None:
        os.access(BEGIN, os.F_OK)  # a mark in the list of system calls
        with whole_folder(target, force=True) as aside:
            write_files(aside, word)
            if how == "memory":
                resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))
                bytearray(2**30)
        os.access(END, os.F_OK)

    if how == "plain":
        app()
        return
    from hushwood.cli import main

    main.app = app  # type: ignore[assignment]
    main.command()


if __name__ == "__main__":
    _program(sys.argv[1], Path(sys.argv[2]), sys.argv[3])
