"""Release a table: read, perturb, write aside, certify from disk, report, and only then show the folder.

The command and the Python API both call `release`; nothing else writes a release.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hushwood.arrays import Integers
from hushwood.evaluation.distributions import Distribution, distributions
from hushwood.jobs.dictionary import dictionary
from hushwood.jobs.folder.content_digests import content_digest
from hushwood.jobs.folder.exchange import held_signals
from hushwood.jobs.folder.keys import (
    Use,
    booked,
    check_other_settings,
    check_other_table,
    noticed,
    seed_warnings,
)
from hushwood.jobs.folder.made_again import KnownRelease, Made, made_of, plan_of
from hushwood.jobs.folder.release_files import (
    Writer,
    check_table,
    input_warnings,
    order_warnings,
    tie_warnings,
    write_json,
    write_text,
)
from hushwood.jobs.folder.whole_folders import (
    EVALUATION,
    FOREST,
    SIGN_OFF,
    VERDICT,
    leftover_warnings,
    whole_folder,
)
from hushwood.jobs.gate import check_declared, rare_levels_kept
from hushwood.jobs.key_order import InKeyOrder, in_key_order, named_key, said_of_key
from hushwood.jobs.persons import MAP, said_of_people, write_map
from hushwood.jobs.preparing import Prepared, prepared_table, settled_columns
from hushwood.jobs.repeated_people import said_of_groups, with_people_apart
from hushwood.jobs.requests import ReleaseRequest
from hushwood.jobs.resolve import Resolved, resolve
from hushwood.policies.advice import MadeHow
from hushwood.policies.policy import Policy
from hushwood.policies.verdict import Verdict, verdict_on
from hushwood.releasing.certificate import Certificate, certify
from hushwood.releasing.perturb import perturb
from hushwood.releasing.perturbed import Perturbed
from hushwood.releasing.plan import Plan
from hushwood.reports.notebook import Evaluated
from hushwood.stages import Stage, silent
from hushwood.tables.frames.storage import text_columns
from hushwood.tables.reading import Reading
from hushwood.tables.recoding.preparation import Preparation
from hushwood.tables.table import Table
from hushwood.trees.forest import Forest
from hushwood.trees.model_file import forest_to_json

if TYPE_CHECKING:
    from hushwood.evaluation.evaluation import Evaluation
    from hushwood.evaluation.whole_table import WholeTable

__all__ = ["Release", "ReleaseRequest", "release"]


@dataclass(frozen=True)
class Release(Evaluated):
    """The result of a release: the table as the kind of frame it came in, the proof, and all that explains it.

    `row_order` is the original row of every released row if the rows were shuffled, `person_numbers` the number of each
    person or household, in the order of their first rows: keep them where the key is kept. `unmeasured` compares the
    columns of a release without evidence.
    """

    make_frame: Callable[[], Any] = field(repr=False)
    certificate: dict[str, Any]
    manifest: dict[str, Any]
    forest: Forest
    evaluation: Evaluation | None
    verdict: Verdict
    warnings: tuple[str, ...]
    folder: Path | None
    row_order: Integers | None = field(default=None, repr=False)
    person_numbers: Integers | None = field(default=None, repr=False)
    unmeasured: Callable[[], tuple[Distribution, ...]] | None = field(default=None, repr=False)
    made: Made | None = field(default=None, repr=False)

    @property
    def cleared(self) -> bool:
        """Whether the policy clears the release to be handed out."""
        return self.verdict.cleared

    @property
    def known(self) -> KnownRelease:
        """What an audit must know where there is no folder."""
        return KnownRelease(self.row_order, self.person_numbers, self.manifest["parameters"], self.made)

    @cached_property
    def frame(self) -> Any:
        """The released table as the kind of frame that was given; a Polars frame if it was a file."""
        return self.make_frame()

    def _before_and_after(self) -> Sequence[Distribution]:
        return super()._before_and_after() if self.unmeasured is None else self.unmeasured()

    def __repr__(self) -> str:
        made = self.manifest["technique"]
        where = f", in {str(self.folder)!r}" if self.folder else ""
        return f"<Release by {made}: {self.verdict.status} by {self.verdict.policy.name}{where}>"

    def _repr_html_(self) -> str:
        from hushwood.reports.notebook import release_card

        return release_card(self.evaluation, self.verdict, self.warnings)


def release(
    reading: Reading,
    request: ReleaseRequest | Resolved,
    stage: Stage = silent,
    private: Mapping[str, str] | None = None,
) -> Release:
    """Make a release; nothing is left behind if any part of it fails.

    `private` are further files for its private part, by name.
    """
    asked = resolve(request, reading, reading.form)
    request, policy, streams = asked.request, asked.policy, asked.streams
    reading = checked(reading, request)
    keyed = in_key_order(reading, request.row_key, streams)
    use = Use(streams.key_id, content_digest(keyed.reading.table, request.options.threads))
    if request.key_has_a_past:
        check_other_table(streams, reading, request.output, request.seed_file)
    noted = (
        *seed_warnings(streams, request.seed),
        *reading.notes,
        *said_of_groups(reading.table),
        *noticed(request.ledger, use, request.reuse_key),
    )
    with ExitStack() as until_shown, whole_folder(request.output, request.force) as aside:
        table, prepared = prepared_table(keyed.reading, keyed.ids, request, streams)
        known = replace(keyed, reading=replace(reading, table=table))
        perturbed = perturb(known.reading.table, request.options, streams, asked.forest, stage, keyed.ids)
        use = replace(use, released=_outcome(perturbed, request))
        noticed(request.ledger, use, request.reuse_key)
        writer = Writer(aside, reading, streams, request.escape_formulas)
        for name, text in (private or {}).items():
            write_text(writer.private / name, text)
        done = _write(writer, known, request, policy, perturbed, prepared, noted, stage)
        ledger = None if request.dry_run else request.ledger
        # A signal after the exchange must not keep the release out of the ledger.
        until_shown.enter_context(held_signals())
        use = replace(use, held=request.output is not None and not done.cleared)
        trouble = until_shown.enter_context(booked(ledger, use, request.reuse_key))
    made = None
    if request.row_key is None:  # else rows were released in an order that an audit in memory does not know
        made = made_of(reading, perturbed, prepared.how, done.certificate, use.table, streams)
    return replace(done, warnings=tuple(dict.fromkeys((*done.warnings, *trouble))), made=made)


def checked(reading: Reading, request: ReleaseRequest) -> Reading:
    """The table with the categories that occur, unless it can be refused before anything is computed."""
    check_table(reading)
    present = reading.of_present_categories()
    check_declared(present.table, request.keep, settled_columns(request.options))
    return with_people_apart(present, request.rows_are_people, request.keep)


def _outcome(perturbed: Perturbed, request: ReleaseRequest) -> bytes:
    """What recognises a release in any format: its values, and whether their order was broken."""
    shuffled = is_shuffled(perturbed.plan, request)
    return content_digest(perturbed.table, request.options.threads) + bytes([shuffled])


def is_shuffled(plan: Plan, request: ReleaseRequest) -> bool:
    """Whether the rows go out in a secret order: the technique does so, or the request asks for it."""
    return request.shuffle_rows or plan.row_order == "secret"


def _write(
    writer: Writer,
    known: InKeyOrder,
    request: ReleaseRequest,
    policy: Policy,
    perturbed: Perturbed,
    prepared: Prepared,
    noted: tuple[str, ...],
    stage: Stage,
) -> Release:
    """Write and judge a release; `known` is what was perturbed: coarser, and without rare levels."""
    from hushwood.tables.frames.table_frames import released_frame

    stage("writing the table", 0, 1)
    reading, new, shuffled = known.reading, perturbed.table, is_shuffled(perturbed.plan, request)
    order = writer.shuffle(known.row_ids, known.places) if shuffled else None
    if known.places is not None and not shuffled:
        writer.keep_order(known.places)
    if perturbed.units is not None:
        write_map(perturbed.units, known.places, writer.private / MAP)
    # Tables in the order of the release are made when they are needed and not kept: each is as large as the table.
    writer.write_table(_in_order(new, order))
    stage("checking every record", 0, 1)
    certificate = _certificate(writer, _in_order(reading.table, order), perturbed)
    if not shuffled and perturbed.paired:
        noted += tuple(order_warnings(reading.table))
    made = Written(
        certificate,
        lambda: reading.frame_like(released_frame(_in_order(new, order))),
        noted,
        known.original_rows(order),
    )
    return published(writer, reading, request, policy, perturbed, prepared, made, stage)


@dataclass(frozen=True, slots=True)
class Written:
    """A released table on disk: its certificate, how to read it, what was noted, and the order of its rows.

    `counted` is what was counted of a long table, of which only a sample is judged.
    """

    certificate: Certificate
    make_frame: Callable[[], Any]
    noted: tuple[str, ...]
    order: Integers | None = None
    counted: WholeTable | None = None


def published(
    writer: Writer,
    reading: Reading,
    request: ReleaseRequest,
    policy: Policy,
    perturbed: Perturbed,
    prepared: Prepared,
    made: Written,
    stage: Stage,
) -> Release:
    """Judge a table that is written, and write all that goes with it; a table that broke a promise stops here."""
    from hushwood.jobs.release_evidence import said_of_signing

    certificate = made.certificate
    certificate.check()
    if request.key_has_a_past:
        check_other_settings(writer.streams, writer.released, request.output, request.seed_file)
    warnings = (
        *made.noted,
        *input_warnings(reading, request.escape_formulas, prepared.how.coarse.recodings),
        *prepared.warnings(),
        *perturbed.warnings,
    )
    if is_shuffled(perturbed.plan, request):
        warnings += tuple(tie_warnings(reading.table))
    perturbed = replace(perturbed, certificate=certificate.to_json())
    evaluation, verdict = _judged(
        writer, reading, request, policy, perturbed, prepared, warnings, stage, made.counted
    )
    page = dictionary(reading.table.schema, perturbed, prepared.how, escaped_formulas=request.escape_formulas)
    write_text(writer.share / "dictionary.md", page)
    write_json(writer.private / FOREST, forest_to_json(perturbed.forest))
    writer.write_private(plan_of(reading, perturbed, prepared.how) | named_key(request.row_key))
    if not verdict.cleared:
        writer = writer.hold_back()
    manifest = writer.write_manifest(
        _about(perturbed, prepared.how, request) | said_of_key(request.row_key) | said_of_signing(evaluation),
        certificate.to_json(),
        made_up=not perturbed.paired,
        verdict=verdict.publishable(),
    )
    return Release(
        made.make_frame,
        certificate.to_json(),
        manifest,
        perturbed.forest,
        evaluation,
        verdict,
        (*warnings, *leftover_warnings(request.output)),
        request.output,
        made.order,
        None if perturbed.units is None else perturbed.units.numbers,
        None if evaluation is not None else partial(distributions, reading.table, perturbed.table),
    )


def _in_order(table: Table, order: Integers | None) -> Table:
    return table if order is None else table.take(order)


def _certificate(writer: Writer, original: Table, perturbed: Perturbed) -> Certificate:
    """Read the file back from disk and send both tables through the forest as it is written."""
    from hushwood.tables.formats.files import BatchesOnDisk

    model = json.loads(json.dumps(forest_to_json(perturbed.forest)))
    back = BatchesOnDisk(
        writer.released,
        form=writer.reading.released_form,
        as_text=text_columns(original.schema),
        escaped_formulas=writer.escape_formulas,
        like=original.schema,
    )
    plan, threads = perturbed.plan, perturbed.options.threads
    promises, claims = plan.promises(original.schema), (perturbed.paired, plan.links)
    return certify(
        original, back, model, plan.keeps_segments, threads, promises, paired=claims[0], kept_links=claims[1]
    )


def _judged(
    writer: Writer,
    reading: Reading,
    request: ReleaseRequest,
    policy: Policy,
    perturbed: Perturbed,
    prepared: Prepared,
    warnings: tuple[str, ...],
    stage: Stage,
    counted: WholeTable | None = None,
) -> tuple[Evaluation | None, Verdict]:
    """Judge the release by the policy; write the evaluation, the reports and the numbers of single records."""
    from hushwood.jobs.release_evidence import evidence_of, sign_off_of, write_record_risk, write_reports

    if request.evidence == "none":
        made = MadeHow(perturbed.options, reading.table.rows, request.evidence)
        return None, verdict_on(None, policy, made)
    held_back = rare_levels_kept(prepared.how.rare, request.keep, reading.table.schema, policy)
    found = evidence_of(
        reading, perturbed, request.evidence, policy, warnings, writer.streams, stage, counted, held_back
    )
    stage("writing the report", 0, 1)
    found = replace(found, evaluation=prepared.with_losses(found.evaluation))
    evaluation, verdict = found.evaluation, found.verdict
    if verdict is None:
        raise LookupError("A release is judged by a policy.")
    if perturbed.paired:
        units = None if perturbed.units is None else perturbed.units.original
        write_record_risk(found, writer.private / "record_risk.csv", units)
    write_json(writer.private / EVALUATION, evaluation.to_json())
    write_json(writer.private / VERDICT, verdict.to_json())
    facts = sign_off_of(writer, request)
    write_json(writer.private / SIGN_OFF, asdict(facts))
    write_reports(writer.share, writer.private, evaluation, verdict, facts)
    return evaluation, verdict


def _about(perturbed: Perturbed, preparation: Preparation, request: ReleaseRequest) -> dict[str, Any]:
    """What the manifest says about how the release was made."""
    technique, parameters = perturbed.plan.recipe, dict(perturbed.method)
    del parameters["technique"]
    parameters |= {
        "variant": perturbed.builder.grow.variant,
        "trees": len(perturbed.forest.trees),
        "grown": dict(perturbed.forest.grown),
        **perturbed.learnt.to_json(),
    } | preparation.announced()
    schema = perturbed.table.schema
    steps, classes = perturbed.plan.described(schema), list(schema.in_role("class"))
    if not classes:
        predicted = dict.fromkeys(target.name for target in perturbed.forest.predicts)
        parameters["predicted"] = list(predicted)
    about = {"technique": technique, "class": classes, "parameters": parameters, "steps": steps}
    about |= {"labels": perturbed.labels} if perturbed.labels else {}
    about |= said_of_people(schema)
    reasons = {"kept_columns": dict(request.keep), "rows_are_people": request.rows_are_people}
    return about | {name: said for name, said in reasons.items() if said}
