from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.releasing.engines.streaming.engine import Streaming
from hushwood.releasing.engines.streaming.exchange import write_all
from hushwood.releasing.perturb import perturb
from hushwood.tables.recoding.preparation import Preparation
from hushwood.tables.recoding.rare_levels import RareLevels, without_rare_levels
from support.long_releases import SIZES, STREAMS, Example, differing, examples, streamed


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Example:
    return examples(tmp_path_factory.mktemp("tables"))["mixed"]


def made(given: Example, folder: Path, recipe: str, rows: int = 50, **more: object) -> Streaming:
    options = replace(given.options(recipe, **{**SIZES["parts"], **more}), chunk_rows=rows)
    return Streaming(given.long, options, STREAMS, folder, memory=1 << 30)


def test_batches_are_in_the_order_of_the_table(given: Example, tmp_path: Path) -> None:
    with closing(made(given, tmp_path, "framework")) as streaming:
        streaming.learn()
        batches = list(streaming.batches())
    assert [batch.first for batch in batches] == list(range(0, given.table.rows, 50))
    for batch in batches:
        rows = np.arange(batch.first, batch.first + batch.original.rows)
        assert differing(batch.original, given.table.take(rows)) == []
    assert sum(batch.released.rows for batch in batches) == given.table.rows


def test_the_originals_can_be_read_again(given: Example, tmp_path: Path) -> None:
    with closing(made(given, tmp_path, "framework", 70)) as streaming:
        streaming.learn()
        list(streaming.batches())
        for number, table in enumerate(streaming.originals()):
            rows = np.arange(70 * number, 70 * number + table.rows)
            assert differing(table, given.table.take(rows)) == []


def test_what_is_said_afterwards_is_about_all_records(given: Example, tmp_path: Path) -> None:
    """The table of the outcome is the sample; segments are counted over all."""
    with closing(made(given, tmp_path, "forest-framework")) as streaming:
        streaming.learn()
        list(streaming.batches())
        perturbed = streaming.perturbed()
    assert perturbed.table.rows == perturbed.learnt.rows == 150
    assert perturbed.learnt.of == streaming.sizes.sum() == given.table.rows
    whole = perturb(given.table, given.options("forest-framework", **SIZES["parts"]), STREAMS)
    assert streaming.sizes.tolist() == whole.segments.sizes.tolist()
    assert differing(perturbed.table, whole.table.take(streaming.places)) == []


def test_a_forest_that_is_given_is_used(given: Example, tmp_path: Path) -> None:
    options = given.options("forest-framework")
    grown = perturb(given.table, options, STREAMS).forest
    with closing(Streaming(given.long, options, STREAMS, tmp_path, memory=1 << 30)) as streaming:
        streaming.learn(grown)
        assert streaming.fit.forest.trees == grown.trees


def test_progress_counts_records_and_parts(given: Example, tmp_path: Path) -> None:
    said: list[tuple[str, int, int]] = []
    options = replace(given.options("segment-shuffle", **SIZES["parts"]), chunk_rows=100)

    def stage(what: str, done: int, total: int) -> None:
        said.append((what, done, total))

    with closing(Streaming(given.long, options, STREAMS, tmp_path, memory=1 << 30, stage=stage)) as streaming:
        streaming.learn()
        list(streaming.batches())
    rows = given.table.rows
    for what in ("finding the segments", "changing the values"):
        counted = [(done, total) for text, done, total in said if text.startswith(what)]
        assert counted == [(100, rows), (200, rows), (rows, rows)]
    parts = [(done, total) for text, done, total in said if text.startswith("exchanging values")]
    assert parts == [(n, len(parts)) for n in range(1, len(parts) + 1)]
    assert len(parts) > 3
    assert [what for what, _, _ in said[:2]] == ["drawing the people", "growing the forest"]


def open_files(folder: Path) -> list[str]:
    held = [str(link.readlink()) for link in Path("/proc/self/fd").iterdir() if link.is_symlink()]
    return [path for path in held if path.startswith(str(folder))]


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="only Linux lists the files of a process")
def test_nothing_stays_open(given: Example, tmp_path: Path) -> None:
    """A file that is removed while it is open takes space on the disk until it is closed."""
    with closing(made(given, tmp_path, "segment-shuffle")) as streaming:
        streaming.learn()
        assert open_files(tmp_path)
        list(streaming.batches())
    assert open_files(tmp_path) == []
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 10_000
    with pytest.raises(InputError), closing(made(given, tmp_path, "suppress", suppress=())) as streaming:
        streaming.learn()
    assert open_files(tmp_path) == []


def test_a_disk_that_takes_a_little_at_a_time() -> None:
    """A write may be cut short; the rest must not be lost."""

    class Slow:
        def __init__(self) -> None:
            self.held = b""

        def write(self, data: memoryview) -> int:
            self.held += bytes(data[:3])
            return len(data[:3])

    slow = Slow()
    write_all(slow, b"abcdefgh")  # type: ignore[arg-type]
    assert slow.held == b"abcdefgh"


def test_only_permutations_are_given_their_columns_alone(given: Example, tmp_path: Path) -> None:
    for recipe, few in (("swap", True), ("segment-shuffle", False)):
        with closing(made(given, tmp_path, recipe)) as streaming:
            streaming.learn()
            steps = streaming.fit.steps
            read = steps.reads(steps.layouts[0])
        kept = {a.name for a in given.long.schema.kept}
        assert (set(read) < kept) if few else (set(read) == kept)


def test_rare_levels_are_grouped_before_anything_is_learnt(given: Example) -> None:
    counts = {
        a.name: np.array([given.long.counts[a.name].get(text, 0) for text in a.categories])
        for a in given.long.schema.inputs
        if a.kind == "categorical"
    }
    rare = RareLevels.of_counts(given.long.schema, counts, "group", 40)
    options = given.options("forest-framework", **SIZES["parts"])
    wanted = perturb(without_rare_levels(given.table, rare), options, STREAMS)
    assert rare.changed
    assert (
        differing(wanted.table, streamed(given.long.prepared(Preparation(rare=rare)), options, 77)[0]) == []
    )
