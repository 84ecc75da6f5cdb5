from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.releasing.engines import memory
from hushwood.tables.frames.storage import frame_from_table
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table
from hushwood.techniques.suppression import (
    CellCondition,
    Suppression,
    SuppressionLaw,
    SuppressionRule,
    check_names,
    conditions,
    parsed_rules,
    suppressed,
)
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
    law = SuppressionLaw("x", (CellCondition("x", ">", 5.0), CellCondition("c", "=", 1)))
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


SCHEMA = Schema(
    (
        number("age", 0, 120),
        number("price", 0, 9, 2),
        Attribute("born", "numeric", storage="Date", low=0, high=20_000, precision=0),
        Attribute("seen", "numeric", storage="Datetime[us]", low=0, high=1e9, precision=0),
        category("city", ("Mel", "New York: east", "Syd")),
        Attribute("name", "categorical", role="identifier"),
        target("income", ("<=50K", ">50K")),
    )
)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("age >= 90", SuppressionRule("age", ">=", "90", ("age",))),
        ("age<18", SuppressionRule("age", "<", "18", ("age",))),
        ("city = Mel", SuppressionRule("city", "=", "Mel", ("city",))),
        ("age > 100 : price, age", SuppressionRule("age", ">", "100", ("price", "age"))),
        ("age > 100: price", SuppressionRule("age", ">", "100", ("price",))),
        ("age > 100 :*", SuppressionRule("age", ">", "100", ())),
        ("city != Syd : *", SuppressionRule("city", "!=", "Syd", ())),
        ("income = <=50K", SuppressionRule("income", "=", "<=50K", ("income",))),
        ("income==>50K : age", SuppressionRule("income", "==", ">50K", ("age",))),
        ('city = "New York: east" : age', SuppressionRule("city", "=", "New York: east", ("age",))),
        ('"a = b" = c : "d, e", f', SuppressionRule("a = b", "=", "c", ("d, e", "f"))),
        ("seen <= 2001-02-03T04:05:06", SuppressionRule("seen", "<=", "2001-02-03T04:05:06", ("seen",))),
        ("home town = Big Bay", SuppressionRule("home town", "=", "Big Bay", ("home town",))),
        ('city = ""', SuppressionRule("city", "=", "", ("city",))),
    ],
)
def test_rules_as_people_write_them(text: str, rule: SuppressionRule) -> None:
    assert parsed_rules([text]) == (rule,)


@pytest.mark.parametrize("text", ["", "age", "age 90", ">= 90", "age >=", 'city = "Mel', "age >= 90 : "])
def test_what_is_no_rule_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"(cannot be read|no readable columns)"):
        parsed_rules([text])


@pytest.mark.parametrize("text", ["age > 9 : price,, age", 'age > 9 : "price', "age > 9 : ,"])
def test_lists_of_names_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="no readable columns"):
        parsed_rules([text])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("agge >= 90", "no column for a suppression rule 'agge'. Did you mean 'age'"),
        ("age >= 90 : prize", "no column for a suppression rule 'prize'. Did you mean 'price'"),
        ("age >= 90 : name", "no column for a suppression rule 'name'"),
        ("age >= old", "'age' holds numbers; 'old' in a rule is not one"),
        ("age >= nan", "'age' holds numbers; 'nan'"),
        ("born < 31.12.1990", "holds dates such as 1990-12-31; '31.12.1990'"),
        ("city = Mell", "no value of 'city' 'Mell'. Did you mean 'Mel'"),
        ("city > Mel", "no order; use = or != instead of >"),
    ],
)
def test_names_and_values_that_the_table_lacks_are_refused(text: str, said: str) -> None:
    with pytest.raises(InputError) as refused:
        check_names(parsed_rules([text]), SCHEMA)
    assert said in str(refused.value)


def test_an_error_lists_only_some_of_many_values() -> None:
    many = Schema((category("zip", [f"{code:05d}" for code in range(3000)]),))
    with pytest.raises(InputError) as refused:
        check_names(parsed_rules(["zip = 0012"]), many)
    assert len(str(refused.value)) < 400
    assert "Did you mean" in str(refused.value)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("age >= 90", [False, True, True, False]),
        ("age > 90", [False, False, True, False]),
        ("age <= 90", [True, True, False, False]),
        ("age < 90", [True, False, False, False]),
        ("age = 90", [False, True, False, False]),
        ("age != 90", [True, False, True, False]),
        ("price = 0.1", [True, False, False, False]),
        ("city = Syd", [False, True, False, False]),
        ("city != Syd", [True, False, False, True]),
        ("born < 1970-01-11", [True, False, False, True]),
        ("seen = 1970-01-01T00:01:00", [False, True, False, False]),
    ],
)
def test_conditions_of_numbers_categories_and_dates(text: str, wanted: list[bool]) -> None:
    """What is missing meets no condition."""
    columns = {
        "age": np.array([17.0, 90.0, 91.0, np.nan]),
        "price": np.array([0.1, 0.2, 0.3, np.nan]),
        "born": np.array([0.0, 10.0, 11.0, 9.0]),
        "seen": np.array([0.0, 60.0, 61.0, np.nan]),
        "city": np.array([0, 2, -1, 1], np.int32),
    }
    rules = parsed_rules([text])
    (condition,) = conditions(rules, SCHEMA, rules[0].column)
    assert condition.holds(columns).tolist() == wanted


def test_a_column_gets_the_conditions_that_blank_it() -> None:
    rules = parsed_rules(["age > 90", "city = Mel : price, income", "income = >50K : *"])
    for name, wanted in {"age": 2, "price": 2, "income": 2, "city": 1, "born": 1}.items():
        assert len(conditions(rules, SCHEMA, name)) == wanted, name
