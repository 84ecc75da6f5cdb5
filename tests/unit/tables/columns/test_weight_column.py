"""Weights that single people out, or tell their stratum, are pointed out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest

from hushwood.errors import InputError
from hushwood.tables.reading import read, read_table

ROWS = 60


def survey(weights: Sequence[float | None], **more: object) -> pl.DataFrame:
    """Sixty people in three regions."""
    region = ["north", "south", "west"] * (ROWS // 3)
    return pl.DataFrame(
        {"region": region, "age": list(range(ROWS)), "w": weights, "ill": ["no", "yes"] * 30, **more}
    )


def sentences(frame: pl.DataFrame, **options: object) -> list[str]:
    found = read(frame, target="ill", weight="w", **options).warnings
    return [warning.sentence for warning in found if warning.code == "weight"]


def test_weights_that_nobody_shares_are_pointed_out() -> None:
    (says,) = sentences(survey([1 + i / 7 for i in range(ROWS)]))
    assert "gives 100% of the records a weight that no other record has" in says
    assert "--drop-weight" in says


def test_weights_that_tell_a_stratum_are_pointed_out() -> None:
    (says,) = sentences(survey([10.0, 20.0, 30.0] * (ROWS // 3)))
    assert "tells the value of 'region'" in says


def test_weights_that_several_strata_share_are_fine() -> None:
    assert sentences(survey([10.0] * 31 + [20.0] * 29)) == []


def test_records_without_weight_are_counted() -> None:
    (says,) = sentences(survey([None, 0.0] + [10.0] * 29 + [20.0] * 29))
    assert says.startswith("Column 'w' has 2 records that are without a weight or with weight 0")


def test_a_dropped_weight_tells_nobody_anything() -> None:
    (says,) = sentences(survey([1 + i / 7 for i in range(ROWS)]), roles={"w": "identifier"})
    assert (
        says
        == "Column 'w' is dropped from the release, so every released record counts the same in measures."
    )


def test_a_table_has_the_weights_of_its_column_kept_or_dropped() -> None:
    frame = survey([None, 0.5] + [2.0] * 58)
    for roles in ({}, {"w": "identifier"}, {"w": "ignored"}):
        table = read_table(frame, target="ill", weight="w", roles=roles)
        assert table.weights is not None
        np.testing.assert_array_equal(table.weights[:3], [0.0, 0.5, 2.0])
        np.testing.assert_array_equal(table.take(np.array([2, 1])).weights, [2.0, 0.5])
    assert read_table(frame, target="ill").weights is None


def test_a_flag_of_two_numbers_is_still_a_weight() -> None:
    table = read_table(survey([1.0, 2.0] * 30).cast({"w": pl.Int64}), weight="w")
    assert table.schema["w"].kind == "numeric"


def test_trees_and_intruders_leave_the_weight_alone() -> None:
    schema = read_table(survey([10.0] * 31 + [20.0] * 29), target="ill", weight="w").schema
    assert [a.name for a in schema.inputs] == ["region", "age", "w"]
    assert [a.name for a in schema.tested] == ["region", "age"]
    assert schema.quasi_identifiers == ("region", "age")
    assert [a.name for a in schema.measured] == ["region", "age", "ill"]


def test_the_weight_is_no_class_and_there_is_one() -> None:
    frame = survey([10.0] * 60)
    with pytest.raises(InputError, match="'w' cannot be both the class and the weight"):
        read_table(frame, target="w", weight="w")
    declared = read_table(frame, target="ill", weight="w")
    assert read_table(declared, target="region").schema.weight is not None
    moved = read_table(declared, weight="age").schema
    assert [a.name for a in moved.attributes if a.weight] == ["age"]
    with pytest.raises(InputError, match="There is no weight column 'v'"):
        read_table(frame, weight="v")
