"""What the web app shows, as plain data: techniques and policies to choose from, the columns of a table, a release."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hushwood.errors import InputError
from hushwood.evaluation.distributions import CategoryCounts, Distribution, Histogram, distributions
from hushwood.evaluation.evaluation import Evaluation
from hushwood.jobs.folder.release_folder import ReleaseFolder, release_folder
from hushwood.jobs.folder.whole_folders import MANIFEST
from hushwood.json_texts import parsed_json
from hushwood.policies.policy import Policy, built_in_names, policy_named
from hushwood.policies.verdict import verdict_from_json
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.recipes import RECIPES, Recipe
from hushwood.reports.release.clearance import (
    asked_of,
    clearance,
    limit_of,
    recipient_of,
    source_of,
    title_of,
)
from hushwood.reports.release.columns import notices
from hushwood.reports.release.headlines import intruder_headlines, miners_headlines, use_verdict
from hushwood.reports.release.judgement import certificate_verdict
from hushwood.tables.columns.meanings import reason_of
from hushwood.tables.columns.value_texts import value_text
from hushwood.tables.columns.warnings import IDENTIFYING, suspicions
from hushwood.tables.frames.storage import column_of, distinct
from hushwood.tables.reading import Reading
from hushwood.tables.schema import KINDS, ROLES, Attribute

EXAMPLES = 4
LONGEST = 60  # letters of an example


def choices() -> dict[str, Any]:
    """Techniques that are worth trying, the default first, and the built-in policies, the default first."""
    usual = PerturbOptions().technique
    worth = [usual, *(name for name, one in RECIPES.items() if one.tried and name != usual)]
    return {
        "techniques": [_technique(name, RECIPES[name]) | {"recommended": name == usual} for name in worth],
        "policies": [_policy(policy_named(name)) for name in built_in_names()],
    }


def _technique(name: str, recipe: Recipe) -> dict[str, Any]:
    dial = recipe.dial
    return {
        "name": name,
        "says": recipe.why.format(k="k"),
        "dial": None if dial is None else dial.setting,
        "values": [] if dial is None else [f"{value:.3g}" for value in dial.values],
    }


def _policy(policy: Policy) -> dict[str, Any]:
    return {
        "name": policy.name,
        "title": policy.title,
        "recipient": recipient_of(policy),
        "says": policy.says,
        "published": not policy.source.startswith("ours"),
        "limits": [
            {
                "asked": asked_of(limit),
                "title": title_of(limit),
                "people": limit.people,
                "limit": limit_of(limit),
                "source": source_of(limit),
            }
            for limit in policy.requirements
        ],
    }


def described_table(reading: Reading) -> dict[str, Any]:
    """Every column, and the kinds and roles that it could have."""
    shapes = {one.column: one.histogram or one.counts for one in distributions(reading.table, reading.table)}
    return {
        "name": reading.name,
        "records": reading.table.rows,
        "notes": list(reading.notes),
        "kinds": list(KINDS),
        "roles": list(ROLES),
        "columns": [_column(reading, a, shapes.get(a.name)) for a in reading.table.schema.attributes],
    }


def _column(
    reading: Reading, attribute: Attribute, shape: Histogram | CategoryCounts | None
) -> dict[str, Any]:
    values, suspected = column_of(reading.table, attribute), suspicions(reading.warnings)
    doubts = [doubt for doubt in reading.warnings if doubt.column == attribute.name]
    known = values.drop_nulls()
    different = distinct(known)
    return {
        "name": attribute.name,
        "kind": attribute.kind,
        "role": attribute.role,
        "why": reason_of(attribute, suspected.get(attribute.name, "")).why,
        "storage": attribute.storage,
        "low": _limit(attribute, attribute.low),
        "high": _limit(attribute, attribute.high),
        "missing": int(values.null_count()) / max(len(values), 1),
        "different": len(different),
        "examples": [_short(str(value)) for value in known.head(1000).unique(maintain_order=True)[:EXAMPLES]],
        "shape": _bars(shape),
        "warnings": [doubt.sentence for doubt in doubts],
        "drop": any(doubt.code in IDENTIFYING for doubt in doubts) and attribute.role != "class",
    }


def _limit(attribute: Attribute, limit: float | None) -> str:
    """An end of the domain as a person would type it."""
    if limit is None or attribute.kind != "numeric":
        return ""
    return value_text(limit, attribute.storage).replace(",", "")


def _bars(shape: Histogram | CategoryCounts | None) -> list[dict[str, Any]]:
    """The bars of a column in their order: a label and a number of records each."""
    if shape is None:
        return []
    if isinstance(shape, Histogram):
        pairs = zip(shape.labels, shape.before, strict=True)
    else:
        names = [*shape.categories, *([f"{shape.others} others"] if shape.others else [])]
        pairs = zip(names, shape.before[: len(names)], strict=False)
    return [{"label": _short(label), "count": count or 0} for label, count in pairs]


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


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
