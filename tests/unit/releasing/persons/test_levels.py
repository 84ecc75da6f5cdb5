from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.persons.levels import (
    HIDDEN,
    by_level,
    dealt_parents,
    for_level,
    growing_table,
    level_tables,
    links_across,
    said_of_level,
)
from hushwood.releasing.perturb import perturb
from hushwood.releasing.planning import make_plan
from hushwood.tables.frames.table_frames import released_frame
from hushwood.tables.links.links import Combinations, Order
from hushwood.tables.persons.units import levels_of
from hushwood.tables.reading import read
from hushwood.tables.schema import Schema
from support.visits import CONSTANT, PERSON, STREAMS, VARYING, table_of_visits, visits


@given(
    st.lists(st.lists(st.integers(1, 4), min_size=1, max_size=4), min_size=1, max_size=4), st.integers(0, 99)
)
def test_every_parent_gets_its_children_in_its_own_segment(counts: list[list[int]], seed: int) -> None:
    chance = np.random.default_rng(seed)
    sizes = np.array([count for segment in counts for count in segment])
    segment_of = np.array([place for place, segment in enumerate(counts) for _ in segment])
    above = chance.permutation(np.repeat(np.arange(len(sizes)), sizes))
    children = sizes.copy()
    for segment in range(len(counts)):
        children[segment_of == segment] = chance.permutation(sizes[segment_of == segment])
    words = chance.integers(0, 2**63, len(above), dtype=np.uint64)
    found = dealt_parents(segment_of[above], above, children, words)
    assert np.bincount(found, minlength=len(sizes)).tolist() == children.tolist()
    assert segment_of[found].tolist() == segment_of[above].tolist()


def test_every_level_has_its_own_columns_and_those_above() -> None:
    table = table_of_visits()
    levels = levels_of(table)
    people, rows = level_tables(table, levels, hidden=False)
    assert people.own == CONSTANT
    assert rows.own == VARYING
    assert rows.above() == CONSTANT
    assert people.table.columns["sex"].tolist() == table.columns["sex"][levels[0].units.first].tolist()
    assert rows.table.columns["sex"].tolist() == table.columns["sex"].tolist()


def test_hidden_columns_say_what_the_rows_of_a_person_have_in_common() -> None:
    table = table_of_visits()
    people, rows = level_tables(table, levels_of(table), hidden=True)
    assert {name for name in people.own if HIDDEN in name} == {
        f"{HIDDEN}below 0",
        f"{HIDDEN}0 pressure",
        f"{HIDDEN}0 ward",
    }
    assert rows.own == VARYING
    counts = [
        int(people.table.schema[f"{HIDDEN}below 0"].categories[c])
        for c in people.table.columns[f"{HIDDEN}below 0"]
    ]
    assert counts == people.level.units.rows.tolist()


def test_trees_see_the_most_frequent_class_of_a_person() -> None:
    frame = pl.DataFrame({"patient": list("aaab"), "age": [40, 40, 40, 50], "ill": ["y", "n", "y", "n"]})
    table = table_of_visits(frame)
    growing = growing_table(table, levels_of(table)[0])
    assert growing.schema.names == ("age", "ill")
    assert [growing.schema["ill"].categories[code] for code in growing.columns["ill"]] == ["y", "n"]


def test_steps_are_those_of_the_level() -> None:
    table = table_of_visits()
    plan = make_plan(PerturbOptions(k=20), table.schema, 120)
    people, rows = level_tables(table, levels_of(table), hidden=True)
    own = for_level(plan, people.own, 1)
    (said,) = said_of_level(own, people, plan)
    assert said.attributes == CONSTANT
    assert said.per == "patient"
    assert "Each 'patient' counts as one record" in said.says_for(table.schema["age"])
    assert said.promise_for(table.schema["sex"]).per == "patient"
    (below,) = said_of_level(for_level(plan, rows.own, 3), rows, plan)
    assert (below.attributes, below.per) == (VARYING, "")
    assert getattr(below.technique, "k", None) == 20


def test_an_order_across_levels_is_kept_in_its_parts_within_one() -> None:
    levels = levels_of(table_of_visits())
    across, other = Order(("pressure", "ward", "age", "ill", "sex")), Combinations(("age", "ward"))
    assert by_level((across, other, Order(("age", "sex"))), levels) == (
        Order(("age", "ill", "sex")),
        Order(("pressure", "ward")),
        Order(("ward", "age")),
        other,
        Order(("age", "sex")),
    )


def test_links_between_levels_are_named() -> None:
    table = table_of_visits()
    schema = Schema(table.schema.attributes, links=(Order(("age", "pressure")), Order(("pressure",))))
    assert links_across(schema, levels_of(table)) == [("age", "pressure")]


def test_trees_see_the_mean_weight_of_a_person() -> None:
    frame = pl.DataFrame(
        {"patient": list("aab"), "age": [40, 40, 50], "w": [1.0, 3.0, 5.0], "ill": list("yyn")}
    )
    table = read(frame, target="ill", roles=PERSON, weight="w").table
    growing = growing_table(table, levels_of(table)[0])
    assert growing.weights is not None
    assert growing.weights.tolist() == [2.0, 5.0]


def spread(frame: pl.DataFrame) -> float:
    """The usual difference of the rows of a person."""
    return float(frame.group_by("patient").agg(pl.col("pressure").std())["pressure"].drop_nulls().mean())  # type: ignore[arg-type]


@pytest.mark.parametrize("technique", ["segment-shuffle", "forest-extended-framework"])
def test_a_number_that_only_one_person_has_is_blurred_in_however_many_rows(technique: str) -> None:
    draw, people, rows = np.random.default_rng(3), 150, 12
    who = np.repeat(np.arange(people), rows)
    price = np.round(draw.lognormal(6, 0.6, people), 2)
    other = np.round(draw.lognormal(6, 0.6, len(who)), 2)
    frame = pl.DataFrame(
        {
            "patient": who,
            "age": draw.integers(18, 90, people)[who],
            "cost": np.where(draw.random(len(who)) < 0.85, price[who], other),
            "ill": draw.choice(["yes", "no"], len(who)),
        }
    )
    released = perturb(table_of_visits(frame), PerturbOptions(technique), STREAMS).table.columns["cost"]
    assert np.isin(price, released).mean() < 0.3
    assert np.quantile(released, [0.2, 0.5, 0.8]) == pytest.approx(
        np.quantile(frame["cost"], [0.2, 0.5, 0.8]), rel=0.05
    )


@pytest.mark.parametrize(("redraw", "lost"), [(0, 0.1), (1, 0.2)])
def test_rows_of_a_released_person_resemble_each_other(redraw: float, lost: float) -> None:
    frame = visits(600)
    done = perturb(table_of_visits(frame), PerturbOptions(redraw=redraw), STREAMS)
    released = released_frame(done.table)
    assert spread(frame) < 3.5
    assert spread(released) < 5
    assert float(frame["pressure"].std()) > 9  # type: ignore[arg-type]
    before, after = (
        np.corrcoef(f.drop_nulls()["age"], f.drop_nulls()["pressure"])[0, 1] for f in (frame, released)
    )
    assert abs(before - after) < lost


def test_numbers_of_rows_are_handed_out_within_segments() -> None:
    frame = visits()
    done = perturb(table_of_visits(frame), PerturbOptions(), STREAMS)
    units = done.units
    assert units is not None
    assert units.of_row is not None
    segment = done.segments.ids[units.original.first]
    before, after = units.original.rows, np.bincount(units.of_row)
    assert (before != after).any()
    for place in np.unique(segment):
        assert sorted(before[segment == place]) == sorted(after[segment == place])
