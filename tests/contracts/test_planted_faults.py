"""One wrong cell is found whatever the size of the batches, and an honest release passes; also where hashes count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

from hushwood.arrays import Array
from hushwood.errors import InternalFault
from hushwood.releasing.certificate import Certificate, Certifying, Claims
from hushwood.releasing.certifying import counts as group_counts
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table
from hushwood.techniques.laws.promises import COPIED, INSIDE, RANGES, Promise, dealt, redrawn
from support.mixed_tables import category, number

ROWS, EVERY = 600, 7  # every so many rows, a value is missing
SIZES = (ROWS, 250, 41)
LOW, HIGH = 100, 401  # two rows in different segments, with different values
SCHEMA = Schema(
    (
        number("age", 0, 100, None),
        number("income", 0, 1000, None),
        category("city", ("a", "b", "c")),
        Attribute("note", "categorical", role="ignored", storage="Int64"),
    )
)
FOREST: dict[str, Any] = {
    "attributes": [{"name": "age", "kind": "numeric"}],
    "trees": [
        {
            "nodes": [
                {
                    "id": 0,
                    "test": {"attribute": "age", "threshold": 50},
                    "children": {"le": 3, "gt": 5},
                    "missing_to": 5,
                },
                {"id": 3},
                {"id": 5},
            ]
        }
    ],
}
PLAIN = {"age": INSIDE, "income": COPIED, "city": COPIED, "note": COPIED}


def original() -> Table:
    """Ages up to 50 in the first half, above in the second; incomes and cities with gaps."""
    row = np.arange(ROWS)
    age = np.where(row < ROWS // 2, row % 50, 51 + row % 49).astype(float)
    income = np.where(row % EVERY, row + row / 1024, np.nan)
    city = np.where(row % EVERY, row % 3, -1).astype(np.int32)
    # City c is in the second half alone.
    city = np.where((row < ROWS // 2) & (city == 2), 0, city).astype(np.int32)
    carried = pl.DataFrame({"note": row})
    return Table(SCHEMA, {"age": age, "income": income, "city": city}, carried, ROWS)


def shuffled_in_halves(column: Array, also_gaps: bool) -> Array:
    new, rows = column.copy(), np.arange(len(column))
    for half in (rows < ROWS // 2, rows >= ROWS // 2):
        there = half if also_gaps else half & (rows % EVERY != 0)
        new[there] = column[there][::-1]
    return new


def ranges(column: Array) -> list[str]:
    return [f"{int(v)}-{int(v) + 2}" for v in column]


def frame(columns: dict[str, Any]) -> pl.DataFrame:
    city = pl.Series(["a", "b", "c", "other", None]).gather(columns["city"] % 5)
    age = columns["age"]
    numbers = pl.Series(age, dtype=pl.String) if isinstance(age, list) else pl.Series(age, nan_to_null=True)
    income = pl.Series(columns["income"], nan_to_null=True)
    return pl.DataFrame({"age": numbers, "income": income, "city": city, "note": columns["note"]})


def certified(released: pl.DataFrame, promises: dict[str, Promise], size: int, **how: Any) -> Certificate:
    table = original()
    certifying = Certifying(SCHEMA, ROWS, FOREST, Claims(True, promises, **how), threads=2)
    places = [np.arange(first, min(first + size, ROWS)) for first in range(0, ROWS, size)]
    list(certifying.add((table.take(rows), released.slice(rows[0], size)) for rows in places))
    return certifying.finish()


def exchanged(column: Array) -> None:
    column[[LOW, HIGH]] = column[[HIGH, LOW]]


def set_to(row: int, value: float) -> Callable[[Array], None]:
    def damage(column: Any) -> None:
        column[row] = value

    return damage


def gap_moved(column: Array) -> None:
    column[[EVERY, EVERY + 1]] = column[[EVERY + 1, EVERY]]


def wrong_range(column: list[str]) -> None:
    column[HIGH] = "1-2"


def blanked(column: Array) -> Array:
    return np.where(np.arange(ROWS) % 50 == 1, np.nan, column)


def honest_income(promise: Promise) -> Array:
    income = original().columns["income"]
    if promise.values == "dealt":
        income = shuffled_in_halves(income, promise.missing == "dealt")
    elif promise.values == "held":
        income = np.where(np.isnan(income), income, np.repeat(income[[1, ROWS - 2]], ROWS // 2))
    return blanked(income) if promise.missing == "added" else income


DEALT, TABLE = Promise(values="dealt"), Promise(values="dealt", within="table")
IN_TWO, IN_ONE = "(in 2 of 2 segments)", "(in 1 of 2 segments)"
WRONG: dict[str, tuple[str, Promise, Callable[[Any], None], str]] = {
    "a copied number changed": ("income", COPIED, set_to(LOW, 1.0), "other values than the original (1 of 600)"),
    "a gap moved": ("income", INSIDE, gap_moved, "gaps in other records than the original (2 of 600)"),
    "a number outside": ("income", INSIDE, set_to(HIGH, 1000.5), "numbers outside 0 to 1000 (1 of 600)"),
    "an infinite number": ("income", Promise(values="any"), set_to(HIGH, np.inf), "numbers outside"),
    "a dealt number changed": ("income", DEALT, set_to(LOW, 1.5), IN_ONE),
    "numbers of two segments exchanged": ("income", DEALT, exchanged, IN_TWO),
    "a dealt number changed in the table": ("income", TABLE, set_to(LOW, 1.5), "other counts of its values"),
    "a number too many": ("income", Promise("added", "dealt"), set_to(LOW, 2 + 2 / 1024), "other counts"),
    "a gap filled": ("income", Promise("added", "inside"), set_to(EVERY, 1.0), "gaps in other records"),
    "a new gap": ("income", Promise("filled", "inside"), set_to(LOW, np.nan), "gaps in other records"),
    "a gap dealt to another segment": ("income", dealt("segment"), set_to(LOW, np.nan), IN_ONE),
    "a number its segment lacks": ("income", Promise(values="held"), set_to(LOW, 599 + 599 / 1024), "of 2 segments"),
    "a number nobody had": ("income", Promise(values="held", within="table"), set_to(LOW, 1.5), "other counts"),
    "a range beside the number": ("age", RANGES, wrong_range, "ranges that do not hold the original's number (1 of"),
    "a category nobody has": ("city", redrawn("inside", "table"), set_to(LOW, 3), "none of its categories (1 of"),
    "categories of two segments exchanged": ("city", dealt("segment"), exchanged, IN_TWO),
    "a category its segment lacks": ("city", redrawn("held", "segment"), set_to(LOW, 2), IN_ONE),
    "a copied category changed": ("city", COPIED, set_to(LOW, 2), "other values than the original (1 of 600)"),
    "everything blanked": ("city", redrawn("inside", "table"), lambda c: c.fill(-1), "lost all its values"),
    "a note changed": ("note", COPIED, set_to(ROWS - 1, 0), "'note' has other values"),
}  # fmt: skip


@pytest.mark.parametrize("hashed", [False, True], ids=["counted", "hashed"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("name", "promise", "damage", "said"), WRONG.values(), ids=WRONG)
def test_one_wrong_cell_is_found_and_an_honest_release_passes(
    name: str,
    promise: Promise,
    damage: Callable[[Any], None],
    said: str,
    size: int,
    hashed: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(group_counts, "COUNTED_ROWS", 0 if hashed else ROWS)
    table, promises = original(), PLAIN | {name: promise}
    columns: dict[str, Any] = {k: np.array(v) for k, v in table.columns.items()}
    columns |= {"note": np.arange(ROWS), "income": honest_income(promises["income"])}
    if promises["age"] == RANGES:
        columns["age"] = ranges(columns["age"])
    honest = certified(frame(columns), promises, size)
    assert (honest.faults, honest.kept, honest.per_tree) == ((), ROWS, (ROWS,))
    damage(columns[name])
    broken = certified(frame(columns), promises, size)
    assert len(broken.faults) == 1
    assert broken.faults[0].startswith(f"column '{name}' ")
    assert said in broken.faults[0]


@pytest.mark.parametrize("size", SIZES)
def test_one_record_that_left_its_segment(size: int) -> None:
    columns: dict[str, Any] = {**original().columns, "note": np.arange(ROWS)}
    columns["age"] = columns["age"].copy()
    columns["age"][LOW] = 51
    found = certified(frame(columns), PLAIN, size)
    assert (found.kept, found.per_tree, found.faults) == (ROWS - 1, (ROWS - 1,), ())
    unpaired = certified(frame(columns), PLAIN, size, paired=False)
    assert (unpaired.kept, unpaired.per_tree) == (ROWS - 1, (ROWS - 1,))
    columns["age"][HIGH] = 50
    assert certified(frame(columns), PLAIN, size).kept == ROWS - 2
    assert certified(frame(columns), PLAIN, size, paired=False).kept == ROWS


@pytest.mark.parametrize("size", SIZES)
def test_lost_records_and_uneven_batches(size: int) -> None:
    released = frame({**original().columns, "note": np.arange(ROWS)})
    found = certified(released.head(-3), PLAIN, size)
    assert found == Certificate(
        True, ROWS, 0, (0,), {}, (f"the file has {ROWS - 3} records instead of {ROWS}",)
    )
    table, certifying = original(), Certifying(SCHEMA, ROWS, FOREST, Claims(True, PLAIN))
    first = table.take(np.arange(10)), released.head(9)
    assert list(certifying.add([first, (table.take(np.arange(10, ROWS)), released.slice(9))])) == []
    with pytest.raises(InternalFault, match="differ in length"):
        certifying.finish()
