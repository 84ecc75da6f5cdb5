"""Posteriors equal a slow sum over all pairs; the likeliest records, one, several, or every one where all is
impossible.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from hushwood.arrays import Floats, Integers
from hushwood.errors import InternalFault
from hushwood.measures.posterior.likelihoods import (
    IMPOSSIBLE,
    MISSING_AT,
    Evidence,
    Likelihood,
    Normal,
    Redraw,
    Same,
    same,
)
from hushwood.measures.posterior.posteriors import (
    likeliest_links,
    plain_columns,
    posteriors,
    posteriors_by_known,
)

ROWS, TARGETS = 3_000, 40  # rows: more than two tiles


def evidence_of(likelihoods: Mapping[str, Likelihood], rows: int = ROWS) -> Evidence:
    return Evidence("fitted", likelihoods, np.arange(TARGETS), np.zeros(rows, np.int32), 1)


def normal(seed: int, scale: float, gone: bool = False) -> tuple[Normal, Floats]:
    """Numbers of rows and targets, and log2 of the kernel of all pairs; with `gone` some are missing in both."""
    chance = np.random.default_rng(seed)
    y, x = (
        chance.normal(0, scale, ROWS).astype(np.float32),
        chance.normal(0, scale, TARGETS).astype(np.float32),
    )
    logs = -((y.astype(float) - x[:, None].astype(float)) ** 2)
    missing = np.zeros(TARGETS, bool)
    if gone:
        y[::7], x[::5], missing[::5] = MISSING_AT, MISSING_AT, True
        logs = np.where((y > 1e14) == missing[:, None], np.where(missing[:, None], 0.0, logs), -np.inf)
    gap = np.where(missing, 0.0, IMPOSSIBLE).astype(np.float32)
    present = np.where(missing, IMPOSSIBLE, 0.0).astype(np.float32)
    return Normal(y, x, gap, present, (~missing).astype(np.float32), False), logs


def redraw(seed: int, values: int) -> tuple[Redraw, Floats]:
    chance = np.random.default_rng(seed)
    y, x = chance.integers(0, values, ROWS), chance.integers(-1, values, TARGETS)
    share = chance.dirichlet(np.ones(values))
    kind = np.where(x < 0, values, x)
    stay, shift = chance.normal(-1, 1, values + 1), chance.normal(0, 1, values + 1)
    logs = np.where(y == x[:, None], stay[kind][:, None], np.log2(share)[y] + shift[kind][:, None])
    found = Redraw(
        y.astype(np.float32),
        x.astype(np.float32),
        kind,
        np.zeros(1, np.int32),
        np.zeros((1, values + 1), np.int64),
        stay[None].astype(np.float32),
        shift[None].astype(np.float32),
        np.log2(share).astype(np.float32),
    )
    return found, logs


def alike(seed: int, values: int) -> tuple[Same, Floats]:
    chance = np.random.default_rng(seed)
    y, x = chance.integers(0, values, ROWS), chance.integers(0, values, TARGETS)
    return Same(y.astype(np.float32), x.astype(np.float32)), np.where(y == x[:, None], 0.0, -np.inf)


def reference(logs: Floats, labels: Integers) -> tuple[Floats, Floats]:
    """Bits and masses in double precision; all alike where nothing is possible."""
    top = logs.max(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        p = np.where(np.isfinite(top), np.exp2(logs - top), 1.0)
        p /= p.sum(axis=1, keepdims=True)
        bits = -np.where(p > 0, p * np.log2(p), 0.0).sum(axis=1)
    return bits, np.stack([p[:, labels == k].sum(axis=1) for k in range(int(labels.max()) + 1)], axis=1)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("scale", [0.5, 3.0, 40.0])
def test_many_tiles_are_as_double_precision_says(scale: float, threads: int) -> None:
    parts: dict[str, tuple[Likelihood, Floats]] = {
        "a": normal(1, scale),
        "b": redraw(2, 3),
        "c": redraw(3, 40),
        "d": normal(4, scale, gone=True),
        "e": redraw(5, 2),
        "f": redraw(6, 6),
        "g": alike(7, 2),
        "h": normal(8, scale),
        "i": normal(9, 0.1),
    }
    evidence = evidence_of({name: part[0] for name, part in parts.items()})
    assert not plain_columns(evidence).rest
    labels = np.random.default_rng(0).integers(0, 4, ROWS)
    found = posteriors(evidence, labels, threads)
    bits, mass = reference(np.sum([part[1] for part in parts.values()], axis=0), labels)
    np.testing.assert_allclose(found.bits, bits, atol=2e-4 if scale > 10 else 2e-5)
    np.testing.assert_allclose(found.mass, mass, atol=2e-4 if scale > 10 else 2e-5)
    names = list(parts)
    order = np.argsort(np.random.default_rng(1).random((TARGETS, len(names))), axis=1)
    alone, together = posteriors_by_known(evidence, labels, order, threads)
    for j, name in enumerate(names):
        wanted = reference(parts[name][1], labels)
        np.testing.assert_allclose(alone.bits[:, j], wanted[0], atol=1e-4)
        np.testing.assert_allclose(alone.mass[:, j], wanted[1], atol=1e-4)
    for size in (2, 5, len(names)):
        logs = np.stack(
            [np.sum([parts[names[j]][1][t] for j in order[t, :size]], axis=0) for t in range(TARGETS)]
        )
        np.testing.assert_allclose(together.bits[:, size - 1], reference(logs, labels)[0], atol=2e-4)


def test_nothing_known_is_everybody() -> None:
    found = posteriors(evidence_of({}), np.arange(ROWS) % 3, 1)
    np.testing.assert_array_equal(found.bits, np.log2(ROWS))
    np.testing.assert_allclose(found.mass, 1 / 3)
    assert not found.impossible.any()


def test_nobody_possible_is_everybody() -> None:
    lone = Same(np.zeros(ROWS, np.float32), np.full(TARGETS, -1, np.float32))
    found = posteriors(evidence_of({"a": lone}), np.arange(ROWS) % 3, 1)
    np.testing.assert_array_equal(found.bits, np.log2(ROWS))
    np.testing.assert_allclose(found.mass, 1 / 3)
    assert found.impossible.all()


def test_only_what_is_plain_is_taken_for_it() -> None:
    soft, _ = normal(1, 1.0)
    several = redraw(2, 3)[0]
    barred = replace(several, table=several.table + np.float32(IMPOSSIBLE))
    gappy = replace(soft, soft=True)
    found = plain_columns(evidence_of({"a": soft, "b": several, "c": barred, "d": gappy}))
    assert (found.squares, [match.place for match in found.matches], found.rest) == ([0], [1], [2, 3])


def test_places_outside_the_tables_are_refused() -> None:
    """The loops would read beyond their end."""
    codes, _ = redraw(1, 4)
    numbers, _ = normal(1, 1.0)
    labels = np.zeros(ROWS, np.int64)
    wrong: list[Likelihood] = [
        replace(codes, released=codes.released + 1),
        replace(codes, kind=codes.kind + 1),
        replace(codes, class_of=codes.class_of + 1),
        replace(numbers, released=np.where(labels == 0, np.nan, 0).astype(np.float32)),
    ]
    for likelihood in wrong:
        with pytest.raises(InternalFault, match="please report this"):
            posteriors_by_known(evidence_of({"x": likelihood}), labels, np.zeros((TARGETS, 1), np.int64), 1)
    with pytest.raises(InternalFault, match="Blocks of released records"):
        posteriors(replace(evidence_of({"x": codes}), blocks=0), labels, 1)
    with pytest.raises(InternalFault, match="Labels of released records"):
        posteriors(evidence_of({"x": codes}), labels - 1, 1)


RELEASED = np.array([5.0, 1.0, 1.0, 2.0, 1.0])
WANTED = np.array([5.0, 1.0, 9.0])


@pytest.mark.parametrize("threads", [1, 2])
def test_links_by_hand(threads: int) -> None:
    evidence = Evidence(
        "fitted", {"x": same(RELEASED, WANTED)}, np.arange(3), np.array([0, 0, 1, 1, 1], np.int32), 2
    )
    partner, labels, wanted = np.array([0, 4, 3]), np.array([0, 0, 1, 1, 1]), np.array([0, 1, 1])
    found = likeliest_links(evidence, partner, labels, wanted, threads)
    # 5 is there once, 1 three times, and 9 not at all: then all five are equally likely.
    assert found.ties.tolist() == [1, 3, 5]
    assert found.belief.tolist() == pytest.approx([1, 1 / 3, 1 / 5])
    assert found.own.tolist() == pytest.approx([1, 1 / 3, 1 / 5])
    assert found.same_label.tolist() == pytest.approx([1, 2 / 3, 3 / 5])
