"""Which builder grows the trees that an audit compares: that of the release, unless another one is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from hushwood.errors import InputError
from hushwood.jobs.folder.release_folder import ReleaseFolder, release_folder
from hushwood.measures.models.grown import builder_for
from hushwood.releasing.perturb import Perturbed
from hushwood.trees.builder_options import BuilderOptions
from hushwood.trees.options import CONSTANTS, Builder


def builder_of_audit(
    asked: BuilderOptions, perturbed: Perturbed | None, announced: Mapping[str, Any], records: int
) -> Builder:
    """What the release was made with, or what its manifest announces, or else the yardstick of the table."""
    usual = builder_for(records)
    return asked.over(perturbed.builder if perturbed else builder_announced(announced, usual))


def builder_announced(parameters: Mapping[str, Any], usual: Builder) -> Builder:
    """The builder that the parameters in a manifest name; the usual one if they name none."""
    grown, trees, k = (parameters.get(name) for name in ("grown", "trees", "k"))
    if not isinstance(grown, Mapping) or grown.get("variant") not in CONSTANTS or type(trees) is not int:
        return usual
    return replace(usual.with_trees(trees).like(grown), smallest_segment=k if type(k) is int else None)


def announced_by(folder: ReleaseFolder | None, released: object) -> tuple[Mapping[str, Any], tuple[str, ...]]:
    """The parameters that the manifest of a release names, and a note if only the table in its folder was given.

    A manifest that was changed, or that describes another table, announces nothing.
    """
    around = folder or _folder_around(released)
    if around is None or around.seal == "broken" or not around.table_as_written:
        return {}, ()
    note = (
        f"{released} lies in a release folder, so trees are grown as its manifest says; give the folder itself and its "
        "noise laws are used too."
    )
    return around.manifest["parameters"], () if folder else (note,)


def _folder_around(released: object) -> ReleaseFolder | None:
    """The release whose table this file is, if its folder can be read."""
    path = Path(released) if isinstance(released, str | Path) else None
    if path is None or not path.is_file():
        return None
    try:
        found = release_folder(path.parent)
    except InputError:
        return None
    return found if found is not None and found.released.resolve() == path.resolve() else None
