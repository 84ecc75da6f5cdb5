"""Warnings about noise that has no effect: on values of 0, and where a schema asks for it in vain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from hushwood.arrays import Array, Codes
from hushwood.releasing.engines.prepared_steps import PreparedStep
from hushwood.releasing.noise_given import ADDED
from hushwood.releasing.plan import Plan
from hushwood.tables.schema import Schema
from hushwood.techniques.laws.noise import NoiseLaw


def noise_sentences(schema: Schema, plan: Plan, zeros: Mapping[str, int], rows: int) -> Iterator[str]:
    """Sentences about columns whose noise does less than one may think."""
    asked = [a.name for a in schema.inputs if a.noise is not None]
    if asked and not any(ADDED & set(step.technique.options.values()) for step in plan.steps):
        yield (
            f"The schema gives noise to {', '.join(asked)}, but {plan.recipe} has no use for it; other columns and "
            "these are treated alike."
        )
    for name, count in zeros.items():
        yield (
            f"Column {name!r} is 0 in {count:,} of {rows:,} records and stays 0 there: --noise-of value adds a "
            "share of the value."
        )


def without_noise(steps: Sequence[PreparedStep]) -> frozenset[str]:
    """The columns whose noise has no size anywhere."""
    laws = [law for _, law in _noise_laws(steps)]
    some = {law.attribute for law in laws if law.scale.max(initial=0.0) > 0}
    return frozenset(law.attribute for law in laws) - some


def zeros_of(
    steps: Sequence[PreparedStep], columns: Mapping[str, Array], segment_ids: Codes
) -> dict[str, int]:
    """By column, the zeros of some records whose noise is a share of the value."""
    found: dict[str, int] = {}
    for _, law in _noise_laws(steps):
        if law.of == "value":
            here = columns[law.attribute] == 0
            covered = np.ones(len(here), bool) if law.covered is None else law.covered[segment_ids]
            found[law.attribute] = found.get(law.attribute, 0) + int((here & covered).sum())
    return {name: count for name, count in found.items() if count}


def _noise_laws(steps: Sequence[PreparedStep]) -> Iterator[tuple[PreparedStep, NoiseLaw]]:
    for step in steps:
        for part in step.perturber.law().parts:
            if isinstance(part, NoiseLaw):
                yield step, part
