"""Single entries of an evaluation and an evaluation around them, small enough to read in a test."""

from __future__ import annotations

from typing import Any

from hushwood.evaluation.answers import AttackAnswer, MeasureAnswer
from hushwood.evaluation.evaluation import Evaluation


def measure_entry(name: str = "eduds", value: float | None = 0.75, **more: Any) -> dict[str, Any]:
    """A utility measure between 0 (pure noise) and 1 (the untouched table), unless stated otherwise."""
    return {
        "name": name,
        "question": f"What of {name}?",
        "side": "utility",
        "value": value,
        "better": "higher",
        "bounds": [0.0, 1.0],
        "untouched": 1.0,
        "noise": 0.0,
        "details": {},
    } | more


def risk_entry(name: str = "sers", value: float | None = 8.0, **more: Any) -> dict[str, Any]:
    """A risk measure in bits: the untouched table has none, pure noise ten."""
    return measure_entry(name, value, **({"side": "risk", "untouched": 0.0, "noise": 10.0} | more))


def attack_entry(name: str = "linkage", success: float | None = 0.02, **more: Any) -> dict[str, Any]:
    """An attack on a thousand people who are found by chance once."""
    return {
        "name": name,
        "question": f"Does {name} work?",
        "scenario": "everything",
        "says": "The intruder knows all.",
        "knows": ["age", "job"],
        "other": [],
        "wants": None,
        "attempts": 1000,
        "success": success,
        "naive": 0.001,
        "control": None,
        "interval": [0.013, 0.031],
        "untouched": 1.0,
        "noise": 0.0,
        "verdict": "better than guessing",
        "details": {},
    } | more


def unanswered(name: str = "sers", side: str | None = "risk", reason: str = "No pairs.") -> dict[str, Any]:
    """A measure, or without a side an attack, that gave a reason instead of a number."""
    entry = {"name": name, "question": f"What of {name}?", "not_computable": reason}
    return entry if side is None else entry | {"side": side}


def measured(*given: Any, **more: Any) -> MeasureAnswer:
    """A utility measure's answer."""
    return MeasureAnswer.from_json(measure_entry(*given, **more))


def risk(*given: Any, **more: Any) -> MeasureAnswer:
    """A risk measure's answer."""
    return MeasureAnswer.from_json(risk_entry(*given, **more))


def attacked(*given: Any, **more: Any) -> AttackAnswer:
    """An attack's answer."""
    return AttackAnswer.from_json(attack_entry(*given, **more))


def plan_step(*columns: str, keeps_segment: bool = True) -> dict[str, Any]:
    """What was done to some columns."""
    says = f"Changed {columns[0]}." if columns else ""
    said = {"says": says, "acronym": "RPT", "keeps_segment": keeps_segment}
    return {"columns": list(columns), "technique": "rpt"} | said


def evaluation_of(*entries: dict[str, Any], **release: Any) -> Evaluation:
    """The evaluation of a release that was not made here, with these measures and attacks."""
    return Evaluation.from_json(document_of(*entries, **release))


def document_of(*entries: dict[str, Any], **release: Any) -> dict[str, Any]:
    """The same evaluation as plain data."""
    return {
        "format": "hushwood-evaluation",
        "version": 1,
        "pairing": "rows",
        "schema": [],
        "measures": [entry for entry in entries if "side" in entry],
        "attacks": [entry for entry in entries if "side" not in entry],
        "forests": {},
        "release": {
            "about": {},
            "records": 1000,
            "released_records": 1000,
            "plan": [],
            "certificate": None,
            "segments": None,
            "rare_categories": None,
            "unreleased_categories": {},
            "unique_extremes": None,
            "distributions": [],
            "warnings": [],
        }
        | release,
        "audit": {
            "evidence": "full",
            "records": 1000,
            "targets": 2000,
            "left_out": [],
            "notes": [],
            "control": None,
            "generalised": [],
        },
    }
