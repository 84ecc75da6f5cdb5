from __future__ import annotations

from pathlib import Path

import polars as pl

from hushwood.tables.long.sizes import expected_bytes


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
