"""What every technique promises, over all that are registered and their parameter variants.

Laws are in `test_laws`, staying in the segment is in `test_kept_segments`.
"""

from __future__ import annotations

import pickle
from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from hushwood.arrays import Array
from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.releasing.engines import memory
from hushwood.releasing.fitted import PreparedStep
from hushwood.segments.partition import intersections, whole_table
from hushwood.segments.segments import Segments
from hushwood.tables.frames.storage import frame_from_table
from hushwood.tables.pairs.pairing import pair_up
from hushwood.tables.table import Table
from hushwood.techniques.capt import Capt
from hushwood.techniques.class_permutations import Alpt, Rpt
from hushwood.techniques.domain_noise import Linfapt, Linnapt, Rnat
from hushwood.techniques.laws.noise import SHAPES, NoiseParameters
from hushwood.techniques.mdav import Mdav
from hushwood.techniques.pram import RandomCategorical
from hushwood.techniques.protocol import Technique
from hushwood.techniques.registry import TECHNIQUES
from hushwood.techniques.suppression import Suppression
from hushwood.techniques.swap import Swap
from hushwood.trees.forest import Forest
from support import technique_variants
from support.mixed_tables import (
    JOBS,
    category,
    grown_forest,
    mixed_table,
    number,
    one_tree,
    table_of,
    target,
    with_smoker,
)
from support.rearranged_tables import locked
from support.technique_variants import (
    BOUNDARIES,
    GENERALISING,
    RECODING,
    VARIANTS,
    columns_for,
    prepared,
    read_as_numbers,
)

STREAMS = Streams(bytes(range(32)))
OTHER = Streams(bytes(range(1, 33)))
ROWS = 1100
KEEPING = {name: technique for name, technique in VARIANTS.items() if technique.keeps_segment}
MADE_UP = {name: technique for name, technique in VARIANTS.items() if technique.row_order == "none"}
SEPARATE = {name: technique for name, technique in VARIANTS.items() if not technique.jointly}

each_variant = pytest.mark.parametrize("technique", VARIANTS.values(), ids=VARIANTS)
each_keeping = pytest.mark.parametrize("technique", KEEPING.values(), ids=KEEPING)


@pytest.fixture(scope="module")
def table() -> Table:
    return with_smoker(mixed_table(11, ROWS))


@pytest.fixture(scope="module")
def forest(table: Table) -> Forest:
    return grown_forest(table, min_leaf=8)


@pytest.fixture(scope="module")
def segments(table: Table, forest: Forest) -> Segments:
    found = intersections(table, forest)
    assert found.count > 50
    assert found.sizes.min() == 1
    return found


def released_by(technique: Technique, table: Table, segments: Segments, streams: Streams = STREAMS) -> Table:
    """The release as an audit reads it: numbers, also where they went out as ranges."""
    return read_as_numbers(table, technique_variants.released_by(technique, table, segments, streams))


def same(one: Array, other: Array) -> bool:
    return one.dtype == other.dtype and np.array_equal(one, other, equal_nan=one.dtype.kind == "f")


def assert_same_columns(one: Table, other: Table) -> None:
    assert [name for name in one.columns if not same(one.columns[name], other.columns[name])] == []


def test_acronyms_are_the_registry_keys() -> None:
    assert {key: make().acronym for key, make in TECHNIQUES.items()} == {key: key for key in TECHNIQUES}


@each_variant
def test_every_technique_says_what_it_does(technique: Technique) -> None:
    assert technique.says().endswith(".")
    assert technique.trust.endswith(".")
    assert set(technique.options) <= {field.name for field in fields(technique)}  # type: ignore[arg-type]
    assert technique.perturbs in {"class", "numeric", "categorical", "any"}


@each_variant
def test_chunks_and_threads_change_nothing(technique: Technique, table: Table, segments: Segments) -> None:
    """`test_chunks_of_one_row` has the smallest chunks."""
    steps = prepared(technique, table, segments)
    whole = memory.run(table, steps, STREAMS, chunk_rows=ROWS)
    for chunk_rows, threads in ((37, 1), (37, 2), (1000, 1), (1000, 2)):
        found = memory.run(table, steps, STREAMS, chunk_rows=chunk_rows, threads=threads)
        assert [name for name in whole if not same(found[name], whole[name])] == []


@pytest.mark.parametrize("acronym", TECHNIQUES)
def test_chunks_of_one_row(acronym: str, table: Table, segments: Segments) -> None:
    steps = prepared(TECHNIQUES[acronym](), table, segments)[:3]
    whole = memory.run(table, steps, STREAMS)
    found = memory.run(table, steps, STREAMS, chunk_rows=1, threads=2)
    assert [name for name in whole if not same(found[name], whole[name])] == []


@each_variant
def test_rows_in_any_order_get_their_own_values(
    technique: Technique, table: Table, segments: Segments
) -> None:
    rows = np.random.default_rng(5).permutation(ROWS)[:200]
    for step in prepared(technique, table, segments):
        if step.perturber.whole_column:
            continue
        whole = step.perturber.perturb(table.columns, segments.ids, range(ROWS), STREAMS)
        some = {name: values[rows] for name, values in table.columns.items()}
        scattered = step.perturber.perturb(some, segments.ids[rows], rows, STREAMS)
        assert [name for name in whole if not same(scattered[name], whole[name][rows])] == []


@each_variant
def test_another_seed_gives_other_noise(technique: Technique, table: Table, segments: Segments) -> None:
    one, other = (released_by(technique, table, segments, streams) for streams in (STREAMS, OTHER))
    changed = [name for name in one.columns if not same(one.columns[name], other.columns[name])]
    movable = set(columns_for(technique, table)) - {"constant", "void", "nothing"}
    assert set(changed) <= movable
    # Some have nothing to do with chance: the same cells are left out, the same records are near, under any seed.
    assert bool(changed) != isinstance(technique, Mdav | Suppression | RECODING)


@each_variant
def test_a_perturber_survives_a_journey(technique: Technique, table: Table, segments: Segments) -> None:
    for step in prepared(technique, table, segments):
        packed = pickle.dumps(step.perturber)
        there = pickle.loads(packed)  # noqa: S301 - our own bytes
        here = step.perturber.perturb(table.columns, segments.ids, range(ROWS), STREAMS)
        found = there.perturb(table.columns, segments.ids, range(ROWS), STREAMS)
        assert [name for name in here if not same(here[name], found[name])] == []
        assert len(packed) < 220_000


@each_variant
def test_the_original_is_not_written_to(technique: Technique, table: Table, segments: Segments) -> None:
    """Neither where its arrays are locked, nor where they are not: all tests of this file release the same table."""
    before = with_smoker(mixed_table(11, ROWS)).columns
    given = locked(table)
    technique_variants.released_anew(technique, given, segments, STREAMS)
    assert all(same(before[name], given.columns[name]) for name in before)
    released_by(technique, table, segments)
    assert all(same(before[name], table.columns[name]) for name in before)


@each_variant
def test_values_stay_in_the_domain_and_on_the_grid(
    technique: Technique, table: Table, segments: Segments
) -> None:
    released = released_by(technique, table, segments)
    for attribute in table.schema.attributes:
        original, values = table.columns[attribute.name], released.columns[attribute.name]
        assert values.dtype == original.dtype
        left_out = isinstance(technique, Suppression)
        if attribute.kind == "categorical":
            missing_there = left_out or bool((original < 0).any())
            assert values.min() >= (-1 if missing_there else 0)
            assert values.max() < len(released.schema[attribute.name].categories)
            own = released.schema[attribute.name].categories[: len(attribute.categories)]
            assert own == attribute.categories
            assert isinstance(technique, RECODING) or values.max() < len(own)
            continue
        # Numbers are missing where they were, unless the technique declares another promise; `test_promises` checks it.
        elsewhere = technique.promise_for(attribute).missing != "same"
        assert elsewhere or np.array_equal(np.isnan(values), np.isnan(original))
        known = values[~np.isnan(values)]
        inside = (known >= (attribute.low or 0)) & (known <= (attribute.high or 0))
        # A technique that is declared unbounded is the textbook's, which knows no domain.
        free = technique.promise_for(attribute).values == "any"
        assert inside.all() or free or not getattr(technique, "bounded", True)
        if attribute.precision is not None and technique.promise_for(attribute).values != "ranges":
            assert known.tolist() == [round(v, attribute.precision) for v in known.tolist()]


@pytest.mark.parametrize("technique", MADE_UP.values(), ids=MADE_UP)
def test_made_up_records_do_not_resemble_those_in_their_rows(
    technique: Technique, table: Table, segments: Segments
) -> None:
    released = frame_from_table(released_by(technique, table, segments))
    assert pair_up(table, released, STREAMS).match == "none"
    assert pair_up(table, frame_from_table(table), STREAMS).match == "rows"


@pytest.mark.parametrize("boundary", BOUNDARIES)
@pytest.mark.parametrize("shape", SHAPES)
def test_no_noise_changes_nothing(boundary: str, shape: str, table: Table, segments: Segments) -> None:
    parameters = NoiseParameters(0.0, boundary, shape)  # type: ignore[arg-type]
    for technique in (Linfapt(parameters), Linnapt(parameters)):
        assert_same_columns(released_by(technique, table, segments), table)


def test_probability_zero_changes_nothing(table: Table, segments: Segments) -> None:
    assert_same_columns(released_by(RandomCategorical(0.0), table, segments), table)


@each_variant
def test_constant_and_empty_columns_stay(technique: Technique, table: Table, segments: Segments) -> None:
    released = released_by(technique, table, segments)
    for name in ("constant", "void", "nothing"):
        assert same(released.columns[name], table.columns[name])


@pytest.mark.parametrize("acronym", ["LINFAPT", "LINNAPT", "RNAT"])
@pytest.mark.parametrize("precision", [0, 2, None])
def test_a_constant_continuous_or_decimal_column(acronym: str, precision: int | None) -> None:
    table = table_of({"x": (number("x", 1.25, 1.25, precision), [1.25] * 5)})
    if precision == 0:
        table = table_of({"x": (number("x", 1, 1, precision), [1] * 5)})
    assert_same_columns(released_by(TECHNIQUES[acronym](), table, whole_table(table)), table)


@each_variant
def test_two_records(technique: Technique) -> None:
    table = table_of(
        {
            "count": (number("count", 1, 9), [1, 9]),
            "y": (number("y", 0.5, 0.75, None), [0.5, 0.75]),
            "job": (category("job", JOBS), [0, 1]),
            "k": (target("k", "no"), [0, 1]),
        }
    )
    if isinstance(technique, GENERALISING):
        with pytest.raises(InputError, match="cannot be made of 2; choose a smaller k"):
            released_by(technique, table, whole_table(table))
        return
    released = released_by(technique, table, whole_table(table))
    assert released.rows == 2
    assert set(released.columns) == set(table.columns)
    assert np.isfinite(released.columns["count"]).all()


@each_variant
def test_one_record_alone_in_its_segment(technique: Technique) -> None:
    table = mixed_table(2, 1)
    if isinstance(technique, GENERALISING):
        with pytest.raises(InputError, match="cannot be made of 1; choose a smaller k"):
            released_by(technique, table, whole_table(table))
        return
    released = released_by(technique, table, whole_table(table))
    assert released.rows == 1
    if isinstance(technique, Rpt | Swap | Alpt):
        assert_same_columns(released, table)


def test_a_sub_domain_of_one_value_changes_nothing() -> None:
    """x <= 4 and x > 3 leaves the value 4 alone on a grid of whole numbers."""
    nodes: list[dict[str, Any]] = [
        {
            "id": 0,
            "test": {"attribute": "x", "threshold": 4},
            "children": {"le": 1, "gt": 4},
            "counts": [4, 4],
        },
        {
            "id": 1,
            "test": {"attribute": "x", "threshold": 3},
            "children": {"le": 2, "gt": 3},
            "counts": [4, 0],
        },
    ]
    nodes += [{"id": leaf, "counts": [2, 2]} for leaf in (2, 3, 4)]
    forest = one_tree({"name": "x", "kind": "numeric", "integer": True}, nodes)
    values = [4, 4, 4, 1, 9] * 20
    table = table_of({"x": (number("x", 0, 10), values), "k": (target("k", "ab"), [0] * 100)})
    segments = intersections(table, forest)
    for name, technique in KEEPING.items():
        if technique.perturbs == "numeric":
            found = released_by(technique, table, segments).columns["x"]
            assert (found[np.array(values) == 4] == 4).all(), name
            assert not name.startswith("LINFAPT") or (found != values).any()


def test_columns_do_not_depend_on_each_others_techniques(table: Table, segments: Segments) -> None:
    """Alone, all at once, in reverse order, beside other techniques: always the same values."""
    steps = [
        step
        for technique in (Linfapt(), Linnapt(), Capt(), Rpt())
        for step in prepared(technique, table, segments)
    ]
    together = memory.run(table, steps, STREAMS, chunk_rows=300, threads=2)
    assert all(same(v, together[n]) for n, v in memory.run(table, steps[::-1], STREAMS).items())
    for name in together:
        own = [step for step in steps if name in step.perturber.attributes]
        assert same(memory.run(table, own, STREAMS)[name], together[name])
    others = [*prepared(Rnat(), table, segments), *prepared(Alpt(), table, segments)]
    capt = [step for step in steps if set(step.perturber.attributes) & {"city", "job", "nothing"}]
    beside = memory.run(table, [*others, *capt], STREAMS)
    assert all(same(beside[name], together[name]) for name in ("city", "job", "nothing"))


@pytest.mark.parametrize("technique", SEPARATE.values(), ids=SEPARATE)
def test_one_perturber_for_all_columns_equals_one_for_each(
    technique: Technique, table: Table, segments: Segments
) -> None:
    joint = PreparedStep(technique.prepare(table, columns_for(technique, table), segments), segments.ids)
    apart = memory.run(table, prepared(technique, table, segments), STREAMS)
    found = memory.run(table, [joint], STREAMS)
    assert [name for name in apart if not same(found[name], apart[name])] == []


def test_noise_of_two_columns_is_independent() -> None:
    rows = 20_000
    columns = {name: (number(name, 0, 1, None), [0.5] * rows) for name in ("x", "y")}
    table = table_of(columns)
    released = released_by(Linnapt(NoiseParameters(0.1)), table, whole_table(table))
    correlation = np.corrcoef(released.columns["x"], released.columns["y"])[0, 1]
    assert abs(correlation) < 4 / np.sqrt(rows)
