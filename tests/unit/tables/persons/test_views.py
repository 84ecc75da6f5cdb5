from __future__ import annotations

import numpy as np
import polars as pl

from hushwood.tables.pairs.pairing import paired_tables
from hushwood.tables.persons.units import outermost, units_of
from hushwood.tables.persons.views import ROWS, View, unit_pair, unused
from oracles.persons import rows_of, summary
from support.visits import table_of_visits, visits


def test_a_view_has_one_record_a_person() -> None:
    frame = visits(30)
    table = table_of_visits(frame)
    units = outermost(table)
    assert units is not None
    view = View.of(table, units)
    seen = view.on(table, units)
    people = rows_of(frame["patient"].to_list())
    assert seen.rows == len(people)
    assert seen.columns[ROWS].tolist() == [len(rows) for rows in people]
    assert seen.columns["sex"].tolist() == [table.columns["sex"][rows[0]] for rows in people]
    wanted = [summary(table.columns["pressure"].tolist(), rows) for rows in people]
    for name, what in (
        ("pressure", "mean"),
        ("pressure (smallest)", "smallest"),
        ("pressure (largest)", "largest"),
    ):
        np.testing.assert_allclose(
            seen.columns[name], [np.nan if one[what] is None else one[what] for one in wanted], rtol=1e-12
        )
    wards = [summary(table.columns["ward"].tolist(), rows) for rows in people]
    assert seen.columns["ward"].tolist() == [one["most frequent"] for one in wards]
    assert seen.columns["ward (different)"].tolist() == [one["different"] for one in wards]
    assert [a.name for a in seen.schema.classes] == ["ill"]


def test_noise_on_every_row_is_averaged() -> None:
    """Whoever knows that five released ages belong to one person takes their mean."""
    frame = pl.DataFrame({"patient": list("aaaabb"), "age": [40, 40, 40, 40, 50, 50], "ill": list("ynynyn")})
    table = table_of_visits(frame)
    units = outermost(table)
    assert units is not None
    noisy = table.with_columns({"age": np.array([30.0, 50.0, 42.0, 38.0, 50.0, 50.0])})
    pair = unit_pair(paired_tables(table, noisy), units, units, np.arange(2))
    assert pair.released.columns["age"].tolist() == [40.0, 50.0]


def test_a_varying_class_stays_the_class() -> None:
    frame = pl.DataFrame({"patient": list("aaab"), "age": [40, 40, 40, 50], "ill": ["y", "y", "n", "n"]})
    table = table_of_visits(frame)
    units = outermost(table)
    assert units is not None
    seen = View.of(table, units).on(table, units)
    assert [a.name for a in seen.schema.classes] == ["ill"]
    assert [seen.schema["ill"].categories[code] for code in seen.columns["ill"]] == ["y", "n"]
    assert "ill (different)" not in seen.schema.names


def test_one_row_a_person_is_no_summary() -> None:
    frame = visits(20).unique("patient", maintain_order=True)
    table = table_of_visits(frame)
    units = units_of(frame["patient"])
    seen = View.of(table, units).on(table, units)
    assert seen.schema.names == ("age", "sex", "pressure", "ward", "ill")


def test_names_of_summaries_are_new() -> None:
    assert unused("x (mean)", ["x (mean)", "x"]) == "x (mean) "
