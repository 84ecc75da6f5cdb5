"""The biases A to D: identical, hopeless, one type at a time, by hand and by their definitions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hushwood.measures.protocol import Measurement, NotComputable
from hushwood.measures.utility.biases import Biases
from hushwood.tables.table import Table
from oracles.biases import biases
from support.intruders import people, unrelated
from support.mixed_tables import category, mixed_table, number, table_of
from support.noisy_tables import cells, noisy
from support.rearranged_tables import column_by_column_shuffled, shuffled_rows
from support.table_pairs import context_for, measuring

measured = measuring(Biases, paired=False)


def sizes(found: Measurement) -> dict[str, float | None]:
    return {bias["type"]: bias["size"] for bias in found.details["types"]}


def with_confidential(table: Table, *names: str) -> Table:
    return replace(table, schema=table.schema.with_role(names, "confidential"))


def test_an_identical_release_has_no_bias() -> None:
    table = people(1, 300)
    found = measured(table, shuffled_rows(table, 2))
    assert found.value == pytest.approx(0.0, abs=1e-9)
    assert sizes(found) == {"A": pytest.approx(0, abs=1e-9), "B": pytest.approx(0, abs=1e-9)} | {
        "C": None,
        "D": pytest.approx(0, abs=1e-9),
    }


def test_a_hopeless_release_has_all_biases() -> None:
    table = with_confidential(people(1, 2000), "age", "income")
    found = sizes(measured(table, unrelated(table, 3)))
    assert all(size is not None and size > 0.05 for size in found.values())


def test_a_shuffle_of_columns_has_type_b_and_c_only() -> None:
    table = with_confidential(people(1, 2000), "age", "income")
    found = measured(table, column_by_column_shuffled(table, 3))
    size = sizes(found)
    assert size["A"] == pytest.approx(0, abs=1e-9)
    assert size["D"] == pytest.approx(0, abs=1e-9)
    assert size["B"] is not None
    assert size["B"] > 0.5
    assert size["C"] is not None
    assert found.value == max(size["B"], size["C"])


def test_a_linear_map_has_type_a_and_nothing_else() -> None:
    """Twice the numbers have four times the variance; relations and shape stay."""
    table = people(1, 200)
    doubled = table.with_columns({n: 2 * table.columns[n] + 5 for n in ("age", "school", "income")})
    found = sizes(measured(table, doubled))
    assert found["A"] == pytest.approx(3.0)
    assert found["B"] == pytest.approx(0, abs=1e-9)
    assert found["D"] == pytest.approx(0, abs=1e-9)


def test_by_hand() -> None:
    """0, 0, 1, 1 and 0, 1, 0, 1 are unrelated; after 0, 0, 1, 3 and 0, 0, 1, 3 they are the same."""
    x, y = number("x", 0, 9), number("y", 0, 9)
    original = table_of({"x": (x, [0, 0, 1, 1]), "y": (y, [0, 1, 0, 1])})
    released = table_of({"x": (x, [0, 0, 1, 3]), "y": (y, [0, 0, 1, 3])})
    found = measured(original, released)
    # Variances: 1/3 before, 2 after. In standard deviations x was at -a, -a, a, a with a = √3/2, and is at
    # -1/√2, -1/√2, 0, √2.
    a, b = 3**0.5 / 2, 0.5**0.5
    assert sizes(found) == {
        "A": pytest.approx(5.0),
        "B": pytest.approx(1.0),
        "C": None,
        "D": pytest.approx((2 * (a - b) + a + (2 * b - a)) / 4),
    }
    assert found.value == pytest.approx(5.0)
    assert found.details["types"][1]["columns"] == ["x", "y"]
    assert not found.details["declared"]


@pytest.mark.parametrize("confidential", [(), ("count",), ("count", "price")])
@pytest.mark.parametrize("seed", range(3))
def test_as_the_definitions_say(seed: int, confidential: tuple[str, ...]) -> None:
    original = with_confidential(mixed_table(seed, 60), *confidential)
    released = noisy(original, seed, gaps=True)
    varying = ("count", "price", "ratio")
    columns = [
        {name: [None if v is None else float(v) for v in cells(table)[name]] for name in varying}
        for table in (original, released)
    ]
    found = measured(original, released)
    wanted = biases(columns[0], columns[1], confidential or varying)
    assert sizes(found) == {k: None if v is None else pytest.approx(v) for k, v in wanted.items()}
    assert found.value == pytest.approx(max(v for v in wanted.values() if v is not None))
    assert found.details["confidential"] == list(confidential or varying)


def test_a_constant_release_loses_variance_and_shape() -> None:
    x = number("x", 0, 9)
    original, released = table_of({"x": (x, [0, 2])}), table_of({"x": (x, [5, 5])})
    found = sizes(measured(original, released))
    assert found["A"] == 1.0
    assert found["D"] == pytest.approx(0.5**0.5)
    assert found["B"] is None


def test_words_say_what_counts_as_confidential() -> None:
    table = people(1, 50)
    released = table.with_columns({"age": np.flip(table.columns["age"])})
    assert "No numeric column is declared" in Biases().remarks(measured(table, released).details)
    declared = with_confidential(table, "age")
    assert Biases().remarks(measured(declared, released).details) == ""


def test_no_numbers_is_no_number() -> None:
    table = table_of({"c": (category("c", "ab"), [0, 1])})
    assert isinstance(Biases().compute(table, table, context_for(table, table)), NotComputable)
