"""Releases of tables that are read in batches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import hushwood as hw

PEOPLE = pl.DataFrame(
    {
        "age": [20 + place % 50 for place in range(400)],
        "note": [f"n{place % 7}" for place in range(400)],
        "ill": ["yes" if place % 50 > 25 else "no" for place in range(400)],
    }
)


@pytest.mark.parametrize("engine", ["memory", "streaming"])
def test_ignored_columns_go_out_with_their_rows_in_a_secret_order(tmp_path: Path, engine: Any) -> None:
    """Streaming keeps them on disk in a file of their own, which must survive being closed with the release."""
    PEOPLE.write_parquet(tmp_path / "people.parquet")
    done = hw.release(
        tmp_path / "people.parquet",
        target="ill",
        roles={"note": "ignored"},
        technique="forest-framework",
        min_leaf=20,
        shuffle_rows=True,
        engine=engine,
        chunk_rows=64,
        evidence="none",
        seed="5e" * 32,
        output=tmp_path / "out",
    )
    notes = pl.DataFrame(done.frame)["note"]
    assert notes.to_list() != PEOPLE["note"].to_list()
    assert notes.sort().to_list() == PEOPLE["note"].sort().to_list()
