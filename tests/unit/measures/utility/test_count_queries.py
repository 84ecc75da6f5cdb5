"""Errors of two-way counts: identical, hopeless, by hand and by plain loops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.measures.protocol import Measurement, NotComputable
from hushwood.measures.utility.count_queries import CountQueries, QueryCondition
from hushwood.tables.table import Table
from support.intruders import people, unrelated
from support.mixed_tables import category, mixed_table, number, plain_rows, table_of
from support.rearranged_tables import column_by_column_shuffled, shuffled_rows
from support.table_pairs import STREAMS, context_for, measuring

measured = measuring(CountQueries, paired=False)


def test_an_identical_release_has_no_error() -> None:
    table = people(1, 300)
    found = measured(table, shuffled_rows(table, 2))
    assert found.value == 0.0
    assert found.details["queries"] == 200


def test_dependence_and_noise_show() -> None:
    table = people(1, 2000)
    shuffled = measured(table, column_by_column_shuffled(table, 3)).value
    noise = measured(table, unrelated(table, 3)).value
    fresh = measured(table, people(2, 2000)).value
    assert fresh < 0.15 < shuffled < noise


def test_by_hand() -> None:
    """One column is constant and the other has two values: every count is all records or half of them."""
    c, job = category("c", "a"), category("job", "xy")
    original = table_of({"c": (c, [0] * 40), "job": (job, [0] * 20 + [1] * 20)})
    released = table_of({"c": (c, [0] * 10), "job": (job, [0] * 8 + [1] * 2)})
    found = measured(original, released)
    # Scaled to 40 records the release has 32 and 8, so that halves are off by 0.6, and the whole by nothing.
    assert set(np.round(list(found.details["quantiles"].values()), 9)) <= {0.0, 0.6}
    assert found.details["quantiles"]["worst"] == pytest.approx(0.6)
    assert 0.2 < found.value < 0.6
    assert [column["column"] for column in found.details["columns"]] == ["c", "job"]


@given(st.integers(0, 60), st.integers(2, 40), st.integers(1, 40))
@settings(max_examples=25)
def test_counts_like_plain_loops(seed: int, rows: int, others: int) -> None:
    original, released = mixed_table(seed, rows), mixed_table(seed + 1, others)
    measure = CountQueries(queries=20, least=0.1)
    asked = list(measure._queries(original, STREAMS))
    found = measure.compute(original, released, context_for(original, released, paired=False))
    if not asked:
        assert isinstance(found, NotComputable)
        return
    errors = []
    for one, other, count in asked:
        assert one.column != other.column
        before = sum(
            _meets(row, one, original) and _meets(row, other, original) for row in plain_rows(original)
        )
        after = sum(
            _meets(row, one, original) and _meets(row, other, original) for row in plain_rows(released)
        )
        assert before == count >= 0.1 * rows
        errors.append(abs(after * rows / others - before) / before)
    assert isinstance(found, Measurement)
    assert found.value == pytest.approx(sum(errors) / len(errors))


def _meets(row: dict[str, float | str | None], condition: QueryCondition, table: Table) -> bool:
    value = row[condition.column]
    if table.schema[condition.column].kind == "categorical":
        names = (*table.schema[condition.column].categories, None)
        return value in {names[code] for code in condition.codes}
    return value is not None and condition.low <= float(value) <= condition.high


def test_small_groups_are_not_asked_about() -> None:
    table = people(1, 1000)
    for least in (0.01, 0.3):
        asked = CountQueries(least=least)._queries(table, STREAMS)
        assert min(count for _, _, count in asked) >= least * 1000


def test_what_cannot_be_counted_says_why() -> None:
    table = table_of({"x": (number("x", 0, 9), [1.0, 2.0])})
    found = CountQueries().compute(table, table, context_for(table, table))
    assert isinstance(found, NotComputable)
    assert "two columns" in found.reason
    with pytest.raises(InputError, match="queries must be"):
        CountQueries(queries=0)
