"""Release a table: read, prepare, learn, write aside, certify from disk, judge, and only then show the folder.

The command and the Python API both end in `released`; nothing else writes a release. Where the records are, in memory,
in files, in a database or on Spark, is known by a `Way` alone.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from hushwood.arrays import Integers
from hushwood.evaluation.distributions import Distribution, distributions
from hushwood.jobs.dictionary import dictionary
from hushwood.jobs.folder.exchange import held_signals
from hushwood.jobs.folder.keys import (
    booked,
    check_other_settings,
    check_other_table,
    noticed,
    seed_warnings,
)
from hushwood.jobs.folder.made_again import KnownRelease, Made, plan_of
from hushwood.jobs.folder.release_files import (
    Writer,
    check_table,
    input_warnings,
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
from hushwood.jobs.gate import (
    check_declared,
    drawn_before,
    rare_levels_kept,
    said_of_groups,
    with_people_apart,
)
from hushwood.jobs.inputs import read_input
from hushwood.jobs.key_order import named_key, said_of_key, with_row_key
from hushwood.jobs.persons import said_of_people
from hushwood.jobs.preparing import Prepared, settled_columns
from hushwood.jobs.release_ways import AsAWhole, ReleaseWay, Written, is_shuffled
from hushwood.jobs.requests import ReleaseRequest
from hushwood.jobs.resolve import Resolved, check_in_memory, declared_units, resolve
from hushwood.policies.advice import MadeHow
from hushwood.policies.verdict import Verdict, verdict_on
from hushwood.releasing.perturbed import Perturbed
from hushwood.reports.evaluated import Evaluated
from hushwood.stages import Stage, silent
from hushwood.tables.formats.files import is_read_whole
from hushwood.tables.long.files import expected_bytes
from hushwood.tables.reading import Reading
from hushwood.tables.recoding.preparation import Preparation
from hushwood.tables.sql.addresses import is_address
from hushwood.trees.forest import Forest
from hushwood.trees.model_file import forest_to_json

if TYPE_CHECKING:
    from hushwood.evaluation.evaluation import Evaluation

__all__ = ["Release", "ReleaseRequest", "release", "release_any"]


COPIES = (
    6  # a release in memory holds the table several times over: as read, as arrays, changed, and as written
)


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


def release_any(
    source: object, arguments: Mapping[str, Any], request: ReleaseRequest | Resolved, stage: Stage = silent
) -> Release:
    """Release a file, a folder of files, a table in a database, or a frame, with the arguments of `reading.read`."""
    asked = resolve(request, source, arguments)
    done = released(_way(source, arguments, asked, stage), asked, stage)
    if asked.request.to is None:
        return done
    from hushwood.jobs.release_elsewhere import sent

    return replace(done, warnings=(*done.warnings, *sent(done, asked.request)))


def release(
    reading: Reading,
    request: ReleaseRequest | Resolved,
    stage: Stage = silent,
    private: Mapping[str, str] | None = None,
) -> Release:
    """Release a table that was read; `private` are further files for the private part, by name."""
    asked = resolve(request, reading, reading.form)
    return released(AsAWhole(lambda: reading, asked, stage), asked, stage, private or {})


def released(
    way: ReleaseWay, asked: Resolved, stage: Stage, private: Mapping[str, str] = MappingProxyType({})
) -> Release:
    """Make a release; nothing is left behind if any part of it fails."""
    request, streams = asked.request, asked.streams
    with ExitStack() as until_shown, whole_folder(request.output, request.force) as aside:
        with _scratch(aside) as scratch, closing(way):
            shown = checked(way.read(scratch), request)
            if request.key_has_a_past:
                check_other_table(streams, shown, request.output, request.seed_file)
            reading, prepared = way.prepare(shown)
            way.learn()
            writer = Writer(aside, reading, streams, request.escape_formulas)
            for name, text in private.items():
                write_text(writer.private / name, text)
            written = way.write(writer)
        before = noticed(request.ledger, written.use, request.reuse_key)
        noted = (
            *seed_warnings(streams, request.seed),
            *reading.notes,
            *said_of_groups(reading.table),
            *before,
            *written.noted,
        )
        done = published(writer, asked, prepared, replace(written, noted=noted, before=before), stage)
        # A signal after the exchange must not keep the release out of the ledger.
        until_shown.enter_context(held_signals())
        use = replace(written.use, held=request.output is not None and not done.cleared)
        ledger = None if request.dry_run else request.ledger
        trouble = until_shown.enter_context(booked(ledger, use, request.reuse_key))
    return replace(done, warnings=tuple(dict.fromkeys((*done.warnings, *trouble))))


def _way(source: object, arguments: Mapping[str, Any], asked: Resolved, stage: Stage) -> ReleaseWay:
    """Where the release can be made; all ways give the same values.

    A table is taken into memory if there is room for the work on it, unless an engine is named.
    """
    request = asked.request
    arguments = with_row_key(arguments, request.row_key)
    if isinstance(source, str) and is_address(source):
        from hushwood.jobs.release_elsewhere import from_database

        return from_database(source, arguments, asked, stage)
    if request.options.engine == "spark" or type(source).__module__.startswith("pyspark."):
        from hushwood.jobs.release_elsewhere import OverSpark

        return OverSpark(source, arguments, asked, stage)
    path = Path(source) if isinstance(source, str | Path) else None
    if path is None or not streams_from(path, request):
        return AsAWhole(lambda: read_input(source, arguments), asked, stage)
    check_in_memory(declared_units(arguments))
    from hushwood.jobs.release_long import from_files

    return from_files(path, arguments, asked, stage)


def streams_from(path: Path, request: ReleaseRequest) -> bool:
    """Whether the table is read in batches."""
    engine = request.options.engine
    if engine == "memory" or (engine == "auto" and is_read_whole(path)):
        return False
    return engine == "streaming" or path.is_dir() or COPIES * expected_bytes(path) > request.memory


@contextmanager
def _scratch(aside: Path) -> Iterator[Path]:
    """A folder for what is written on the way."""
    scratch = aside / "private" / "scratch"
    scratch.mkdir(mode=0o700)
    yield scratch
    shutil.rmtree(scratch)


def checked(reading: Reading, request: ReleaseRequest) -> Reading:
    """The table with the categories that occur, unless it can be refused before anything is computed."""
    check_table(reading)
    present = reading.of_present_categories()
    check_declared(present.table, request.keep, settled_columns(request.options))
    return with_people_apart(present, request.rows_are_people, request.keep)


def published(writer: Writer, asked: Resolved, prepared: Prepared, written: Written, stage: Stage) -> Release:
    """Judge a table that is written, and write all that goes with it; a table that broke a promise stops here."""
    from hushwood.jobs.release_evidence import said_of_signing

    request, reading, certificate = asked.request, written.reading, written.certificate
    certificate.check()
    if request.key_has_a_past:
        check_other_settings(writer.streams, writer.released, request.output, request.seed_file)
    proof = certificate.to_json()
    perturbed = replace(written.perturbed, certificate=proof)
    warnings = (
        *written.noted,
        *input_warnings(reading, request.escape_formulas, prepared.how.coarse.recodings),
        *prepared.warnings(),
        *perturbed.warnings,
    )
    if is_shuffled(perturbed.plan, request):
        warnings += tuple(tie_warnings(reading.table))
    written = replace(written, perturbed=perturbed, noted=warnings)
    evaluation, verdict = _judged(writer, asked, prepared, written, stage)
    page = dictionary(reading.table.schema, perturbed, prepared.how, escaped_formulas=request.escape_formulas)
    write_text(writer.share / "dictionary.md", page)
    write_json(writer.private / FOREST, forest_to_json(perturbed.forest))
    writer.write_private(plan_of(reading, perturbed, prepared.how) | named_key(request.row_key))
    if not verdict.cleared:
        writer = writer.hold_back()
    manifest = writer.write_manifest(
        _about(perturbed, prepared.how, request) | said_of_key(request.row_key) | said_of_signing(evaluation),
        proof,
        made_up=not perturbed.paired,
        verdict=verdict.publishable(),
    )
    return Release(
        written.make_frame,
        proof,
        manifest,
        perturbed.forest,
        evaluation,
        verdict,
        (*warnings, *leftover_warnings(request.output)),
        request.output,
        written.order,
        perturbed.units.numbers if perturbed.units is not None and perturbed.paired else None,
        None if evaluation is not None else partial(distributions, reading.table, perturbed.table),
        written.made,
    )


def _judged(
    writer: Writer, asked: Resolved, prepared: Prepared, written: Written, stage: Stage
) -> tuple[Evaluation | None, Verdict]:
    """Judge the release by the policy; write the evaluation, the reports and the numbers of single records."""
    from hushwood.jobs.release_evidence import evidence_of, sign_off_of, write_record_risk, write_reports

    request, table, perturbed = asked.request, written.reading.table, written.perturbed
    if request.evidence == "none":
        made = MadeHow(perturbed.options, table.rows, request.evidence)
        return None, verdict_on(None, asked.policy, made)
    held_back = rare_levels_kept(prepared.how.rare, request.keep, table.schema, asked.policy)
    if perturbed.plan.row_order == "drawn" and request.output is not None:
        held_back = drawn_before(held_back, written.before)
    found = evidence_of(written, asked, stage, held_back)
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
