"""The few functions that Python users call; each hands over to a job."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import hushwood.keyword_types as kw
import hushwood.notebooks  # noqa: F401 - gives tables and forests their pictures
from hushwood.jobs.folder.keys import usual_ledger
from hushwood.jobs.judging_requests import AuditRequest, ReconstructRequest
from hushwood.jobs.persons import PEOPLE
from hushwood.jobs.release import Release, release_any
from hushwood.jobs.requests import (
    IN_PYTHON_WORDS,
    InputOptions,
    PersonOptions,
    PublishRequest,
    ReleaseRequest,
    TuneOptions,
    TuneRequest,
    reading_and_others,
)
from hushwood.jobs.shared_options import Links, memory_from_text
from hushwood.keywords import keywords
from hushwood.python_words import give_warnings, in_python, speaking_python
from hushwood.registered_names import attacks, measures, techniques
from hushwood.releasing.coarse_options import IN_PYTHON
from hushwood.releasing.noise_texts import noise_arguments
from hushwood.releasing.options import PerturbOptions
from hushwood.stages import usual
from hushwood.tables.read_options import ReadOptions
from hushwood.tables.reading import read_table as read_any
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table
from hushwood.tree_publishing.options import PublishOptions, TreePlan
from hushwood.trees.builder_options import BuilderOptions
from hushwood.trees.forest import Forest

if TYPE_CHECKING:
    from hushwood.jobs.accept import Accepted
    from hushwood.jobs.folder.made_again import KnownRelease
    from hushwood.jobs.judging import Audit
    from hushwood.jobs.publish_tree import TreePublication
    from hushwood.jobs.tune import Tuned
    from hushwood.jobs.verify import Verified
    from hushwood.policies.policy import Policy
    from hushwood.reconstruction.miner import WonBack
    from hushwood.reports.comparison import Comparison
    from hushwood.tables.recoding.taxonomies import Taxonomy
    from hushwood.tree_publishing.rebuild import TreeVerdict

__all__ = [
    "accept",
    "attacks",
    "audit",
    "compare",
    "measures",
    "publish_tree",
    "read_table",
    "reconstruct",
    "release",
    "techniques",
    "tune",
    "verify",
    "verify_tree",
]

_DEFAULTS, _REQUEST, _AUDIT, _PUBLISH = PerturbOptions(), ReleaseRequest(), AuditRequest(), PublishOptions()
_READ = (ReadOptions, PersonOptions)


@keywords(
    InputOptions,
    options=[ReadOptions],
    **IN_PYTHON_WORDS,
    source="A file, a folder of files, or a frame.",
    max_bytes="Maximum size of a file in bytes once it is unpacked. Default: 4 GiB.",
)
def read_table(source: object, *, max_bytes: int | None = None, **options: Unpack[kw.ReadKeywords]) -> Table:
    """Read a table from a frame or a file: CSV, Parquet, Arrow, JSON lines, .xlsx, .ods, Stata, SPSS or SAS.

    `sheet` names the sheet of a spreadsheet that has several. `target` names the class column, or several; a table may
    have none. A class of numbers stays a number ("number"), becomes classes ("class"), or, with "auto", stays a number
    if it has more than 50 values. `weight` names a column of survey weights.
    `max_bytes` limits the size of a file once decompressed; the default is 4 GiB.

    >>> import polars as pl
    >>> table = read_table(pl.DataFrame({"age": [31, 45], "ill": ["no", "yes"]}), target="ill")
    >>> table.schema["age"].high, table.schema["ill"].categories
    (45.0, ('no', 'yes'))
    """
    return read_any(source, max_bytes=max_bytes, **options)


@keywords(
    ReleaseRequest,
    InputOptions,
    options=(*_READ, PerturbOptions),
    **IN_PYTHON_WORDS,
    **IN_PYTHON,
    noise="Standard deviation of the noise, as a share of the range that a value stays in: for all columns, or by "
    'column: {"age": 0.1}.',
    noise_by_column="The noise of single columns, where `noise` is for the others.",
    keep="Columns to release although they look as if they identify people, each with a reason, which is published.",
    limits='Numbers in the place of those of the policy: ["linkage<=0.01"].',
    memory='Memory to use, in bytes or as "2GB"; a larger file is read in batches.',
    settings='Parameters of techniques and of CAPT\'s clusters: {"gadp": {"rho": 0.5}}.',
)
def release(
    table: object,
    *,
    target: str | int | Sequence[str | int] | None = None,
    technique: str = _DEFAULTS.technique,
    noise: float | Mapping[str, float] = _DEFAULTS.noise,
    seed: str | bytes | int | None = None,
    keep: Mapping[str, str] | None = None,
    links: Links = _REQUEST.links,
    forest: Path | str | Forest | None = None,
    output: Path | str | None = None,
    force: bool = False,
    reuse_key: bool = False,
    ledger: Path | str | None = None,
    shuffle_rows: bool = False,
    row_key: str | None = None,
    spark_master: str | None = None,
    query: str | None = None,
    to: str | None = None,
    escape_formulas: bool = False,
    evidence: str = _REQUEST.evidence,
    policy: str | Path | Policy = _REQUEST.policy,
    limits: Sequence[str] = (),
    purpose: str = "",
    rows_are_people: str | None = None,
    memory: int | str = _REQUEST.memory,
    **options: Unpack[kw.ReleaseKeywords],
) -> Release:
    """Release a table; with `output` also into a folder. What it warns of are Python warnings, too.

    The result has the released `frame`, the `verdict` of the policy, the `certificate` and a report.
    """
    reads, others = reading_and_others(target, options)
    request = ReleaseRequest(
        PerturbOptions(technique, **{**others, **noise_arguments(noise, others.get("noise_by_column"))}),
        None if output is None else Path(output),
        keep or {},
        links,
        force,
        seed,
        reuse_key=reuse_key,
        ledger=Path(ledger or usual_ledger()),
        memory=memory_from_text(memory) if isinstance(memory, str) else memory,
        row_key=row_key,
        spark_master=spark_master,
        query=query,
        to=to,
        shuffle_rows=shuffle_rows,
        escape_formulas=escape_formulas,
        forest=Path(forest) if isinstance(forest, str) else forest,
        evidence=evidence,
        policy=policy,
        limits=tuple(limits),
        purpose=purpose,
        rows_are_people=rows_are_people,
    )
    done = release_any(table, reads, request, usual())
    give_warnings(done.warnings)
    return replace(done, warnings=tuple(map(in_python, done.warnings)))


@keywords(TuneRequest, InputOptions, options=[*_READ, TuneOptions], **IN_PYTHON_WORDS, **IN_PYTHON)
def tune(
    table: object,
    *,
    target: str | int | Sequence[str | int] | None = None,
    policy: str | Path | Policy = _REQUEST.policy,
    limits: Sequence[str] = (),
    techniques: Sequence[str] = (),
    seed: str | bytes | int | None = None,
    output: Path | str | None = None,
    force: bool = False,
    keep: Mapping[str, str] | None = None,
    links: Links = _REQUEST.links,
    ledger: Path | str | None = None,
    evidence: str = _REQUEST.evidence,
    rows_are_people: str | None = None,
    **options: Unpack[kw.TuneKeywords],
) -> Tuned:
    """Find the most useful release of a table that the `policy` clears, and make it.

    The result has the `release`, all `points` that were tried, and says `why` this one was chosen. If nothing is
    cleared, the release is what comes nearest. With `output` a search that was stopped goes on where it ended.
    """
    from hushwood.jobs.tune import tune_any

    reads, coarse = reading_and_others(target, options)
    request = TuneRequest(
        TuneOptions(techniques=tuple(techniques), **coarse),
        None if output is None else Path(output),
        keep=keep or {},
        links=links,
        force=force,
        seed=seed,
        ledger=Path(ledger or usual_ledger()),
        evidence=evidence,
        policy=policy,
        limits=tuple(limits),
        rows_are_people=rows_are_people,
    )
    return tune_any(table, reads, request.as_release(), request.options.techniques, usual())


@speaking_python()
def compare(*folders: Path | str, original: Path | str | None = None) -> Comparison:
    """Compare folders of releases of one table: verdicts, what an intruder learns, and what analysts keep."""
    from hushwood.jobs.compare import compare as job

    return job([Path(folder) for folder in folders], None if original is None else Path(original))


@keywords(
    AuditRequest,
    InputOptions,
    options=(*_READ, BuilderOptions),
    **{
        **IN_PYTHON_WORDS,
        "table": "The original: a file, a folder of files, a frame, or what `read_table` returned.",
    },
    released="The release: a file, a frame, a folder that `release` made, or what `release` returned, which knows "
    "which row was made from which.",
    match='How rows correspond: "rows" (by position), "none", or a column that identifies people in both tables.',
    holdout="People who were never in the table: the control for the attacks.",
    settings='Parameters of measures and attacks: {"reidentification_entropy": {"threshold_bits": 6}}.',
)
def audit(
    table: object,
    released: object,
    *,
    target: str | int | Sequence[str | int] | None = None,
    match: str | None = None,
    holdout: object = None,
    made_up: bool = False,
    only: Sequence[str] = (),
    fail_if: Sequence[str] = (),
    links: Links = _AUDIT.links,
    evidence: str = _AUDIT.evidence,
    hierarchies: Mapping[str, Taxonomy | Path | str] | None = None,
    settings: Mapping[str, Mapping[str, Any]] | None = None,
    policy: str | Path | Policy | None = None,
    limits: Sequence[str] = (),
    memory: int = _AUDIT.memory,
    engine: str = _AUDIT.engine,
    **options: Unpack[kw.AuditKeywords],
) -> Audit:
    """Judge a release of a table, whoever made it: what analysts keep, and what an intruder learns.

    A file that a release folder was not made from is refused unless you name its class. With a `policy`, the result has
    a `verdict`. Files that are too long for `memory` are read in batches; all but counts is then measured on a sample.
    Trees are grown as they were for the release, where that is known, unless you ask for others.
    """
    from hushwood.jobs.audit import audit as job

    given, builder = reading_and_others(target, options)
    known: KnownRelease | None = None
    if isinstance(released, Release):
        known, given = released.known, given or _class_of(released, table)
        released = released.frame if released.folder is None else released.folder
    request = AuditRequest(
        match=match,
        holdout=holdout,
        made_up=made_up,
        only=tuple(only),
        fail_if=tuple(fail_if),
        links=links,
        hierarchies=hierarchies or {},
        evidence=evidence,
        settings=settings or {},
        policy=policy,
        limits=tuple(limits),
        builder=BuilderOptions(**builder),
        memory=memory,
        engine=engine,
    )
    return job(table, released, request, given or None, usual(), known)


def _class_of(done: Release, table: object) -> dict[str, Any]:
    """How to read a table that was just released, if it does not say itself: as it was read, or with the same class."""
    if isinstance(table, Table):
        return {}
    if done.made is not None:
        return dict(done.made.reading)
    said = {"target": tuple(done.manifest["class"]), "roles": done.manifest.get(PEOPLE)}
    return {name: value for name, value in said.items() if value}


@speaking_python()
def verify(folder: Path | str, original: Path | str | None = None) -> Verified:
    """Check the files of a release against its manifest and, with the original, repeat the certificate."""
    from hushwood.jobs.verify import verify as job

    return job(Path(folder), None if original is None else Path(original))


@keywords(
    options=[ReconstructRequest],
    folder="The folder of the release.",
    original="The table that was released, to compare with.",
    target="The class, if the miner knows it.",
    schema="What the columns are, if the miner knows it: a Schema or a schema file.",
)
def reconstruct(
    folder: Path | str,
    original: object = None,
    *,
    target: str | None = None,
    schema: Schema | Path | str | None = None,
    **options: Unpack[kw.ReconstructKeywords],
) -> WonBack:
    """What an honest miner wins back from the folder of a release; with the `original`, compared with it."""
    from hushwood.jobs.reconstruct import reconstruct as job

    reading = {"target": target, "schema": schema}
    return job(Path(folder), original, ReconstructRequest(**options), reading, stage=usual())


@speaking_python()
def accept(folder: Path | str, *, reason: str, by: str, ledger: Path | str | None = None) -> Accepted:
    """Hand out a release that was not cleared: not-cleared/ becomes share/.

    Its manifest, its reports and the sign-off say who and why.
    """
    from hushwood.jobs.accept import accept as job

    done = job(Path(folder), reason, by, ledger=Path(ledger or usual_ledger()))
    give_warnings(done.warnings)
    return done


@keywords(
    PublishRequest,
    InputOptions,
    options=(ReadOptions, PublishOptions),
    but=("response", "trees"),
    **IN_PYTHON_WORDS,
    sensitive="The column that must stay secret, or several.",
    criterion='What decides which test is best: "information_gain", "gain_ratio", "gini" or "variance"; a TreePlan, or '
    "several, publish one tree each.",
)
def publish_tree(
    table: object,
    *,
    target: str | int | None = None,
    k: int = _PUBLISH.k,
    l: float = _PUBLISH.l,
    sensitive: str | Sequence[str] | None = None,
    criterion: str | TreePlan | Sequence[str | TreePlan] | None = None,
    keep: Mapping[str, str] | None = None,
    output: Path | str | None = None,
    force: bool = False,
    shuffle_rows: bool = False,
    escape_formulas: bool = False,
    **options: Unpack[kw.PublishKeywords],
) -> TreePublication:
    """Publish a tree and a table from which others rebuild exactly that tree; with `output` also into a folder.

    Every group of records that share their quasi-identifiers has at least `k` records, and no value of a `sensitive`
    attribute has more than 1/l of it.
    """
    from hushwood.jobs.publish_tree import publish_any
    from hushwood.tree_publishing.options import plans_from, with_sensitive

    reads, others = reading_and_others(target, options)
    reads |= {"roles": with_sensitive(reads.get("roles") or {}, sensitive)}
    request = PublishRequest(
        PublishOptions(k=k, l=l, **others),
        None if output is None else Path(output),
        force,
        shuffle_rows,
        escape_formulas,
        keep=keep or {},
    )
    done = publish_any(table, reads, plans_from(criterion), request, usual())
    give_warnings(done.warnings)
    return done


@speaking_python()
def verify_tree(released: object, tree: Path | str | Mapping[str, Any] | Forest) -> TreeVerdict:
    """Check from the released table alone that a published tree's tests are the best splits; true if they are.

    `released` is a frame, a file, or a folder that `publish_tree` made; `tree` a tree.json, its content, or a forest.
    """
    from hushwood.jobs.publish_tree import TreePublication
    from hushwood.jobs.verify_tree import verify_tree as job

    return job(released.frame if isinstance(released, TreePublication) else released, tree)
