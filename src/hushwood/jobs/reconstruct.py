"""What an honest miner wins back from a release: distributions of columns, and a tree.

A miner has the shared files only. With `private`, the owner's schema and forest are used too, which shows how much they
would add.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hushwood.errors import InputError
from hushwood.jobs.folder.release_folder import ReleaseFolder, read_as_released, release_folder, with_tuples
from hushwood.jobs.folder.whole_folders import FOREST, MANIFEST, SCHEMA
from hushwood.jobs.inputs import read_input
from hushwood.jobs.judging_requests import ReconstructRequest
from hushwood.releasing.options import PerturbOptions
from hushwood.stages import Stage, silent
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table
from hushwood.trees.options import Builder

if TYPE_CHECKING:
    from hushwood.reconstruction.miner import Announced, WonBack
    from hushwood.techniques.protocol import Technique


def reconstruct(
    folder: Path,
    original: object = None,
    request: ReconstructRequest | None = None,
    reading: Mapping[str, Any] | None = None,
    stage: Stage = silent,
) -> WonBack:
    """Recover what the release in a folder allows; with the original, compare it.

    `reading` are arguments of `read` for the released table, such as its class.
    """
    from hushwood.reconstruction.miner import win_back

    request = request or ReconstructRequest()
    release = _opened(folder, request)
    stage("reading the release", 0, 1)
    released = _released(release, dict(reading or {}), request)
    before = None if original is None else _original(release, original, released, request)
    found = win_back(
        _announced(release, released, request),
        before,
        intervals=request.intervals,
        method=request.method,  # type: ignore[arg-type]
        strategy=request.strategy,  # type: ignore[arg-type]
        stage=stage,
    )
    return replace(found, notes=(*_notes(release, released, request), *found.notes))


def _opened(path: Path, request: ReconstructRequest) -> ReleaseFolder:
    release = release_folder(path)
    if release is None:
        raise InputError(f"{path} holds no release (no {MANIFEST}); give a folder that a release made.")
    if not release.has_laws:
        raise InputError(
            f"{path} is a published tree, and its values are made coarser without noise; rebuild the tree with "
            "hushwood verify-tree."
        )
    if request.private and (release.private_file(SCHEMA) is None or release.private_file(FOREST) is None):
        raise InputError(f"The private part of {path} is not here; omit --private.")
    return release


def _released(release: ReleaseFolder, reading: dict[str, Any], request: ReconstructRequest) -> Table:
    """The released table, with the class that was named, or else the one that the manifest names."""
    from hushwood.tables.csv.dialect import TextForm
    from hushwood.tables.formats.files import read_frame

    if request.private and reading.get("schema") is None:
        reading["schema"] = release.private_file(SCHEMA)
    classes = release.manifest.get("class")
    if (
        reading.get("target") is None
        and reading.get("schema") is None
        and isinstance(classes, list)
        and classes
    ):
        reading["target"] = tuple(map(str, classes))
    source: object = release.released
    if release.escaped_formulas:
        source = read_frame(release.released, form=TextForm.of(reading), escaped_formulas=True)
    return read_input(source, reading).table


def _original(
    release: ReleaseFolder, original: object, released: Table, request: ReconstructRequest
) -> Table:
    """The original, its columns understood as those of the release."""
    path = Path(original) if isinstance(original, str | Path) else None
    if request.private and path is not None:
        table = read_as_released(release, path).table
    else:
        table = read_input(path or original, {"schema": _kinds(released.schema)}).table
    lost = [name for name in released.columns if name not in table.columns]
    if lost:
        raise InputError(
            f"The original has no column {lost[0]!r}, which the release has; give the table that was released."
        )
    return table


def _kinds(schema: Schema) -> Schema:
    """What the columns are, without the values that they have."""

    def bare(attribute: Attribute) -> Attribute:
        return replace(attribute, low=None, high=None, categories=())

    return Schema(tuple(map(bare, schema.attributes)))


def _announced(release: ReleaseFolder, released: Table, request: ReconstructRequest) -> Announced:
    """What the manifest says about every column and about the trees."""
    from hushwood.reconstruction.miner import Announced
    from hushwood.releasing.planning import announced_technique
    from hushwood.trees.model_file import read_forest

    parameters = release.manifest["parameters"]
    known = {field.name for field in fields(PerturbOptions)} - {"trees", "technique"}
    options = PerturbOptions(
        technique=release.manifest["technique"], **{k: v for k, v in parameters.items() if k in known}
    )
    options = replace(options, settings=with_tuples(options.settings))
    techniques: dict[str, tuple[Technique, ...]] = {}
    for step in release.manifest.get("steps", ()):
        technique = announced_technique(step["technique"], options, released.rows)
        for name in step["columns"]:
            techniques[name] = (*techniques.get(name, ()), technique)
    path = release.private_file(FOREST) if request.private else None
    forest = None if path is None else read_forest(path)
    predicted = tuple(name for name in parameters.get("predicted", ()) if name in released.columns)
    several = len(released.schema.classes) or len(predicted) or 1
    usual = Builder().with_trees(max(int(parameters.get("trees", 1)) // several, 1))
    steps = release.manifest.get("steps", ())
    linked = frozenset(name for step in steps if step.get("linked") for name in step["columns"])
    return Announced(released, techniques, usual.like(parameters.get("grown", {})), forest, predicted, linked)


def _notes(release: ReleaseFolder, released: Table, request: ReconstructRequest) -> list[str]:
    notes = []
    if request.private:
        notes.append("The private part was used: a miner has neither the exact ranges nor the forest.")
    if not release.table_as_written:
        notes.append("The released table is NOT the file that the release wrote: its checksum differs.")
    if released.schema.class_attribute is None:
        notes.append("No class is known; name it with --class to get a tree.")
    return notes
