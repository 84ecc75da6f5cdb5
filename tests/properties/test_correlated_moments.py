"""What methods that perturb numbers together keep, over random tables with all that is hard on them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.arrays import Floats
from hushwood.segments.partition import whole_table
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.gadp import Cgadp, Egadp, Gadp
from hushwood.techniques.protocol import Technique, Within
from hushwood.techniques.shuffle import Rotation, Shuffle
from hushwood.techniques.together.fallbacks import KEPT, NOISE, OWN, ROTATION
from hushwood.techniques.together.group_perturber import GroupPerturber
from support.correlated_tables import (
    KINDS,
    STREAMS,
    Drawn,
    cut,
    described,
    drawn_by,
    hard_table,
    numbers_of,
    outside,
    released_by,
    widened,
)
from support.mixed_tables import table_of

EXACT = 1e-9


@dataclass(frozen=True)
class Case:
    """A random table with its segments, and how it is to be perturbed."""

    table: Table
    segments: Segments
    within: Within
    given: tuple[str, ...] | None


@st.composite
def cases(draw: st.DrawFn) -> Case:
    kinds = draw(st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=6))
    rows = draw(st.integers(1, 12) | st.integers(13, 90))
    table = hard_table(draw(st.integers(0, 10**6)), rows, kinds, draw(st.sampled_from([0.0, 0.0, 0.05, 0.3])))
    names = [n for n in numbers_of(table) if not np.isnan(table.columns[n]).all()]
    tests = draw(
        st.lists(st.tuples(st.sampled_from(names), st.sampled_from([0.05, 0.5, 0.8])), max_size=3)
        if names
        else st.just([])
    )
    fixed = draw(st.sampled_from([(), (), None, ("job",), ("x0",), ("k", "x0")]))
    return Case(table, cut(table, *tests), draw(st.sampled_from(["table", "segment"])), fixed)


def exact(case: Case, technique: Technique) -> Drawn:
    """Draw, and check that means and covariances of every cell are exact where they can be."""
    done = drawn_by(technique, case.table, case.segments)
    known = done.perturber.cells.known
    for c, way in enumerate(done.ways.tolist()):
        before, after = (x[done.cell == c][:, known[c]] for x in (done.before, done.after))
        if way in (OWN, ROTATION, KEPT):
            assert_same_moments(before, after)
        elif way != NOISE:
            assert np.array_equal(np.sort(before, axis=0), np.sort(after, axis=0))
    return done


def assert_same_moments(before: Floats, after: Floats, step: Floats | float = 0.0) -> None:
    """To 1e-9 of the columns' spreads, a few last bits of the numbers themselves, and the step they are rounded to."""
    bit = 16 * np.spacing(np.abs(before).max(axis=0, initial=0.0)) + step
    spread = before.std(axis=0) + bit
    assert (np.abs((after - before).mean(axis=0)) <= EXACT * spread + bit).all()
    old, new = (x - x.mean(axis=0) for x in (before, after))
    change = np.abs(new.T @ new - old.T @ old) / len(before)
    slack = EXACT * np.outer(spread, spread) + np.outer(bit, spread) + np.outer(spread, bit)
    assert (change <= slack).all()


def assert_inside(done: Drawn) -> None:
    if not done.perturber.attributes:
        return
    low, high = (end[done.cell] for end in done.rows.room())
    bit = 4 * np.spacing(np.abs(np.nan_to_num(done.before)))
    known = ~np.isnan(done.before)
    assert (done.after >= low - bit)[known].all()
    assert (done.after <= high + bit)[known].all()


@given(cases(), st.sampled_from([0.0, 0.0, 0.5]))
@settings(max_examples=150)
def test_egadp_is_exact_and_inside(case: Case, rho: float) -> None:
    technique = Egadp(rho, within=case.within, given=case.given)
    assert_inside(exact(case, technique))
    released = released_by(technique, case.table, case.segments)
    assert outside(case.table, case.segments, case.within, released) == []


@given(cases())
@settings(max_examples=150)
def test_rotation_is_exact_and_inside(case: Case) -> None:
    technique = Rotation(within=case.within, given=case.given)
    assert_inside(exact(case, technique))
    released = released_by(technique, case.table, case.segments)
    assert outside(case.table, case.segments, case.within, released) == []


@given(cases(), st.sampled_from([Egadp, Rotation]))
@settings(max_examples=60)
def test_segments_are_exact_if_all_their_cells_are(case: Case, make: Callable[..., Technique]) -> None:
    """Pairs of columns are compared over the records that have both."""
    done = drawn_by(make(within=case.within, given=case.given, alone=None), case.table, case.segments)
    segment = done.perturber.cells.segment[done.cell]
    for s in np.unique(segment).tolist():
        here = segment == s
        if not np.isin(done.way[here], (OWN, ROTATION, KEPT)).all():
            continue
        for i in range(done.before.shape[1]):
            for j in range(i + 1):
                both = here & ~np.isnan(done.before[:, i]) & ~np.isnan(done.before[:, j])
                if both.any():
                    assert_same_moments(done.before[both][:, [i, j]], done.after[both][:, [i, j]])


@given(cases(), st.sampled_from([Egadp, Rotation]))
@settings(max_examples=60)
def test_rounding_moves_nothing_further_than_to_the_next_step_but_one(
    case: Case, make: Callable[..., Technique]
) -> None:
    technique = make(within=case.within, given=case.given)
    done = drawn_by(technique, case.table, case.segments)
    released = done.perturber.group.numbers(
        {**case.table.columns, **released_by(technique, case.table, case.segments)}
    )
    if not done.perturber.attributes:
        return
    step = done.perturber.group.step[done.perturber.cells.segment][done.cell]
    moved = np.abs(np.nan_to_num(released - done.after))
    # A number between the end of its box and the last grid point is up to a step away from that.
    assert (moved < 2 * step + 4 * np.spacing(np.abs(np.nan_to_num(done.after)))).all()


@given(cases())
@settings(max_examples=100)
def test_shuffling_keeps_the_values_of_every_segment(case: Case) -> None:
    """All of them, but for a record that has a number of a column to itself, which gets noise."""
    technique = Shuffle(within=case.within, given=case.given)
    done = drawn_by(technique, case.table, case.segments)
    released = released_by(technique, case.table, case.segments)
    segment = done.perturber.cells.segment[done.cell]
    for s in np.unique(segment).tolist():
        here = segment == s
        alone = (~np.isnan(done.before[here])).sum(axis=0) == 1
        noisy = here & (done.way == NOISE)
        assert not noisy.any() or (alone & ~np.isnan(done.before[noisy])).any(axis=1).all()
        for name, values in released.items():
            old, new = (np.sort(x[here]) for x in (case.table.columns[name], values))
            assert noisy.any() or np.array_equal(old, new, equal_nan=True)
    assert outside(case.table, case.segments, case.within, released) == []


@given(cases())
@settings(max_examples=50)
def test_without_noise_shuffling_keeps_all_values(case: Case) -> None:
    released = released_by(
        Shuffle(within=case.within, given=case.given, alone=None), case.table, case.segments
    )
    segment = case.segments.ids if case.within == "segment" else np.zeros(case.table.rows, int)
    for name, values in released.items():
        for s in np.unique(segment).tolist():
            old, new = (np.sort(x[segment == s]) for x in (case.table.columns[name], values))
            assert np.array_equal(old, new, equal_nan=True)


@given(cases(), st.sampled_from([Gadp, Cgadp]), st.sampled_from([0.0, 0.7]))
@settings(max_examples=100)
def test_draws_by_record_stay_inside_and_are_possible(
    case: Case, make: Callable[..., Technique], rho: float
) -> None:
    technique = make(rho=rho, within=case.within, given=case.given)
    released = released_by(technique, case.table, case.segments)
    assert outside(case.table, case.segments, case.within, released) == []
    law = technique.prepare(case.table, numbers_of(case.table), case.segments).law()
    found = law.log_prob(case.table.columns, {**case.table.columns, **released}, case.segments.ids)
    assert not np.isnan(found).any()
    assert (found < np.inf).all()
    assert (found > -np.inf).all()


EACH = {
    "GADP": Gadp(0.3),
    "CGADP": Cgadp(0.3),
    "EGADP": Egadp(0.3),
    "SHUFFLE": Shuffle(),
    "ROTATION": Rotation(),
}
each = pytest.mark.parametrize("technique", EACH.values(), ids=EACH)


@each
@given(st.integers(0, 10**6), st.integers(-60, 60))
@settings(max_examples=12)
def test_a_columns_unit_does_not_matter(technique: Technique, seed: int, power: int) -> None:
    """A power of two changes no digits, so all else must stay to the last bit."""
    table = hard_table(seed, 40, ["real", "zeros", "whole"])
    scaled = np.ldexp(table.columns["x1"], power)
    other = table_of(
        {
            a.name: (a, table.columns[a.name].tolist())
            if a.name != "x1"
            else (described("x1", scaled, None), scaled.tolist())
            for a in table.schema.attributes
        }
    )
    one, two = (released_by(technique, t, whole_table(t)) for t in (table, other))
    assert np.allclose(np.ldexp(one["x1"], power), two["x1"], rtol=1e-9, atol=0)
    assert np.allclose(one["x0"], two["x0"], rtol=1e-9)
    assert np.array_equal(one["x2"], two["x2"])


@each
@given(st.integers(0, 10**6))
@settings(max_examples=12)
def test_records_in_another_order_get_the_same_numbers(technique: Technique, seed: int) -> None:
    table = widened(hard_table(seed, 50, ["real", "shared", "single"]))
    order = np.random.default_rng(seed).permutation(50)
    moved = table.take(order)
    plain = released_by(technique, table, whole_table(table))
    perturber = technique.prepare(moved, numbers_of(moved), whole_table(moved))
    found = perturber.perturb(moved.columns, np.zeros(50, np.int32), order, STREAMS)
    for name, values in plain.items():
        assert np.allclose(found[name], values[order], rtol=1e-6, atol=1e-6, equal_nan=True)


@pytest.mark.parametrize("make", [Egadp, Rotation])
@given(st.integers(0, 10**6), st.permutations(range(5)))
@settings(max_examples=20)
def test_the_order_of_columns_does_not_matter_for_moments(
    make: Callable[..., Technique], seed: int, order: list[int]
) -> None:
    table = hard_table(seed, 60, ["real", "double", "whole", "zeros", "near 1e-9"])
    names = [f"x{i}" for i in order]
    perturber = make().prepare(table, names, whole_table(table))
    assert perturber.attributes == tuple(names)
    released = perturber.perturb(table.columns, np.zeros(60, np.int32), range(60), STREAMS)
    real = [name for name in names if name != "x2"]
    before, after = (np.stack([x[name] for name in real], axis=1) for x in (table.columns, released))
    assert isinstance(perturber, GroupPerturber)
    step = perturber.group.step[0, [name != "x2" for name in names]]
    assert_same_moments(before, after, step)
