"""Audit a release, whoever made it: both tables side by side, every measure, every attack, one document.

The command and the Python API both call `audit`; a release of our own is judged by its own noise laws.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hushwood.attacks.protocol import Attacked
from hushwood.declared_settings import Settings
from hushwood.errors import InputError
from hushwood.evaluation.document import evaluation_document
from hushwood.evaluation.evaluate import Findings, Stage, evaluate, silent
from hushwood.evaluation.levels import FULL, Level
from hushwood.evaluation.limits import Limit, entries_named, number_of, passed_limits
from hushwood.evaluation.made import Made
from hushwood.evaluation.settings import check_settings
from hushwood.jobs.checksums import file_checksum
from hushwood.jobs.release_folder import ReleaseFolder, as_published, is_source, made_again, release_folder
from hushwood.measures.protocol import Measurement
from hushwood.random_streams import Streams
from hushwood.tables.pairing import Pair, pair_up
from hushwood.tables.reading import Reading
from hushwood.tables.storage import text_columns
from hushwood.tables.taxonomies import Taxonomy, check_complete
from hushwood.trees.grow import available_threads

if TYPE_CHECKING:
    import polars as pl

# Samples of an audit are drawn with a public key: they hide nothing, and the same audit gives the same numbers.
AUDIT_SECRET = b"hushwood audit".ljust(32, b"\0")


@dataclass(frozen=True, slots=True)
class AuditRequest:
    """What is to be judged, and how."""

    match: str | None = None
    holdout: object = None
    only: tuple[str, ...] = ()
    limits: tuple[Limit, ...] = ()
    taxonomies: Mapping[str, Taxonomy] = field(default_factory=dict)
    level: Level = FULL
    settings: Settings = field(default_factory=dict)
    threads: int = field(default_factory=available_threads)

    def wanted(self) -> Level:
        """The level for the measures and attacks that were named, and for those that have a limit."""
        check_settings(self.settings)
        level = replace(self.level, settings={**self.level.settings, **self.settings})
        if not self.only:
            return level
        return level.only([*self.only, *(limit.name for limit in self.limits)])


@dataclass(frozen=True, slots=True)
class Answered:
    """One measure's or attack's entry of the evaluation."""

    entry: Mapping[str, Any]

    @property
    def value(self) -> float:
        """The measure's value, or the attack's success."""
        if "not_computable" in self.entry:
            raise InputError(f"{self.entry['name']} could not be computed: {self.entry['not_computable']}")
        return number_of(self.entry)

    @property
    def details(self) -> Mapping[str, Any]:
        """What stands behind the number."""
        found: Mapping[str, Any] = self.entry.get("details", {})
        return found


@dataclass(frozen=True)
class Audit:
    """What an audit found; `found["sers"].value` is a measure's number, or an attack's highest success."""

    document: dict[str, Any]
    findings: Findings
    failed: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Answered:
        entries = entries_named(self.document, name)
        if not entries:
            raise KeyError(name)
        return Answered(max(entries, key=lambda entry: entry.get("success", -1.0)))

    def to_json(self) -> str:
        """The evaluation document as text."""
        return json.dumps(self.document, ensure_ascii=False, allow_nan=False, indent=1)

    def to_html(self) -> str:
        """The internal report: it shows exact counts of the original table."""
        from hushwood.reports.page import internal_report

        return internal_report(self.document)

    @cached_property
    def records(self) -> dict[str, NDArray[np.float64]]:
        """Numbers of single records, in the order of the original's rows: keep them where the original is kept."""
        return record_numbers(self.findings)


def audit(
    original: Reading, released: object, request: AuditRequest | None = None, stage: Stage = silent
) -> Audit:
    """Judge a release: a file, a frame, or a folder that `hushwood release` made."""
    request, original = request or AuditRequest(), original.of_present_categories()
    streams = Streams(AUDIT_SECRET)
    _check_class(original)
    request.wanted()
    _check_taxonomies(original, request.taxonomies)
    stage("reading the release", 0, 1)
    folder = release_folder(Path(released)) if isinstance(released, str | Path) else None
    original, assumed = as_published(folder, original)
    escaped = folder is not None and folder.escaped_formulas
    frame = _frame(folder.released if folder else released, original, escaped_formulas=escaped)
    pair = pair_up(
        original.table,
        frame,
        streams,
        match=_match(request.match, folder),
        order=folder.order if folder and request.match in {None, "rows"} else None,
        taxonomies=request.taxonomies,
        holdout=None if request.holdout is None else _frame(request.holdout, original),
    )
    made, notes = _made(folder, original, pair, request.threads)
    notes += (*assumed, *holdout_notes(pair), *_undone_notes(folder, original))
    return judge(original, pair, request, streams, made, notes, _about(original, released, folder), stage)


def judge(
    original: Reading,
    pair: Pair,
    request: AuditRequest,
    streams: Streams,
    made: Made | None,
    notes: Sequence[str],
    about: Mapping[str, Any],
    stage: Stage = silent,
    control: Pair | None = None,
) -> Audit:
    """Run the measures and attacks on a pair, and put what they found into a document."""
    level = request.wanted()
    findings = evaluate(
        pair,
        level,
        streams,
        made=made,
        control=control,
        taxonomies=request.taxonomies,
        threads=request.threads,
        stage=stage,
    )
    document = evaluation_document(
        original.table,
        pair,
        findings,
        level,
        made=made,
        control=_control_text(pair, control),
        warnings=(*(warning.sentence for warning in original.warnings), *notes),
        about=about,
    )
    return Audit(document, findings, tuple(passed_limits(document, request.limits)))


def record_numbers(findings: Findings) -> dict[str, NDArray[np.float64]]:
    """All numbers of single judged records that measures and attacks gave, under names of their own."""
    numbers: dict[str, NDArray[np.float64]] = {}
    for answer in findings.answers:
        if isinstance(answer.result, Measurement):
            numbers.update(answer.result.records)
    for attempt in findings.attempts:
        if isinstance(attempt.result, Attacked) and not attempt.aside:
            for name, values in attempt.result.records.items():
                numbers[f"{attempt.attack.name}: {name} ({attempt.result.scenario.name})"] = values
    judged, drawn = findings.pair.original.rows, findings.pair.drawn
    if drawn is None:
        return numbers
    # Some measures judge all records even where the others judge a sample of them.
    return {name: values if len(values) == judged else values[drawn] for name, values in numbers.items()}


def _frame(source: object, original: Reading, *, escaped_formulas: bool = False) -> pl.DataFrame:
    """A file or a frame as a Polars frame; texts that mean missing in the original mean it here."""
    from hushwood.tables.any_frame import to_polars
    from hushwood.tables.files import read_frame, without_texts
    from hushwood.tables.frames import frame_from_table
    from hushwood.tables.table import Table

    missing = original.form.get("missing", ())
    if isinstance(source, Table):
        return frame_from_table(source)
    if not isinstance(source, str | Path):
        return without_texts(to_polars(source), missing)
    encoding, texts = original.form.get("encoding", "utf-8"), text_columns(original.table.schema)
    return read_frame(
        Path(source), missing=missing, encoding=encoding, as_text=texts, escaped_formulas=escaped_formulas
    )


def holdout_notes(pair: Pair) -> Iterator[str]:
    """A warning if people of the hold-out seem to be in the table after all."""
    from hushwood.tables.frames import frame_from_table

    if pair.holdout is None:
        return
    before, outside = (_different(frame_from_table(table)) for table in (pair.original, pair.holdout))
    both = outside.join(before, on=before.columns, how="semi", nulls_equal=True).height
    if 2 * both > outside.height:
        yield (
            f"{both:,} of {outside.height:,} different records of the hold-out are in the original too; a control must "
            "be of people who were never in the table, so what is compared with it cannot be trusted."
        )


def _different(records: pl.DataFrame) -> pl.DataFrame:
    """The different records, under names that Polars does not take for patterns."""
    records.columns = [f"column {place}" for place in range(records.width)]
    return records.unique()


def _check_class(original: Reading) -> None:
    """Measures and attacks compare classes; a numeric response has to be cut first."""
    target = original.table.schema.class_attribute
    if target is not None and target.kind == "numeric":
        raise InputError(
            f"The class {target.name!r} is a number here, and an audit compares classes; give "
            f"--class {target.name} --class-bins 4 to judge it in groups."
        )


def _check_taxonomies(original: Reading, taxonomies: Mapping[str, Taxonomy]) -> None:
    """A hierarchy belongs to a column, and knows all of its categories."""
    for name, taxonomy in taxonomies.items():
        attribute = original.table.schema[name]
        if attribute.kind == "categorical":
            check_complete(taxonomy, attribute.categories)


def _match(wanted: str | None, folder: ReleaseFolder | None) -> str | None:
    """Our own releases keep the order of the rows unless they were shuffled and the map is not here."""
    if wanted is not None or folder is None:
        return wanted
    return "none" if folder.shuffled and folder.order is None else "rows"


def _made(
    folder: ReleaseFolder | None, original: Reading, pair: Pair, threads: int
) -> tuple[Made | None, tuple[str, ...]]:
    if folder is None:
        return None, ()
    if folder.seal == "broken" or folder.changed_private_files:
        sentence = "The manifest or the private part of the release is NOT as it was written, so"
        return None, (f"{sentence} neither its certificate nor its noise laws are used.",)
    if file_checksum(folder.released) != folder.manifest["output"]["sha256"]:
        sentence = "The released table is NOT the file that the release wrote: its checksum differs, so"
        return None, (f"{sentence} neither its certificate nor its noise laws are used.",)
    if is_source(folder, original) is False:
        return None, (
            "The release was made from another version of this table, so its noise laws are not used.",
        )
    if pair.left_out and any(name in original.table.columns for name in pair.left_out):
        return None, ("Some columns cannot be compared, so the release's noise laws are not used.",)
    made = made_again(folder, original, threads)
    if made is None and not folder.has_laws:
        return None, ()
    if made is None:
        return None, ("The private part of the release is not here, so its noise laws are not used.",)
    return made, ()


def _undone_notes(folder: ReleaseFolder | None, original: Reading) -> Iterator[str]:
    """A warning about releases from before full-precision columns had a grid: no measure shows what their bits tell."""
    full = [a.name for a in original.table.schema.inputs if a.kind == "numeric" and a.precision is None]
    if folder is not None and folder.manifest["version"] == 1 and full:
        yield (
            f"This release is from a version whose noise can be undone from the low-order bits of {', '.join(full)}; "
            "the risks below do not count that. Make the release again before you hand it out."
        )


def _control_text(pair: Pair, control: Pair | None) -> str | None:
    if pair.holdout is not None:
        return f"the {pair.holdout.rows:,} people of the hold-out"
    if control is None or control.holdout is None:
        return None
    return (
        f"a second, throw-away release of {control.original.rows:,} of the records, "
        f"with the other {control.holdout.rows:,} as people who were never in it"
    )


def _about(original: Reading, released: object, folder: ReleaseFolder | None) -> dict[str, Any]:
    from hushwood.version import __version__

    about = {
        "table": original.name,
        "released": Path(released).name if isinstance(released, str | Path) else "a table in memory",
        "hushwood": __version__,
    }
    if folder is not None:
        about |= {"technique": folder.manifest["technique"]}
        about |= {k: v for k, v in folder.manifest["parameters"].items() if k == "noise"}
    return about
