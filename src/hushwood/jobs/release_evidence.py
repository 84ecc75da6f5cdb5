"""The evidence that comes with a release: judged while both tables are in memory, by its own noise laws.

`audit` judges releases that lie on disk; `release` calls this and writes what comes out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from hushwood.evaluation.evaluation import About
from hushwood.jobs.audit import AUDIT_SECRET, Asked, Audit, judge
from hushwood.jobs.requests import AuditRequest
from hushwood.random_streams import Streams, fresh_secret
from hushwood.releasing.perturb import Perturbed, PerturbOptions, perturb
from hushwood.releasing.recipes import why_used
from hushwood.stages import Stage
from hushwood.tables.frames.table_frames import frame_from_table
from hushwood.tables.pairs.pairing import ROWS, Pair, made_up_tables, pair_up, paired_tables
from hushwood.tables.reading import Reading
from hushwood.tables.table import Table

# The share of the records in the throw-away release; the others are people who were never in it.
RELEASED_SHARE = 0.8
FEWEST_FOR_CONTROL = 50


def evidence_of(
    reading: Reading, perturbed: Perturbed, evidence: str, warnings: Sequence[str], stage: Stage
) -> Audit:
    """Judge a release that was just made, with "quick" or "full" evidence."""
    table, options = reading.table, perturbed.options
    control = None
    if evidence == "full" and table.rows >= FEWEST_FOR_CONTROL:
        stage("making a throw-away release for the control", 0, 1)
        control = _control(table, options)
    asked = Asked.of(AuditRequest(evidence=evidence, threads=options.threads))
    # Doubts about the columns are among the warnings of the release already.
    judged = replace(reading, warnings=())
    pair, about = _pair(table, perturbed), _about(reading, perturbed.method)
    return judge(judged, pair, asked, perturbed, warnings, about, stage, control)


def write_record_risk(found: Audit, path: Path) -> None:
    """One line per judged record: its row in the table (from 1 on) and what an intruder learns about it."""
    import polars as pl

    rows = found.findings.pair.drawn
    count = found.findings.pair.original.rows
    places = np.arange(count) if rows is None else rows
    columns = {"row": places + 1} | dict(found.records)
    frame = pl.DataFrame(columns, nan_to_null=True)
    frame.write_csv(path, float_precision=4)


def _control(table: Table, options: PerturbOptions) -> Pair:
    """A second release of most records under another key, with the others as its hold-out."""
    streams = Streams(fresh_secret())
    inside = Streams(AUDIT_SECRET).sample("control", "members", table.rows, int(RELEASED_SHARE * table.rows))
    outside = np.setdiff1d(np.arange(table.rows), inside, assume_unique=True)
    original = table.take(inside)
    # Fewer records may have fewer good splits; the throw-away release uses what it finds. Its segments are as large.
    alike = replace(options, trees=None, k=options.smallest_segment(table.rows))
    return _pair(original, perturb(original, alike, streams), table.take(outside))


def _pair(original: Table, perturbed: Perturbed, holdout: Table | None = None) -> Pair:
    """Both tables as a pair; a release with new categories is read as an audit reads it."""
    released = perturbed.table
    if not perturbed.paired:
        return made_up_tables(original, released, holdout)
    if released.schema == original.schema:
        return paired_tables(original, released, holdout)
    outside = None if holdout is None else frame_from_table(holdout)
    frame = frame_from_table(released)
    return pair_up(original, frame, Streams(AUDIT_SECRET), match=ROWS, holdout=outside)


def _about(reading: Reading, method: Mapping[str, Any]) -> About:
    from hushwood.version import __version__

    technique = method["technique"]
    return About(
        reading.name,
        hushwood=__version__,
        technique=technique,
        noise=method.get("noise"),
        why=why_used(technique, method),
    )
