"""The evidence that a release comes with: judged while both tables are at hand, by its own noise laws.

`audit` judges releases that lie on disk; `release` calls this and writes what comes out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from hushwood.evaluation.evaluate import Stage
from hushwood.evaluation.levels import level_named
from hushwood.evaluation.made import Made
from hushwood.frameworks.certificate import Certificate
from hushwood.frameworks.perturb import Perturbed, PerturbOptions, perturb
from hushwood.jobs.audit import AUDIT_SECRET, Audit, AuditRequest, judge
from hushwood.jobs.release_folder import public_parameters
from hushwood.random_streams import Streams, fresh_secret
from hushwood.tables.frames import frame_from_table
from hushwood.tables.pairing import ROWS, Pair, pair_up, paired_tables
from hushwood.tables.reading import Reading
from hushwood.tables.table import Table

# The share of the records that the throw-away release is made of; the others are people who were never in it.
RELEASED_SHARE = 0.8
FEWEST_FOR_CONTROL = 50


def evidence_of(
    reading: Reading,
    perturbed: Perturbed,
    certificate: Certificate,
    options: PerturbOptions,
    evidence: str,
    warnings: Sequence[str],
    stage: Stage,
) -> Audit:
    """Judge a release that was just made, with "quick" or "full" evidence."""
    table = reading.table
    pair = _paired(table, perturbed.table)
    control = None
    if evidence == "full" and table.rows >= FEWEST_FOR_CONTROL:
        stage("making a throw-away release for the control", 0, 1)
        control = _control(table, options)
    made = Made(
        perturbed.segments.ids,
        perturbed.steps,
        perturbed.forest,
        perturbed.plan.described(),
        certificate.to_json(),
        options.grow_options(table.rows),
        {"technique": options.technique} | public_parameters(options, perturbed.plan.described()),
        perturbed.ways,
        laws_hold=not options.blanks_afterwards,
    )
    request = AuditRequest(level=level_named(evidence), threads=options.threads)
    # Doubts about the columns are among the warnings of the release already.
    judged = replace(reading, warnings=())
    about = _about(reading, made.method)
    return judge(judged, pair, request, Streams(AUDIT_SECRET), made, warnings, about, stage, control)


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
    # Fewer records may have fewer good splits; the throw-away release takes what it finds.
    released = perturb(original, replace(options, trees=None), streams).table
    return _paired(original, released, table.take(outside))


def _paired(original: Table, released: Table, holdout: Table | None = None) -> Pair:
    """Both tables side by side; a release with categories of its own is read as an audit reads it."""
    if released.schema == original.schema:
        return paired_tables(original, released, holdout)
    outside = None if holdout is None else frame_from_table(holdout)
    frame = frame_from_table(released)
    return pair_up(original, frame, Streams(AUDIT_SECRET), match=ROWS, holdout=outside)


def _about(reading: Reading, method: Mapping[str, Any]) -> dict[str, Any]:
    from hushwood.version import __version__

    said = {key: method[key] for key in ("technique", "noise") if key in method}
    return {"table": reading.name, "hushwood": __version__} | said
