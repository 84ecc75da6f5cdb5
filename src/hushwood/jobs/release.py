"""Release a table: read, perturb, write aside, certify from disk, report, and only then show the folder.

The command and the Python API both call `release`; nothing else writes a release.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from hushwood.errors import unknown_name
from hushwood.frameworks.certificate import Certificate, certify
from hushwood.frameworks.perturb import Perturbed, PerturbOptions, Stage, perturb, silent
from hushwood.jobs.checksums import content_digest, keyed_checksum, table_digest
from hushwood.jobs.dictionary import dictionary
from hushwood.jobs.folders import (
    FOREST,
    KEY,
    MANIFEST_FORMAT,
    PLAN,
    ROW_ORDER,
    SCHEMA,
    check_free,
    check_outside,
    leftover_warnings,
    whole_folder,
)
from hushwood.jobs.held_signals import held_signals
from hushwood.jobs.keys import check_other_settings, check_other_table, seed_warnings, streams_for
from hushwood.jobs.ledger import Use, booked, noticed
from hushwood.jobs.manifests import VERSION, sealed
from hushwood.jobs.release_files import (
    PRIVATE_FILE_MODE,
    check_table,
    released_suffix,
    warned_of,
    write_json,
    write_text,
)
from hushwood.jobs.release_folder import public_parameters
from hushwood.jobs.row_order import order_warnings, shuffled
from hushwood.random_streams import Streams
from hushwood.segments.partition import sub_domains
from hushwood.tables.reading import Reading
from hushwood.tables.schema_file import write_schema_file
from hushwood.tables.storage import text_columns
from hushwood.tables.table import Table
from hushwood.trees.forest import Forest
from hushwood.trees.model_file import forest_to_json, read_forest

EVIDENCE = ("none", "quick", "full")
# Options that decide how fast a release is made, not what it looks like.
RUN_OPTIONS = frozenset({"engine", "chunk_rows", "threads"})


@dataclass(frozen=True, slots=True)
class ReleaseRequest:
    """Where a release goes, under which key, and with how much evidence.

    Without a `ledger` only releases in sight are asked about the key; a dry run is not entered into it.
    """

    options: PerturbOptions = field(default_factory=PerturbOptions)
    output: Path | None = None
    force: bool = False
    seed: str | bytes | None = field(default=None, repr=False)
    seed_file: Path | None = None
    reuse_key: bool = False
    ledger: Path | None = None
    dry_run: bool = False
    shuffle_rows: bool = False
    escape_formulas: bool = False
    forest: Path | Forest | None = None
    evidence: str = "quick"

    @property
    def key_has_a_past(self) -> bool:
        """Whether earlier releases under the key are to be looked for; a fresh key has none."""
        return not self.reuse_key and (self.seed is not None or self.seed_file is not None)


@dataclass(frozen=True)
class Release:
    """What a release gave: the table in the kind it came in, the proof, and everything that explains it."""

    make_frame: Callable[[], Any] = field(repr=False)
    certificate: dict[str, Any]
    manifest: dict[str, Any]
    forest: Forest
    evaluation: dict[str, Any] | None
    warnings: tuple[str, ...]
    folder: Path | None

    @cached_property
    def frame(self) -> Any:
        """The released table as the kind of frame that was given; a Polars frame if it was a file."""
        return self.make_frame()


def release(reading: Reading, request: ReleaseRequest, stage: Stage = silent) -> Release:
    """Make a release; nothing is left behind if any part of it fails."""
    check_table(reading)
    check_evidence(request.evidence)
    reading = reading.of_present_categories()
    streams = streams_for(request.seed, request.seed_file)
    if request.output is not None:
        check_free(request.output, request.force)
        if reading.path is not None:
            check_outside(reading.path, request.output)
    use = Use(streams.key_id, content_digest(reading.table, request.options.threads))
    if request.key_has_a_past:
        check_other_table(streams, reading, request.output, request.seed_file)
    noted = (*seed_warnings(streams), *noticed(request.ledger, use, request.reuse_key))
    forest = read_forest(request.forest) if isinstance(request.forest, Path) else request.forest
    with ExitStack() as until_shown, whole_folder(request.output, request.force) as aside:
        perturbed = perturb(reading.table, request.options, streams, forest, stage)
        use = replace(use, released=_outcome(perturbed, request))
        noticed(request.ledger, use, request.reuse_key)
        done = _write(aside, reading, request, perturbed, streams, noted, stage)
        ledger = None if request.dry_run else request.ledger
        # A signal after the exchange must not keep the release out of the ledger.
        until_shown.enter_context(held_signals())
        trouble = until_shown.enter_context(booked(ledger, use, request.reuse_key))
    return replace(done, warnings=tuple(dict.fromkeys((*done.warnings, *trouble))))


def _outcome(perturbed: Perturbed, request: ReleaseRequest) -> bytes:
    """What recognises a release in any format: its values, and whether their order was broken."""
    return content_digest(perturbed.table, request.options.threads) + bytes([request.shuffle_rows])


def check_evidence(evidence: str) -> None:
    """Refuse unknown kinds of evidence."""
    if evidence not in EVIDENCE:
        raise unknown_name("evidence", evidence, EVIDENCE)


def _write(
    aside: Path,
    reading: Reading,
    request: ReleaseRequest,
    perturbed: Perturbed,
    streams: Streams,
    noted: tuple[str, ...],
    stage: Stage,
) -> Release:
    from hushwood.tables.files import write_frame
    from hushwood.tables.frames import released_frame

    stage("writing the table", 0, 1)
    original, new = reading.table, perturbed.table
    if request.shuffle_rows:
        order = shuffled(original.rows, streams)
        original, new = original.take(order), new.take(order)
        np.save(aside / "private" / ROW_ORDER, order)
    released = aside / "share" / f"released{released_suffix(reading)}"
    write_frame(
        released_frame(new),
        released,
        separator=reading.separator or ",",
        escape_formulas=request.escape_formulas,
    )
    stage("checking every record", 0, 1)
    certificate = _certificate(released, original, reading, perturbed, request)
    certificate.check()
    if request.key_has_a_past:
        check_other_settings(streams, released, request.output, request.seed_file)
    warnings = (*noted, *warned_of(reading, request.escape_formulas), *perturbed.warnings)
    if not request.shuffle_rows:
        warnings += tuple(order_warnings(reading.table))
    evaluation = None
    if request.evidence != "none":
        evaluation = _evidence(aside, reading, request, perturbed, certificate, warnings, stage)
    page = dictionary(reading.table.schema, perturbed, escaped_formulas=request.escape_formulas)
    write_text(aside / "share" / "dictionary.md", page)
    _write_private(aside / "private", reading, request, perturbed, streams)
    manifest = _manifest(aside, released, reading, request, perturbed, streams, certificate)
    write_json(aside / "share" / "manifest.json", manifest)
    return Release(
        lambda: reading.frame_like(released_frame(new)),
        certificate.to_json(),
        manifest,
        perturbed.forest,
        evaluation,
        (*warnings, *leftover_warnings(request.output)),
        request.output,
    )


def _certificate(
    released: Path, original: Table, reading: Reading, perturbed: Perturbed, request: ReleaseRequest
) -> Certificate:
    """Read the file back from disk and send both tables through the forest as it is written."""
    from hushwood.tables.files import ColumnsOnDisk

    model = json.loads(json.dumps(forest_to_json(perturbed.forest)))
    back = ColumnsOnDisk(
        released,
        separator=reading.separator,
        as_text=text_columns(original.schema),
        escaped_formulas=request.escape_formulas,
    )
    plan = perturbed.plan
    promises = plan.promises(original.schema)
    return certify(original, back, model, plan.keeps_segments, request.options.threads, promises)


def _evidence(
    aside: Path,
    reading: Reading,
    request: ReleaseRequest,
    perturbed: Perturbed,
    certificate: Certificate,
    warnings: tuple[str, ...],
    stage: Stage,
) -> dict[str, Any]:
    """Judge the release, write the evaluation, both reports and the numbers of single records."""
    from hushwood.jobs.release_evidence import evidence_of, write_record_risk
    from hushwood.reports.page import internal_report, publishable_report

    found = evidence_of(reading, perturbed, certificate, request.options, request.evidence, warnings, stage)
    stage("writing the report", 0, 1)
    evaluation = found.document
    write_record_risk(found, aside / "private" / "record_risk.csv")
    write_json(aside / "private" / "evaluation.json", evaluation)
    write_text(aside / "share" / "report.html", publishable_report(evaluation))
    write_text(aside / "private" / "report.html", internal_report(evaluation))
    return evaluation


def _write_private(
    folder: Path, reading: Reading, request: ReleaseRequest, perturbed: Perturbed, streams: Streams
) -> None:
    write_text(folder / KEY, streams.secret.hex() + "\n")
    write_json(folder / FOREST, forest_to_json(perturbed.forest))
    write_schema_file(reading.table.schema, folder / SCHEMA)
    plan = {
        "format": "hushwood-plan",
        "version": 1,
        "manifest_version": VERSION,
        "input": dict(reading.form),
        "options": {k: v for k, v in asdict(request.options).items() if k not in RUN_OPTIONS},
        "recipe": perturbed.plan.recipe,
        "over": perturbed.plan.over,
        "steps": perturbed.plan.described(),
        "laws": [step.perturber.law().described() for step in perturbed.steps],
        "sub_domains": sub_domains(perturbed.segments, reading.table.schema),
    }
    write_json(folder / PLAN, plan)
    for path in folder.iterdir():
        path.chmod(PRIVATE_FILE_MODE)


def _manifest(
    aside: Path,
    released: Path,
    reading: Reading,
    request: ReleaseRequest,
    perturbed: Perturbed,
    streams: Streams,
    certificate: Certificate,
) -> dict[str, Any]:
    from hushwood.version import __version__

    how = public_parameters(request.options, perturbed.plan.described())
    how |= {"variant": request.options.variant}
    content = {
        "format": MANIFEST_FORMAT,
        "version": VERSION,
        "hushwood": __version__,
        "technique": perturbed.plan.recipe,
        "parameters": how | {"trees": len(perturbed.forest.trees), "grown": dict(perturbed.forest.grown)},
        "steps": perturbed.plan.described(),
        "key_id": streams.key_id,
        "input": {"keyed_checksum": keyed_checksum(table_digest(reading), streams)},
        "output": {
            "file": released.name,
            "records": certificate.records,
            "escaped_formulas": request.escape_formulas,
        },
        "certificate": certificate.to_json(),
    }
    return sealed(content, aside, streams)
