"""Every recipe keeps the links between columns: no record breaks one that kept it before, and none leaves its rules."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.releasing.engines.streaming import Streaming
from hushwood.releasing.fitting import joined
from hushwood.releasing.linking import keeps_links
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.perturb import perturb
from hushwood.releasing.recipes import RECIPES
from hushwood.tables.frames.table_frames import frame_from_table
from hushwood.tables.long.table import read_long
from hushwood.tables.reading import read
from hushwood.tables.table import Table
from hushwood.trees.routing import leaves_reached
from oracles.links import broken
from support import linked_tables
from support.linked_tables import Linked
from support.long_releases import STREAMS, differing

OTHER_TABLES = ("cities", "areas", "grades", "wares", "stays", "wages", "cases", "workers", "households")
# Together these have links of every kind.
SOME_TABLES = ("claims", "patients", "rents")
SOME_RECIPES = ("segment-shuffle", "forest-framework", "extended-framework", "cart-synthesis")
ASKED: dict[str, dict[str, Any]] = {
    "suppress": {"suppress": ("age >= 80",)},
    "coarsen": {"coarsen": ("age: 5",)},
}
NOTHING = "finds (no column to work on|nothing to change) in this table"


def table_of(given: Linked) -> Table:
    table = read(given.frame, target=given.target).of_present_categories().table
    return replace(table, schema=replace(table.schema, links=given.links))


def check(name: str, recipe: str) -> None:
    given: Linked = getattr(linked_tables, name)()
    table = table_of(given)
    options = (
        PerturbOptions(recipe, noise=0.3, **ASKED.get(recipe, {}))
        if recipe != "segment-shuffle"
        else (PerturbOptions(recipe, teacher="tree"))
    )
    if not keeps_links(options.plan(table), table.schema):
        assert any(step.technique.promise.values == "generalised" for step in options.plan(table).steps)
        return
    try:
        done = perturb(table, options, STREAMS)
    except InputError as nothing:
        assert "nothing to change" in str(nothing)
        return
    before, after = (frame_from_table(one).to_dicts() for one in (table, done.table))
    for link in given.links:
        assert broken(link, after, before) <= broken(link, before, before), link
    if done.plan.keeps_segments and done.plan.over != "table":
        for one, other in zip(*(leaves_reached(done.forest, t) for t in (table, done.table)), strict=True):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("recipe", RECIPES)
@pytest.mark.parametrize("name", SOME_TABLES)
def test_every_recipe_keeps_links_of_every_kind(name: str, recipe: str) -> None:
    check(name, recipe)


@pytest.mark.parametrize("recipe", SOME_RECIPES)
@pytest.mark.parametrize("name", OTHER_TABLES)
def test_the_links_of_other_tables_too(name: str, recipe: str) -> None:
    check(name, recipe)


@pytest.mark.slow
@pytest.mark.parametrize("recipe", [recipe for recipe in RECIPES if recipe not in SOME_RECIPES])
@pytest.mark.parametrize("name", OTHER_TABLES)
def test_all_recipes_on_all_tables(name: str, recipe: str) -> None:
    check(name, recipe)


def test_without_links_they_would_break() -> None:
    """So that the tests above say something."""
    given: Linked = linked_tables.claims()
    table = table_of(given)
    without = replace(table, schema=replace(table.schema, links=()))
    done = perturb(without, PerturbOptions("forest-framework"), STREAMS)
    before, after = (frame_from_table(one).to_dicts() for one in (table, done.table))
    assert all(broken(link, after, before) > 100 for link in given.links)


@pytest.mark.parametrize("recipe", SOME_RECIPES)
@pytest.mark.parametrize("name", SOME_TABLES)
def test_streaming_gives_the_values_of_memory(name: str, recipe: str, tmp_path: Path) -> None:
    given: Linked = getattr(linked_tables, name)()
    path = tmp_path / "table.parquet"
    given.frame.write_parquet(path)
    long = read_long(path, tmp_path, {"target": given.target}).table
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
            streaming.fit()
            released = joined([batch.released for batch in streaming.batches()])
            perturbed = streaming.perturbed()
        assert differing(wanted.table, released) == []
        assert perturbed.plan.promises(long.schema) == wanted.plan.promises(long.schema)
