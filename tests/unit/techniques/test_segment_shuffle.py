"""Segment-shuffle as a whole: what is exact, what the lemma and the theorem say, and the edges of the specification."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chisquare

from hushwood.arrays import Array
from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.perturb import Perturbed, perturb
from hushwood.segments.partition import intersections, whole_table
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.segment_shuffle import SegmentShuffle, ShufflePerturber
from hushwood.techniques.sequential.coded_columns import CodedColumn
from hushwood.techniques.sequential.hand_outs import Slots
from hushwood.techniques.sequential.shuffled_columns import grown_proposals, hand_out
from support.mixed_tables import category, mixed_table, number, table_of, target

STREAMS = Streams(bytes(range(32)))
TEACHERS = ("ensemble", "boosting", "tree", "none")


def released(table: Table, segments: Segments, streams: Streams = STREAMS, **how: object) -> dict[str, Array]:
    technique = SegmentShuffle(**{"k": 10, "teacher": "tree", **how})  # type: ignore[arg-type]
    perturber = technique.prepare(table, [a.name for a in table.schema.kept], segments)
    assert isinstance(perturber, ShufflePerturber)
    return dict(perturber.perturb(table.columns, segments.ids, range(table.rows), streams))


def run(table: Table, **options: object) -> Perturbed:
    given = {"technique": "segment-shuffle", "teacher": "tree", "redraw": 0, **options}
    return perturb(table, PerturbOptions(**given), STREAMS)  # type: ignore[arg-type]


def sorted_within(values: Array, segments: Array) -> Array:
    return np.asarray(values[np.lexsort((values, segments))])


@pytest.mark.parametrize("teacher", TEACHERS)
def test_every_segment_keeps_its_values(teacher: str) -> None:
    """Exactly, without the blur: categories, classes, numbers and gaps; and every record stays in its leaf."""
    table = mixed_table(4, 700)
    done = run(table, teacher=teacher, blur=0, k=30)
    ids = done.segment_ids
    assert done.segments.sizes.min() >= 30
    assert done.segments.count > 5
    for name, values in table.columns.items():
        after = done.table.columns[name]
        assert np.array_equal(sorted_within(after, ids), sorted_within(values, ids), equal_nan=True)
    assert np.array_equal(intersections(done.table, done.forest).ids, ids)


def test_rare_numbers_are_blurred_inside_the_box_and_counted() -> None:
    table = mixed_table(4, 700)
    done = run(table, k=30)
    assert np.array_equal(intersections(done.table, done.forest).ids, done.segment_ids)
    ratio = table.columns["ratio"][~np.isnan(table.columns["ratio"])]
    assert np.isin(done.table.columns["ratio"], ratio).mean() < 0.02
    for name in ("city", "job", "risk"):
        before, after = (sorted_within(t.columns[name], done.segment_ids) for t in (table, done.table))
        assert np.array_equal(before, after)
    assert not any("could not be blurred" in warning for warning in done.warnings)


def test_dependence_survives() -> None:
    chance = np.random.default_rng(1)
    x = np.rint(chance.normal(0, 100, 2_000))
    y = np.rint(x + chance.normal(0, 20, 2_000))
    group = (np.abs(x) > 80).astype(int)
    noise = chance.integers(0, 3, 2_000)
    label = ((x > 0) ^ (chance.random(2_000) < 0.1)).astype(int)
    table = table_of(
        {
            "x": (number("x", -600, 600), x.tolist()),
            "y": (number("y", -700, 700), y.tolist()),
            "group": (category("group", ("in", "out")), group.tolist()),
            "noise": (category("noise", "abc"), noise.tolist()),
            "label": (target("label", ("no", "yes")), label.tolist()),
        }
    )
    new = released(table, whole_table(table), k=50, teacher="ensemble")
    assert np.corrcoef(new["x"], new["y"])[0, 1] > 0.95
    assert ((np.abs(new["x"]) > 80) == new["group"]).mean() > 0.93
    assert abs(np.corrcoef(new["x"], new["noise"])[0, 1]) < 0.08
    assert ((new["x"] > 0) == new["label"]).mean() > 0.85


def slots_of_a_person(rows: int, keys: int) -> Array:
    """In which slot the number of person 0 lies, under many keys; all numbers differ and nothing is blurred."""
    x = np.arange(rows, dtype=float)
    table = table_of(
        {
            "x": (number("x", 0, rows), x.tolist()),
            "y": (number("y", 0, 2 * rows), (2 * x).tolist()),
            "k": (target("k", "no"), (x % 2).astype(int).tolist()),
        }
    )
    segments = whole_table(table)
    perturber = SegmentShuffle(10, "none", 0).prepare(table, ["x", "y", "k"], segments)
    found = []
    for key in range(keys):
        streams = Streams(key.to_bytes(32, "big"))
        y = perturber.perturb(table.columns, segments.ids, range(rows), streams)["y"]
        found.append(int(np.flatnonzero(y == 0)[0]))
    return np.array(found)


def test_theorem_every_slot_is_as_likely_to_hold_a_persons_values() -> None:
    """P(guess = slot i) <= 1 / n_s: whatever slot is named, the person's number lies there with chance 1/8."""
    slots = slots_of_a_person(8, 800)
    assert chisquare(np.bincount(slots, minlength=8)).pvalue > 1e-3
    # A rule that reads the row, and leaves the person in place under one key in eight, fails the same test.
    biased = np.where(np.arange(800) % 8 == 0, 0, slots)
    assert chisquare(np.bincount(biased, minlength=8)).pvalue < 1e-6


def test_counter_example_content_is_not_bound_by_the_theorem() -> None:
    """With leaves of one donor and distinct numbers the release is the table, shuffled, though slots are safe."""
    chance = np.random.default_rng(2)
    x, y = chance.permutation(60).astype(float), chance.permutation(60).astype(float)
    columns = [CodedColumn.of_numbers("x", x), CodedColumn.of_numbers("y", y)]
    slots = Slots.of(np.zeros(60, int), range(60), STREAMS, "test")
    own = {column.name: column for column in columns}
    new, _ = hand_out(grown_proposals(columns, np.arange(60), 1, 1), own, slots)
    pairs = set(zip(new["x"].values().tolist(), new["y"].values().tolist(), strict=True))
    assert pairs == set(zip(x.tolist(), y.tolist(), strict=True))


def test_linked_columns_stay_together() -> None:
    chance = np.random.default_rng(3)
    level = chance.integers(0, 5, 300)
    grade = np.array([1.0, 4.0, 2.0, 9.0, 6.0])[level]
    table = table_of(
        {
            "level": (category("level", "abcde"), level.tolist()),
            "grade": (number("grade", 1, 9), grade.tolist()),
            "k": (target("k", "no"), (level > 2).astype(int).tolist()),
        }
    )
    new = released(table, whole_table(table))
    assert np.array_equal(np.array([1.0, 4.0, 2.0, 9.0, 6.0])[new["level"]], new["grade"])
    assert (new["level"] != level).any()


def test_a_thousand_levels_many_classes_and_missing_classes() -> None:
    chance = np.random.default_rng(6)
    rows = 3_000
    code = chance.integers(0, 1_000, rows)
    label = np.where(chance.random(rows) < 0.05, -1, code % 60)
    table = table_of(
        {
            "code": (category("code", [f"c{i}" for i in range(1_000)]), code.tolist()),
            "x": (number("x", 0, 100), (code % 101).tolist()),
            "label": (target("label", [f"k{i}" for i in range(60)]), label.tolist()),
        }
    )
    done = run(table, k=50, teacher="ensemble")
    for name in ("code", "label"):
        before, after = (sorted_within(t.columns[name], done.segment_ids) for t in (table, done.table))
        assert np.array_equal(before, after)


def test_a_class_cut_into_bins_comes_back_as_numbers() -> None:
    chance = np.random.default_rng(6)
    x = chance.integers(0, 50, 400)
    income = (10 * x + chance.integers(0, 10, 400)).tolist()
    values = tuple(str(v) for v in sorted(set(income)))
    attribute = target("income", values)
    table = table_of(
        {
            "x": (number("x", 0, 50), x.tolist()),
            "income": (
                replace(attribute, bins=(150.0, 350.0)),
                [values.index(str(v)) for v in income],
            ),
        }
    )
    done = run(table, k=40)
    ids = done.segment_ids
    before, after = table.columns["income"], done.table.columns["income"]
    assert np.array_equal(sorted_within(before, ids), sorted_within(after, ids))
    numbers = np.array([float(v) for v in values])
    assert np.corrcoef(done.table.columns["x"], numbers[after])[0, 1] > 0.85


def test_without_a_class_the_columns_are_handed_out_all_the_same() -> None:
    table = mixed_table(8, 400)
    names = [a.name for a in table.schema.inputs]
    schema = table.schema.with_role(["risk"], "ordinary")
    without = Table(schema, table.columns, table.carried, table.rows)
    perturber = SegmentShuffle(20).prepare(without, names, whole_table(without))
    new = perturber.perturb(without.columns, np.zeros(400, int), range(400), STREAMS)
    assert set(new) == set(names)
    assert np.array_equal(np.sort(new["job"]), np.sort(table.columns["job"]))


def test_few_records_are_one_segment_and_very_few_are_refused() -> None:
    small = mixed_table(2, 30)
    done = run(small, k=20)
    assert done.segments.count == 1
    with pytest.raises(InputError, match="needs 20 records or more"):
        run(mixed_table(2, 19))
    with pytest.raises(InputError, match="segments of one tree, but --trees 3"):
        run(mixed_table(2, 100), trees=3)
    with pytest.raises(InputError, match="--k is for segment-shuffle"):
        run(mixed_table(2, 100), technique="framework", redraw=None, k=20)


def test_the_dial_has_the_size_that_the_help_promises() -> None:
    assert run(mixed_table(2, 300)).plan.smallest_segment == 30
    assert run(mixed_table(2, 600)).plan.smallest_segment == 50
    assert run(mixed_table(2, 600), k=100).segments.sizes.min() >= 100


def test_the_law_states_the_shares_and_the_box() -> None:
    table = mixed_table(4, 500)
    done = run(table, k=40)
    law = done.steps[0].perturber.law()
    stated = law.log_prob(table.columns, done.table.columns, done.segment_ids)
    assert np.isfinite(stated).all()
    outside = {**done.table.columns, "count": np.full(500, 99.0)}
    assert np.isneginf(law.log_prob(table.columns, outside, done.segment_ids)).all()
    assert set(law.forms(table.schema)) >= {"count", "price", "ratio", "city", "job", "risk"}
    said = law.described()
    assert (said["exact_counts"], said["k"]) == (["city", "job", "nothing", "risk"], 40)
