"""Releases that are held back, because nothing is known about what an intruder learns from them.

Run as a program, `python held_back.py FOLDER` accepts one, with marks in the list of system calls.
"""

from __future__ import annotations

import os
import sys
from datetime import date
from pathlib import Path

import hushwood as hw
from hushwood.jobs.accept import Accepted, accept
from support.people_files import SEED, write_people
from support.tiny_releases import BEGIN, END

BY, REASON, DAY = "the data office", "for the archive only", date(2026, 3, 4)


def make_held_back(around: Path) -> Path:
    """`people.csv` in a folder, and the release of it next to it, which is held back."""
    table, out = write_people(around), around / "out"
    hw.release(table, target="ill", output=out, seed=SEED, evidence="none", ledger=around / "ledger.json")
    return out


def accepted(folder: Path) -> Accepted:
    return accept(folder, REASON, BY, DAY)


if __name__ == "__main__":
    os.access(BEGIN, os.F_OK)
    accepted(Path(sys.argv[1]))
    os.access(END, os.F_OK)
