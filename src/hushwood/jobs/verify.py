"""Check a release against its manifest: are the files as they were written, and does the certificate hold?

Only the key can tell whether the manifest itself is as it was written. The certificate needs the original and the
private part; the checksums need neither.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hushwood.errors import InputError
from hushwood.jobs.folder.manifests import CLEARED, file_checksum, held_back
from hushwood.jobs.folder.release_folder import (
    ReleaseFolder,
    as_perturbed,
    is_source,
    read_as_released,
    release_folder,
)
from hushwood.jobs.folder.whole_folders import FOREST, MANIFEST, NOT_CLEARED, SHARE, unlisted
from hushwood.jobs.verify_long import certificate_in_batches, in_batches, other_length
from hushwood.jobs.verify_request import VerifyRequest
from hushwood.releasing.certificate import Certificate, certify
from hushwood.tables.formats.files import parts_of, read_frame
from hushwood.tables.frames.storage import text_columns
from hushwood.techniques.laws.promises import promise_from_json
from hushwood.trees.forest import Forest
from hushwood.trees.model_file import forest_to_json, read_forest


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was checked; `holds` is None where that was not possible."""

    sentence: str
    holds: bool | None


@dataclass(frozen=True, slots=True)
class Verified:
    """All checks of a release, and the certificate if it was repeated."""

    checks: tuple[Check, ...]
    certificate: dict[str, Any] | None

    @property
    def holds(self) -> bool:
        """Whether nothing differs among what could be checked."""
        return all(check.holds is not False for check in self.checks)


def verify(folder: Path, original: Path | None = None, request: VerifyRequest | None = None) -> Verified:
    """Compare the files with the manifest's checksums and, with the original, repeat the certificate."""
    request = request or VerifyRequest()
    found, checks = verified_folder(folder)
    checks += _foreign_files(found)
    if original is None:
        return Verified(
            (*checks, Check("The certificate was not repeated: give the original too.", None)), None
        )
    model = found.private_file(FOREST)
    if model is None:
        sentence = "The certificate was not repeated: the private part of the release is not here."
        return Verified((*checks, Check(sentence, None)), None)
    if found.changed_private_files:
        sentence = "The certificate was not repeated: the private part is not as it was written."
        return Verified((*checks, Check(sentence, None)), None)
    source = _source(found, original)
    if source.holds is False:
        return Verified((*checks, source), None)
    certificate = _certificate(found, original, read_forest(model), request)
    said = certificate.to_json()
    broken = [Check(f"A promise is broken: {fault}.", False) for fault in certificate.faults]
    return Verified((*checks, source, *broken, _same(found, said)), said)


def verified_folder(folder: Path) -> tuple[ReleaseFolder, list[Check]]:
    """A release, and everything about it that can be checked without the original."""
    found = release_folder(folder)
    if found is None:
        raise InputError(f"{folder} holds no release (no {MANIFEST}); give a folder that a release made.")
    checks = [_seal(found), *_clearance(found)]
    checks += [_file(found, name, checksum) for name, checksum in sorted(found.manifest["files"].items())]
    checks += [
        Check(f"{name} is not the file that was written: its checksum differs.", False)
        for name in found.changed_private_files
    ]
    return found, checks


def _clearance(folder: ReleaseFolder) -> list[Check]:
    """What the manifest says about whether the release may be handed out; nothing if no policy was asked."""
    manifest = folder.manifest
    verdict, accepted, held = manifest.get("verdict"), manifest.get("accepted"), held_back(manifest)
    if held and folder.share.absolute().name == SHARE:
        sentence = (
            f"The release was not cleared, and it lies in {SHARE} without having been accepted: rename it to "
        )
        return [Check(f"{sentence}{NOT_CLEARED}.", False)]
    by = "" if verdict is None else f" by the policy {verdict['policy']!r}"
    if accepted is not None:
        sentence = f"The release was not cleared{by}; {accepted['by']} accepted it on {accepted['on']}"
        return [Check(f"{sentence}, for this reason: {accepted['reason']}", None)]
    if held or (verdict is not None and verdict["status"] != CLEARED):
        proven = verdict is not None and verdict["status"] == "not proven"
        return [Check(f"The release was not cleared{by}{': not enough is proven' if proven else ''}.", None)]
    return [] if verdict is None else [Check(f"The release was cleared{by}.", True)]


def _seal(folder: ReleaseFolder) -> Check:
    match folder.seal:
        case "whole":
            return Check("The manifest is as it was written: its MAC fits the key.", True)
        case "broken":
            return Check("The manifest is not the one that was written: its MAC does not fit the key.", False)
        case "none":
            sentence = (
                "This release is from before manifests had a MAC, so only its checksums can be vouched for."
            )
        case _:
            sentence = (
                "The key is not here, so only checksums can be vouched for, not the manifest they stand in."
            )
    return Check(sentence, None)


def _file(folder: ReleaseFolder, name: str, checksum: str) -> Check:
    path = folder.share / Path(name).name
    if not path.is_file() and not parts_of(path):
        return Check(f"{name} is missing.", False)
    if file_checksum(path) != checksum:
        return Check(f"{name} is not the file that was written: its checksum differs.", False)
    return Check(f"{name} is as it was written.", True)


def _foreign_files(folder: ReleaseFolder) -> list[Check]:
    """What lies among the files to hand out and is none of them: it might be the original."""
    names = (Path(name).name for name in folder.manifest["files"])
    return [
        Check(f"{path.name} is not a file of the release and would go out with it; move it away.", False)
        for path in unlisted(folder.share, names)
    ]


def _source(folder: ReleaseFolder, original: Path) -> Check:
    if original.is_dir():
        sentence = "Whether this is the original is checked by its records alone: it is a folder of files."
        return Check(sentence, None)
    if not original.is_file():
        raise InputError(f"There is no file {original}; check the name and the folder you are in.")
    same = is_source(folder, original)
    if same is None:
        return Check("Whether this is the original could not be checked: the key is not here.", None)
    if same:
        return Check("The original is the table that was released.", True)
    return Check("The original is not the table that was released: its keyed checksum differs.", False)


def _certificate(folder: ReleaseFolder, path: Path, forest: Forest, request: VerifyRequest) -> Certificate:
    written = folder.manifest["certificate"]
    # Manifests written before columns made promises have none.
    columns = written.get("columns")
    promises = columns and {name: promise_from_json(said) for name, said in columns.items()}
    claimed = bool(written["claimed"])
    if in_batches(folder, path, request.memory):
        return certificate_in_batches(folder, path, forest, claimed, promises, request)
    reading, order = as_perturbed(folder, read_as_released(folder, path))[0], folder.order
    if order is not None and len(order) != reading.table.rows:
        raise other_length(len(order), reading.table.rows)
    original = reading.table if order is None else reading.table.take(order)
    texts = text_columns(original.schema)
    released = read_frame(
        folder.released,
        form=reading.released_form,
        as_text=texts,
        escaped_formulas=folder.escaped_formulas,
        like=original.schema,
    )
    return certify(
        original,
        released,
        forest_to_json(forest),
        claimed,
        request.threads,
        promises,
        paired=not folder.made_up,
        kept_links=folder.claimed_links(original.schema),
    )


def _same(folder: ReleaseFolder, certificate: dict[str, Any]) -> Check:
    written = folder.manifest["certificate"]
    kept = f"{certificate['kept']:,} of {certificate['records']:,} records "
    if folder.made_up:
        kept += "can be matched with an original record that follows the same rules"
    else:
        kept += "follow the same rules in every tree"
    if certificate == written and not written["claimed"]:
        return Check(f"No certificate was claimed, and the count is as it was written: {kept}.", True)
    if certificate == written:
        return Check(f"The certificate holds: {kept}.", True)
    if certificate["kept"] != written["kept"]:
        return Check(f"The certificate differs: {kept}; the manifest says {written['kept']:,}.", False)
    names = sorted(name for name in {*certificate, *written} if certificate.get(name) != written.get(name))
    return Check(f"The certificate differs in {', '.join(names)}, although {kept}.", False)
