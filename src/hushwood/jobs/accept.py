"""Accept a release that was held back: not-cleared/ becomes share/, and the manifest says who took that on and why.

The release must be exactly what was written, and its key must be here to seal the new manifest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from hushwood.errors import InputError, visible
from hushwood.evaluation.evaluation import Evaluation
from hushwood.jobs.folder.keys import noted_as_accepted
from hushwood.jobs.folder.manifests import held_back, sealed_as_accepted
from hushwood.jobs.folder.release_files import write_json
from hushwood.jobs.folder.release_folder import ReleaseFolder
from hushwood.jobs.folder.whole_folders import (
    EVALUATION,
    MANIFEST,
    NOT_CLEARED,
    PRIVATE,
    SHARE,
    SIGN_OFF,
    VERDICT,
    finish_exchange,
    shared_part,
    whole_folder,
)
from hushwood.jobs.verify import verified_folder
from hushwood.json_texts import parsed_json


@dataclass(frozen=True, slots=True)
class Acceptance:
    """Who hands out a release that was not cleared, why, and since which day (in UTC), as the manifest says it."""

    by: str
    reason: str
    on: str


@dataclass(frozen=True, slots=True)
class Accepted:
    """A release that was held back and may be handed out now."""

    folder: Path
    acceptance: Acceptance
    manifest: Mapping[str, Any]
    warnings: tuple[str, ...] = ()


def accept(
    folder: Path, reason: str, by: str, on: date | None = None, ledger: Path | None = None
) -> Accepted:
    """Turn not-cleared/ into share/; a run that fails or is killed leaves one of the two, whole.

    The `ledger` then knows that the release has left, and warns if another one of the same table has.
    """
    said = _said("reason", reason), _said("name", by)
    day = datetime.now(UTC).date() if on is None else on
    acceptance = Acceptance(by=said[1], reason=said[0], on=day.isoformat())
    try:
        finish_exchange(folder)
        if shared_part(folder) is None:
            raise InputError(f"{folder} holds no release; give the folder around {NOT_CLEARED}.")
    except OSError as fault:
        raise InputError(f"{folder} cannot be looked into: {fault.strerror}; give another folder.") from fault
    with whole_folder(folder, force=True, same_files=True) as aside:
        manifest = _accepted_manifest(folder, acceptance, aside)
        write_json(aside / SHARE / MANIFEST, manifest)
    warnings = () if ledger is None else noted_as_accepted(ledger, manifest["key_id"])
    return Accepted(folder, acceptance, manifest, warnings)


def _said(what: str, text: str) -> str:
    """A text for the manifest, which strangers read on their terminals."""
    plain = text.strip()
    if not plain:
        raise InputError(f"The {what} is empty; whoever receives the release wants to read it.")
    if visible(plain) != plain:
        raise InputError(
            f"The {what} {plain!r} has characters that cannot be seen; give it as one line of plain text."
        )
    return plain


def _accepted_manifest(folder: Path, acceptance: Acceptance, aside: Path) -> dict[str, Any]:
    """The manifest with the acceptance in it; the reports are written again in `aside`.

    Refuses a release that is not held back, or not as it was written.
    """
    found, checked = verified_folder(folder)
    manifest, streams = found.manifest, found.streams
    if not held_back(manifest):
        raise InputError(f"{found.share} is not held back, so there is nothing to accept.")
    if streams is None:
        raise InputError(f"The key of {folder} is not here; put the private part back to accept the release.")
    gone = [name for name in manifest["private_files"] if found.private_file(Path(name).name) is None]
    if gone:
        raise InputError(f"{folder / gone[0]} is missing; put it back to accept the release.")
    if found.seal != "whole" or any(check.holds is False for check in checked):
        raise InputError(
            f"{folder} is not as it was written, so it is not accepted; `hushwood verify {folder}` says what differs."
        )
    _write_reports(found, asdict(acceptance), aside)
    return sealed_as_accepted(manifest, asdict(acceptance), aside, streams)


def _write_reports(found: ReleaseFolder, accepted: Mapping[str, str], aside: Path) -> None:
    """The reports and the sign-off say that it was accepted, by whom, when and why; without evidence there are none."""
    from hushwood.jobs.release_evidence import write_reports
    from hushwood.policies.verdict import verdict_from_json
    from hushwood.reports.signoff import SignOff

    paths = [found.private_file(name) for name in (EVALUATION, VERDICT, SIGN_OFF)]
    evaluation, verdict, facts = (parsed_json(path.read_text("utf-8")) if path else None for path in paths)
    if evaluation is None or verdict is None or facts is None:
        return
    signed = SignOff(**{**facts, "accepted": accepted})
    judged, private = Evaluation.from_json(evaluation), aside / PRIVATE
    write_json(private / SIGN_OFF, asdict(signed))
    write_reports(aside / SHARE, private, judged, verdict_from_json(verdict), signed)
