"""A release folder as plain data for people to look at: the verdict in words, what changed, and what was tried."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hushwood.errors import InputError
from hushwood.evaluation.distributions import Distribution
from hushwood.evaluation.evaluation import Evaluation
from hushwood.jobs.folder.release_folder import ReleaseFolder, release_folder
from hushwood.jobs.folder.whole_folders import MANIFEST
from hushwood.json_texts import parsed_json
from hushwood.policies.verdict import verdict_from_json
from hushwood.reports.release.clearance import clearance, title_of
from hushwood.reports.release.columns import notices
from hushwood.reports.release.headlines import intruder_headlines, miners_headlines, use_verdict
from hushwood.reports.release.judgement import certificate_verdict


def release_view(path: Path) -> dict[str, Any]:
    """All that is known; a release without evidence or without its private part shows less."""
    folder = release_folder(path)
    if folder is None:
        raise InputError(f"{path} is not the folder of a release; give one that Hushwood made.")
    manifest = folder.manifest
    view: dict[str, Any] = {
        "technique": manifest["technique"],
        "class": manifest.get("class"),
        "records": manifest["output"]["records"],
        "part": folder.share.name,
        "files": sorted([MANIFEST, *(Path(name).name for name in manifest["files"])]),
        "acceptance": manifest.get("accepted"),
        "steps": [_step(step) for step in manifest.get("steps", ())],
        "verdict": None,
        "columns": [],
        "tried": None,
        "names": {},
    }
    return view | dict(_judged(folder)) | dict(_tuned(folder))


def _step(step: dict[str, Any]) -> dict[str, Any]:
    return {"columns": step.get("columns", []), "says": step.get("says", "")}


def _judged(folder: ReleaseFolder) -> Iterator[tuple[str, Any]]:
    verdict, found = _document(folder, "verdict.json"), _document(folder, "evaluation.json")
    if verdict is None or found is None:
        return
    judged, evaluation = verdict_from_json(verdict), Evaluation.from_json(found)
    yield "verdict", asdict(clearance(judged, accepted=folder.manifest.get("accepted")))
    yield "names", {str(check.requirement.quantity): title_of(check.requirement) for check in judged.checks}
    yield "changes", [change.to_json() for change in judged.changes]
    yield "certificate", certificate_verdict(evaluation).headline
    yield "intruder", [asdict(one) for one in intruder_headlines(evaluation)]
    kept = miners_headlines(evaluation)
    use = use_verdict(kept)
    yield "miners", [asdict(one) for one in kept]
    yield "use", asdict(use) if use else None
    yield "notices", [notice.says for notice in notices(evaluation)]
    yield "columns", [_before_and_after(one) for one in evaluation.release.distributions]


def _before_and_after(one: Distribution) -> dict[str, Any]:
    shape = one.histogram or one.counts
    if shape is None:
        return {"name": one.column, "bars": []}
    if one.histogram is not None:
        labels = list(one.histogram.labels)
    else:
        assert one.counts is not None  # noqa: S101 - one of the two is there
        labels = [*one.counts.categories, *([f"{one.counts.others} others"] if one.counts.others else [])]
    bars = zip(labels, shape.before, shape.after, strict=False)
    return {
        "name": one.column,
        "bars": [
            {"label": label, "before": before or 0, "after": after or 0} for label, before, after in bars
        ],
    }


def _tuned(folder: ReleaseFolder) -> Iterator[tuple[str, Any]]:
    found = _document(folder, "tuning.json")
    if found is not None:
        yield "tried", found


def _document(folder: ReleaseFolder, name: str) -> dict[str, Any] | None:
    path = folder.private_file(name)
    if path is None:
        return None
    try:
        found = parsed_json(path.read_text("utf-8"))
    except ValueError as fault:
        raise InputError(f"{path} is damaged; make the release again.") from fault
    return found if isinstance(found, dict) else None
