"""A record with survey weight 3 is three people: measures count it as three records that are the same.

Corrections ask how many records there are, and a weight adds none: there weights are scaled to a mean of 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

from hushwood.measures.protocol import Measure, Measurement, Mergeable
from hushwood.measures.utility.contingency_tables import ContingencyTables
from hushwood.measures.utility.correlations import Correlations
from hushwood.measures.utility.count_queries import CountQueries, QueryCondition
from hushwood.measures.utility.distribution_distances import DistributionDistances
from hushwood.measures.utility.means_and_variances import MeansAndVariances
from hushwood.measures.utility.prediction_accuracy import PredictionAccuracy
from hushwood.tables.reading import read_table
from hushwood.tables.table import Table
from hushwood.trees.options import GrowOptions
from support.table_pairs import context_for

ROWS = 60
SCHEMA: dict[str, Any] = {"target": "ill", "weight": "w"}


def survey(seed: int) -> Table:
    """People with gaps, whole weights from 0 to 4, and columns that go together."""
    draw = np.random.default_rng(seed)
    age = draw.integers(20, 60, ROWS).astype(float)
    pay = np.round(age * 40 + draw.normal(0, 300, ROWS))
    pay[draw.random(ROWS) < 0.1] = np.nan
    town = np.where(draw.random(ROWS) < 0.5, "a", np.where(age > 40, "b", "c"))
    ill = np.where((age > 40) ^ (draw.random(ROWS) < 0.2), "yes", "no")
    weight = draw.integers(0, 5, ROWS)
    frame = pl.DataFrame({"age": age, "pay": pay, "town": town, "ill": ill, "w": weight.astype(float)})
    return read_table(frame.with_columns(pl.col("pay").fill_nan(None)), **SCHEMA)


def pair(seed: int) -> tuple[Table, Table]:
    """A survey and another in its coding, as its release."""
    original, other = survey(seed), survey(seed + 1000)
    return original, replace(other, schema=original.schema)


def repeated(table: Table) -> Table:
    """Every record as often as its weight says; the column of weights is gone."""
    assert table.weights is not None
    rows = np.repeat(np.arange(table.rows), table.weights.astype(np.int64))
    kept = tuple(a for a in table.schema.attributes if a.name != "w")
    many = table.take(rows)
    columns = {name: values for name, values in many.columns.items() if name != "w"}
    return replace(many, schema=replace(many.schema, attributes=kept), columns=columns)


def both(measure: Measure, seed: int) -> tuple[Measurement, Measurement]:
    """What a measure says with weights, and of repeated records."""
    original, released = pair(seed)
    many, others = repeated(original), repeated(released)
    found = measure.compute(original, released, context_for(original, released))
    again = measure.compute(many, others, context_for(many, others, paired=False))
    assert isinstance(found, Measurement)
    assert isinstance(again, Measurement)
    return found, again


@pytest.mark.parametrize(
    "measure", [DistributionDistances(), Correlations(corrected=False), ContingencyTables()]
)
@pytest.mark.parametrize("seed", range(4))
def test_a_weight_is_a_record_repeated(measure: Measure, seed: int) -> None:
    found, again = both(measure, seed)
    assert found.value == pytest.approx(again.value, rel=1e-9)
    assert found.value > 0.01


@pytest.mark.parametrize("seed", range(4))
def test_distances_of_columns_are_those_of_repeated_records(seed: int) -> None:
    found, again = both(DistributionDistances(), seed)
    for one, other in zip(found.details["columns"], again.details["columns"], strict=True):
        assert (one["column"], one["cells"]) == (other["column"], other["cells"])
        for key in ("total_variation", "hellinger", "ks", "wasserstein", "missing_after"):
            wanted = None if other[key] is None else pytest.approx(other[key], rel=1e-9)
            assert one[key] == wanted, key


@pytest.mark.parametrize("seed", range(4))
def test_means_are_those_of_repeated_records_and_variances_but_for_the_number_of_records(seed: int) -> None:
    original, _ = pair(seed)
    found, again = both(MeansAndVariances(), seed)
    assert original.weights is not None
    for one, other in zip(found.details["columns"], again.details["columns"], strict=True):
        assert one["mean_before"] == pytest.approx(other["mean_before"], rel=1e-12)
        assert one["mean_after"] == pytest.approx(other["mean_after"], rel=1e-12)
        there = np.isfinite(original.columns[one["column"]]) & (original.weights > 0)
        records, people = int(there.sum()), original.weights[there].sum()
        factor = (people - 1) / people * records / (records - 1)
        assert one["variance_before"] == pytest.approx(factor * other["variance_before"], rel=1e-9)


def test_ranks_are_those_of_repeated_records() -> None:
    found, again = both(Correlations(), 1)
    for when in ("before", "after"):
        np.testing.assert_allclose(
            found.details["spearman"][when], again.details["spearman"][when], atol=1e-12
        )


@pytest.mark.parametrize("measure", [DistributionDistances(), Correlations(), MeansAndVariances()])
def test_batches_and_the_unit_of_weights_make_no_difference(measure: Mergeable) -> None:
    original, released = pair(2)
    whole = measure.tally(original.schema)
    whole.add(original, released)
    parts = measure.tally(original.schema)
    for rows in np.array_split(np.arange(ROWS), 7):
        part = measure.tally(original.schema)
        part.add(original.take(rows), released.take(rows))
        parts.merge(part)
    light = measure.tally(original.schema)
    few, fewer = (table.with_columns({"w": table.columns["w"] / 1e4}) for table in (original, released))
    light.add(few, fewer)
    answers = [tally.finish() for tally in (whole, parts, light)]
    values = [answer.value for answer in answers if isinstance(answer, Measurement)]
    assert values == pytest.approx([values[0]] * 3, rel=1e-9)


def test_counts_are_sums_of_weights() -> None:
    """Twice the weight for everyone over 40: the release counts them as twice as many, after both have one total."""
    original, _ = pair(3)
    old = original.columns["age"] > 40
    weights = np.where(old, 2.0, 1.0) * original.columns["w"]
    released = original.with_columns({"w": weights})
    found = CountQueries(queries=50).compute(original, released, context_for(original, released))
    assert isinstance(found, Measurement)
    assert found.value > 0.05
    same = CountQueries(queries=50).compute(original, original, context_for(original, original))
    assert isinstance(same, Measurement)
    assert same.value == 0.0
    assert QueryCondition("age", 41, 60).met(original).sum() == old.sum()


def test_accuracy_is_that_of_repeated_people() -> None:
    """The same trees on unseen people, each as often as the weight says."""
    original, released = pair(4)
    unseen = survey(77)
    unseen = replace(unseen, schema=original.schema)
    options = GrowOptions(min_leaf=2)
    context = context_for(original, released, options=options, holdout=unseen, value_only=True)
    other = replace(context, holdout=repeated(unseen))
    one, two = (PredictionAccuracy().compute(original, released, each) for each in (context, other))
    assert isinstance(one, Measurement)
    assert isinstance(two, Measurement)
    assert one.value == pytest.approx(two.value, rel=1e-9)


@pytest.mark.parametrize("make", [DistributionDistances, Correlations, ContingencyTables, MeansAndVariances])
def test_equal_weights_are_no_weights(make: Callable[[], Measure]) -> None:
    original, released = (table.with_columns({"w": np.full(ROWS, 250.0)}) for table in pair(5))
    plain = [
        replace(
            table,
            schema=replace(
                table.schema, attributes=tuple(a for a in table.schema.attributes if a.name != "w")
            ),
            columns={name: values for name, values in table.columns.items() if name != "w"},
        )
        for table in (original, released)
    ]
    found = make().compute(original, released, context_for(original, released))
    again = make().compute(plain[0], plain[1], context_for(plain[0], plain[1]))
    assert isinstance(found, Measurement)
    assert isinstance(again, Measurement)
    assert found.value == pytest.approx(again.value, rel=1e-9)
