from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.releasing.engines import memory
from hushwood.tables.frames.table_frames import frame_from_table
from hushwood.tables.table import Table
from hushwood.techniques.suppression import Condition, Suppression, SuppressionLaw, suppressed
from support.mixed_tables import category, mixed_table, number, plain_rows, table_of, target
from support.technique_variants import prepared
from support.transition_tables import segmented

STREAMS = Streams(bytes(range(32)))


@pytest.fixture
def table() -> Table:
    return table_of(
        {
            "age": (number("age", 0, 120), [20, 95, 101, float("nan")]),
            "city": (category("city", ("Mel", "Syd")), [0, 1, 0, -1]),
            "ill": (target("ill", ("no", "yes")), [0, 1, 1, 0]),
        }
    )


def released(table: Table, *rules: str) -> list[tuple[float | str | None, ...]]:
    steps = prepared(Suppression(rules), table, segmented([0] * table.rows))
    rows = plain_rows(table.with_columns(memory.run(table, steps, STREAMS)))
    return [tuple(row.values()) for row in rows]


def test_the_conditions_own_column_is_blanked(table: Table) -> None:
    assert released(table, "age > 90") == [
        (20, "Mel", "no"),
        (None, "Syd", "yes"),
        (None, "Mel", "yes"),
        (None, None, "no"),
    ]


def test_named_columns_are_blanked(table: Table) -> None:
    found = released(table, "age > 90 : city, ill")
    assert found == [(20, "Mel", "no"), (95, None, None), (101, None, None), (None, None, "no")]


def test_whole_records_are_blanked_with_their_class(table: Table) -> None:
    assert released(table, "city = Mel : *") == [
        (None,) * 3,
        (95, "Syd", "yes"),
        (None,) * 3,
        (None, None, "no"),
    ]


def test_several_rules_read_the_original(table: Table) -> None:
    """The first blanks the ages that the second asks for."""
    found = released(table, "ill = yes : age", "age > 100 : city")
    assert found == [(20, "Mel", "no"), (None, "Syd", "yes"), (None, None, "yes"), (None, None, "no")]


def test_columns_without_a_rule_are_not_covered(table: Table) -> None:
    perturber = Suppression(("age > 90",)).prepare(table, ["age", "city"], segmented([0] * 4))
    assert perturber.attributes == ("age",)
    assert [perturber.covers(name) for name in ("age", "city")] == [[True], [False]]
    assert Suppression().prepare(table, ["age"], segmented([0] * 4)).attributes == ()


def test_the_law_is_certain() -> None:
    law = SuppressionLaw("x", (Condition("x", ">", 5.0), Condition("c", "=", 1)))
    original = {"x": np.array([4.0, 6.0, 6.0, 4.0, np.nan, 4.0]), "c": np.array([0, 0, 0, 1, 0, 0])}
    given = {"x": np.array([4.0, np.nan, 6.0, 4.0, np.nan, np.nan])}
    found = law.log_prob(original, given, np.zeros(6, int))
    assert found.tolist() == [0, 0, -np.inf, -np.inf, 0, -np.inf]
    plain = law.described()
    assert json.loads(json.dumps(plain)) == plain
    assert plain["conditions"] == ["x > 5", "c = 1"]


def test_perturbed_columns_are_blanked_by_what_was_original(table: Table) -> None:
    noisy = {"age": np.array([99.0, 20.0, 3.0, np.nan]), "city": np.array([1, 1, 1, 0], np.int32)}
    before = {name: values.copy() for name, values in noisy.items()}
    found = suppressed(table.columns, noisy, table.schema, ["age > 90", "city = Mel : city"])
    assert np.array_equal(found["age"], [99, np.nan, np.nan, np.nan], equal_nan=True)
    assert found["city"].tolist() == [-1, 1, -1, 0]
    assert found["city"].dtype == np.int32
    assert all(np.array_equal(noisy[n], before[n], equal_nan=True) for n in noisy)
    with pytest.raises(InputError, match="no column for a suppression rule 'agee'"):
        suppressed(table.columns, noisy, table.schema, ["agee > 90"])


@pytest.mark.parametrize("seed", range(4))
def test_as_a_plain_loop_says(seed: int) -> None:
    table = mixed_table(seed, 150)
    rules = ("count >= 15 : price, job", "job = c", "price < 2.5 : count, risk", "risk = high : city")
    steps = prepared(Suppression(rules), table, segmented([0] * 150))
    found = plain_rows(table.with_columns(memory.run(table, steps, STREAMS, chunk_rows=40)))
    for before, after in zip(plain_rows(table), found, strict=True):
        wanted = dict(before)
        if before["count"] is not None and float(before["count"]) >= 15:
            wanted["price"] = wanted["job"] = None
        if before["job"] == "c":
            wanted["job"] = None
        if before["price"] is not None and float(before["price"]) < 2.5:
            wanted["count"] = wanted["risk"] = None
        if before["risk"] == "high":
            wanted["city"] = None
        assert after == wanted


def test_blanks_go_out_as_gaps_of_the_columns_own_type(table: Table) -> None:
    whole = replace(table.schema["age"], storage="Int64")
    gapless = replace(table, schema=table.schema.with_attribute(whole)).take(np.arange(3))
    steps = prepared(Suppression(("city = Mel : *",)), gapless, segmented([0] * 3))
    frame = frame_from_table(gapless.with_columns(memory.run(gapless, steps, STREAMS)))
    assert str(frame.schema["age"]) == "Int64"
    assert frame.rows() == [(None, None, None), (95, "Syd", "yes"), (None, None, None)]


def test_bad_rules_are_refused_at_once() -> None:
    with pytest.raises(InputError, match="cannot be read"):
        Suppression(("age about 90",))


def test_it_says_what_it_does() -> None:
    assert Suppression().says().startswith("Blank where")
    assert Suppression().perturbs == "any"
    assert not Suppression().keeps_segment
