"""Rules, plans and promises for tables whose columns are linked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.releasing.certificate import Claims, certify
from hushwood.releasing.linking import for_trees, free_segments, linked_columns, linked_noise
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.perturb import perturb
from hushwood.releasing.planning import plan_for
from hushwood.segments.partition import intersections
from hushwood.tables.frames.storage import frame_from_table
from hushwood.tables.links.linked_columns import LinkedColumns
from hushwood.tables.links.links import Order
from hushwood.tables.reading import read_table
from hushwood.tables.resampling import resampled
from hushwood.tables.table import Table
from hushwood.trees.model_file import forest_to_json
from support import linked_tables
from support.linked_tables import Linked

STREAMS = Streams(bytes(range(32)))


def table_of(name: str) -> Table:
    given: Linked = getattr(linked_tables, name)()
    table = read_table(given.frame, target=given.target)
    return replace(table, schema=replace(table.schema, links=given.links))


def linked(table: Table, recipe: str = "forest-framework") -> LinkedColumns:
    plan = plan_for(PerturbOptions(recipe), table)
    return linked_columns(table.schema, plan, [table.columns], table.columns)


def test_recipes_that_release_ranges_have_no_links_to_keep() -> None:
    table = table_of("cities")
    assert linked(table).any
    assert not linked(table, "mondrian").any


def test_trees_do_not_test_totals() -> None:
    table = table_of("claims")
    assert "cost" not in for_trees(table, linked(table)).schema.names
    done = perturb(table, PerturbOptions("forest-framework"), STREAMS)
    assert "cost" not in {a.name for a in done.forest.attributes}


def test_a_given_forest_that_tests_a_total_is_refused() -> None:
    table = table_of("wages")
    without = replace(table, schema=replace(table.schema, links=()))
    only = tuple(a for a in without.schema.attributes if a.name in ("pay", "outcome"))
    few = replace(without, schema=replace(without.schema, attributes=only))
    forest = perturb(few, PerturbOptions("framework", min_leaf=20), STREAMS).forest
    assert len(forest.trees[0]) > 1
    with pytest.raises(InputError, match="tests 'pay', which is computed from other columns"):
        perturb(table, PerturbOptions("framework"), STREAMS, forest)


def test_boxes_of_combinations_are_those_of_their_columns() -> None:
    table = table_of("cities")
    columns = linked(table)
    forest = perturb(table, PerturbOptions("framework", min_leaf=20), STREAMS).forest
    segments = intersections(table, forest)
    boxes, free = free_segments(segments, columns), columns.free_table(table)
    assert segments.count > 1
    allowed = boxes.allowed["city & state"]
    own = allowed.sets[allowed.of_segment[segments.ids]]
    codes = free.columns["city & state"]
    assert own[np.arange(table.rows), codes].all(), "every record is inside its own box"
    combined = columns.seen.combined[columns.structure.together[0]]
    for segment in range(segments.count):
        for place, name in enumerate(("city", "state")):
            real = segments.allowed[name]
            permitted = real.sets[real.of_segment[segment]][combined.codes[:, place]]
            assert not (allowed.sets[allowed.of_segment[segment]][:-1] & ~permitted).any()


def test_ranges_of_numbers_before_others_leave_these_room() -> None:
    table = table_of("rents")
    columns = linked(table)
    forest = perturb(table, PerturbOptions("forest-framework"), STREAMS).forest
    segments = intersections(table, forest)
    boxes = free_segments(segments, columns)
    assert (boxes.intervals["lowest"].high <= segments.intervals["highest"].high).all()
    values = np.rint(table.columns["lowest"] * 100)
    assert (values <= boxes.intervals["lowest"].high[segments.ids]).all()


def test_noise_of_a_number_after_others_is_that_of_its_distance() -> None:
    table = table_of("stays")
    options = PerturbOptions("forest-framework", noise_by_column={"went": 0.1, "age": 0.2})
    assert linked_noise(options, linked(table)).noise_by_column == {"went - came": 0.1, "age": 0.2}
    assert perturb(table, options, STREAMS).table.rows == table.rows


@pytest.mark.parametrize("recipe", ["segment-shuffle", "forest-framework", "framework", "extended-framework"])
@pytest.mark.parametrize("name", ["stays", "rents", "cities", "wages", "patients", "claims"])
def test_promises_and_rules_hold_for_linked_columns(name: str, recipe: str) -> None:
    table, options = table_of(name), PerturbOptions(recipe)
    done = perturb(table, options, STREAMS)
    if options.drawn:
        table = resampled(table, STREAMS)[0]
    promises = done.plan.promises(table.schema)
    certificate = certify(
        table,
        frame_from_table(done.table),
        forest_to_json(done.forest),
        Claims(done.plan.keeps_segments, promises, done.paired),
    )
    certificate.check()
    assert certificate.kept == table.rows


def test_the_plan_speaks_of_the_columns_of_the_table() -> None:
    table = table_of("claims")
    done = perturb(table, PerturbOptions("segment-shuffle"), STREAMS)
    said = {name: step["says"] for step in done.plan.described(table.schema) for name in step["columns"]}
    assert set(said) == {a.name for a in table.schema.kept}
    assert said["cost"].startswith("Computed again as the sum of fee and paid.")
    assert said["region"].startswith("Changes together with branch.")
    assert said["reported"].startswith("Computed again: never below happened;")
    assert done.plan.copied(table.schema) == ()
    assert not done.laws_hold, "laws are about distances, which no one sees"


def test_links_that_contradict_each_other_are_named() -> None:
    table = table_of("rents")
    links = (*table.schema.links, Order(("highest", "lowest")))
    contradicting = replace(table, schema=replace(table.schema, links=links))
    done = perturb(contradicting, PerturbOptions("forest-framework"), STREAMS)
    assert any("highest, lowest cannot be kept" in warning for warning in done.warnings)
    assert frame_from_table(done.table).height == table.rows
