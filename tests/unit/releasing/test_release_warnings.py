"""A release with noise where it is wanted: what it draws, records, says and warns of."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hushwood.random_streams import Streams
from hushwood.releasing.perturb import Perturbed, PerturbOptions, perturb
from hushwood.tables.table import Table
from support.mixed_tables import number, table_of, target

STREAMS = Streams(bytes(32))


@pytest.fixture(scope="module")
def table() -> Table:
    rng = np.random.default_rng(2)
    a, b, c = rng.integers(0, 100, 400).astype(float), rng.integers(1, 1000, 400), rng.integers(0, 4, 400)
    return table_of(
        {
            "a": (number("a", 0, 99, 0), a.tolist()),
            "b": (number("b", 1, 999, 0), b.tolist()),
            "c": (number("c", 0, 3, 0), c.tolist()),
            "y": (target("y", "nj"), (a > 50).astype(int).tolist()),
        }
    )


def released(table: Table, technique: str = "framework", **options: Any) -> Perturbed:
    return perturb(table, PerturbOptions(technique, min_leaf=20, threads=1, **options), STREAMS)


def moved(table: Table, done: Perturbed, name: str) -> float:
    return float(np.abs(done.table.columns[name] - table.columns[name]).mean())


def test_each_attribute_moves_as_far_as_it_is_told(table: Table) -> None:
    plain = released(table, noise=0.2, boundary="truncate")
    influential = released(table, noise=0.2, boundary="truncate", noise_influential=0.0)
    assert influential.segments.influential["a"].all()
    assert moved(table, influential, "a") == 0
    assert moved(table, influential, "b") == moved(table, plain, "b")
    own = released(table, noise=0.2, boundary="truncate", noise_by_column={"b": 0.01})
    assert moved(table, own, "b") < moved(table, plain, "b") / 10
    assert np.array_equal(own.table.columns["a"], plain.table.columns["a"])


def test_what_was_asked_for_is_recorded_and_made_public(table: Table) -> None:
    assert released(table, noise=0.2).method == {
        "technique": "framework",
        "noise": 0.2,
        "boundary": "wrap",
        "distribution": "normal",
    }
    done = released(table, noise=0.2, noise_by_column={"b": 0.1}, noise_innocent=0.3, noise_of="value")
    assert done.method["noise_by_column"] == {"b": 0.1}
    assert done.method["noise_innocent"] == 0.3
    assert done.method["noise_of"] == "value"
    assert "noise_influential" not in done.method


def test_every_column_says_its_own_noise(table: Table) -> None:
    done = released(table, noise=0.2, noise_by_column={"b": 0.276})
    said = {tuple(step["columns"]): step["says"] for step in done.plan.described(table.schema)}
    assert "a spread of 27.6% of the column's whole range" in said["b",]
    assert "a spread of 20% of the column's whole range" in said["c",]


def test_noise_in_the_schema_is_recorded_as_an_option(table: Table) -> None:
    schema = table.schema.with_attribute(replace(table.schema["b"], noise=0.01))
    done = released(replace(table, schema=schema))
    assert done.options.noise_by_column == {"b": 0.01}
    same = released(table, noise_by_column={"b": 0.01})
    assert np.array_equal(done.table.columns["b"], same.table.columns["b"])


def test_noise_in_the_schema_that_a_technique_cannot_use_is_warned_of(table: Table) -> None:
    schema = table.schema.with_attribute(replace(table.schema["b"], noise=0.01))
    done = released(replace(table, schema=schema), "mdav")
    assert [w for w in done.warnings if "schema" in w] == [
        "The schema gives noise to b, but mdav has no use for it; other columns and these are treated alike."
    ]
    assert done.options.noise_by_column == {}


def test_a_column_without_noise_is_named_as_such(table: Table) -> None:
    warned = released(table, noise_by_column={"b": 0.0}).warnings
    assert "Column 'b' is released unchanged: its noise is 0." in warned
    assert not any("'c'" in w for w in warned)


def test_zeros_that_stay_are_counted(table: Table) -> None:
    zeros = int((table.columns["c"] == 0).sum())
    warned = [w for w in released(table, noise=0.5, noise_of="value").warnings if "stays 0" in w]
    assert f"Column 'c' is 0 in {zeros} of 400 records and stays 0 there" in warned[-1]
    assert not any("'b'" in w for w in warned)
    assert not any("stays 0" in w for w in released(table, noise=0.5).warnings)
