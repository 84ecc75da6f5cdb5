"""Releases that a policy held back, made of true ones by the parts of the job.

Run as a program, `python held_back.py FOLDER` accepts one, with marks in the list of system calls.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from datetime import date
from pathlib import Path
from typing import Any

import hushwood as hw
from hushwood.jobs.accept import Accepted, accept
from hushwood.jobs.folder.keys import streams_for
from hushwood.jobs.folder.release_files import Writer
from hushwood.jobs.folder.whole_folders import whole_folder
from hushwood.tables.reading import read
from support.people_files import SEED, write_people
from support.tiny_releases import BEGIN, END, part_of

VERDICT = {"status": "not cleared", "policy": "public"}
BY, REASON, DAY = "the data office", "for the archive only", date(2026, 3, 4)


def make_held_back(around: Path, verdict: dict[str, Any] | None = VERDICT, name: str = "out") -> Path:
    """`people.csv` in a folder, and the release of it next to it, which was held back."""
    table, plain = write_people(around), around / "plain"
    hw.release(table, target="ill", output=plain, seed=SEED, evidence="none", ledger=around / "ledger.json")
    said = json.loads((plain / "share" / "manifest.json").read_text("utf-8"))
    (plain / "share" / "manifest.json").unlink()
    with whole_folder(around / name, force=False) as aside:
        for part in ("share", "private"):
            shutil.copytree(plain / part, aside / part, dirs_exist_ok=True)
        writer = Writer(aside, read(table, target="ill"), streams_for(SEED)).hold_back()
        about = {word: said[word] for word in ("technique", "parameters", "steps")}
        writer.write_manifest(about, said["certificate"], verdict=verdict)
    shutil.rmtree(plain)
    return around / name


def manifest_of(folder: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((folder / part_of(folder) / "manifest.json").read_text("utf-8"))
    return read


def accepted(folder: Path) -> Accepted:
    return accept(folder, REASON, BY, DAY)


if __name__ == "__main__":
    os.access(BEGIN, os.F_OK)
    accepted(Path(sys.argv[1]))
    os.access(END, os.F_OK)
