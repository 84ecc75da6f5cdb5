"""Every recipe gives the same values in memory and by streaming, whatever the batches, in one part or in many."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from hushwood.errors import InputError
from hushwood.releasing.perturb import perturb
from hushwood.releasing.perturbed import Perturbed
from hushwood.releasing.recipes import RECIPES
from hushwood.tables.table import Table
from support.long_releases import SIZES, STREAMS, Example, cells, differing, examples, streamed

BATCHES = (37, 5_000)  # many that do not come out even, and one
# These have nothing to do in one of the tables.
CATEGORICAL = {"capt", "rc", "swap", "pram", "ipram", "warner", "frapp", "subattributes", "drswap", "reiss"}
IDLE = {"numeric": CATEGORICAL, "mixed": set[str]()}
NOTHING = "finds (no column to work on|nothing to change) in this table"

each_recipe = pytest.mark.parametrize("recipe", RECIPES)
each_size = pytest.mark.parametrize("size", SIZES)
each_table = pytest.mark.parametrize("name", ["mixed", "numeric"])


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Example]:
    return examples(tmp_path_factory.mktemp("tables"))


@each_table
@each_size
@each_recipe
def test_streaming_gives_the_values_of_memory(
    recipe: str, size: str, name: str, tables: dict[str, Example]
) -> None:
    given = tables[name]
    options = given.options(recipe, **SIZES[size])
    if recipe in IDLE[name]:
        with pytest.raises(InputError, match=NOTHING):
            perturb(given.table, options, STREAMS)
        with pytest.raises(InputError, match=NOTHING):
            streamed(given.long, options, 50)
        return
    wanted = perturb(given.table, options, STREAMS)
    check_counts(given.table, wanted)
    assert wanted.learnt.sampled == (size == "parts")
    assert size == "parts" or wanted.learnt.parts == 1
    for rows in BATCHES:
        table, perturbed = streamed(given.long, options, rows)
        assert differing(wanted.table, table) == []
        assert perturbed.learnt == wanted.learnt
        assert perturbed.labels == wanted.labels
        assert perturbed.segments.count == wanted.segments.count
        if size == "whole":
            assert perturbed.warnings == wanted.warnings


def check_counts(original: Table, perturbed: Perturbed) -> None:
    """Values that are handed out again keep their counts exactly, in every segment or in the table."""
    released = perturbed.table
    for name, promise in perturbed.plan.promises(original.schema).items():
        if promise.values == "dealt" and not promise.lone_moves and name in original.columns:
            within = perturbed.segment_ids if promise.within == "segment" else np.zeros(original.rows, int)
            counts = [
                pl.DataFrame({"within": within, "value": pl.Series(cells(t, name).tolist(), strict=False)})
                .group_by("within", "value")
                .len()
                .sort("within", "value", nulls_last=True)
                for t in (original, released)
            ]
            assert_frame_equal(*counts)


def test_the_tables_have_segments_and_fall_into_parts(tables: dict[str, Example]) -> None:
    """So that the comparison above says something."""
    for name, given in tables.items():
        done = perturb(given.table, given.options("forest-framework", **SIZES["parts"]), STREAMS)
        assert done.segments.count > 4, name
        shuffled = perturb(given.table, given.options("segment-shuffle", **SIZES["parts"]), STREAMS)
        assert shuffled.learnt.parts > 3, name
        assert shuffled.learnt.sampled
    assert any(np.isnan(v).any() for v in tables["mixed"].table.columns.values() if v.dtype.kind == "f")


def test_counts_that_changed_would_be_noticed(tables: dict[str, Example]) -> None:
    given = tables["mixed"]
    done = perturb(given.table, given.options("swap"), STREAMS)
    check_counts(given.table, done)
    city = done.table.columns["city"].copy()
    place = int(np.flatnonzero(city == 0)[0])
    city[place] = 1
    broken = done.table.with_columns({"city": city})
    with pytest.raises(AssertionError):
        check_counts(
            given.table, Perturbed(**{**{f: getattr(done, f) for f in done.__slots__}, "table": broken})
        )


@each_table
@each_size
@pytest.mark.parametrize("redraw", [0, 0.5, 3])
def test_however_much_is_drawn(redraw: float, size: str, name: str, tables: dict[str, Example]) -> None:
    """Exact counts, and other noise than the usual: in every part the same people and counts."""
    given = tables[name]
    options = given.options("segment-shuffle", redraw=redraw, **SIZES[size])
    wanted = perturb(given.table, options, STREAMS)
    check_counts(given.table, wanted)
    assert wanted.paired == (redraw == 0)
    usual = perturb(given.table, replace(options, redraw=1), STREAMS)
    assert set(differing(wanted.table, usual.table)) >= {given.number, given.target}
    for rows in BATCHES:
        table, perturbed = streamed(given.long, options, rows)
        assert differing(wanted.table, table) == []
        assert perturbed.options == replace(wanted.options, chunk_rows=rows)


@pytest.mark.parametrize("redraw", [0, 1])
@pytest.mark.parametrize("teacher", ["ensemble", "none"])
def test_other_teachers_too(teacher: str, redraw: float, tables: dict[str, Example]) -> None:
    given = tables["mixed"]
    options = given.options("segment-shuffle", teacher=teacher, redraw=redraw, **SIZES["parts"])
    wanted = perturb(given.table, options, STREAMS)
    assert differing(wanted.table, streamed(given.long, options, 90)[0]) == []


def test_cells_that_are_blanked_afterwards(tables: dict[str, Example]) -> None:
    given = tables["mixed"]
    for recipe in ("framework", "cart-synthesis"):
        options = given.options(recipe, suppress=("count > 15 : *",), **SIZES["parts"])
        wanted = perturb(given.table, options, STREAMS)
        assert differing(wanted.table, streamed(given.long, options, 90)[0]) == []
        assert np.isnan(wanted.table.columns["price"]).sum() > np.isnan(given.table.columns["price"]).sum()


def test_carried_columns_stay_with_their_rows(tables: dict[str, Example]) -> None:
    given = tables["mixed"]
    table, _ = streamed(given.long, given.options("swap", **SIZES["parts"]), 61)
    assert table.carried["note"].to_list() == [f"n{row}" for row in range(given.table.rows)]


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_change_nothing(threads: int, tables: dict[str, Example]) -> None:
    given = tables["mixed"]
    for recipe in ("segment-shuffle", "forest-framework", "mdav"):
        options = given.options(recipe, **SIZES["parts"])
        wanted = perturb(given.table, options, STREAMS)
        other = replace(options, threads=threads)
        assert differing(wanted.table, streamed(given.long, other, 40)[0]) == []
        assert differing(wanted.table, perturb(given.table, other, STREAMS).table) == []
