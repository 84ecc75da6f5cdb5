from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

from hushwood.random_streams import Rows, Streams
from hushwood.releasing.engines import memory
from hushwood.releasing.fitted import joined, part_table
from hushwood.releasing.fitting import Fit, Fitting, Sample
from hushwood.releasing.forest_for import sampled_rows
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.perturb import perturb
from hushwood.releasing.recipes import RECIPES
from hushwood.segments.partition import columns_tested
from hushwood.tables.resampling import resampled
from hushwood.tables.table import Table
from support.long_releases import SIZES, STREAMS, Example, differing, examples
from support.mixed_tables import mixed_table


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Example:
    return examples(tmp_path_factory.mktemp("tables"))["mixed"]


def fitting_of(
    table: Table, options: PerturbOptions, ids: Rows | None = None, streams: Streams = STREAMS
) -> Fitting:
    ids = range(table.rows) if ids is None else ids
    places = sampled_rows(ids, options.forest_rows, streams)
    return Fitting.of(Sample.at(places, table, ids), options, streams)


def fit_of(fitting: Fitting, table: Table) -> Fit:
    """The fit for all segments of the table, which come in two batches."""
    found = fitting.found()
    if fitting.plan.over != "table":
        for rows in np.array_split(np.arange(table.rows), 2)[::-1]:
            found.add(table.take(rows).columns, len(rows))
    return fitting.fit(found).taught(fitting.sample, STREAMS)


def applied(fit: Fit, table: Table, row_ids: Rows) -> Table:
    ids = fit.ids(fit.keys(table.columns, table.rows))
    fit = replace(fit, segments=replace(fit.segments, ids=ids))
    changed = memory.change(table, fit, row_ids, STREAMS)
    return table.with_columns(changed.columns, changed.outcomes.schema)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("recipe", RECIPES)
def test_a_fit_that_was_sent_elsewhere_gives_the_values_of_perturb(
    recipe: str, size: str, given: Example
) -> None:
    """With plain pickle, as Spark and process pools send things."""
    table, options = given.table, given.options(recipe, **SIZES[size])
    wanted = perturb(table, options, STREAMS)
    ids: Rows = range(table.rows)
    if options.drawn:
        table, ids = resampled(table, STREAMS)
    fit = fit_of(fitting_of(table, options, ids), table)
    sent = pickle.loads(pickle.dumps(fit))  # noqa: S301 - our own
    assert differing(applied(sent, table, ids), wanted.table) == []
    assert fit.learnt.sampled == wanted.learnt.sampled == (size == "parts")


@pytest.mark.parametrize("recipe", ["segment-shuffle", "forest-framework", "framework", "extended-framework"])
def test_a_fit_does_not_grow_with_the_table(recipe: str, given: Example) -> None:
    """Twenty times as many records of the same kind: only what was learnt on the sample is sent."""
    sizes = []
    for rows in (600, 12_000):
        table = mixed_table(8, rows)
        options = given.options(recipe, part_rows=300, forest_rows=400, min_leaf=40)
        fit = fit_of(fitting_of(table, options), table)
        sizes.append(len(pickle.dumps(fit.steps)))
    assert sizes[1] < 1.5 * sizes[0]


def test_keys_and_numbers_of_segments_do_not_depend_on_the_batch(given: Example) -> None:
    table, options = given.table, given.options("forest-framework", **SIZES["parts"])
    fit = fit_of(fitting_of(table, options), table)
    whole = fit.ids(fit.keys(table.columns, table.rows))
    assert whole.max() == fit.index.count - 1 > 3
    for rows in np.array_split(np.random.default_rng(2).permutation(table.rows), 7):
        part = table.take(rows)
        assert fit.ids(fit.keys(part.columns, part.rows)).tolist() == whole[rows].tolist()


def test_segments_that_the_sample_lacks_get_numbers_and_boxes(given: Example) -> None:
    table, options = given.table, given.options("forest-framework", forest_rows=40, part_rows=60, min_leaf=3)
    fitting = fitting_of(table, options)
    before, after = fitting.fit(fitting.found()), fit_of(fitting, table)
    assert after.index.count > before.index.count
    assert set(before.index.keys.tolist()) < set(after.index.keys.tolist())
    assert len(after.segments.ids) == 40
    price = after.segments.intervals["price"]
    assert len(price.low) == after.index.count


def test_another_key_gives_another_sample(given: Example) -> None:
    options = given.options("framework", forest_rows=100)
    found = {
        tuple(fitting_of(given.table, options, streams=Streams(bytes([n]) * 32)).sample.row_ids)
        for n in range(3)
    }
    assert len(found) == 3


def test_a_table_that_no_tree_divides_has_one_segment(given: Example) -> None:
    usual = fitting_of(given.table, given.options("swap"))
    fitting = replace(usual, plan=replace(usual.plan, over="table"))
    fit = fit_of(fitting, given.table)
    assert (fit.segments.count, fit.ids(fit.keys({}, 5)).tolist()) == (1, [0] * 5)


def test_only_columns_that_trees_test_decide_the_segment(given: Example) -> None:
    fitting = fitting_of(given.table, given.options("forest-framework"))
    fit = fit_of(fitting, given.table)
    some = {name: given.table.columns[name] for name in columns_tested(fitting.forest)}
    assert 0 < len(some) < len(given.table.columns)
    keys = fit.keys(some, given.table.rows)
    assert np.array_equal(keys, fit.keys(given.table.columns, given.table.rows))


def test_records_are_put_together_again(given: Example) -> None:
    table = given.table
    halves = [table.take(rows) for rows in np.array_split(np.arange(table.rows), 3)]
    whole = joined(halves)
    assert (whole.rows, whole.carried.to_dicts()) == (table.rows, table.carried.to_dicts())
    assert differing(whole, table) == []
    some = part_table(table.schema, {"city": table.columns["city"][:5]}, 5)
    assert (some.schema.names, some.rows) == (("city",), 5)
