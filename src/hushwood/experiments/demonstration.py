"""The demonstration: a generated Credit Risk table, released with all defaults."""

from __future__ import annotations

from pathlib import Path

from hushwood.errors import InputError
from hushwood.experiments.synthetic_tables import credit_risk
from hushwood.frameworks.perturb import Stage, silent
from hushwood.jobs.release import Release, ReleaseRequest, release
from hushwood.random_streams import fresh_secret
from hushwood.tables.files import write_frame
from hushwood.tables.frames import frame_from_table
from hushwood.tables.reading import read

RECORDS = 2000


def demonstration(folder: Path, stage: Stage = silent) -> tuple[Path, Release]:
    """Write a table to the folder and release it into folder/release; an old demonstration is replaced."""
    stage("inventing people", 0, 1)
    path = folder / "credit-risk.csv"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise InputError(
            f"The folder {folder} cannot be made: {fault.strerror}; choose another one."
        ) from fault
    write_frame(frame_from_table(credit_risk(RECORDS, fresh_secret())), path)
    reading = read(path, target="Credit Risk")
    return path, release(reading, ReleaseRequest(output=folder / "release", force=True), stage)
