from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.tables.long.files import ParquetFiles, expected_bytes, files_in, rebatched


@given(st.lists(st.integers(0, 9), max_size=8), st.integers(1, 12))
def test_the_same_rows_in_frames_of_one_size(sizes: list[int], size: int) -> None:
    ends = np.cumsum([0, *sizes]).tolist()
    frames = [pl.DataFrame({"x": range(a, b)}, schema={"x": pl.Int64}) for a, b in pairwise(ends)]
    found = list(rebatched(frames, size))
    assert [row for frame in found for row in frame["x"].to_list()] == list(range(ends[-1]))
    assert all(frame.height == size for frame in found[:-1])
    assert all(0 < frame.height <= size for frame in found)


@pytest.fixture
def files(tmp_path: Path) -> ParquetFiles:
    for number, (begin, end) in enumerate(((0, 10), (10, 11), (11, 40))):
        rows = range(begin, end)
        frame = pl.DataFrame(
            {"x": rows, "^odd.*$": [str(n) for n in rows], "t": ["?" if n % 9 == 0 else "a" for n in rows]}
        )
        frame.write_parquet(tmp_path / f"[{number}]*.parquet", row_group_size=4)
    return ParquetFiles.of(sorted(tmp_path.iterdir()), ("?",))


@pytest.mark.parametrize("size", [1, 7, 40, 1000])
def test_batches_know_their_first_row(files: ParquetFiles, size: int) -> None:
    assert files.total == 40
    for first, frame in files.frames(size, ["^odd.*$", "x"]):
        assert frame.columns == ["^odd.*$", "x"]
        assert frame["x"].to_list() == list(range(first, min(first + size, 40)))


def test_texts_that_stand_for_missing_values_are_missing(files: ParquetFiles) -> None:
    assert [frame["t"].null_count() for _, frame in files.frames(40)] == [5]


def test_rows_at_some_places(files: ParquetFiles) -> None:
    places = np.array([0, 9, 10, 11, 39])
    assert files.at(places, 6)["x"].to_list() == places.tolist()
    assert files.at(np.zeros(0, np.int64), 6).height == 0
    for first, count in ((0, 40), (9, 3), (10, 1), (38, 2)):
        assert files.rows_from(first, count)["x"].to_list() == list(range(first, first + count))


def test_a_corrupt_row_group_names_its_file(files: ParquetFiles) -> None:
    broken = files.paths[2]
    data = bytearray(broken.read_bytes())
    data[len(data) // 4 : len(data) // 4 + 200] = bytes(200)
    broken.write_bytes(bytes(data))
    with pytest.raises(InputError, match=r"\[2\]\*\.parquet is a damaged Parquet file"):
        list(files.frames(5))


def test_files_are_taken_in_the_order_of_their_paths(tmp_path: Path) -> None:
    for name in ("b.csv", "a.csv", "sub/c.csv", "_x/d.csv", ".e.csv", "f.md", "G.CSV"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    found = [path.relative_to(tmp_path).as_posix() for path in files_in(tmp_path, (".csv",))]
    assert found == ["G.CSV", "a.csv", "b.csv", "sub/c.csv"]


def test_sizes_are_judged_before_a_table_is_read(tmp_path: Path) -> None:
    frame = pl.DataFrame({"x": range(10_000), "y": [float(n) for n in range(10_000)]})
    frame.write_parquet(tmp_path / "t.parquet")
    frame.write_csv(tmp_path / "t.csv")
    assert expected_bytes(tmp_path / "t.parquet") == 160_000
    assert 50_000 < expected_bytes(tmp_path / "t.csv") < 1_000_000


def test_what_cannot_be_judged_is_left_to_the_reader(tmp_path: Path) -> None:
    (tmp_path / "t.parquet").write_bytes(b"PAR1 but not really")
    assert expected_bytes(tmp_path / "t.parquet") == 0
    assert expected_bytes(tmp_path / "nowhere.csv") == 0
