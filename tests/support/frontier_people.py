"""People for the tests of the frontier: two numbers that hang together, a category and a class that follow them."""

from __future__ import annotations

import numpy as np
import polars as pl
from frontier.records import Records, coded
from frontier.tables import Split, split_frame

from hushwood.random_streams import Streams

STREAMS = Streams(bytes(range(32)))


def people(rows: int, seed: int = 1) -> pl.DataFrame:
    """Both numbers are different for everyone."""
    draw = np.random.default_rng(seed)
    first = draw.normal(size=rows)
    second = first + 0.5 * draw.normal(size=rows)
    kind = np.digitize(first + 0.5 * draw.normal(size=rows), [-0.5, 0.5])
    label = first + second + draw.normal(size=rows) > 0
    return pl.DataFrame(
        {
            "first": first,
            "second": second,
            "kind": np.array(["a", "b", "c"])[kind],
            "label": np.where(label, "yes", "no"),
        }
    )


def split_people(rows: int = 1_000) -> Split:
    return split_frame(people(rows), "label", STREAMS)


def strangers(split: Split) -> Records:
    """As many people as the table has, drawn from the same population: a release that is useful and tells nothing."""
    return coded(people(split.frame.height, seed=2), split.reference.columns, STREAMS)


def shuffled_margins(records: Records) -> Records:
    """Every column in an order of its own: no record is left, but all single numbers are."""
    draw = np.random.default_rng(3)
    return Records(draw.permuted(records.numbers, axis=0), draw.permuted(records.codes, axis=0))
