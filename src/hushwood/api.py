"""The few functions that Python users call; each hands over to a job."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from hushwood.errors import unknown_name
from hushwood.frameworks.perturb import PerturbOptions
from hushwood.frameworks.recipes import RECIPES
from hushwood.jobs.release import Release, ReleaseRequest
from hushwood.jobs.release import release as _release
from hushwood.jobs.roles import check_named
from hushwood.tables.reading import read, read_table
from hushwood.tables.schema import Role, Schema
from hushwood.trees.forest import Forest

__all__ = ["read_table", "release", "techniques"]

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
    shuffle_rows: bool = False,
    evidence: str = "quick",
    **options: Any,
) -> Release:
    """Release a table, a file or a frame; with `output` also into a folder.

    `target` names the class if the table has none yet. Further options are those of the command: trees, min_leaf,
    variant, boundary, distribution, capt, probability, forest_rows, engine, chunk_rows, threads.
    """
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
        shuffle_rows=shuffle_rows,
        forest=Path(forest) if isinstance(forest, str) else forest,
        evidence=evidence,
    )
    return _release(reading, request)


def techniques() -> tuple[str, ...]:
    """The names that `technique=` takes."""
    return tuple(RECIPES)
