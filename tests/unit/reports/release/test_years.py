"""Which columns hold years, and how their numbers are written."""

from __future__ import annotations

from typing import Any

import pytest

from hushwood.evaluation.evaluation import Evaluation
from hushwood.reports.release.years import year_columns
from support.sample_entries import document_of


def evaluation(name: str, low: float | None, high: float | None, **more: Any) -> Evaluation:
    column = {"name": name, "kind": "numeric", "role": "ordinary", "storage": "Int64", "missing": 0}
    document = document_of()
    document["schema"] = [column | {"low": low, "high": high, "precision": 0} | more]
    return Evaluation.from_json(document)


@pytest.mark.parametrize(
    ("name", "low", "high", "is_year"),
    [
        ("Year", 1500, 2200, True),
        ("Geburtsjahr", 1499, 2000, False),
        ("x", 1800, 2100, True),
        ("x", 1700, 2000, False),
        ("year", 0, 12, False),
        ("pay", 1200, 90_000, False),
    ],
)
def test_years_are_known_by_name_and_range(name: str, low: float, high: float, is_year: bool) -> None:
    assert (name in year_columns(evaluation(name, low, high))) == is_year


def test_only_whole_numbers_are_years() -> None:
    assert year_columns(evaluation("year", 1900, 2000, precision=1)) == frozenset()
    assert year_columns(evaluation("year", 1900, 2000, storage="Date")) == frozenset()


def test_where_the_domain_is_withheld_the_histogram_speaks() -> None:
    document = evaluation("year", None, None).to_json()
    histogram = {"edges": [1899.5, 1999.5], "labels": ["1,900 – 1,999"], "before": [9], "after": [9]}
    column = {"column": "year", "kind": "numeric", "role": "ordinary", "storage": "Int64"}
    document["release"]["distributions"] = [column | histogram]

    assert year_columns(Evaluation.from_json(document)) == {"year"}
    assert year_columns(evaluation("year", None, None)) == frozenset()
