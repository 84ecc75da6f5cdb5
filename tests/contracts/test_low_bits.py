"""No low-order bit of a released number says which original number it was made from; `low_bits` has the attack."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from hushwood.attacks.judging.estimates import wilson
from hushwood.measures.protocol import Measurement
from hushwood.measures.risk.reidentification_entropy import ReidentificationEntropy
from hushwood.random_streams import Streams
from hushwood.releasing.recipes import CORRELATED
from hushwood.segments.partition import intersections
from hushwood.techniques.laws.group_values import GroupValuesLaw
from hushwood.techniques.protocol import Technique
from support.low_bits import (
    NAMES,
    attacked,
    continuous_table,
    grid_words,
    noise_laws,
    plain_words,
    released,
    with_plain_noise,
)
from support.mixed_tables import grown_forest, mixed_table
from support.table_pairs import context_for
from support.technique_variants import BOUNDARIES, VARIANTS, columns_for

ROWS, TARGETS = 600, 40
CASES = list(product(BOUNDARIES, (1 / 3, 1.0)))


@pytest.mark.parametrize(("boundary", "noise"), CASES)
def test_counting_words_finds_people_in_plain_noise(boundary: str, noise: float) -> None:
    """So the attack works: it must see through a float that is added to a float."""
    done = released(ROWS, boundary=boundary, noise=noise)
    found = attacked(
        done, with_plain_noise(done, continuous_table(ROWS)), continuous_table(ROWS), plain_words, TARGETS
    )
    assert found.by_words > 0.5
    assert found.by_laws < 0.4


@pytest.mark.parametrize(("boundary", "noise"), CASES)
def test_counting_words_finds_no_more_than_the_laws_do(boundary: str, noise: float) -> None:
    done = released(ROWS, boundary=boundary, noise=noise)
    found = attacked(done, done.table.columns, continuous_table(ROWS), grid_words, TARGETS)
    assert found.by_words <= wilson(found.by_laws * TARGETS, TARGETS).interval[1]


@pytest.mark.slow
@pytest.mark.parametrize(("boundary", "noise"), CASES)
def test_the_same_on_3000_rows(boundary: str, noise: float) -> None:
    table, done = continuous_table(3000), released(3000, boundary=boundary, noise=noise)
    found = attacked(done, done.table.columns, table, grid_words, 300)
    assert found.by_words <= wilson(found.by_laws * 300, 300).interval[1]
    plain = attacked(done, with_plain_noise(done, table), table, plain_words, 60)
    assert plain.by_words > 0.5


@pytest.mark.parametrize("boundary", BOUNDARIES)
def test_the_entropy_that_is_reported_is_that_of_the_laws(boundary: str) -> None:
    done = released(ROWS, boundary=boundary)
    found = attacked(done, done.table.columns, continuous_table(ROWS), None, TARGETS)
    context = context_for(continuous_table(ROWS), done.table, steps=done.steps, segment_ids=done.segments.ids)
    measured = ReidentificationEntropy().compute(continuous_table(ROWS), done.table, context)
    assert isinstance(measured, Measurement)
    reported = measured.records["reidentification_bits"][:TARGETS].mean()
    assert reported == pytest.approx(found.bits_of_entropy, abs=0.02)


@pytest.mark.parametrize("boundary", BOUNDARIES)
def test_every_grid_point_has_thousands_of_words(boundary: str) -> None:
    """What makes the count follow the law: of noise that is likely, no grid point is out of reach."""
    done = released(ROWS, boundary=boundary)
    for law, ids in noise_laws(done):
        covered = np.ones(ROWS, bool) if law.covered is None else law.covered[ids]
        here = np.flatnonzero(covered)
        x, y = continuous_table(ROWS).columns[law.attribute][here], done.table.columns[law.attribute][here]
        words = grid_words(x, y, law.intervals.take(ids[here]), law.scale[ids[here]], boundary)
        assert words.min(initial=np.inf) > 100


def on_grid(technique: Technique) -> dict[str, bool]:
    """Whether every number that a technique drew is a whole number of its grid's steps; copies do not count."""
    table = mixed_table(5, ROWS)
    segments = intersections(table, grown_forest(table, min_leaf=40, trees=2))
    perturber = technique.prepare(table, columns_for(technique, table), segments)
    if isinstance(perturber.law(), GroupValuesLaw):
        return {}  # means of groups: no chance, so nothing to undo
    new = perturber.perturb(table.columns, segments.ids, range(ROWS), Streams(bytes(range(32))))
    found = {}
    for name in new:
        box = segments.intervals.get(name)
        if box is not None and not box.decimal:
            drawn = ~np.isin(new[name], table.columns[name]) & ~np.isnan(new[name])
            finest = min(float(box.step.min()), float(box.fitted_to(table.columns[name]).step.min()))
            steps = new[name][drawn] / finest
            found[name] = bool((steps == np.rint(steps)).all())
    return found


@pytest.mark.parametrize("technique", VARIANTS.values(), ids=VARIANTS)
def test_all_numbers_that_are_drawn_lie_on_a_grid(technique: Technique) -> None:
    assert [name for name, fits in on_grid(technique).items() if not fits] == []


@pytest.mark.parametrize("correlated", CORRELATED)
@pytest.mark.parametrize("recipe", ["extended-framework", "forest-extended-framework"])
def test_extended_frameworks_hand_out_grid_points_or_copies(recipe: str, correlated: str) -> None:
    done, table = released(ROWS, technique=recipe, correlated=correlated), continuous_table(ROWS)
    moved = 0
    for name in NAMES:
        new = done.table.columns[name]
        drawn = ~np.isin(new, table.columns[name])
        box = done.segments.intervals[name]
        fine = np.minimum(box.step, box.fitted_to(table.columns[name]).step)[done.segments.ids[drawn]]
        assert (new[drawn] / fine == np.rint(new[drawn] / fine)).all()
        moved += int(drawn.sum())
    assert moved or correlated == "shuffle"
