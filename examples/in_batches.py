"""A file that does not fit into memory: read in batches, with the same values as in one piece.

The same key gives the same value in every row, whatever the engine, the size of the batches and the number of threads.
"""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path

import polars as pl

import hushwood as hw
from hushwood.demo.synthetic_tables import credit_risk

SEED = "5" * 64
warnings.simplefilter("ignore", hw.HushwoodWarning)

with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    credit_risk(2_000, SEED).to_frame().write_parquet(folder / "people.parquet")
    for engine, rows in (("memory", 65_536), ("streaming", 1_000)):
        hw.release(
            folder / "people.parquet",
            target="Credit Risk",
            engine=engine,
            chunk_rows=rows,
            seed=SEED,
            reuse_key=True,
            evidence="none",
            output=folder / engine,
            ledger=folder / "ledger",
        )
        manifest = hw.verify(folder / engine, folder / "people.parquet")
        print(f"{engine}: the certificate holds: {bool(manifest)}")
    whole, batches = (
        pl.read_parquet(next((folder / engine).glob("*/released.parquet")))
        for engine in ("memory", "streaming")
    )
    print("The same table, row by row:", whole.equals(batches))
