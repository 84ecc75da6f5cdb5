"""The table that releases are measured on: any number of records as Parquet, written in bounded memory.

A seed gives the table, and every use draws a new one (`new_seed`), so that nothing is tuned to one table; it is printed
and kept with the result. The first records of a long table are those of a short one with the same seed.
"""

from __future__ import annotations

import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from measuring import contender, report

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

CLASS = "outcome"
# Decimals, whole numbers, categories of 8 and the class; and the wider table with continuous numbers.
TEN = ("income", "rent", "height", "weight", "age", "hours", "region", "trade", "status", CLASS)
FIFTEEN = (*TEN[:-1], "visits", "postcode", "score", "share", "education", CLASS)
WIDTHS = {len(names): names for names in (TEN, FIFTEEN)}
CATEGORIES = {"region": 8, "trade": 8, "status": 8, "education": 16}
BLOCK = 1_000_000
ROW_GROUP = 2**18  # Polars' own


def new_seed() -> int:
    """A seed for one benchmark."""
    seed = secrets.randbelow(2**32)
    print(f"  seed of the table: {seed}", file=sys.stderr, flush=True)
    return seed


def make_table(file: Path, rows: int, seed: int, columns: int = 10) -> int:
    """Write the table in a process of its own, whose memory is no part of what is measured; gives its Arrow bytes."""
    made = contender(__file__, str(file), str(rows), str(seed), str(columns))
    return int(made.facts["table_bytes"])


def write(file: Path, rows: int, seed: int, names: Sequence[str]) -> int:
    """Write the table block by block; gives the size of its Arrow buffers."""
    import pyarrow.parquet as pq

    size, writer = 0, None
    for start in range(0, rows, BLOCK):
        table = block(start // BLOCK, min(BLOCK, rows - start), seed).select(list(names))
        writer = writer or pq.ParquetWriter(file, table.schema)
        writer.write_table(table, row_group_size=ROW_GROUP)
        size += table.nbytes
    if writer is not None:
        writer.close()
    return size


def block(number: int, rows: int, seed: int) -> pa.Table:
    """Some records of the table; all blocks are drawn whole, so that a shorter table is the start of a longer one."""
    import numpy as np
    import pyarrow as pa

    generator = np.random.default_rng([seed, number])
    columns = {name: values[:rows] for name, values in _numbers(generator).items()}
    codes = {name: generator.integers(0, count, BLOCK)[:rows] for name, count in CATEGORIES.items()}
    flipped = generator.random(BLOCK)[:rows] < 0.1
    for name, values in codes.items():
        columns[name] = np.array([f"{name} {code}" for code in range(CATEGORIES[name])])[values]
    columns[CLASS] = np.where(_outcome(columns, codes) ^ flipped, "good", "poor")
    return pa.table(columns)


def _numbers(generator: np.random.Generator) -> dict[str, Any]:
    import numpy as np

    return {
        "income": np.round(generator.lognormal(10, 0.6, BLOCK), 2),
        "rent": np.round(generator.normal(900, 250, BLOCK), 2),
        "height": np.round(generator.normal(1.71, 0.1, BLOCK), 2),
        "weight": np.round(generator.gamma(9.0, 8.0, BLOCK), 1),
        "age": generator.integers(17, 91, BLOCK),
        "hours": generator.integers(1, 100, BLOCK),
        "visits": generator.poisson(3, BLOCK),
        "postcode": generator.integers(1000, 9999, BLOCK),
        "score": generator.normal(size=BLOCK),
        "share": generator.beta(2, 5, BLOCK),
    }


def _outcome(columns: dict[str, Any], codes: dict[str, Any]) -> Any:
    """The class before a tenth of it is turned round: rules of three numbers and a category."""
    rich = (columns["income"] > 26_000) & (columns["age"] > 35)
    busy = (columns["hours"] > 60) & (codes["trade"] < 3)
    return rich | busy


if __name__ == "__main__":
    _, target, count, drawn, width = sys.argv
    report([0.0], table_bytes=write(Path(target), int(count), int(drawn), WIDTHS[int(width)]))
