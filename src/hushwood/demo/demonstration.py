"""The demonstration: a generated table released for named researchers, and changed as advised until it is cleared."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from hushwood.demo.synthetic_tables import credit_risk
from hushwood.errors import InputError
from hushwood.jobs.release import Release, ReleaseRequest, release
from hushwood.policies.advice import Change, followed
from hushwood.random_streams import fresh_secret
from hushwood.releasing.options import PerturbOptions
from hushwood.stages import Stage, silent
from hushwood.tables.formats.files import write_frame
from hushwood.tables.frames.storage import frame_from_table
from hushwood.tables.reading import Reading, read

RECORDS = 4000
# Quick evidence clears the default for named researchers; for the public its intervals are too wide.
POLICY = "research"
TRIES = 3
TABLE, RELEASE = "credit-risk.csv", "release"


@dataclass(frozen=True, slots=True)
class Try:
    """One release of the demonstration, and the changes that led to it."""

    changes: tuple[Change, ...]
    done: Release


def demonstration(folder: Path, stage: Stage = silent) -> tuple[Path, list[Try]]:
    """Write a table to the folder and release it into folder/release; an old demonstration is replaced.

    What is not cleared is replaced by a release with the changes that its verdict advises.
    """
    path, output = folder / TABLE, folder / RELEASE
    if path.exists() and not output.exists():
        raise InputError(f"{path} is not from a demonstration and is left alone; choose another folder.")
    stage("inventing people", 0, 1)
    with tempfile.TemporaryDirectory() as aside:
        made = Path(aside) / TABLE
        write_frame(frame_from_table(credit_risk(RECORDS, fresh_secret())), made)
        tries = list(_tries(read(made, target="Credit Risk"), output, stage))
        shutil.copyfile(made, path)
    return path, tries


def _tries(table: Reading, output: Path, stage: Stage) -> Iterator[Try]:
    """Release, and follow the advice."""
    purpose, options = "A demonstration with invented people.", PerturbOptions()
    request = ReleaseRequest(options, output=output, force=True, policy=POLICY, purpose=purpose)
    changes: tuple[Change, ...] = ()
    for _ in range(TRIES):
        done = release(table, request, stage)
        yield Try(changes, done)
        changes = done.verdict.changes
        if done.cleared or not changes:
            return
        options, evidence = followed(request.options, request.evidence, changes)
        request = replace(request, options=options, evidence=evidence)
