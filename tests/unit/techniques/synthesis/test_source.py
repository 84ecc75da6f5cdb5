from __future__ import annotations

import numpy as np

from hushwood.random_streams import Streams
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.techniques.synthesis.synthesis import Source
from support.mixed_tables import category, mixed_table, number, table_of, target

STREAMS = Streams(bytes(32))


def source_of(table: Table) -> Source:
    return Source.of(table.schema, list(table.columns), table.columns, range(table.rows), STREAMS, "TEST")


def test_columns_that_do_not_vary_are_not_drawn() -> None:
    table = mixed_table(1, 200)
    found = source_of(table)
    assert [column.name for column in found.varied] == ["count", "price", "ratio", "city", "job"]
    assert found.label is not None
    assert found.label.levels == len(table.schema["risk"].categories) + 1  # one more for a missing class
    assert found.with_class.tolist() == np.flatnonzero(table.columns["risk"] >= 0).tolist()


def test_linked_columns_follow_another() -> None:
    grade = [0, 1, 2] * 20
    table = table_of(
        {
            "grade": (category("grade", "abc"), grade),
            "points": (number("points", 5, 7), [g + 5 for g in grade]),
            "k": (target("k", "no"), [0, 1] * 30),
        }
    )
    found = source_of(table)
    assert [column.name for column in found.led] == ["grade"]
    drawn = {"grade": found.led[0].with_codes(np.full(60, 2, np.int32))}
    assert set(found.complete(drawn)["points"].values().tolist()) == {7.0}


def test_a_class_cut_into_bins_gets_numbers_of_its_bin() -> None:
    prices = ("5", "6", "20", "30")
    price = Attribute(
        "price", "categorical", role="class", storage="Float64", categories=prices, bins=(10.0,)
    )
    table = table_of({"x": (number("x", 0, 3), [0, 1, 2, 3] * 50), "price": (price, [0, 1, 2, 3] * 50)})
    found = source_of(table)
    assert found.label is not None
    codes = np.array([0, 1] * 100, np.int32)
    drawn = found.classes(found.label, codes)
    assert set(drawn[codes == 0].tolist()) == {0, 1}
    assert set(drawn[codes == 1].tolist()) == {2, 3}


def test_a_numeric_class_is_a_number_like_any_other() -> None:
    size = Attribute("size", "numeric", role="class", low=0, high=9, precision=0)
    table = table_of({"x": (number("x", 0, 3), [0, 1, 2, 3] * 5), "size": (size, list(range(10)) * 2)})
    found = source_of(table)
    assert found.label is None
    assert [column.name for column in found.varied] == ["x", "size"]


def test_other_empty_records_are_filled_from_what_was_learnt_once() -> None:
    found = source_of(mixed_table(1, 200))
    asked: list[str] = []

    def learn() -> int:
        asked.append("lesson")
        return len(asked)

    other = found.filling(np.array([900, 17, 5000]))
    assert [each.remembered("lesson", learn) for each in (found, other, found)] == [1, 1, 1]
    assert (other.slots.count, other.slots.group_count) == (3, 1)
    drawn = found.filling(range(5001)).drawn("count", 0, 50)
    assert other.drawn("count", 0, 50).tolist() == drawn[[900, 17, 5000]].tolist()
    assert found.ids_of(np.array([0, 3])).tolist() == [0, 3]
