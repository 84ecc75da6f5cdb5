"""Columns of texts with their types, and the ways that they are written in."""

from __future__ import annotations

import polars as pl

from hushwood.tables.csv.columns import with_types
from hushwood.tables.csv.ways import Way


def test_some_columns_stay_text() -> None:
    frame = pl.DataFrame({"a": ["17"], "b": ["17"]})
    assert with_types(frame, missing=(), as_text={"a"})[0].row(0) == ("17", 17)


def test_only_ways_that_matter_are_named() -> None:
    texts = {
        "a": ["1", "2"],
        "b": ["1.0", "2.25"],
        "c": ["2020-01-01"] * 2,
        "d": ["true", "false"],
        "e": ["x", "y"],
    }
    special = {"f": ["1.50", "2.50"], "g": ["1", "2.5"], "h": ["TRUE", "FALSE"], "^i.*$": ["1,5", "2"]}
    _, ways = with_types(pl.DataFrame({**texts, **special}), missing=(), as_text=())
    assert ways == {
        "f": Way("decimal", places=2),
        "g": Way("decimal"),
        "h": Way("boolean", pattern="TRUE"),
        "^i.*$": Way("decimal", ","),
    }


def test_missing_texts_with_blanks_around_them() -> None:
    frame = pl.DataFrame({"a": ["1,5", " NA", "2,5 "]})
    assert with_types(frame, missing=("NA",), as_text=())[0]["a"].to_list() == [1.5, None, 2.5]
