"""Audit a release, no matter who made it: every measure, every attack, one evaluation.

The command and the Python API both call `audit`; a release of our own is judged by its own noise laws.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hushwood.arrays import Floats, Integers
from hushwood.errors import InputError, unknown_name
from hushwood.evaluation.answers import Answer
from hushwood.evaluation.case import Case
from hushwood.evaluation.controls import control_releases
from hushwood.evaluation.evaluate import Findings, evaluate, evaluation_of
from hushwood.evaluation.evaluation import Evaluation
from hushwood.evaluation.whole_table import LinkTally, WholeTable
from hushwood.jobs.asked import Asked
from hushwood.jobs.audit_builder import announced_by, builder_of_audit
from hushwood.jobs.audit_request import AuditRequest
from hushwood.jobs.audited_people import people_in
from hushwood.jobs.audited_release import (
    Again,
    about_audit,
    holdout_notes,
    how_to_read,
    in_batches,
    knowing,
    known_of,
    links_to_count,
    made_up,
    match_of,
    order_of,
    perturbed_for,
    undone_notes,
)
from hushwood.jobs.folder.made_again import Made
from hushwood.jobs.folder.release_folder import (
    ReleaseFolder,
    arguments_as_released,
    as_published,
    is_source,
    perturbed_again,
    release_folder,
)
from hushwood.jobs.inputs import read_input
from hushwood.jobs.persons import check_in_memory, declared_units
from hushwood.jobs.preparing import prepared_for
from hushwood.measures.protocol import Details
from hushwood.policies.advice import MadeHow
from hushwood.policies.verdict import Verdict, broken_limits, verdict_on
from hushwood.random_streams import Streams
from hushwood.releasing.perturb import Perturbed
from hushwood.reports.notebook import ATTACKS, Evaluated
from hushwood.stages import Stage, silent
from hushwood.tables.frames.storage import text_columns
from hushwood.tables.links.choosing import ChosenLinks, chosen_links
from hushwood.tables.pairs.pairing import Pair, pair_up
from hushwood.tables.reading import Reading
from hushwood.tables.recoding.taxonomies import Taxonomy, check_complete
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table

if TYPE_CHECKING:
    import polars as pl

# Samples of an audit are drawn with a public key: they hide nothing, and the same audit gives the same numbers.
AUDIT_SECRET = b"hushwood audit".ljust(32, b"\0")


@dataclass(frozen=True, slots=True)
class Answered:
    """What one measure or attack found."""

    answer: Answer

    @property
    def value(self) -> float:
        """The measure's value, or the attack's success."""
        if self.answer.value is None:
            raise InputError(f"{self.answer.name} could not be computed: {self.answer.reason}")
        return self.answer.value

    @property
    def details(self) -> Details:
        """What stands behind the number."""
        return self.answer.details

    @property
    def entry(self) -> dict[str, Any]:
        """Its entry in the evaluation's JSON."""
        return self.answer.to_json()


@dataclass(frozen=True)
class Audit(Evaluated):
    """What an audit found; `found["sers"].value` is a measure's number, or an attack's highest success."""

    evaluation: Evaluation
    findings: Findings
    failed: tuple[str, ...] = ()
    verdict: Verdict | None = None  # by the policy, if one was asked

    @property
    def cleared(self) -> bool:
        """Whether the policy clears the release; without a policy nothing does."""
        return self.verdict is not None and self.verdict.cleared

    def __getitem__(self, name: str) -> Answered:
        answers = self.evaluation.named(name)
        if not answers:
            known = {*(m.name for m in self.evaluation.measures), *(a.name for a in self.evaluation.attacks)}
            raise unknown_name("measure or attack in this audit", name, known)
        return Answered(max(answers, key=lambda answer: -1.0 if answer.value is None else answer.value))

    @property
    def document(self) -> dict[str, Any]:
        """The evaluation as plain data."""
        return self.evaluation.to_json()

    def to_json(self) -> str:
        """The evaluation as text."""
        return json.dumps(self.document, ensure_ascii=False, allow_nan=False, indent=1)

    def to_html(self) -> str:
        """The internal report: it shows exact counts of the original table."""
        from hushwood.reports.release.page import internal_report

        return internal_report(self.evaluation, self.verdict)

    def __repr__(self) -> str:
        said = "" if self.verdict is None else f": {self.verdict.status} by {self.verdict.policy.name}"
        answers = len(self.evaluation.measures), len(self.evaluation.attacks)
        return "<Audit{}, {} measures, {} attacks>".format(said, *answers)

    def _repr_html_(self) -> str:
        from hushwood.reports.notebook import audit_card

        return audit_card(self.evaluation, self.verdict)

    @property
    def _about(self) -> str:
        return ATTACKS

    @property
    def records(self) -> Mapping[str, Floats]:
        """Numbers of single records, in the order of the original's rows: keep them where the original is kept."""
        return self.findings.records


def audit(
    original: object,
    released: object,
    request: AuditRequest | None = None,
    reading: Mapping[str, Any] | None = None,
    stage: Stage = silent,
    order: Integers | None = None,
    announced: Mapping[str, Any] | None = None,
    numbers: Integers | None = None,
    made: Made | None = None,
) -> Audit:
    """Judge a release: a file, a frame, or a folder that `hushwood release` made.

    `reading` are the arguments of `read` for the original; a file is read as for the release in the folder where they
    name neither a class nor a schema.
    `order` is the original row of every row of a frame, where that is known, and `announced` are the parameters in its
    manifest; a folder knows its own, and the `numbers` of persons or households. `made` is how a release in memory was
    made.
    """
    asked = Asked.of(request or AuditRequest())
    folder = release_folder(Path(released)) if isinstance(released, str | Path) else None
    if folder is not None and folder.hierarchies:
        asked = replace(asked, taxonomies={**folder.hierarchies, **asked.taxonomies})
    if in_batches(original, folder.released if folder else released, asked.request):
        known = arguments_as_released(folder, reading) if folder else (reading or {})
        check_in_memory(declared_units(known))
        from hushwood.jobs.audit_long import audit_long

        return audit_long(Path(str(original)), Path(str(released)), asked, folder, reading or {}, stage)
    read, same = _original(original, folder, reading or {})
    read = read.of_present_categories()
    check_original(read, asked.taxonomies)
    stage("reading the release", 0, 1)
    read, assumed = as_published(folder, read)
    made, preparation, changed = known_of(folder, made, read.table)
    prepared, before = prepared_for(preparation, read.table), read.table.schema
    read = replace(read, table=preparation.on_table(read.table))
    links, found = _links(asked, folder, read.table, before)
    escaped = folder is not None and folder.escaped_formulas
    frame = frame_of(folder.released if folder else released, read, escaped_formulas=escaped)
    holdout, threads = asked.request.holdout, asked.request.threads
    outside = None if holdout is None else preparation.coarse.on_frame(frame_of(holdout, read), before)
    pair = _paired(read.table, frame, asked, folder, made, outside, order)
    people = people_in(read.table, frame, pair, folder, outside, numbers)

    def again(folder: ReleaseFolder, table: Table) -> Perturbed | None:
        return perturbed_again(folder, read, table, threads)

    links.add(pair.original, pair.released, pair.generalised)
    source = Source(released, folder, same, (*assumed, *changed, *found), again, links, announced, made)
    judged = judge_source(read, pair, asked, source, stage, people=people)
    return replace(judged, evaluation=prepared.with_losses(judged.evaluation))


def _paired(
    original: Table,
    released: pl.DataFrame,
    asked: Asked,
    folder: ReleaseFolder | None,
    made: Made | None,
    holdout: pl.DataFrame | None,
    order: Integers | None,
) -> Pair:
    match = asked.request.match
    return pair_up(
        original,
        released,
        Streams(AUDIT_SECRET),
        match=match_of(match, folder) if made is None or made.paired else "none",
        order=order_of(folder, order) if match in {None, "rows"} else None,
        taxonomies=asked.taxonomies,
        holdout=holdout,
        labels=folder.labels if folder else made.labels if made else None,
    )


def _links(
    asked: Asked, folder: ReleaseFolder | None, table: Table, read_as: Schema
) -> tuple[LinkTally, tuple[str, ...]]:
    """The links to count, of a table in memory, and what is to be said about them."""
    wanted = asked.request.links

    def find() -> ChosenLinks:
        return chosen_links(wanted, read_as, table, lambda _: [table])

    return links_to_count(wanted, folder, table.schema, find)


@dataclass(frozen=True, slots=True)
class Source:
    """The release that is judged, its folder, whether it was made from the original, and how to find its laws again.

    `links` are those that are counted; `announced` are the parameters in its manifest, if the folder is not here, and
    `made` how it was made.
    """

    released: object
    folder: ReleaseFolder | None
    same: bool | None
    notes: tuple[str, ...]
    again: Again
    links: LinkTally
    announced: Mapping[str, Any] | None = None
    made: Made | None = None


def judge_source(
    read: Reading,
    pair: Pair,
    asked: Asked,
    source: Source,
    stage: Stage,
    count: Callable[[Pair, Perturbed | None], WholeTable | None] | None = None,
    people: Pair | None = None,
) -> Audit:
    """Judge a release with all that its folder says; `count` counts the records of a longer table.

    `people` are the same tables with one record for every person or household.
    """
    folder, released, announced = source.folder, source.released, source.announced
    pair = replace(pair, made_up=made_up(folder, source.made, declared=asked.request.made_up))
    perturbed: Perturbed | None = None
    notes: tuple[str, ...] = ()
    if source.made is not None and not set(pair.left_out) & set(read.table.columns):
        perturbed = source.made.again(read.table, pair.released)
    if folder is not None:
        perturbed, notes = perturbed_for(folder, read, source.same, pair, source.again)
    pair = knowing(pair, folder, read, perturbed)
    said, around = announced_by(folder, released) if folder or announced is None else (announced, ())
    case = Case(
        pair,
        Streams(AUDIT_SECRET),
        perturbed,
        people,
        counted=None if count is None else count(pair, perturbed),
        taxonomies=asked.taxonomies,
        builder=builder_of_audit(asked.request.builder, perturbed, said, read.table.rows),
        threads=asked.request.threads,
        about=about_audit(read, released, folder),
        notes=(
            *(warning.sentence for warning in read.warnings),
            *notes,
            *source.notes,
            *around,
            *holdout_notes(pair),
            *undone_notes(folder, read),
        ),
        source=read.table,
    )
    if perturbed is not None and pair.holdout is None and asked.compares:
        effort = asked.level.effort
        case = replace(
            case, controls=control_releases(read.table, perturbed.options, effort, case.streams, stage)
        )
    judged = judge(case, asked, stage)
    evaluation = judged.evaluation
    release = replace(evaluation.release, links=source.links.facts())
    return replace(judged, evaluation=replace(evaluation, release=release))


def _original(
    source: object, folder: ReleaseFolder | None, given: Mapping[str, Any]
) -> tuple[Reading, bool | None]:
    """The original as a table, and whether the release was made from it (None: unknown)."""
    if isinstance(source, str | Path):
        arguments, same = how_to_read(Path(source), folder, given)
        return read_input(Path(source), arguments), same
    read = source if isinstance(source, Reading) else read_input(source, given)
    return read, None if folder is None else is_source(folder, read)


def judge(case: Case, asked: Asked, stage: Stage = silent) -> Audit:
    """Run the measures and attacks on a release, put together what they found, and compare it with limits."""
    findings = evaluate(case, asked.level, stage)
    evaluation = evaluation_of(case, asked.level, findings)
    failed = tuple(broken_limits(evaluation, asked.limits))
    if asked.policy is None:
        return Audit(evaluation, findings, failed)
    records = case.people.original.rows if case.people else evaluation.release.records
    made = MadeHow(case.perturbed.options, records, asked.request.evidence) if case.perturbed else None
    return Audit(evaluation, findings, failed, verdict_on(evaluation, asked.policy, made))


def frame_of(source: object, original: Reading, *, escaped_formulas: bool = False) -> pl.DataFrame:
    """A file or a frame as a Polars frame; texts that mean missing in the original mean it here."""
    from hushwood.tables.csv.dialect import TextForm
    from hushwood.tables.formats.files import read_frame, without_texts
    from hushwood.tables.frames.any_frame import to_polars
    from hushwood.tables.frames.table_frames import frame_from_table

    missing = original.form.get("missing", ())
    if isinstance(source, Table):
        return frame_from_table(source)
    if not isinstance(source, str | Path):
        return without_texts(to_polars(source), missing)
    return read_frame(
        Path(source),
        missing=missing,
        form=TextForm.of(original.form).for_release(),
        as_text=text_columns(original.table.schema),
        escaped_formulas=escaped_formulas,
        like=original.table.schema,
    )


def check_original(original: Reading, taxonomies: Mapping[str, Taxonomy]) -> None:
    """A hierarchy must know all categories of its column."""
    for name, taxonomy in taxonomies.items():
        attribute = original.table.schema[name]
        if attribute.kind == "categorical":
            check_complete(taxonomy, attribute.categories)
