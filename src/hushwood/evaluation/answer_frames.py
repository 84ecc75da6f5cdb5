"""An evaluation as a frame: a row for every measure, and for every attack in every scenario."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hushwood.evaluation.answers import AttackAnswer, MeasureAnswer
from hushwood.evaluation.evaluation import Evaluation

if TYPE_CHECKING:
    import polars as pl

# Texts first: a column of nothing but gaps has its type, too.
_TEXTS = ("name", "title", "what", "side", "scenario", "better", "reason", "question")
_NUMBERS = (
    "value",
    "low",
    "high",
    "excess",
    "excess_low",
    "excess_high",
    "naive",
    "control",
    "untouched",
    "noise",
)


def answer_frame(evaluation: Evaluation) -> pl.DataFrame:
    """All answers as a Polars frame; a number that there is not is null, and `reason` says why."""
    import polars as pl

    rows = [*map(_of_measure, evaluation.measures), *map(_of_attack, evaluation.attacks)]
    types = {**dict.fromkeys(_TEXTS, pl.String), **dict.fromkeys(_NUMBERS, pl.Float64)}
    order = ("name", "title", "what", "side", "scenario", *_NUMBERS, "better", "reason", "question")
    return pl.DataFrame(rows, schema={name: types[name] for name in order})


def _of_measure(answer: MeasureAnswer) -> dict[str, Any]:
    measure = answer.measure
    low, high = answer.interval or (None, None)
    return {
        "name": measure.name,
        "title": measure.title,
        "what": "measure",
        "side": measure.side,
        "value": answer.value,
        "low": low,
        "high": high,
        "untouched": answer.untouched,
        "noise": answer.noise,
        "better": measure.better,
        "reason": answer.reason,
        "question": measure.question,
    }


def _of_attack(answer: AttackAnswer) -> dict[str, Any]:
    attack, excess = answer.attack, answer.excess
    low, high = answer.interval or (None, None)
    more_low, more_high = excess.interval if excess else (None, None)
    return {
        "name": attack.name,
        "title": attack.title,
        "what": "attack",
        "side": "risk",
        "scenario": answer.scenario.name if answer.scenario else None,
        "value": answer.success,
        "low": low,
        "high": high,
        "excess": excess.value if excess else None,
        "excess_low": more_low,
        "excess_high": more_high,
        "naive": answer.naive if answer.scenario else None,
        "control": answer.control,
        "untouched": answer.untouched,
        "noise": answer.noise,
        "better": "lower",
        "reason": answer.reason,
        "question": attack.question,
    }
