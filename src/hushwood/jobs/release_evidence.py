"""The evidence that comes with a release: judged while both tables are in memory, by its own noise laws.

`audit` judges releases that lie on disk; `release` calls this and writes what comes out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hushwood.evaluation.case import Case
from hushwood.evaluation.controls import control_releases, evidence_streams, pair_of, people_of
from hushwood.evaluation.evaluation import About, Evaluation
from hushwood.evaluation.whole_table import Tallies
from hushwood.jobs.folder.manifests import file_checksum
from hushwood.jobs.folder.release_files import Writer, write_text
from hushwood.jobs.gate import NOTHING, HeldBack
from hushwood.jobs.judging import AUDIT_SECRET, Audit, AuditPlan, judge
from hushwood.jobs.judging_requests import AuditRequest
from hushwood.jobs.release_ways import Written
from hushwood.jobs.requests import ReleaseRequest
from hushwood.jobs.resolve import Resolved
from hushwood.policies.advice import MadeHow
from hushwood.policies.policy import Policy
from hushwood.policies.verdict import Verdict
from hushwood.random_streams import Streams
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.planning import why_used
from hushwood.stages import Stage
from hushwood.tables.persons.units import Units, outermost
from hushwood.tables.reading import Reading
from hushwood.tables.schema import Schema

if TYPE_CHECKING:
    from hushwood.reports.signoff import SignOff

REVIEWED_AFTER = timedelta(days=365)  # what is safe today may not be when other data are out


def evidence_of(written: Written, settled: Resolved, stage: Stage, held_back: HeldBack = NOTHING) -> Audit:
    """Judge a release that was just made, by the evidence that was asked for and what the policy asks for.

    `held_back` is what the gate knows.
    """
    table, perturbed, evidence = written.reading.table, written.perturbed, settled.request.evidence
    options, streams = perturbed.options, settled.streams
    asked = _asked(evidence, options, settled.policy)
    controls = control_releases(table, options, asked.level.effort, evidence_streams(streams), stage)
    # Doubts about the columns are among the warnings of the release already.
    pair = pair_of(table, perturbed)
    case = Case(
        pair,
        Streams(AUDIT_SECRET),
        perturbed,
        people_of(pair, perturbed, inside=outermost(table)),
        controls,
        written.counted,
        taxonomies=asked.taxonomies,
        threads=options.threads,
        about=_about(written.reading, perturbed.method),
        notes=written.noted,
        source=table,
    )
    found = judge(case, asked, stage)
    if found.verdict is not None:
        blocking = (*found.verdict.blocking, *held_back.blocking)
        found = replace(found, verdict=replace(found.verdict, blocking=blocking, settling=held_back.settling))
    if written.counted is not None or found.verdict is None or found.verdict.cleared:
        return found
    from hushwood.tuning.tried_advice import with_tried_advice

    made, keys = MadeHow(options, table.rows, evidence), (streams, Streams(AUDIT_SECRET))
    return replace(found, verdict=with_tried_advice(found.verdict, table, made, keys, controls, stage))


def tallies_for(
    schema: Schema, evidence: str, options: PerturbOptions, policy: Policy, *, paired: bool
) -> Tallies | None:
    """What to count of all records of a long table while they are released; None without evidence."""
    if evidence == "none":
        return None
    return Tallies.of(schema, _asked(evidence, options, policy).level, paired=paired)


def _asked(evidence: str, options: PerturbOptions, policy: Policy) -> AuditPlan:
    request = AuditRequest(evidence=evidence, threads=options.threads, hierarchies=options.hierarchies)
    return AuditPlan.of(request, policy)


def write_record_risk(found: Audit, path: Path, units: Units | None = None) -> None:
    """One line per judged record: its row in the table (from 1 on) and what an intruder learns about it.

    Of a person or household with several rows it is the first.
    """
    import polars as pl

    rows = found.findings.pair.drawn
    count = found.findings.pair.original.rows
    places = np.arange(count) if rows is None else rows
    if units is not None:
        places = units.first[places]
    columns = {"row": places + 1} | dict(found.records)
    frame = pl.DataFrame(columns, nan_to_null=True)
    frame.write_csv(path, float_precision=4)


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


def said_of_signing(evaluation: Evaluation | None) -> dict[str, Any]:
    """What the manifest says of what to know before signing, by the names of columns."""
    from hushwood.reports.release.columns import announced

    found = [] if evaluation is None else announced(evaluation)
    return {"notices": found} if found else {}


def write_reports(
    share: Path, private: Path, evaluation: Evaluation, verdict: Verdict, facts: SignOff
) -> None:
    """The reports for both sides and the sign-off; once more when a release that was held back is accepted."""
    from hushwood.reports.release.page import internal_report, publishable_report
    from hushwood.reports.signoff import signoff_page

    write_text(share / "report.html", publishable_report(evaluation, verdict, facts.accepted))
    write_text(private / "report.html", internal_report(evaluation, verdict, facts.accepted))
    write_text(private / "signoff.html", signoff_page(evaluation, verdict, facts))


def sign_off_of(writer: Writer, request: ReleaseRequest) -> SignOff:
    """What the evaluation does not know: when it was made, by which command, and which file it is about."""
    from hushwood.reports.signoff import SignOff

    today = datetime.now(UTC).date()
    return SignOff(
        today.isoformat(),
        (today + REVIEWED_AFTER).isoformat(),
        {writer.released.name: file_checksum(writer.released)},
        writer.streams.key_id,
        request.command,
        request.purpose,
        rows_are_people=request.rows_are_people or "",
    )
