from __future__ import annotations

import polars as pl

from hushwood.tables.persons.described import described_people
from support.visits import table_of_visits, visits


def test_persons_in_words() -> None:
    frame = pl.DataFrame(
        {"patient": list("aaabbc"), "age": [40, 40, 40, 50, 50, 60], "stay": [1, 2, 3, 4, 5, 6]}
    )
    assert list(described_people(table_of_visits(frame, target=None))) == [
        "3 persons (patient) with 6 rows: 1 to 3, in the middle 2 each.",
        "The same in all rows of a person: age.",
        "Different between rows: stay.",
    ]


def test_persons_of_households() -> None:
    frame = pl.DataFrame({"home": list("ggh"), "who": list("xyz"), "rent": [1, 1, 2], "age": [30, 40, 50]})
    assert list(described_people(table_of_visits(frame, {"home": "household", "who": "person"}, None))) == [
        "2 households (home) with 3 rows: 1 to 2, in the middle 1.5 each.",
        "The same in all rows of a household: rent.",
        "3 persons (who) with 3 rows: 1 each.",
        "The same in all rows of a person, but not of a household: age.",
    ]


def test_rows_that_are_persons_need_no_words() -> None:
    assert list(described_people(table_of_visits(visits(5), {"patient": "identifier"}))) == []
