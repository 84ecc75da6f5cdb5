from __future__ import annotations

from pathlib import Path

import generated
import polars as pl
import pytest
from generated import CATEGORIES, CLASS, FIFTEEN, TEN, make_table, write


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generated, "BLOCK", 1_000)


def frame(path: Path, rows: int, seed: int = 3, names: tuple[str, ...] = TEN) -> pl.DataFrame:
    write(path / "table.parquet", rows, seed, names)
    return pl.read_parquet(path / "table.parquet")


@pytest.mark.parametrize("names", [TEN, FIFTEEN])
def test_columns_and_records(tmp_path: Path, names: tuple[str, ...]) -> None:
    found = frame(tmp_path, 2_500, names=names)
    assert (found.height, tuple(found.columns)) == (2_500, names)
    assert set(found[CLASS]) == {"good", "poor"}
    for name in set(CATEGORIES) & set(names):
        assert found[name].n_unique() == CATEGORIES[name]


def test_the_first_records_of_a_long_table_are_those_of_a_short_one(tmp_path: Path) -> None:
    long = frame(tmp_path, 2_500)
    assert long.head(1_300).equals(frame(tmp_path, 1_300))


def test_another_seed_is_another_table(tmp_path: Path) -> None:
    assert not frame(tmp_path, 100, seed=1).equals(frame(tmp_path, 100, seed=2))


def test_a_process_of_its_own_gives_the_size(tmp_path: Path) -> None:
    size = make_table(tmp_path / "made.parquet", 50, 3)
    made = pl.read_parquet(tmp_path / "made.parquet")
    assert made.height == 50
    # Six columns of eight bytes, and texts
    assert 50 * 6 * 8 < size < 50 * 200
