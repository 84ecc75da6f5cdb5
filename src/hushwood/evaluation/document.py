"""The evaluation of a release as one JSON document; reports are made from it alone.

Answers and attempts come from `evaluate`, counts from `release_facts` and `distributions`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hushwood.attacks.protocol import Attacked
from hushwood.evaluation import release_facts as facts
from hushwood.evaluation.distributions import distribution_facts
from hushwood.evaluation.evaluate import Answer, Attempt, Findings
from hushwood.evaluation.levels import Level
from hushwood.evaluation.made import Made
from hushwood.evaluation.segment_moments import drawn_together
from hushwood.measures.protocol import Measurement
from hushwood.tables.pairing import Pair
from hushwood.tables.table import Table
from hushwood.trees.forest import Forest
from hushwood.trees.model_file import forest_to_json

FORMAT = "hushwood-evaluation"
VERSION = 1


def evaluation_document(
    original: Table,
    pair: Pair,
    findings: Findings,
    level: Level,
    *,
    made: Made | None = None,
    control: str | None = None,
    warnings: Sequence[str] = (),
    about: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """All that was found about a release.

    `pair` is the whole one, of which the findings may have judged a sample. `about` may name the "table", the
    "released" file, the "technique", the "noise", the time it was "made" and the "hushwood" version. `control` says
    where the people come from who were never in the table.
    """
    return {
        "format": FORMAT,
        "version": VERSION,
        "pairing": pair.match,
        "schema": facts.schema_facts(original),
        "measures": [_measure(answer) for answer in findings.answers],
        "attacks": [_attack(attempt) for attempt in findings.attempts],
        "forests": _forests(findings, made),
        "release": _release(pair, made, dict(about or {}), warnings),
        "audit": {
            "evidence": level.name,
            "records": findings.pair.original.rows,
            "targets": level.targets,
            "left_out": [{"column": name, "reason": reason} for name, reason in pair.left_out.items()],
            "notes": list(pair.notes),
            "control": control,
            "generalised": sorted(pair.generalised),
        },
    }


def _measure(answer: Answer) -> dict[str, Any]:
    measure, result = answer.measure, answer.result
    head = {"name": measure.name, "question": measure.question, "side": measure.side}
    if not isinstance(result, Measurement):
        return head | {"not_computable": result.reason}
    return head | {
        "value": result.value,
        "better": measure.better,
        "bounds": list(measure.bounds),
        "untouched": answer.untouched,
        "noise": answer.noise,
        "details": dict(result.details),
    }


def _attack(attempt: Attempt) -> dict[str, Any]:
    attack, result = attempt.attack, attempt.result
    head = {"name": attack.name, "question": attack.question}
    if not isinstance(result, Attacked):
        return head | {"not_computable": result.reason}
    scenario = result.scenario
    return head | {
        "scenario": scenario.name,
        "says": scenario.says,
        "knows": list(scenario.knows),
        "other": list(scenario.other),
        "wants": scenario.wants,
        "attempts": result.attempts,
        "success": result.success,
        "naive": result.naive,
        "control": result.control,
        "interval": list(result.interval),
        "untouched": attempt.untouched,
        "noise": attempt.noise,
        "verdict": result.verdict,
        "details": dict(result.details),
    }


def _forests(findings: Findings, made: Made | None) -> dict[str, Any]:
    """The certified forest, and those that the measures grew on both tables to compare them."""
    grown: dict[str, Forest] = {}
    for name, models in (
        ("original", findings.context.original_grown),
        ("released", findings.context.released_grown),
    ):
        for kind, suffix in (("forest", ""), ("tree", "_tree")):
            if kind in models.__dict__:  # grown only if a measure asked for it
                grown[name + suffix] = models.__dict__[kind]
    if made is not None:
        grown["original"] = made.forest
    return {name: forest_to_json(forest) for name, forest in grown.items()}


def _release(
    pair: Pair, made: Made | None, about: Mapping[str, Any], warnings: Sequence[str]
) -> dict[str, Any]:
    paired = pair.aligned()
    return {
        "about": dict(about),
        "records": pair.original.rows,
        "released_records": pair.released.rows,
        "plan": [dict(entry) for entry in made.plan] if made else [],
        "certificate": dict(made.certificate) if made and made.certificate else None,
        "segments": facts.segment_facts(made.segment_ids) if made else None,
        "drawn_together": drawn_together(*paired, made.steps, made.ways) if made and paired else None,
        "rare_categories": facts.rare_categories(*paired) if paired else None,
        "unreleased_categories": facts.unreleased_categories(pair.original, pair.released),
        "unique_extremes": facts.unique_extremes(*paired) if paired else None,
        "distributions": distribution_facts(pair.original, pair.released),
        "warnings": list(warnings),
    }
