"""A saved schema says what columns are and why, and holds nobody's values."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from hushwood.tables.formats.saved_schema import saved_schema
from hushwood.tables.formats.schema_file import declarations
from hushwood.tables.reading import read

ROWS = 60
FRAME = pl.DataFrame(
    {
        "income": [23_517 + 1_003 * i for i in range(ROWS)],
        "day": [date(2021, 3, 4) + timedelta(days=i) for i in range(ROWS)],
        "job": ["clerk"] * 30 + ["nurse"] * 29 + ["astronaut"],
        "sex": ["f", "m"] * 30,
        "smoker": [0, 1, 1] * 20,
        "mood": ["low", "medium", "high"] * 20,
        "mail": [f"jane{i}@example.org" for i in range(ROWS)],
        "note": [f"came in with pain since day {i}" for i in range(ROWS)],
        "ill": ["no", "yes"] * 30,
    }
)


def saved(**options: Any) -> tuple[str, dict[str, dict[str, Any]]]:
    text = saved_schema(read(FRAME, target="ill", **options))
    return text, declarations(text, "saved")


def test_no_value_of_a_single_person_is_written() -> None:
    text, found = saved()
    ends = [FRAME["income"].min(), FRAME["income"].max(), *FRAME["day"].to_list()]
    for value in (*ends, "astronaut", *FRAME["mail"], *FRAME["note"]):
        assert str(value) not in text
    assert "categories" not in found["job"]
    assert found["sex"]["categories"] == ("f", "m")


def test_reasons_stand_above_the_columns() -> None:
    text, _ = saved()
    above = {
        part.split('name = "')[1].split('"')[0]: part.split("[[")[0]
        for part in text.split("\n\n")
        if "name = " in part
    }
    assert above["smoker"] == '# flag: only the numbers 0 and 1; to change it: kind = "numeric"\n'
    assert above["mail"].startswith('# texts; looks like e-mail addresses; proposed: role = "identifier"\n')
    assert "3 categories, not listed because fewer than 5 records have one of them" in above["job"]
    assert "such as low = 20000 and high = 90000" in above["income"]
    assert "low < medium < high" in above["mood"]


def test_the_saved_schema_reads_the_table_in_the_same_way(tmp_path: Path) -> None:
    path = tmp_path / "saved.toml"
    path.write_text(saved()[0], "utf-8")
    assert read(FRAME, schema=path).table.schema == read(FRAME, target="ill").table.schema


def test_declared_limits_are_kept() -> None:
    path_free = declarations('[[attribute]]\nname = "income"\nlow = 0\nhigh = 100000\n', "s")
    assert path_free["income"] == {"low": 0.0, "high": 100_000.0}
    schema = read(FRAME, target="ill").table.schema
    from dataclasses import replace

    wide = schema.with_attribute(replace(schema["income"], low=0.0))
    _, found = saved(schema=wide)
    assert found["income"]["low"] == 0
    assert "high" not in found["income"]


@pytest.mark.parametrize("name", ["x\n[[attribute]]", "a # b", '"quoted"'])
def test_strange_names_stay_data(name: str) -> None:
    frame = pl.DataFrame({name: ["low", "medium", "high"] * 9})
    assert list(declarations(saved_schema(read(frame)), "saved")) == [name]
