"""What TDS releases; which values it tells apart is compared with the definition in `test_specialisation`."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.segments.partition import whole_table
from hushwood.tables.columns.class_column import for_class
from hushwood.tables.table import Table
from hushwood.techniques.partitions.mondrian_parts import class_response
from hushwood.techniques.tds import Tds
from support.mixed_tables import category, mixed_table, number, table_of, target
from support.small_random_tables import plain_column, random_table
from support.technique_variants import released_by

STREAMS = Streams(bytes(range(32)))
NAN = float("nan")


def released(technique: Tds, table: Table) -> Table:
    return released_by(technique, table, whole_table(table), STREAMS)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("score", ["igpl", "ratio"])
def test_k_counted_on_the_release_and_one_recoding_for_all(seed: int, score: Any) -> None:
    table = mixed_table(seed, 200 + 30 * seed)
    k = 2 + seed % 5
    out = released(Tds(k, score), table)
    names = [a.name for a in table.schema.inputs]
    columns = {name: plain_column(out, name) for name in names}
    groups = Counter(zip(*columns.values(), strict=True))
    assert min(groups.values()) >= k
    assert len(groups) > 3
    for name in names:
        became: dict[Any, Any] = {}
        for before, after in zip(plain_column(table, name), columns[name], strict=True):
            assert became.setdefault(before, after) == after
    assert np.array_equal(out.columns["risk"], table.columns["risk"])


def test_a_small_table_by_hand() -> None:
    table = table_of(
        {
            "age": (number("age", 0, 99), [20, 21, 23, 50, 60, 71]),
            "city": (category("city", ["Bonn", "Ulm"]), [0, 1, 0, 1, 0, 1]),
            "gap": (number("gap", 0, 9), [NAN, NAN, 3, 4, NAN, 5]),
            "y": (target("y", "no"), [0, 0, 0, 1, 1, 1]),
        }
    )
    out = released(Tds(3), table)
    assert plain_column(out, "age") == [21, 21, 21, 60, 60, 60]
    assert plain_column(out, "city") == ["*"] * 6
    assert plain_column(out, "gap") == [4] * 6
    assert plain_column(released(Tds(3, max_steps=0), table), "age") == [41] * 6  # 40.83


def test_values_told_apart_stay_themselves() -> None:
    table = table_of(
        {
            "city": (category("city", ["Bonn", "Ulm", "Wien"]), [0, 0, 1, 1, -1, -1]),
            "y": (target("y", "no"), [0, 0, 1, 1, 0, 0]),
        }
    )
    out = released(Tds(2), table)
    assert out.schema == table.schema
    assert plain_column(out, "city") == ["Bonn", "Bonn", "Ulm", "Ulm", None, None]


def test_a_number_is_seen_in_bins_and_without_a_class_the_principal_score_stands_in() -> None:
    table = random_table(1, "nc", 30, 2, response="number")
    table = for_class(replace(table, schema=table.schema.with_role(["y"], "ordinary")), "y")
    none = replace(table, schema=table.schema.with_role(["y"], "ordinary"))
    for one in (table, none):
        label, classes = class_response(one)
        assert 0 <= label.min() <= label.max() < classes
        assert released(Tds(5), one).rows == 30


def test_more_records_than_there_are() -> None:
    with pytest.raises(InputError, match="k = 31 records cannot be made of 30"):
        released(Tds(31), random_table(1, "nc", 30, 2))


def test_confidential_columns_stay() -> None:
    table = random_table(5, "nc", 60, 2)
    table = replace(table, schema=table.schema.with_role(["c1"], "confidential"))
    out = released(Tds(), table)
    assert np.array_equal(out.columns["c1"], table.columns["c1"])


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"k": 1}, "k of TDS must be 2 or more"),
        ({"score": "gain"}, "score of TDS"),
        ({"max_steps": -1}, "max_steps of TDS must be 0"),
    ],
)
def test_wrong_parameters(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Tds(**wrong)


def test_codes_are_grouped_by_their_first_signs() -> None:
    codes = ["10115", "10117", "80331", "80333"]
    zips = replace(category("zip", codes), hierarchy="prefix")
    table = table_of({"zip": (zips, [0, 1, 2, 3] * 3), "y": (target("y", "no"), [0, 0, 1, 1] * 3)})
    assert plain_column(released(Tds(4), table), "zip") == ["1****", "1****", "8****", "8****"] * 3
