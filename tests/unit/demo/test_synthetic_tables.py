"""The generated tables follow the thesis' rules record by record and its shares by chi-square at 1e-3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pytest
from scipy.stats import chisquare

from hushwood.demo.synthetic_tables import (
    FAVORITE_CITIES,
    PARENTS_COUNTRIES,
    credit_risk,
    customer_status,
)
from hushwood.errors import InputError
from hushwood.tables.table import Table

SEED = bytes(range(32))
ROWS = 20_000
Record = Mapping[str, str | int]


def records(table: Table) -> list[Record]:
    """Rows as people read them: whole numbers and category names."""
    columns: list[list[str | int]] = []
    for attribute in table.schema.attributes:
        values = table.columns[attribute.name]
        if attribute.kind == "numeric":
            columns.append([int(value) for value in values])
        else:
            columns.append([attribute.categories[code] for code in values])
    return [dict(zip(table.schema.names, row, strict=True)) for row in zip(*columns, strict=True)]


@pytest.fixture(scope="module")
def risks() -> list[Record]:
    return records(credit_risk(ROWS, SEED))


@pytest.fixture(scope="module")
def customers() -> list[Record]:
    return records(customer_status(ROWS, SEED))


def expected_risk(r: Record) -> str:
    """The class by the printed rules, for one record."""
    if int(r["House Rent"]) > 300:
        safe = r["City"] == "Mel" or int(r["No of Dependents"]) <= 2
    elif int(r["Income"]) > 50:
        safe = int(r["Job Grade"]) <= 2
    else:
        safe = r["City"] == "New"
    return "No" if safe else "Yes"


def expected_status(r: Record) -> str:
    """The class by the printed rules, for one record."""
    good = {
        "USA": r["Car Make"] in ("Toyota", "Ford"),
        "England": r["Car Make"] in ("Nissan", "Ford"),
        "Australia": r["Profession"] == "Academic",
    }
    return "Good" if good[str(r["Country of Origin"])] else "Bad"


def assert_shares(values: Sequence[str | int], shares: Mapping[str | int, float]) -> None:
    counts = Counter(values)
    assert set(counts) == set(shares)
    expected = [len(values) * share / sum(shares.values()) for share in shares.values()]
    assert chisquare([counts[value] for value in shares], expected).pvalue > 1e-3


def evenly(values: Sequence[str | int]) -> dict[str | int, float]:
    return dict.fromkeys(values, 1.0)


def test_every_credit_risk_follows_from_the_rules(risks: list[Record]) -> None:
    assert [r["Credit Risk"] for r in risks] == [expected_risk(r) for r in risks]


def test_every_status_follows_from_the_rules(customers: list[Record]) -> None:
    assert [r["Status"] for r in customers] == [expected_status(r) for r in customers]


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [("House Rent", 100, 600), ("Income", 30, 100), ("Job Grade", 1, 4), ("No of Dependents", 0, 7)],
)
def test_numbers_are_even_over_their_whole_domain(
    risks: list[Record], name: str, low: int, high: int
) -> None:
    assert_shares([r[name] for r in risks], evenly(range(low, high + 1)))


@pytest.mark.parametrize(
    ("belongs", "shares"),
    [
        (lambda r: r["House Rent"] > 300, evenly(("Mel", "Syd"))),
        (lambda r: r["House Rent"] <= 300 and r["Income"] <= 50, evenly(("New", "Mel", "Arm"))),
        (lambda r: r["House Rent"] <= 300 and r["Income"] > 50, evenly(("Mel", "New", "Syd", "Arm"))),
    ],
)
def test_city_shares(
    risks: list[Record], belongs: Callable[[Record], bool], shares: dict[str | int, float]
) -> None:
    assert_shares([r["City"] for r in risks if belongs(r)], shares)


def test_job_grade_and_dependents_are_drawn_where_the_income_is_low(risks: list[Record]) -> None:
    low = [r for r in risks if int(r["House Rent"]) <= 300 and int(r["Income"]) <= 50 and r["City"] == "New"]
    assert_shares([r["Job Grade"] for r in low], evenly(range(1, 5)))
    assert_shares([r["No of Dependents"] for r in low], evenly(range(8)))


def test_country_profession_and_car_shares(customers: list[Record]) -> None:
    assert_shares(
        [r["Country of Origin"] for r in customers],
        {"USA": 0.4, "England": 0.4, "Australia": 0.2},
    )
    abroad = [r for r in customers if r["Country of Origin"] != "Australia"]
    assert_shares([r["Profession"] for r in abroad], {"Scientist": 0.95, "Academic": 0.03, "Engineer": 0.02})
    assert_shares([r["Car Make"] for r in abroad], {"Toyota": 0.4, "Ford": 0.4, "Nissan": 0.2})


def test_australian_profession_and_car_shares(customers: list[Record]) -> None:
    home = [r for r in customers if r["Country of Origin"] == "Australia"]
    assert_shares([r["Profession"] for r in home], {"Engineer": 0.4, "Academic": 0.3, "Scientist": 0.3})
    engineers = [r["Car Make"] for r in home if r["Profession"] == "Engineer"]
    assert_shares(engineers, evenly(("Toyota", "Holden")))
    others = [r["Car Make"] for r in home if r["Profession"] != "Engineer"]
    assert_shares(others, evenly(("Toyota", "Nissan", "Ford", "Holden")))


@pytest.mark.parametrize(
    ("name", "domain"), [("Parents' Country", PARENTS_COUNTRIES), ("Favorite City", FAVORITE_CITIES)]
)
def test_unrelated_attributes_are_even_over_thirty_values(
    customers: list[Record], name: str, domain: tuple[str, ...]
) -> None:
    assert len(domain) == 30
    assert_shares([r[name] for r in customers], evenly(domain))


def test_cars_of_good_customers_are_as_many_as_the_rules_imply() -> None:
    many = 399 * 100
    good = [r for r in records(customer_status(many, SEED)) if r["Status"] == "Good"]
    cars = Counter(r["Car Make"] for r in good)
    assert len(good) / 100 == pytest.approx(247, abs=4)
    expected = {"Ford": 134, "Toyota": 70, "Nissan": 38, "Holden": 6}
    assert {car: count / 100 for car, count in cars.items()} == pytest.approx(expected, abs=4)


@pytest.mark.parametrize("make", [credit_risk, customer_status])
def test_schema_is_that_of_the_table_read_from_a_file(make: Callable[[int, bytes], Table]) -> None:
    table = make(50, SEED)
    last = table.schema.attributes[-1]
    assert table.schema.class_attribute == last
    for attribute in table.schema.attributes:
        assert attribute.categories == tuple(sorted(set(attribute.categories)))
        wanted = np.float64 if attribute.kind == "numeric" else np.int32
        assert table.columns[attribute.name].dtype == wanted
        assert table.columns[attribute.name].shape == (50,)


def test_same_seed_same_table_and_fewer_rows_are_its_beginning() -> None:
    long, short = records(credit_risk(200, SEED)), records(credit_risk(30, SEED.hex()))
    assert long[:30] == short
    assert records(credit_risk(200, bytes(32))) != long


def test_taking_rows_works() -> None:
    table = customer_status(20, SEED)
    assert records(table.take(np.array([3, 1]))) == [records(table)[3], records(table)[1]]


@pytest.mark.parametrize("make", [credit_risk, customer_status])
def test_a_table_needs_a_record(make: Callable[[int, bytes], Table]) -> None:
    with pytest.raises(InputError, match="at least one record"):
        make(0, SEED)
