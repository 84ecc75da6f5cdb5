"""Spark promises the values of every other engine, row by row, however the table is cut into blocks and parts."""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from hushwood.errors import InputError
from hushwood.releasing.engines.streaming.engine import Streaming
from hushwood.releasing.fitted import joined
from hushwood.releasing.fitting import Fitting, Sample
from hushwood.releasing.forest_for import sampled_rows
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.perturb import perturb
from hushwood.releasing.recipes import RECIPES
from hushwood.tables.frames.table_frames import released_frame
from hushwood.tables.long.table import read_long
from hushwood.tables.reading import read
from support.people_files import HEADER, people
from support.spark_runs import STREAMS, cluster_of_two, needs_spark, released_on_spark

ROWS = 400
FEW = ("segment-shuffle", "forest-framework", "extended-framework", "mondrian")
PARTITIONINGS = (57, 210, 5000)
GIVEN: dict[str, dict[str, Any]] = {
    "suppress": {"suppress": ("age > 60",)},
    "coarsen": {"coarsen": ("age: 5",)},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two files that together are one table."""
    place = tmp_path_factory.mktemp("people")
    frame = pl.DataFrame(people(ROWS), schema=list(HEADER), orient="row")
    frame = frame.with_columns(pl.col("age").cast(pl.Int64), pl.col("score").cast(pl.Float64))
    frame[:150].write_parquet(place / "a.parquet")
    frame[150:].write_parquet(place / "b.parquet")
    return place


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with cluster_of_two() as made:
        yield made


def options_for(recipe: str) -> PerturbOptions:
    return PerturbOptions(recipe, part_rows=90, forest_rows=200, **GIVEN.get(recipe, {}))


def in_memory(folder: Path, options: PerturbOptions) -> pl.DataFrame | None:
    """The released rows; None if the recipe is not for this table."""
    table = read(pl.read_parquet(folder / "*.parquet"), target="ill").of_present_categories().table
    try:
        return released_frame(perturb(table, options, STREAMS).table)
    except InputError:
        return None


def streamed(folder: Path, options: PerturbOptions) -> pl.DataFrame:
    with tempfile.TemporaryDirectory() as scratch:
        table = read_long(folder, Path(scratch), {"target": "ill"}).records
        streaming = Streaming(table, replace(options, chunk_rows=130), STREAMS, Path(scratch), memory=1 << 30)
        try:
            streaming.learn()
            return released_frame(joined([batch.released for batch in streaming.batches()]))
        finally:
            streaming.close()


def assert_same(found: pl.DataFrame, wanted: pl.DataFrame) -> None:
    assert found.columns == wanted.columns
    for name in wanted.columns:
        texts = found[name].dtype != wanted[name].dtype
        pair = [frame[name].cast(pl.String) if texts else frame[name] for frame in (found, wanted)]
        assert pair[0].equals(pair[1], null_equal=True), name


def check_recipe(cluster: Any, folder: Path, recipe: str) -> None:
    options = options_for(recipe)
    wanted = in_memory(folder, options)
    if wanted is None:
        return
    assert_same(streamed(folder, options), wanted)
    for rows in PARTITIONINGS:
        assert_same(released_on_spark(cluster, folder, "ill", options, rows), wanted)


@needs_spark
@pytest.mark.parametrize(
    "recipe", [*FEW[:2], *(pytest.param(name, marks=pytest.mark.thorough) for name in FEW[2:])]
)
def test_values_are_those_of_the_other_engines(cluster: Any, folder: Path, recipe: str) -> None:
    check_recipe(cluster, folder, recipe)


@needs_spark
@pytest.mark.slow
@pytest.mark.parametrize("recipe", [name for name in RECIPES if name not in FEW])
def test_values_of_every_recipe(cluster: Any, folder: Path, recipe: str) -> None:
    check_recipe(cluster, folder, recipe)


@needs_spark
def test_permuted_values_keep_their_counts(cluster: Any, folder: Path) -> None:
    before = pl.read_parquet(folder / "*.parquet")
    after = released_on_spark(cluster, folder, "ill", options_for("forest-framework"), 57)
    assert not after["ill"].equals(before["ill"])
    assert after["ill"].sort().equals(before["ill"].sort())


@pytest.mark.parametrize("recipe", RECIPES)
def test_what_was_fitted_can_be_sent_to_another_process(folder: Path, recipe: str) -> None:
    table = read(pl.read_parquet(folder / "*.parquet"), target="ill").of_present_categories().table
    options = options_for(recipe)
    places = sampled_rows(range(table.rows), options.forest_rows, STREAMS)
    assert places is not None
    try:
        fitting = Fitting.of(Sample.at(places, table), options, STREAMS)
        found = fitting.found()
        found.add(table.columns, table.rows)
        fit = fitting.fit(found).taught(fitting.sample, STREAMS)
    except InputError:
        return
    sent = pickle.loads(pickle.dumps(fit))  # noqa: S301 - our own bytes
    ids, rows = fit.ids(fit.keys(table.columns, table.rows)), np.arange(table.rows)
    here = fit.steps.change_rows(table.columns, ids, rows, STREAMS)
    there = sent.steps.change_rows(table.columns, ids, rows, STREAMS)
    assert here.keys() == there.keys()
    for name, values in here.items():
        assert np.array_equal(values, there[name], equal_nan=values.dtype.kind == "f")
