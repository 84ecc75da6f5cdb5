from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from hushwood.tables.columns.warnings import MISSING_CODE
from hushwood.tables.long import describing
from hushwood.tables.long.table import read_long
from hushwood.tables.reading import read

ROWS = 600
FRAME = pl.DataFrame(
    {
        "code": [f"k{n * 7919 % 1000:03}" for n in range(ROWS)],
        "person_id": [n * 13 + 5 for n in range(ROWS)],
        "age": [20 + n % 50 for n in range(ROWS)],
        "late": [1.5] * (ROWS - 3) + [2.25, 1.123456, 99.0],
        "rare": ["usual"] * (ROWS - 7) + ["once"] + ["usual"] * 6,
        "gap": [None if n == 401 else n % 9 for n in range(ROWS)],
        "smoker": [n % 2 for n in range(ROWS)],
        "nearly_flag": [2 if n == 403 else n % 2 * 4 for n in range(ROWS)],
        "seldom_flag": [3.0 + n % 2 if n % 29 == 0 else None for n in range(ROWS)],
        "too_seldom": [3 + n % 2 if n % 58 < 2 and n < 400 else None for n in range(ROWS)],
        "zip": [10115 + n * n % 17 for n in range(ROWS)],
        "isco_code": [99 if n == 404 else 1000 + n % 7 for n in range(ROWS)],
        "mood": [("low", "medium", "high")[n % 3] for n in range(ROWS)],
        "nothing": pl.Series([None] * ROWS, dtype=pl.Float64),
        "ill": ["no" if n % 3 else "yes" for n in range(ROWS)],
    }
)


@pytest.mark.parametrize("shown", [10, 100, 20_000])
def test_a_few_rows_and_all_extremes_say_what_a_column_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shown: int
) -> None:
    """Values that come once, at the end, decide about ranges, decimals, categories and gaps."""
    monkeypatch.setattr(describing, "SHOWN_ROWS", shown)
    path = tmp_path / "t.parquet"
    FRAME.write_parquet(path, row_group_size=50)
    found, wanted = read_long(path, tmp_path, {"target": "ill"}), read(path, target="ill")
    assert found.table.schema == wanted.table.schema
    assert found.records.counts["smoker"] == {"0": ROWS // 2, "1": ROWS // 2}
    assert set(found.records.counts) == {a.name for a in wanted.table.schema.kept if a.kind == "categorical"}
    assert {(w.column, w.code) for w in found.warnings} >= {
        ("code", "identifier"),
        ("nothing", "all-missing"),
    }
    if shown > 10:
        asked = [w for w in wanted.warnings if w.code != MISSING_CODE]  # which batches do not show
        assert [(w.column, w.code) for w in found.warnings] == [(w.column, w.code) for w in asked]


def test_too_many_texts_are_refused_before_they_fill_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(describing, "MOST_TEXTS", 100)
    path = tmp_path / "t.parquet"
    FRAME.write_parquet(path)
    with pytest.raises(Exception, match="'code' has more than 100 different texts"):
        read_long(path, tmp_path, {"target": "ill"})
    read_long(path, tmp_path, {"target": "ill", "roles": {"code": "identifier"}})


def test_witnesses_of_parts_are_put_together() -> None:
    dtype = pl.Float64()
    whole, first, second = (describing.Witness("x", dtype, False) for _ in range(3))
    values = pl.Series("x", [3.0, None, 1.25, 9.0, 2.0, -4.0])
    whole.add(values, 2)
    first.add(values[:3], 2)
    second.add(values[3:], 2)
    first.merge(second)
    assert first.seen == whole.seen == 6
    assert {-4.0, 9.0, 1.25, None} <= set(first.column().to_list())
    assert {-4.0, 9.0, 1.25, None} <= set(whole.column().to_list())
    assert len(whole.column()) == len(set(whole.column().to_list()))


def test_flags_and_codes_of_parts_are_put_together() -> None:
    """A part that has two values only may belong to a column of numbers."""
    parts = [pl.Series("x", some) for some in ([0, 1] * 30, [1, 2] * 30)]
    for order in (parts, parts[::-1]):
        first, second = (describing.Witness("x", pl.Int64(), False, True) for _ in range(2))
        first.add(order[0], 60)
        second.add(order[1], 60)
        first.merge(second)
        assert first.counts is None
        assert set(first.column().drop_nulls()) == {0, 1, 2}
