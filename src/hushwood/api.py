"""The few functions that Python users call; each hands over to a job."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hushwood.errors import HushwoodWarning, InputError, unknown_name, visible
from hushwood.jobs.audit_request import AuditRequest
from hushwood.jobs.inputs import read_input
from hushwood.jobs.release import Release
from hushwood.jobs.release_any import release_any
from hushwood.jobs.requests import PublishRequest, ReleaseRequest
from hushwood.jobs.shared_options import memory_from_text
from hushwood.releasing.noise_texts import noise_arguments
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.recipes import RECIPES
from hushwood.stages import usual
from hushwood.tables.columns.class_column import Response
from hushwood.tables.reading import read_table
from hushwood.tables.schema import Role, Schema
from hushwood.tree_publishing.options import PublishOptions, TreePlan, one_or_several
from hushwood.trees.builder_options import BuilderOptions
from hushwood.trees.forest import Forest

if TYPE_CHECKING:
    from hushwood.jobs.accept import Accepted
    from hushwood.jobs.audit import Audit
    from hushwood.jobs.publish_tree import TreePublication
    from hushwood.jobs.tune import Tuned
    from hushwood.jobs.verify import Verified
    from hushwood.policies.policy import Policy
    from hushwood.reconstruction.miner import WonBack
    from hushwood.reports.compare.comparison import Comparison
    from hushwood.tables.generalised.taxonomies import Taxonomy
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


def release(
    table: object,
    *,
    technique: str = _DEFAULTS.technique,
    noise: float | Mapping[str, float] = _DEFAULTS.noise,
    seed: str | bytes | None = None,
    target: str | Sequence[str] | None = None,
    schema: Schema | Path | str | None = None,
    roles: Mapping[str, Role] | None = None,
    keep: Mapping[str, str] | None = None,
    class_bins: int | None = None,
    class_threshold: float | None = None,
    response: Response = "auto",
    forest: Path | str | Forest | None = None,
    output: Path | str | None = None,
    force: bool = False,
    reuse_key: bool = False,
    ledger: Path | str | None = None,
    shuffle_rows: bool = False,
    row_key: str | None = None,
    spark_master: str | None = None,
    escape_formulas: bool = False,
    evidence: str = _REQUEST.evidence,
    policy: str | Path | Policy = _REQUEST.policy,
    limits: Sequence[str] = (),
    purpose: str = "",
    memory: int | str = _REQUEST.memory,
    **options: Any,
) -> Release:
    """Release a table, a file or a frame; with `output` also into a folder. Warnings are Python warnings, too.

    `verdict` says whether the `policy` clears it; `limits` replace its numbers: `["linkage<=0.01"]`. The sign-off page
    names the `purpose`. `target` names the class or classes, if any; a `response` of numbers stays a "number" or
    becomes a "class". `noise` is for all columns or by column: `{"age": 0.1}`. Further options are those of the
    command, all fields of `PerturbOptions`: k=100, trees=3, engine="streaming". A file too large for `memory` ("2GB")
    is read in batches; `output` keeps it. With a `row_key`, a unique column, values follow the person. Columns that
    seem to identify people must be an "identifier" in `roles`, or have a reason to `keep` them, which is published.
    """
    arguments = _reading(target, schema, roles, class_bins, class_threshold, response)
    request = ReleaseRequest(
        _perturb_options(technique, noise, options),
        None if output is None else Path(output),
        keep or {},
        force,
        seed,
        reuse_key=reuse_key,
        ledger=_ledger(ledger),
        memory=memory_from_text(memory) if isinstance(memory, str) else memory,
        row_key=row_key,
        spark_master=spark_master,
        shuffle_rows=shuffle_rows,
        escape_formulas=escape_formulas,
        forest=Path(forest) if isinstance(forest, str) else forest,
        evidence=evidence,
        policy=policy,
        limits=tuple(limits),
        purpose=purpose,
    )
    return _warned(release_any(table, arguments, request, usual()))


def _ledger(given: Path | str | None) -> Path:
    from hushwood.jobs.folder.keys import usual_ledger

    return Path(given or usual_ledger())


def _perturb_options(
    technique: str, noise: float | Mapping[str, float], others: Mapping[str, Any]
) -> PerturbOptions:
    _check_options(others, PerturbOptions, but={"technique", "noise"})
    given = noise_arguments(noise, others.get("noise_by_column"))
    return PerturbOptions(technique, **{**others, **given})


def _warned(done: Release) -> Release:
    """The release, when its warnings were given."""
    _warn(done.warnings, level=4)
    return done


def _warn(sentences: Iterable[str], level: int = 3) -> None:
    """Give warnings as if the caller's line had; the command prints them itself."""
    for sentence in sentences:
        warnings.warn(visible(sentence), HushwoodWarning, stacklevel=level)


def tune(
    table: object,
    *,
    policy: str | Path | Policy = _REQUEST.policy,
    limits: Sequence[str] = (),
    techniques: Sequence[str] = (),
    seed: str | bytes | None = None,
    target: str | Sequence[str] | None = None,
    schema: Schema | Path | str | None = None,
    roles: Mapping[str, Role] | None = None,
    class_bins: int | None = None,
    class_threshold: float | None = None,
    response: Response = "auto",
    output: Path | str | None = None,
    force: bool = False,
    keep: Mapping[str, str] | None = None,
    ledger: Path | str | None = None,
    evidence: str = _REQUEST.evidence,
) -> Tuned:
    """Find the most useful release of a table that the `policy` clears, and make it.

    The result has the `release`, all `points` that were tried, and says `why` this one was chosen. If nothing is
    cleared, the release is what comes nearest. With `output` a search that was stopped goes on where it ended.
    """
    from hushwood.jobs.folder.keys import usual_ledger
    from hushwood.jobs.requests import TuneRequest
    from hushwood.jobs.tune import tune as job

    reading = read_input(table, _reading(target, schema, roles, class_bins, class_threshold, response))
    request = TuneRequest(
        tuple(techniques),
        None if output is None else Path(output),
        keep=keep or {},
        force=force,
        seed=seed,
        ledger=usual_ledger() if ledger is None else Path(ledger),
        evidence=evidence,
        policy=policy,
        limits=tuple(limits),
    )
    return job(reading, request.as_release(), request.techniques, stage=usual())


def compare(*folders: Path | str, original: Path | str | None = None) -> Comparison:
    """Compare folders of releases of one table: verdicts, what an intruder learns, and what analysts keep."""
    from hushwood.jobs.compare import compare as job

    return job([Path(folder) for folder in folders], None if original is None else Path(original))


def _reading(
    target: str | Sequence[str] | None,
    schema: Schema | Path | str | None,
    roles: Mapping[str, Role] | None,
    class_bins: int | None,
    class_threshold: float | None,
    response: Response = "auto",
) -> dict[str, Any]:
    """The arguments of `read`."""
    return {
        "target": target,
        "schema": schema,
        "roles": roles,
        "class_bins": class_bins,
        "class_threshold": class_threshold,
        "response": response,
    }


def _check_options(given: Iterable[str], declared: Any, but: Collection[str] = ()) -> None:
    allowed = [field.name for field in fields(declared) if field.name not in but]
    for name in given:
        if name not in allowed:
            raise unknown_name("option", name, allowed)


def audit(
    table: object,
    released: object,
    *,
    target: str | Sequence[str] | None = None,
    schema: Schema | Path | str | None = None,
    roles: Mapping[str, Role] | None = None,
    class_bins: int | None = None,
    class_threshold: float | None = None,
    response: Response = "auto",
    match: str | None = None,
    holdout: object = None,
    only: Sequence[str] = (),
    fail_if: Sequence[str] = (),
    evidence: str = _AUDIT.evidence,
    hierarchies: Mapping[str, Taxonomy | Path | str] | None = None,
    settings: Mapping[str, Mapping[str, Any]] | None = None,
    policy: str | Path | Policy | None = None,
    limits: Sequence[str] = (),
    memory: int = _AUDIT.memory,
    engine: str = _AUDIT.engine,
    **builder: Any,
) -> Audit:
    """Judge a release of a table: a frame, a file, a folder that a release made, or what `release` returned.

    What `release` returned knows which row was made from which; a frame in random order does not.
    `target` names the class, or several, if the table has none yet. `match` is "rows", "none" or a column that
    identifies the same person in both; `holdout` are people who were never in the table; `settings` are parameters of
    measures, such as `{"reidentification_entropy": {"threshold_bits": 6}}`. A file that a release folder was not made
    from is refused unless you name its class. With a `policy`, the result has a `verdict`. Files that are too long for
    `memory` are read in batches; all but counts is then measured on a sample.

    Trees are grown as they were for the release, where that is known. Further options grow them otherwise: variant,
    criterion, min_leaf, confidence, trees, goodness, separation, min_gain_ratio.
    """
    from hushwood.jobs.audit import audit as job

    _check_options(builder, BuilderOptions)
    order = announced = None
    if isinstance(released, Release):
        order, announced = released.row_order, released.manifest["parameters"]
        released = released.frame if released.folder is None else released.folder
    given = _reading(target, schema, roles, class_bins, class_threshold, response)
    request = AuditRequest(
        match=match,
        holdout=holdout,
        only=tuple(only),
        fail_if=tuple(fail_if),
        hierarchies=hierarchies or {},
        evidence=evidence,
        settings=settings or {},
        policy=policy,
        limits=tuple(limits),
        builder=BuilderOptions(**builder),
        memory=memory,
        engine=engine,
    )
    how = given if any(given.values()) else None
    return job(table, released, request, how, order=order, announced=announced, stage=usual())


def verify(folder: Path | str, original: Path | str | None = None) -> Verified:
    """Check the files of a release against its manifest and, with the original, repeat the certificate."""
    from hushwood.jobs.verify import verify as job

    return job(Path(folder), None if original is None else Path(original))


def reconstruct(folder: Path | str, original: object = None, **options: Any) -> WonBack:
    """What an honest miner wins back from the folder of a release; with the `original`, compared with it.

    Options: `target` and `schema`, if the miner knows them; and intervals, method, strategy and private of the command.
    """
    from hushwood.jobs.reconstruct import reconstruct as job
    from hushwood.jobs.reconstruct_request import ReconstructRequest

    reading = {name: options.pop(name, None) for name in ("target", "schema")}
    _check_options(options, ReconstructRequest, but=())
    return job(Path(folder), original, ReconstructRequest(**options), reading, stage=usual())


def accept(folder: Path | str, *, reason: str, by: str) -> Accepted:
    """Hand out a release that was not cleared: not-cleared/ becomes share/, and its manifest says who and why."""
    from hushwood.jobs.accept import accept as job

    return job(Path(folder), reason, by)


def publish_tree(
    table: object,
    *,
    target: str | None = None,
    k: int = _PUBLISH.k,
    l: float = _PUBLISH.l,
    sensitive: str | Sequence[str] | None = None,
    keep: Mapping[str, str] | None = None,
    criterion: str | TreePlan | Sequence[str | TreePlan] | None = None,
    schema: Schema | Path | str | None = None,
    roles: Mapping[str, Role] | None = None,
    class_bins: int | None = None,
    class_threshold: float | None = None,
    output: Path | str | None = None,
    force: bool = False,
    shuffle_rows: bool = False,
    escape_formulas: bool = False,
    **options: Any,
) -> TreePublication:
    """Publish a tree and a table from which others rebuild exactly that tree; with `output` also into a folder.

    Every group of records that share their quasi-identifiers has at least `k` records, and no value of a `sensitive`
    attribute has more than 1/l of it. `keep` and `warnings` are as in `release`. Further options are those of the
    command: mode, min_leaf, max_leaves, max_depth, thresholds, stop_at_first_failure, class_in_groups,
    missing_numbers, threads.
    """
    from hushwood.jobs.publish_tree import publish_tree as job
    from hushwood.tree_publishing.options import plans_for, plans_from, response_of

    _check_options(options, PublishOptions, but={"k", "l", "trees"})
    plans, named = plans_from(criterion), _with_sensitive(roles or {}, sensitive)
    how = _reading(target, schema, named, class_bins, class_threshold) | {"response": response_of(plans)}
    reading = read_input(table, how)
    trees = plans_for(plans, reading.table.schema)
    request = PublishRequest(
        PublishOptions(k=k, l=l, trees=trees, **options),
        None if output is None else Path(output),
        force,
        shuffle_rows,
        escape_formulas,
        keep=keep or {},
    )
    done = job(reading, request, usual())
    _warn(done.warnings)
    return done


def _with_sensitive(roles: Mapping[str, Role], sensitive: object) -> dict[str, Role]:
    named: dict[str, Role] = dict(roles)
    for name in one_or_several(sensitive):
        if not isinstance(name, str):
            raise InputError(
                f"sensitive must be the name of a column or a list of names; {name!r} was given."
            )
        if named.setdefault(name, "confidential") != "confidential":
            raise InputError(f"Column {name!r} cannot be both sensitive and {named[name]}; choose one role.")
    return named


def verify_tree(released: object, tree: Path | str | Mapping[str, Any] | Forest) -> TreeVerdict:
    """Check from the released table alone that a published tree's tests are the best splits; true if they are.

    `released` is a frame, a file, or a folder that `publish_tree` made; `tree` a tree.json, its content, or a forest.
    """
    from hushwood.jobs.publish_tree import TreePublication
    from hushwood.jobs.verify_tree import verify_tree as job

    return job(released.frame if isinstance(released, TreePublication) else released, tree)


def measures() -> tuple[str, ...]:
    """The names of all measures, as `only=` takes them."""
    from hushwood.measures.registry import MEASURES

    return tuple(MEASURES)


def attacks() -> tuple[str, ...]:
    """The names of all attacks, as `only=` takes them."""
    from hushwood.attacks.registry import ATTACKS

    return tuple(ATTACKS)


def techniques() -> tuple[str, ...]:
    """The names that `technique=` takes."""
    return tuple(RECIPES)
