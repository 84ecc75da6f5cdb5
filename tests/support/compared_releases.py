"""Releases to compare: one check, one measure of utility, made by hand."""

from __future__ import annotations

from typing import Any

from hushwood.evaluation.evaluation import Evaluation
from hushwood.reports.comparison import ReleaseSeen
from support.sample_entries import evaluation_of, measure_entry


def a_verdict(value: float, width: float, policy: str = "public") -> dict[str, Any]:
    check = {
        "check": "linkage.excess",
        "at_most": 0.1,
        "status": "pass",
        "estimate": value,
        "interval": [value - width, value + width],
    }
    unknown = {"check": "membership.advantage", "at_most": 0.1, "status": "not proven", "estimate": None}
    return {"policy": policy, "status": "not proven", "checks": [check, unknown]}


def accuracy(value: float) -> Evaluation:
    return evaluation_of(measure_entry("prediction_accuracy", value))


def seen(name: str, value: float, width: float, useful: float, policy: str = "public") -> ReleaseSeen:
    settings = {"k": 50, "blur": 5}
    return ReleaseSeen(name, "segment-shuffle", settings, accuracy(useful), a_verdict(value, width, policy))
