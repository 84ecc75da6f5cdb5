"""The few functions that Python users call; each hands over to a job."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hushwood.errors import InputError, unknown_name
from hushwood.frameworks.perturb import PerturbOptions
from hushwood.frameworks.recipes import RECIPES
from hushwood.jobs.release import Release, ReleaseRequest
from hushwood.jobs.release import release as _release
from hushwood.jobs.roles import check_named
from hushwood.tables.reading import read, read_table
from hushwood.tables.schema import Role, Schema
from hushwood.trees.forest import Forest

if TYPE_CHECKING:
    from hushwood.jobs.audit import Audit
    from hushwood.jobs.publish_tree import TreePublication
    from hushwood.jobs.verify import Verified
    from hushwood.jobs.verify_tree import TreeVerdict
    from hushwood.tables.taxonomies import Taxonomy
    from hushwood.tree_publishing.options import TreePlan

__all__ = [
    "attacks",
    "audit",
    "measures",
    "publish_tree",
    "read_table",
    "release",
    "techniques",
    "verify",
    "verify_tree",
]

_OPTIONS = tuple(field.name for field in fields(PerturbOptions) if field.name not in {"technique", "noise"})


def release(
    table: object,
    *,
    technique: str = "forest-framework",
    noise: float = 1 / 3,
    seed: str | bytes | None = None,
    target: str | None = None,
    schema: Schema | Path | str | None = None,
    roles: Mapping[str, Role] | None = None,
    class_bins: int | None = None,
    class_threshold: float | None = None,
    forest: Path | str | Forest | None = None,
    output: Path | str | None = None,
    force: bool = False,
    reuse_key: bool = False,
    ledger: Path | str | None = None,
    shuffle_rows: bool = False,
    escape_formulas: bool = False,
    evidence: str = "quick",
    **options: Any,
) -> Release:
    """Release a table, a file or a frame; with `output` also into a folder.

    `target` names the class if the table has none yet. Further options are those of the command: trees, min_leaf,
    variant, boundary, distribution, capt, probability, forest_rows, engine, chunk_rows, threads.

    Keys and tables are entered into a `ledger`, a file in your state folder unless you name another one: a key that was
    used otherwise is refused, and an earlier release of the same table is among the `warnings` of the result.
    """
    from hushwood.jobs.ledger import usual_ledger

    for name in options:
        if name not in _OPTIONS:
            raise unknown_name("option", name, _OPTIONS)
    reading = read(
        table,
        target=target,
        schema=schema,
        roles=roles,
        class_bins=class_bins,
        class_threshold=class_threshold,
    )
    check_named(reading.table.schema, roles or ())
    request = ReleaseRequest(
        options=PerturbOptions(technique=technique, noise=noise, **options),
        output=None if output is None else Path(output),
        force=force,
        seed=seed,
        reuse_key=reuse_key,
        ledger=usual_ledger() if ledger is None else Path(ledger),
        shuffle_rows=shuffle_rows,
        escape_formulas=escape_formulas,
        forest=Path(forest) if isinstance(forest, str) else forest,
        evidence=evidence,
    )
    return _release(reading, request)


def audit(
    table: object,
    released: object,
    *,
    target: str | None = None,
    schema: Schema | Path | str | None = None,
    roles: Mapping[str, Role] | None = None,
    class_bins: int | None = None,
    class_threshold: float | None = None,
    match: str | None = None,
    holdout: object = None,
    only: Sequence[str] = (),
    fail_if: Sequence[str] = (),
    evidence: str = "full",
    hierarchies: Mapping[str, Taxonomy | Path | str] | None = None,
    settings: Mapping[str, Mapping[str, Any]] | None = None,
) -> Audit:
    """Judge a release of a table: a frame, a file, a folder that a release made, or what `release` gave.

    `target` names the class if the table has none yet. `match` is "rows", "none" or a column that names the same
    person in both; `holdout` are people who were never in the table; `settings` are parameters of measures, such as
    `{"reidentification_entropy": {"threshold_bits": 6}}`.
    """
    from hushwood.evaluation.levels import level_named
    from hushwood.evaluation.limits import limit_from_text
    from hushwood.jobs.audit import AuditRequest
    from hushwood.jobs.audit import audit as job
    from hushwood.jobs.release_folder import read_as_released, release_folder
    from hushwood.tables.taxonomies import Taxonomy, read_hierarchy

    if isinstance(released, Release):
        released = released.frame if released.folder is None else released.folder
    folder = release_folder(Path(released)) if isinstance(released, str | Path) else None
    given = (target, schema, roles, class_bins, class_threshold)
    if folder is not None and isinstance(table, str | Path) and not any(given) and folder.private is not None:
        reading = read_as_released(folder, Path(table))
    else:
        reading = read(
            table,
            target=target,
            schema=schema,
            roles=roles,
            class_bins=class_bins,
            class_threshold=class_threshold,
        )
    if reading.table.schema.class_attribute is None:
        raise InputError("No class column is set; name it with target=.")
    check_named(reading.table.schema, roles or ())
    groups = {
        name: given if isinstance(given, Taxonomy) else read_hierarchy(Path(given), name)
        for name, given in (hierarchies or {}).items()
    }
    limits = tuple(limit_from_text(text) for text in fail_if)
    request = AuditRequest(match, holdout, tuple(only), limits, groups, level_named(evidence), settings or {})
    return job(reading, released, request)


def verify(folder: Path | str, original: Path | str | None = None) -> Verified:
    """Check the files of a release against its manifest and, with the original, repeat the certificate."""
    from hushwood.jobs.verify import verify as job

    return job(Path(folder), None if original is None else Path(original))


def publish_tree(
    table: object,
    *,
    target: str | None = None,
    k: int = 5,
    l: float = 1.0,
    sensitive: str | Sequence[str] | None = None,
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

    Every group of records that look alike has at least `k` records, and no value of a `sensitive` attribute more
    than 1/l of it. Further options are those of the command: mode, min_leaf, max_leaves, max_depth, thresholds,
    stop_at_first_failure, class_in_groups, missing_numbers, threads.
    """
    from hushwood.jobs.publish_tree import PublishRequest
    from hushwood.jobs.publish_tree import publish_tree as job
    from hushwood.jobs.tree_plans import plans_for, response_of
    from hushwood.tree_publishing.options import PublishOptions

    allowed = [f.name for f in fields(PublishOptions) if f.name not in {"k", "l", "trees"}]
    for name in options:
        if name not in allowed:
            raise unknown_name("option", name, allowed)
    plans, named = _plans(criterion), _with_sensitive(roles or {}, sensitive)
    reading = read(
        table,
        target=target,
        schema=schema,
        roles=named,
        class_bins=class_bins,
        class_threshold=class_threshold,
        response=response_of(plans),
    )
    check_named(reading.table.schema, named)
    trees = plans_for(plans, reading.table.schema)
    request = PublishRequest(
        PublishOptions(k=k, l=l, trees=trees, **options),
        None if output is None else Path(output),
        force,
        shuffle_rows,
        escape_formulas,
    )
    return job(reading, request)


def _plans(criterion: object) -> list[TreePlan]:
    from hushwood.jobs.tree_plans import plan_from_text
    from hushwood.tree_publishing.options import TreePlan

    plans: list[TreePlan] = []
    for plan in _several(criterion):
        if not isinstance(plan, str | TreePlan):
            raise InputError(f"criterion must be a name, a TreePlan or a list of them; {plan!r} was given.")
        plans.append(plan_from_text(plan) if isinstance(plan, str) else plan)
    return plans


def _several(given: object) -> Iterable[object]:
    """What was given alone or in a list; nothing for None."""
    if given is None:
        return ()
    return given if isinstance(given, Iterable) and not isinstance(given, str | bytes) else (given,)


def _with_sensitive(roles: Mapping[str, Role], sensitive: object) -> dict[str, Role]:
    named: dict[str, Role] = dict(roles)
    for name in _several(sensitive):
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
