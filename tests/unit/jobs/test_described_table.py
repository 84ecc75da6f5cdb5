"""A table described for people."""

from __future__ import annotations

import json

import polars as pl

from hushwood.jobs.described_table import described_table
from hushwood.tables.reading import read


def test_every_column_is_described() -> None:
    frame = pl.DataFrame(
        {
            "name": [f"Person {chr(65 + i % 26)}{i} Smith" for i in range(40)],
            "age": [20 + i % 30 for i in range(38)] + [None, None],
            "city": ["Arm", "Mel"] * 20,
            "since": pl.date_range(pl.date(2020, 1, 1), pl.date(2020, 2, 9), eager=True),
            "empty": pl.Series([None] * 40, dtype=pl.String),
        }
    )
    found = described_table(read(frame, target="city"))
    name, age, city, since, empty = found["columns"]

    assert json.loads(json.dumps(found)) == found
    assert found["records"] == 40
    assert name["drop"]
    assert "looks like" in name["warnings"][0]
    assert (age["kind"], age["low"], age["high"], age["missing"]) == ("numeric", "20", "49", 0.05)
    assert sum(bar["count"] for bar in age["shape"]) == 38
    assert (age["why"], since["why"], found["notes"]) == ("whole numbers", "dates", [])
    assert (city["role"], city["drop"], city["different"]) == ("class", False, 2)
    assert city["shape"] == [{"label": "Arm", "count": 20}, {"label": "Mel", "count": 20}]
    assert city["examples"] == ["Arm", "Mel"]
    assert (since["low"], since["high"]) == ("2020-01-01", "2020-02-09")
    assert (empty["missing"], empty["different"], empty["examples"]) == (1.0, 0, [])


def test_dropped_columns_still_show_what_they_hold() -> None:
    frame = pl.DataFrame({"mail": [f"a{i}@example.org" for i in range(30)], "age": list(range(30))})
    mail = described_table(read(frame, roles={"mail": "identifier"}))["columns"][0]

    assert (mail["role"], mail["drop"], mail["shape"]) == ("identifier", False, [])
    assert mail["examples"][0] == "a0@example.org"
