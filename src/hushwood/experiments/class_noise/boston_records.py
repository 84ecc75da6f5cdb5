"""Boston's house prices as the thesis used them, "BHP": eleven numbers and whether a price is in the top fifth.

It took 300 records for training and 50 for testing out of 506 and does not say which (errata F5), so ours are drawn by
key, again for every repeat. What is done with them is in `class_noise_trees` and `accuracy_is_not_quality`.
"""

from __future__ import annotations

from hushwood.experiments.paper_tables import PaperTables
from hushwood.random_streams import Streams
from hushwood.tables.table import Table

TRAINING, TESTING = 300, 50
LEFT_OUT = ("CHAS", "B")
# The lowest of the 102 highest prices of 506, in thousands of dollars.
LEAST_TOP_PRICE = 28.2
TOP, BOTTOM = "top 20%", "bottom 80%"
CLASS = "price"


def boston_prices(tables: PaperTables) -> Table:
    """All 506 records."""
    import polars as pl

    from hushwood.tables.reading import read

    price = pl.when(pl.col("MEDV") >= LEAST_TOP_PRICE).then(pl.lit(TOP)).otherwise(pl.lit(BOTTOM))
    frame = tables.frame("boston").drop(LEFT_OUT).with_columns(price.alias(CLASS)).drop("MEDV")
    return read(frame, target=CLASS).table


def drawn_records(
    table: Table, streams: Streams, training: int = TRAINING, testing: int = TESTING
) -> tuple[Table, Table]:
    """Training and testing records, none in both, each in the order of the table."""
    import numpy as np

    order = streams.order("records of an experiment", "", range(table.rows))
    parts = order[:training], order[training : training + testing]
    first, second = (table.take(np.sort(rows)) for rows in parts)
    return first, second
