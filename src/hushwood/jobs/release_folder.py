"""A release on disk, found again: its manifest, its files, and how it was made.

`release` writes such folders; `audit` and `verify` read them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from hushwood.errors import InputError
from hushwood.jobs.checksums import is_input
from hushwood.jobs.folders import (
    FOREST,
    KEY,
    MANIFEST,
    MANIFEST_FORMAT,
    PLAN,
    PRIVATE,
    ROW_ORDER,
    SCHEMA,
    SHARE,
    check_finished,
)
from hushwood.jobs.keys import streams_for
from hushwood.jobs.manifests import changed_private_files, check_version_and_names, seal_fits
from hushwood.jobs.recorded_shapes import check_manifest, check_plan
from hushwood.jobs.row_order import read_order
from hushwood.random_streams import Streams
from hushwood.tables.reading import Reading, read
from hushwood.trees.model_file import read_forest

if TYPE_CHECKING:
    from hushwood.evaluation.made import Made
    from hushwood.frameworks.perturb import PerturbOptions

MANIFEST_NAME = MANIFEST.name
TPP = "tpp"  # a published tree: values are generalised, and no chance is involved
# Which parameters say something about the techniques of a plan.
_PARAMETERS = {
    "noise": ("linfapt", "linnapt"),
    "boundary": ("linfapt", "linnapt"),
    "distribution": ("linfapt", "linnapt"),
    "capt": ("capt",),
    "value_clusters": ("capt",),
    "probability": ("capt", "rc", "pram", "ipram"),
}


@dataclass(frozen=True, slots=True)
class ReleaseFolder:
    """A folder that `hushwood release` made; `private` is None where only the shared part is there."""

    share: Path
    private: Path | None
    manifest: Mapping[str, Any]

    @property
    def released(self) -> Path:
        """The released table."""
        return self.share / str(self.manifest["output"]["file"])

    @property
    def escaped_formulas(self) -> bool:
        """Whether formulas in the released table have marks before them."""
        return bool(self.manifest["output"].get("escaped_formulas", False))

    @property
    def order(self) -> NDArray[np.int64] | None:
        """The original row of every released row, if they were shuffled and the map is here."""
        path = self.private_file(ROW_ORDER)
        return None if path is None else read_order(path)

    @property
    def shuffled(self) -> bool:
        """Whether the rows of the release are in another order than the original's."""
        return any(Path(name).name == ROW_ORDER for name in self.manifest.get("private_files", ()))

    @property
    def has_laws(self) -> bool:
        """Whether noise laws stand behind the release; a published tree has none."""
        return bool(self.manifest["technique"] != TPP)

    def plan(self) -> Mapping[str, Any]:
        """What plan.json says about how the release was made; empty if it is not here."""
        path = self.private_file(PLAN)
        if path is None:
            return {}
        plan = _json(path)
        check_plan(plan, path)
        return plan

    @property
    def streams(self) -> Streams | None:
        """The streams of the release's key, if it is here."""
        key = self.private_file(KEY)
        return None if key is None else streams_for(None, key)

    @property
    def seal(self) -> Literal["whole", "broken", "unchecked", "none"]:
        """Whether the manifest is as it was written: unchecked without the key, none before manifests had a MAC."""
        if self.manifest["version"] == 1:
            # The private plan knows better, so that nobody can pass a manifest off as one from before.
            return "none" if self.plan().get("manifest_version", 1) == 1 else "broken"
        streams = self.streams
        if streams is None:
            return "unchecked"
        return "whole" if seal_fits(self.manifest, streams) else "broken"

    @property
    def changed_private_files(self) -> list[str]:
        """Private files that have changed since they were written, as far as checksums can say."""
        streams = self.streams
        if streams is None or self.private is None:
            return []
        return changed_private_files(self.manifest, self.private, streams)

    def private_file(self, name: str) -> Path | None:
        """A file of the private part, if it is here."""
        path = None if self.private is None else self.private / name
        return path if path is not None and path.is_file() else None


def release_folder(path: Path) -> ReleaseFolder | None:
    """The release in a folder, or in the folder around its shared part; None if there is no manifest."""
    if not path.is_dir():
        return None
    for folder in (path, path.absolute().parent):
        check_finished(folder)
    if (path / MANIFEST).is_file():
        share, private = path / SHARE, path / PRIVATE
    elif (path / MANIFEST_NAME).is_file():
        share, private = path, path.absolute().parent / PRIVATE
    else:
        return None
    manifest = _json(share / MANIFEST_NAME)
    if not {"files", "input", "output", "certificate", "parameters"} <= manifest.keys():
        raise InputError(f"{share / MANIFEST_NAME} is damaged; fetch or make the release again.")
    if manifest.get("format") != MANIFEST_FORMAT:
        raise InputError(f"{share / MANIFEST_NAME} is not the manifest of a release; give another folder.")
    check_manifest(manifest, share / MANIFEST_NAME)
    check_version_and_names(manifest, share)
    return ReleaseFolder(share, private if private.is_dir() else None, manifest)


def read_as_released(folder: ReleaseFolder, original: Path) -> Reading:
    """The original read in the way it was read for the release."""
    form = dict(folder.plan().get("input", {}))
    return read(original, schema=folder.private_file(SCHEMA), **form)


def as_published(folder: ReleaseFolder | None, original: Reading) -> tuple[Reading, tuple[str, ...]]:
    """The original with the quasi-identifiers of a published tree where none are declared, and a note that says so."""
    schema = original.table.schema
    if folder is None or folder.plan().get("recipe") != TPP or schema.in_role("quasi-identifier"):
        return original, ()
    table = replace(original.table, schema=schema.with_role(schema.quasi_identifiers, "quasi-identifier"))
    note = (
        "No quasi-identifiers are declared, so those of the published tree are taken: all columns but the class and "
        "the confidential ones."
    )
    return replace(original, table=table), (note,)


def is_source(folder: ReleaseFolder, original: Reading | Path) -> bool | None:
    """Whether the release was made from this very table; None without the key."""
    streams = folder.streams
    return None if streams is None else is_input(folder.manifest, original, streams)


def made_again(folder: ReleaseFolder, reading: Reading, threads: int) -> Made | None:
    """The laws, segments and rules behind a release, worked out anew; None where it has none or the private part is not
    here."""
    from hushwood.evaluation.made import Made
    from hushwood.frameworks.perturb import PerturbOptions, laid_out

    plan, model = folder.plan(), folder.private_file(FOREST)
    if model is None or "options" not in plan or not folder.has_laws:
        return None
    known = {field.name for field in fields(PerturbOptions)}
    options = PerturbOptions(**{k: v for k, v in plan["options"].items() if k in known}, threads=threads)
    options = replace(options, suppress=tuple(options.suppress), settings=_with_tuples(options.settings))
    forest = read_forest(model)
    done, segments, steps = laid_out(reading.table, options.plan(reading.table), forest, threads)
    return Made(
        segments.ids,
        steps,
        forest,
        done.described(),
        folder.manifest["certificate"],
        options.grow_options(reading.table.rows),
        method_of(folder.manifest),
        laws_hold=not options.blanks_afterwards,
    )


def _with_tuples(settings: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Settings as they were before JSON made lists of their tuples."""

    def restored(value: Any) -> Any:
        return tuple(map(restored, value)) if isinstance(value, list) else value

    return {name: {k: restored(v) for k, v in given.items()} for name, given in settings.items()}


def method_of(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """What a release tells everybody about how it was made."""
    parameters = manifest["parameters"]
    return {"technique": manifest["technique"]} | {
        name: parameters[name] for name in (*_PARAMETERS, "settings") if name in parameters
    }


def public_parameters(options: PerturbOptions, plan: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The parameters that the techniques of a plan (as described) have; settings of single techniques as given."""
    used = {entry["technique"] for entry in plan}
    found = {name: getattr(options, name) for name, by in _PARAMETERS.items() if used & set(by)}
    used |= {options.value_clusters} if "capt" in used else set()
    settings = {name: dict(given) for name, given in options.settings.items() if name in used}
    return found | ({"settings": settings} if settings else {})


def _json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as fault:
        raise InputError(
            f"{path} cannot be read, so the release is damaged; fetch or make it again."
        ) from fault
    if not isinstance(found, dict):
        raise InputError(f"{path} is damaged; fetch or make the release again.")
    return found
