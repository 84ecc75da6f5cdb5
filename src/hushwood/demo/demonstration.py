"""The demonstration: a generated Credit Risk table, released with default options."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from hushwood.demo.synthetic_tables import credit_risk
from hushwood.errors import InputError
from hushwood.jobs.release import Release, ReleaseRequest, release
from hushwood.random_streams import fresh_secret
from hushwood.stages import Stage, silent
from hushwood.tables.formats.files import write_frame
from hushwood.tables.frames.table_frames import frame_from_table
from hushwood.tables.reading import read

RECORDS = 2000
TABLE, RELEASE = "credit-risk.csv", "release"


def demonstration(folder: Path, stage: Stage = silent) -> tuple[Path, Release]:
    """Write a table to the folder and release it into folder/release; an old demonstration is replaced."""
    path, output = folder / TABLE, folder / RELEASE
    if path.exists() and not output.exists():
        raise InputError(f"{path} is not from a demonstration and is left alone; choose another folder.")
    stage("inventing people", 0, 1)
    with tempfile.TemporaryDirectory() as aside:
        made = Path(aside) / TABLE
        write_frame(frame_from_table(credit_risk(RECORDS, fresh_secret())), made)
        done = release(read(made, target="Credit Risk"), ReleaseRequest(output=output, force=True), stage)
        shutil.copyfile(made, path)
    return path, done
