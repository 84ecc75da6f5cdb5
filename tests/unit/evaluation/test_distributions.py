"""Histograms and category counts, before and after."""

from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from hushwood.arrays import Array
from hushwood.evaluation.distributions import Histogram, bin_labels, distributions, round_edges
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table


def one_column(attribute: Attribute, values: Array) -> Table:
    return Table(Schema((attribute,)), {attribute.name: values}, pl.DataFrame(), len(values))


def test_numbers_share_their_edges() -> None:
    age = Attribute("age", "numeric", low=18, high=21, precision=0)
    before, after = np.array([18.0, 18.0, 21.0, np.nan]), np.array([19.0, 20.0, 21.0, np.nan])

    (found,) = distributions(one_column(age, before), one_column(age, after))

    assert found.histogram == Histogram(
        (17.5, 18.5, 19.5, 20.5, 21.5), ("18", "19", "20", "21"), (2, 0, 0, 1), (0, 1, 1, 1)
    )


def test_large_categories_by_name_and_the_rest_together() -> None:
    job = Attribute("job", "categorical", categories=tuple("abcdefghijklmn"))
    codes = np.repeat(np.arange(14), np.arange(14, 0, -1)).astype(np.int32)

    (column,) = distributions(one_column(job, codes), one_column(job, np.full_like(codes, -1)))

    found = column.counts
    assert found is not None
    assert found.categories == tuple("abcdefghijkl")
    assert (found.others, found.before[-1], found.after[-1]) == (2, 2 + 1, 0)
    assert found.missing == (0, len(codes))


def test_a_column_without_values_has_no_bins() -> None:
    age = Attribute("age", "numeric", precision=None)
    nothing = one_column(age, np.full(3, np.nan))

    assert distributions(nothing, nothing)[0].histogram == Histogram((), (), (), ())


def test_dates_are_labelled_as_dates() -> None:
    assert bin_labels(np.array([-0.5, 30.5]), 0, "Date") == ["1970-01-01 – 1970-01-31"]


@given(
    st.floats(-1e300, 1e300) | st.floats(-1e6, 1e6),
    st.floats(0, 1e300) | st.floats(0, 1e6),
    st.sampled_from([None, 0, 1, 2]),
)
def test_edges_cover_all_values_in_few_bins(low: float, span: float, precision: int | None) -> None:
    if precision is not None:
        low, span = round(low % 1e9, precision), round(span % 1e9, precision)
    high = low + span

    edges = round_edges(low, high, precision)

    assert edges[0] <= low
    assert edges[-1] >= high
    assert 2 <= len(edges) <= 24
    assert (np.diff(edges) > 0).all()
