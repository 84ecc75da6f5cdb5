"""Every recipe keeps the links between columns: no record breaks one that kept it before, and none leaves its rules."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.releasing.engines.streaming.engine import Streaming
from hushwood.releasing.fitted import joined
from hushwood.releasing.linking import keeps_links
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.perturb import perturb
from hushwood.releasing.planning import plan_for
from hushwood.releasing.recipes import RECIPES
from hushwood.tables.frames.storage import frame_from_table
from hushwood.tables.long.table import read_long
from hushwood.tables.reading import read
from hushwood.tables.resampling import resampled
from hushwood.tables.table import Table
from hushwood.trees.routing import leaves_reached
from oracles.links import broken
from support.linked_tables import LINKED_TABLES, Linked
from support.long_releases import STREAMS, differing

# Together these have links of every kind.
SOME_TABLES = ("claims", "patients", "rents")
SOME_RECIPES = ("segment-shuffle", "forest-framework", "extended-framework", "cart-synthesis")
OTHER_RECIPES = tuple(recipe for recipe in RECIPES if recipe not in SOME_RECIPES)
ASKED: dict[str, dict[str, Any]] = {
    "suppress": {"suppress": ("age >= 80",)},
    "coarsen": {"coarsen": ("age: 5",)},
}
NOTHING = "finds (no column to work on|nothing to change) in this table"


def table_of(given: Linked) -> Table:
    table = read(given.frame, target=given.target).of_present_categories().table
    return replace(table, schema=replace(table.schema, links=given.links))


def check(name: str, recipe: str, target: str | None = None) -> None:
    given = LINKED_TABLES[name]()
    table = table_of(given if target is None else given._replace(target=target))
    options = (
        PerturbOptions(recipe, noise=0.3, **ASKED.get(recipe, {}))
        if recipe != "segment-shuffle"
        else (PerturbOptions(recipe, teacher="tree"))
    )
    if not keeps_links(plan_for(options, table), table.schema):
        assert any(step.technique.promise.values == "generalised" for step in plan_for(options, table).steps)
        return
    try:
        done = perturb(table, options, STREAMS)
    except InputError as nothing:
        assert "nothing to change" in str(nothing)
        return
    if options.drawn:
        table = resampled(table, STREAMS)[0]
    before, after = (frame_from_table(one).to_dicts() for one in (table, done.table))
    assert set(done.plan.links) == set(given.links)
    for link in given.links:
        assert broken(link, after, before) <= broken(link, before, before), link
    if done.plan.keeps_segments and done.plan.over != "table":
        for one, other in zip(*(leaves_reached(done.forest, t) for t in (table, done.table)), strict=True):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("recipe", SOME_RECIPES)
@pytest.mark.parametrize("name", LINKED_TABLES)
def test_recipes_of_every_family_keep_all_planted_links(name: str, recipe: str) -> None:
    check(name, recipe)


@pytest.mark.parametrize("recipe", OTHER_RECIPES)
def test_every_other_recipe_keeps_links(recipe: str) -> None:
    """One table each, all in turn."""
    check(list(LINKED_TABLES)[OTHER_RECIPES.index(recipe) % len(LINKED_TABLES)], recipe)


@pytest.mark.slow
@pytest.mark.parametrize("recipe", OTHER_RECIPES)
@pytest.mark.parametrize("name", LINKED_TABLES)
def test_all_recipes_on_all_tables(name: str, recipe: str) -> None:
    check(name, recipe)


@pytest.mark.parametrize("recipe", [recipe for recipe in SOME_RECIPES if recipe != "extended-framework"])
@pytest.mark.parametrize(("name", "target"), [("cities", "state"), ("grades", "word")])
def test_a_class_follows_like_any_column(name: str, target: str, recipe: str) -> None:
    check(name, recipe, target)


def test_without_links_they_would_break() -> None:
    """So that the tests above say something."""
    given = LINKED_TABLES["claims"]()
    table = table_of(given)
    without = replace(table, schema=replace(table.schema, links=()))
    done = perturb(without, PerturbOptions("forest-framework"), STREAMS)
    before, after = (frame_from_table(one).to_dicts() for one in (table, done.table))
    assert all(broken(link, after, before) > 100 for link in given.links)


@pytest.mark.parametrize("recipe", SOME_RECIPES)
@pytest.mark.parametrize("name", SOME_TABLES)
def test_streaming_gives_the_values_of_memory(name: str, recipe: str, tmp_path: Path) -> None:
    given = LINKED_TABLES[name]()
    path = tmp_path / "table.parquet"
    given.frame.write_parquet(path)
    long = read_long(path, tmp_path, {"target": given.target}).records
    long = replace(long, schema=replace(long.schema, links=given.links))
    told: dict[str, Any] = {"teacher": "tree"} if recipe == "segment-shuffle" else {}
    few: dict[str, Any] = {"part_rows": 300, "forest_rows": 900}
    for sizes in (few, {}):
        options = PerturbOptions(recipe, threads=2, **sizes, **told)
        wanted = perturb(table_of(given), options, STREAMS)
        scratch = tmp_path / f"scratch-{len(sizes)}"
        scratch.mkdir()
        how = replace(options, chunk_rows=170)
        with closing(Streaming(long, how, STREAMS, scratch, memory=1 << 30)) as streaming:
            streaming.learn()
            released = joined([batch.released for batch in streaming.batches()])
            perturbed = streaming.perturbed()
        assert differing(wanted.table, released) == []
        assert perturbed.plan.promises(long.schema) == wanted.plan.promises(long.schema)
