from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from hushwood.arrays import Array
from hushwood.releasing.certifying.checks import CarriedCheck, ColumnCheck, LinkChecks
from hushwood.releasing.certifying.counts import Groups
from hushwood.releasing.certifying.records import Compared, compared
from hushwood.tables.frames.storage import frame_from_table
from hushwood.tables.reading import read
from hushwood.tables.schema import Attribute
from hushwood.techniques.laws.promises import (
    COPIED,
    GENERALISED,
    INSIDE,
    RANGES,
    Promise,
    dealt,
    inside_if,
    redrawn,
)
from support.hospital import LINKS, hospital
from support.mixed_tables import category, number

GAP = np.nan
AGE = number("age", 0, 100)
SEX = category("sex", ("f", "m"))
IDS = np.array([0, 0, 0, 1, 1, 1])
SHUFFLED = Promise(values="dealt", lone_moves=True)


def fault(
    attribute: Attribute, promise: Promise, before: list[float], after: list[float], ids: Any = IDS
) -> str | None:
    dtype: Any = np.float64 if attribute.kind == "numeric" else np.int32
    first, second = (np.array(values, dtype) for values in (before, after))
    groups = Groups((2,) if promise.within == "segment" else (), ["moves"])
    found = groups.of([ids] if promise.within == "segment" else [], {"moves": first}, 6)
    return looked_at(attribute, promise, first, Compared(second, 0), groups, found)


def looked_at(
    attribute: Attribute,
    promise: Promise,
    before: Array,
    after: Compared,
    groups: Groups | None = None,
    ids: Any = None,
) -> str | None:
    check = ColumnCheck(attribute, promise, len(before))
    check.add(before, after, ids)
    return check.fault(groups)


AGES = [1.0, 2, GAP, 4, 5, 6]
SEXES = [0.0, 1, -1, 0, 0, 0]


@pytest.mark.parametrize(
    ("attribute", "promise", "after"),
    [
        (AGE, COPIED, AGES),
        (AGE, INSIDE, [0, 100, GAP, 7, 7, 7]),
        (AGE, inside_if(bounded=False), [-1e9, 1e9, GAP, 7, 7, 7]),
        (AGE, Promise("added"), [1, 2, GAP, 4, GAP, 6]),
        (AGE, Promise("added", "dealt"), [2, 1, GAP, GAP, 4, 5]),
        (AGE, GENERALISED, [2, 2, 2, 5, 5, 5]),
        (AGE, Promise(values="dealt"), [2, 1, GAP, 6, 4, 5]),
        (AGE, Promise(values="dealt", within="table"), [6, 5, GAP, 4, 2, 1]),
        (SEX, dealt("segment"), [-1, 0, 1, 0, 0, 0]),
        (SEX, dealt("table"), [0, 0, 0, 0, 1, -1]),
        (SEX, redrawn("held", "segment"), [-1, -1, 1, 0, 0, 0]),
        (SEX, redrawn("inside", "table"), [1, 1, 1, 1, -1, -1]),
        (SEX, GENERALISED, [2, 3, 0, 0, 1, 4]),
        (SEX, Promise("any", "inside"), [-1, -1, -1, -1, -1, -1]),
    ],
    ids=str,
)
def test_kept_promises(attribute: Attribute, promise: Promise, after: list[float]) -> None:
    assert fault(attribute, promise, AGES if attribute is AGE else SEXES, after) is None


@pytest.mark.parametrize(
    ("attribute", "promise", "after", "said"),
    [
        (
            AGE,
            COPIED,
            [1, 2, GAP, 4, 5, 7],
            "has other values than the original (1 of 6) though it is copied",
        ),
        (AGE, INSIDE, [1, GAP, 2, 4, 5, 6], "has gaps in other records than the original (2 of 6)"),
        (AGE, INSIDE, [-1, 101, GAP, 4, 5, 6], "has numbers outside 0 to 100 (2 of 6)"),
        (AGE, inside_if(bounded=False), [np.inf, 2, GAP, 4, 5, 6], "has numbers outside"),
        (AGE, Promise("added"), [1, 2, 3, 4, 5, 6], "has gaps in other records"),
        (AGE, Promise("added"), [1, 2, GAP, 4, 4, GAP], "has other values than the original (1 of 6)"),
        (AGE, Promise("added", "dealt"), [2, 2, GAP, GAP, 4, 5], "has other counts of its values"),
        (AGE, GENERALISED, [2, 2, 2, 5, GAP, 5], "has gaps in other records"),
        (AGE, Promise(values="dealt"), [2, 4, GAP, 1, 5, 6], "(in 2 of 2 segments)"),
        (
            AGE,
            Promise(values="dealt", within="table"),
            [6, 5, GAP, 4, 2, 2],
            "has other counts of its values",
        ),
        (AGE, Promise(values="held"), [1, 1, GAP, 4, 4, 2], "(in 1 of 2 segments)"),
        (SEX, dealt("segment"), [0, 0, -1, 0, 0, 1], "(in 2 of 2 segments)"),
        (SEX, dealt("segment"), [0, 1, 0, 0, 0, -1], "(in 2 of 2 segments)"),
        (SEX, dealt("table"), [0, 1, 1, 0, 0, -1], "has other counts of its values"),
        (SEX, redrawn("held", "segment"), [0, 1, -1, 0, 0, 1], "(in 1 of 2 segments)"),
        (SEX, redrawn("inside", "segment"), [0, 1, -1, 0, 0, -1], "(in 1 of 2 segments)"),
        (
            SEX,
            redrawn("inside", "table"),
            [0, 2, -1, 0, 0, 0],
            "has values that are none of its categories (1 of 6)",
        ),
    ],
    ids=str,
)
def test_broken_promises(attribute: Attribute, promise: Promise, after: list[float], said: str) -> None:
    found = fault(attribute, promise, AGES if attribute is AGE else SEXES, after)
    assert found is not None
    assert found.startswith(f"column {attribute.name!r} ")
    assert said in found


def test_a_gap_drawn_where_the_column_has_none() -> None:
    assert "has other counts of its values" in str(
        fault(SEX, redrawn("inside", "table"), [0] * 6, [0, 0, 0, 0, 0, -1])
    )


def test_many_values_do_not_all_become_missing_by_chance() -> None:
    codes = np.zeros(101, np.int32)
    codes[0] = -1
    lost = Compared(np.full(101, -1, np.int32), 101)
    assert "lost all its values" in str(looked_at(SEX, redrawn("inside", "table"), codes, lost))
    assert looked_at(SEX, Promise("any", "inside"), codes, lost) is None


def test_a_lone_number_may_move_but_no_other() -> None:
    ids = np.array([0, 0, 0, 0, 0, 1])
    assert fault(AGE, SHUFFLED, AGES, [2, 1, GAP, 5, 4, 9], ids) is None
    assert "(in 1 of 2 segments)" in str(fault(AGE, SHUFFLED, AGES, [2, 1, GAP, 5, 9, 9], ids))
    assert "(in 1 of 2 segments)" in str(fault(AGE, Promise(values="dealt"), AGES, [2, 1, GAP, 5, 4, 9], ids))


@pytest.mark.parametrize(
    ("after", "same"),
    [
        (pl.Series("x", ["a", None], pl.Enum(["a"])), True),
        (pl.Series("x", ["a", None]), True),
        (pl.Series("x", ["a", "a"]), False),
        (pl.Series("x", [None, "a"]), False),
    ],
    ids=str,
)
def test_carried_columns(after: pl.Series, same: bool) -> None:
    before = pl.Series("x", ["a", None], pl.Enum(["b", "a"]))
    check = CarriedCheck()
    for row in range(2):
        check.add(before[row : row + 1], after[row : row + 1])
    assert (check.fault is None) == same
    assert check.gaps == after.null_count()


def ranges_fault(texts: list[str | None]) -> str | None:
    """What is wrong with ages 1, 2, missing, 4 that were released as these texts."""
    described = {"name": "age", "kind": "numeric", "precision": 0, "ranges": AGE}
    found = compared(pl.DataFrame({"age": texts}), described)
    before = np.array([1.0, 2, GAP, 4])
    return looked_at(AGE, RANGES, before, found)


def test_ranges_must_hold_the_original_number() -> None:
    assert ranges_fault(["1-2", "1-2", "4", "4"]) is None
    assert ranges_fault(["0-100", "*", None, "< 5"]) is None
    wrong = "has ranges that do not hold the original's number (1 of 4)"
    assert ranges_fault(["1-2", "1", None, "4"]) == f"column 'age' {wrong}"
    assert ranges_fault(["1-2", "1-2", None, "young"]) == f"column 'age' {wrong}"
    assert "gaps" in str(ranges_fault(["1-2", None, None, "4"]))


TABLE = read(hospital(200), target="back").table
PROMISES = dict.fromkeys(TABLE.schema.names, COPIED)


def read_back(**changed: np.ndarray) -> dict[str, Compared]:
    frame = frame_from_table(TABLE.with_columns(changed))
    described = {
        a.name: {"name": a.name, "kind": a.kind, "precision": a.precision, "values": a.categories}
        for a in TABLE.schema.kept
    }
    return {name: compared(frame, attribute) for name, attribute in described.items()}


def test_a_claim_that_does_not_hold_is_a_fault() -> None:
    checks = LinkChecks(TABLE.schema, LINKS, LINKS[3:], PROMISES)
    checks.add(TABLE, read_back())
    assert checks.faults() == ()
    dear, state = TABLE.columns["cost"] + 1.0, TABLE.columns["state"][::-1].copy()
    checks.add(TABLE, read_back(cost=dear, state=state))
    assert checks.faults() == (
        "the link 'cost = drugs + ward' is broken by 200 records as by none of the original",
    )
    said = {tuple(link["columns"]): link for link in checks.said()}
    assert said["city", "state"]["newly_broken"] > 100
    assert not said["city", "state"]["kept"]


def test_an_unknown_text_breaks_what_it_should() -> None:
    checks = LinkChecks(TABLE.schema, LINKS, LINKS, PROMISES)
    strange = Compared(np.full(200, len(TABLE.schema["state"].categories), np.int32), 0)
    checks.add(TABLE, read_back() | {"state": strange})
    assert checks.faults() == (
        "the link 'city determines state' is broken by 200 records as by none of the original",
    )


def test_groups_and_ranges_are_not_counted() -> None:
    coarse = PROMISES | dict.fromkeys(("city", "cost", "sex", "admitted"), Promise(values="generalised"))
    checks = LinkChecks(TABLE.schema, LINKS, (), coarse)
    checks.add(TABLE, read_back())
    assert {link["broken_after"] for link in checks.said()} == {None}
    assert [link["broken_before"] for link in checks.said()] == [0, 0, 0, 0]
