"""Measures and attacks as outsiders may see them: their numbers rounded, and of the details only what is listed here.

What a safe number is, is said in `small_counts`; the rest of the document is in `redaction`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hushwood.attacks.estimates import wilson
from hushwood.reports.measure_words import words_of
from hushwood.reports.small_counts import chosen, counted, safe_count, safe_share, two_digits

Details = Mapping[str, Any]
_ATTACK = ("name", "question", "scenario", "says", "knows", "other", "wants", "verdict")
_WIDER = 1.5  # times the plain interval
_NO_ANSWER = ("name", "question", "side", "not_computable")


def safe_measure(entry: Mapping[str, Any], records: int) -> dict[str, Any]:
    """A measure's number and those of its two extremes, rounded."""
    if "not_computable" in entry:
        return chosen(entry, _NO_ANSWER)
    safe = chosen(entry, ("name", "question", "side", "better", "bounds"))
    for key in ("value", "untouched", "noise"):
        safe[key] = _safe_value(entry, entry.get(key), records)
    make = _DETAILS.get(entry["name"])
    safe["details"] = make(entry["details"]) if make and entry["details"] else {}
    if entry["name"] == "changed_classes" and safe["details"]["changed"] is None:
        safe["value"] = None
    return safe


def safe_attack(entry: Mapping[str, Any]) -> dict[str, Any]:
    """How often an attack worked, rounded to fives of its tries; the interval is that of the rounded number."""
    if "not_computable" in entry:
        return chosen(entry, _NO_ANSWER)
    tries = entry["attempts"]
    success = safe_share(entry["success"], tries)
    interval = None
    if success is not None:
        low, high = wilson(min(safe_count(success * tries) or 0, tries), tries).interval
        told = entry["interval"]
        # An interval that allows for luck as well is much wider and does not tell the exact count.
        low, high = told if told[1] - told[0] > _WIDER * (high - low) else (low, high)
        interval = [two_digits(low), two_digits(high)]
    return chosen(entry, _ATTACK) | {
        "attempts": safe_count(tries) or 0,
        "success": success,
        "naive": two_digits(entry["naive"]),
        "control": safe_share(entry["control"], tries),
        "interval": interval,
        "untouched": safe_share(entry["untouched"], tries),
        "noise": safe_share(entry["noise"], tries),
        "details": {},
    }


def safe_audit(audit: Mapping[str, Any]) -> dict[str, Any]:
    """How much was looked at; what notes say about values stays inside."""
    return {
        "evidence": audit["evidence"],
        "records": audit["records"],
        "targets": audit["targets"],
        "left_out": [{"column": entry["column"], "reason": ""} for entry in audit["left_out"]],
        "notes": [],
        "control": "people who were never in the table" if audit["control"] else None,
        "generalised": list(audit["generalised"]),
    }


def _safe_value(entry: Mapping[str, Any], value: float | None, records: int) -> float | None:
    if value is None:
        return None
    if entry["name"] == "rule_types":
        return safe_share(value, records)
    match words_of(entry).unit:
        case "records":
            return safe_count(value)
        case "bits":
            return round(value, 1)
        case "share":
            return round(value, 2)
    return two_digits(value)


def _rule_types(details: Details) -> dict[str, Any]:
    return {
        "shares": {name: round(share, 2) for name, share in details["shares"].items()},
        "verdict": details["verdict"],
        "rules": [chosen(rule, ("leaf", "type")) for rule in details["rules"]],
        "original_rules": [chosen(rule, ("leaf", "kept")) for rule in details["original_rules"]],
    }


def _predictions(details: Details) -> dict[str, Any]:
    return chosen(details, ("unseen", "removed")) | {
        "rows": [
            chosen(row, ("model", "trained_on", "tested_on")) | {"accuracy": round(row["accuracy"], 2)}
            for row in details["rows"]
        ],
        "errors": [
            {"model": row["model"]}
            | {
                key: _two_decimals(row[key])
                for key in ("baseline", "released", "worst", "removal", "cost", "benefit")
            }
            for row in details["errors"]
        ],
    }


def _correlations(details: Details) -> dict[str, Any]:
    matrices = {
        side: [[_two_decimals(value) for value in row] for row in details[side]]
        for side in ("before", "after")
    }
    inside = details.get("within_segments")
    return (
        chosen(details, ("names", "kinds"))
        | matrices
        | {
            "mean_change": _two_decimals(details.get("mean_change")),
            "within_segments": {"mean_change": _two_decimals(inside["mean_change"])} if inside else None,
        }
    )


def _by_column(*keys: str) -> Callable[[Details], dict[str, Any]]:
    """The named numbers of every column."""

    def safe(details: Details) -> dict[str, Any]:
        return {
            "columns": [
                {"column": column["column"]} | {key: _two_decimals(column.get(key)) for key in keys}
                for column in details["columns"]
            ]
        }

    return safe


def _clusters(details: Details) -> dict[str, Any]:
    sides = {
        side: {name: _two_decimals(value) for name, value in details[side].items()}
        for side in ("before", "after")
    }
    return chosen(details, ("clusters",)) | sides


def _by_size(details: Details) -> dict[str, Any]:
    """Mean bits by the number of known attributes; numbers of single records stay inside."""
    sizes = details.get("by_size", ())
    return {"by_size": [{"known": s["known"], "mean_bits": two_digits(s["mean_bits"])} for s in sizes]}


def _unchanged_cells(details: Details) -> dict[str, Any]:
    columns = [
        {
            "column": c["column"],
            "share": None if safe_count(c["unchanged"]) is None else round(c["share"], 2),
            "by_chance": round(c["by_chance"], 2),
        }
        for c in details["columns"]
    ]
    return {"untouched_table": 1.0, "by_chance": round(details["by_chance"], 2), "columns": columns}


def _changed_classes(details: Details) -> dict[str, Any]:
    return (
        counted(details, ("changed", "expected"))
        | chosen(details, ("records", "within"))
        | {"deviation": round(details["deviation"]), "untouched_table": 0}
    )


def _two_decimals(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


_DETAILS: Mapping[str, Callable[[Details], dict[str, Any]]] = {
    "rule_types": _rule_types,
    "prediction_accuracy": _predictions,
    "correlations": _correlations,
    "distribution_distances": _by_column("total_variation", "hellinger", "ks"),
    "means_and_variances": _by_column("shift_in_sd", "variance_ratio"),
    "clustering": _clusters,
    "reidentification_entropy": _by_size,
    "class_entropy": _by_size,
    "unchanged_cells": _unchanged_cells,
    "changed_classes": _changed_classes,
}
