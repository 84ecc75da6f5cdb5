"""The tables that are compared on, and how each is split: people of the table, and people held out.

Complete records only, because not every rival takes missing values. Development tables are those on which techniques
may be tried out; the others are shown apart.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from frontier.records import coded, columns_of
from frontier.reference import Reference
from hushwood.random_streams import Streams

if TYPE_CHECKING:
    import polars as pl

DEVELOPMENT = ("adult", "wbc", "cmc", "crx", "abalone", "mushroom", "wine")
# The thesis' generated tables CR and CS need no folder.
APART = ("boston", "bupa", "iris", "CR", "CS")
TABLES = (*DEVELOPMENT, *APART)
# A numeric class in three bins of equal frequency.
BINNED = ("abalone", "boston")
BINS = ("low", "middle", "high")
GENERATED_ROWS = 5_000

SHARE, MOST_PEOPLE, MOST_HELD_OUT = 0.8, 4_000, 2_000


@dataclass(frozen=True)
class Split:
    """The frame to be released, its class, and what its releases are measured against."""

    frame: pl.DataFrame
    target: str
    reference: Reference


def data_folder() -> Path | None:
    named = os.environ.get("HUSHWOOD_DATA")
    return Path(named) if named else None


def available(name: str) -> bool:
    """Whether a table can be read or made here."""
    from hushwood_papers.paper_tables import PaperTables

    return PaperTables(data_folder()).has(name)


def secret(*words: object) -> bytes:
    """The public key of a run: anybody can repeat it."""
    return hashlib.sha256(" ".join(map(str, ("hushwood frontier", *words))).encode()).digest()


def frame_of(name: str) -> tuple[pl.DataFrame, str]:
    """All complete records of a table, categories and class as texts, and the name of the class."""
    import polars as pl

    from hushwood_papers.paper_tables import PaperTables, paper_table

    if name in ("CR", "CS"):
        return _generated(name)
    described = paper_table(name)
    frame = PaperTables(data_folder()).frame(name).drop(described.identifiers).drop_nulls()
    target = described.target
    if name in BINNED:
        limits = np.quantile(frame[target], np.arange(1, len(BINS)) / len(BINS))
        frame = frame.with_columns(pl.Series(target, np.array(BINS)[np.searchsorted(limits, frame[target])]))
    return frame.with_columns(pl.col(*described.categories, target).cast(pl.String)), target


def _generated(name: str) -> tuple[pl.DataFrame, str]:
    from hushwood.demo.synthetic_tables import credit_risk, customer_status
    from hushwood.tables.frames.storage import frame_from_table

    make = {"CR": credit_risk, "CS": customer_status}[name]
    frame = frame_from_table(make(GENERATED_ROWS, secret("generated", name)))
    return frame, frame.columns[-1]


def split(name: str, seed: int) -> Split:
    """Four fifths of the records in keyed order, at most 4,000, and at most 2,000 of the others."""
    frame, target = frame_of(name)
    return split_frame(frame, target, Streams(secret("split", name, seed)))


def split_frame(frame: pl.DataFrame, target: str, streams: Streams) -> Split:
    """The same for any frame."""
    order = streams.order("frontier", "split", range(frame.height))
    many = int(SHARE * frame.height)
    people, held_out = frame[order[:many][:MOST_PEOPLE]], frame[order[many:][:MOST_HELD_OUT]]
    columns = columns_of(frame, target)
    inside, outside = (coded(part, columns, streams) for part in (people, held_out))
    return Split(people, target, Reference(columns, inside, outside, streams))
