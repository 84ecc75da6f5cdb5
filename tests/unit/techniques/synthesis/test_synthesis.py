"""What all syntheses share: what they keep, what they do not invent, and the tables that are hard on them."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.arrays import Array
from hushwood.random_streams import Streams
from hushwood.segments.partition import whole_table
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.techniques.cart_synthesis import CartSynthesis
from hushwood.techniques.copula_synthesis import CopulaSynthesis
from hushwood.techniques.forest_synthesis import ForestSynthesis
from hushwood.techniques.synthesis import synthesis as syntheses
from hushwood.techniques.synthesis.synthesis import Synthesis, SynthesisSource
from support.dependent_tables import (
    copied_rare_numbers,
    correlation_of,
    dependent_table,
    largest_gap,
    synthesised,
)
from support.mixed_tables import category, mixed_table, number, table_of, target

SYNTHESES: dict[str, Synthesis] = {
    "cart": CartSynthesis(),
    "copula": CopulaSynthesis(),
    "forest": ForestSynthesis(),
}
each = pytest.mark.parametrize("technique", SYNTHESES.values(), ids=SYNTHESES)


@pytest.fixture(scope="module")
def table() -> Table:
    return dependent_table()


@pytest.fixture(scope="module", params=list(SYNTHESES))
def new(request: pytest.FixtureRequest, table: Table) -> dict[str, Array]:
    return synthesised(SYNTHESES[request.param], table)


def test_columns_keep_their_distributions(new: dict[str, Array], table: Table) -> None:
    assert all(largest_gap(table.columns[name], new[name]) < 0.08 for name in ("x", "y", "z"))
    for name in ("town", "ill"):
        before, after = (np.bincount(c[name], minlength=4) / table.rows for c in (table.columns, new))
        assert np.abs(before - after).max() < 0.06


def test_what_goes_together_still_does_and_nothing_else(new: dict[str, Array], table: Table) -> None:
    assert correlation_of(dict(table.columns), "x", "y") > 0.99
    assert correlation_of(new, "x", "y") > 0.9
    assert abs(correlation_of(new, "x", "z")) < 0.1
    assert np.corrcoef(new["x"], new["ill"])[0, 1] > 0.6


@each
def test_numbers_that_few_records_have_are_not_copied(technique: Synthesis) -> None:
    values = np.random.default_rng(3).normal(size=400)
    plain = table_of(
        {
            "x": (number("x", float(values.min()), float(values.max()), None), values.tolist()),
            "y": (number("y", 0, 9), (np.arange(400) % 10).tolist()),
            "k": (target("k", "ab"), ([0, 1] * 200)),
        }
    )
    found = synthesised(technique, plain)
    assert copied_rare_numbers(plain.columns["x"], found["x"]) < 0.02
    without = synthesised(CartSynthesis(blur=0), plain)
    assert copied_rare_numbers(plain.columns["x"], without["x"]) == 1
    assert set(found["y"].tolist()) <= set(range(10))


@pytest.mark.parametrize("name", ["cart", "forest"])
def test_a_category_still_goes_with_a_number(name: str, table: Table) -> None:
    """A copula ranks categories by frequency, and cannot see that this one grows with the number."""
    new = synthesised(SYNTHESES[name], table)
    assert correlation_of(new, "x", "town") > 0.7


@each
def test_another_key_gives_other_records(technique: Synthesis, table: Table) -> None:
    few = table.take(np.arange(200))
    one, other = (synthesised(technique, few, Streams(bytes([seed] * 32))) for seed in (1, 2))
    assert all((one[name] != other[name]).any() for name in one)


@each
def test_threads_change_nothing(technique: Synthesis, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    few, found = table.take(np.arange(400)), []
    for threads in (1, 3):
        monkeypatch.setattr(syntheses, "available_threads", lambda threads=threads: threads)
        found.append(synthesised(technique, few))
    assert all(np.array_equal(found[0][name], found[1][name]) for name in found[0])


@each
@pytest.mark.parametrize("rows", [1, 2, 3, 9, 21])
def test_tiny_tables(technique: Synthesis, rows: int) -> None:
    small = mixed_table(4, 60).take(np.arange(rows))
    new = synthesised(technique, small)
    assert {name: len(values) for name, values in new.items()} == dict.fromkeys(small.columns, rows)


@each
def test_a_column_that_is_mostly_missing(technique: Synthesis) -> None:
    chance = np.random.default_rng(5)
    x = np.where(chance.random(600) < 0.9, np.nan, chance.normal(size=600))
    gone = np.isnan(x)
    some = table_of(
        {
            "x": (number("x", float(np.nanmin(x)), float(np.nanmax(x)), None), x.tolist()),
            "flag": (category("flag", "ny"), np.where(chance.random(600) < 0.95, gone, ~gone).tolist()),
            "k": (target("k", "ab"), [0, 1, -1] * 200),
        }
    )
    new = synthesised(technique, some)
    assert abs(np.isnan(new["x"]).mean() - gone.mean()) < 0.06
    assert abs((new["k"] < 0).mean() - 1 / 3) < 0.12
    # The flag says where the number is missing, and still does.
    assert np.isnan(new["x"])[new["flag"] == 1].mean() > np.isnan(new["x"])[new["flag"] == 0].mean() + 0.3


@each
def test_a_thousand_levels(technique: Synthesis) -> None:
    chance = np.random.default_rng(6)
    level = chance.integers(0, 1000, 3000)
    many = table_of(
        {
            "level": (category("level", [f"level {i}" for i in range(1000)]), level.tolist()),
            "size": (number("size", 0, 999), level.tolist()),
            "k": (target("k", "ab"), (level > 500).astype(int).tolist()),
        }
    )
    new = synthesised(technique, many)
    assert new["level"].min() >= 0
    assert new["level"].max() < 1000
    assert len(np.unique(new["level"])) > 400


@each
def test_columns_that_say_the_same_still_do(technique: Synthesis) -> None:
    chance = np.random.default_rng(7)
    grade = chance.integers(0, 5, 500)
    linked = table_of(
        {
            "grade": (category("grade", "abcde"), grade.tolist()),
            "points": (number("points", 10, 50), (10 * grade + 10).tolist()),
            "k": (target("k", "ab"), (grade > 2).astype(int).tolist()),
        }
    )
    new = synthesised(technique, linked)
    assert (new["points"] == 10 * new["grade"] + 10).all()
    assert len(np.unique(new["grade"])) == 5


@each
def test_without_a_class_or_with_the_class_copied(technique: Synthesis, table: Table) -> None:
    few = table.take(np.arange(300))
    plain = table_of({a.name: (a, few.columns[a.name].tolist()) for a in few.schema.inputs})
    assert correlation_of(synthesised(technique, plain), "x", "y") > 0.8
    segments = whole_table(few)
    perturber = technique.prepare(few, ["x", "y"], segments)
    assert set(perturber.perturb(few.columns, segments.ids, range(300), Streams(bytes(32)))) == {"x", "y"}


@each
def test_the_law_says_what_is_possible_whatever_the_record(technique: Synthesis, table: Table) -> None:
    perturber = technique.prepare(table, list(table.columns), whole_table(table))
    law, ids = perturber.law(), np.zeros(table.rows, int)
    possible = dict(synthesised(technique, table))
    assert (law.log_prob(table.columns, possible, ids) == 0).all()
    outside = {**possible, "x": np.where(np.arange(table.rows) == 7, 1e9, possible["x"])}
    assert np.flatnonzero(np.isinf(law.log_prob(table.columns, outside, ids))).tolist() == [7]
    assert law.forms(table.schema) == {}
    assert law.described()["form"] == "records drawn from a model of the table"
    with pytest.raises(TypeError):
        law.sample(table.columns, ids, range(table.rows), Streams(bytes(32)))


STREAMS = Streams(bytes(32))


def source_of(table: Table) -> SynthesisSource:
    return SynthesisSource.of(
        table.schema, list(table.columns), table.columns, range(table.rows), STREAMS, "TEST"
    )


def test_columns_that_do_not_vary_are_not_drawn() -> None:
    table = mixed_table(1, 200)
    found = source_of(table)
    assert [column.name for column in found.varied] == ["count", "price", "ratio", "city", "job"]
    assert found.label is not None
    assert found.label.levels == len(table.schema["risk"].categories) + 1  # one more for a missing class
    assert found.with_class.tolist() == np.flatnonzero(table.columns["risk"] >= 0).tolist()


def test_linked_columns_follow_another() -> None:
    grade = [0, 1, 2] * 20
    table = table_of(
        {
            "grade": (category("grade", "abc"), grade),
            "points": (number("points", 5, 7), [g + 5 for g in grade]),
            "k": (target("k", "no"), [0, 1] * 30),
        }
    )
    found = source_of(table)
    assert [column.name for column in found.led] == ["grade"]
    drawn = {"grade": found.led[0].with_codes(np.full(60, 2, np.int32))}
    assert set(found.complete(drawn)["points"].values().tolist()) == {7.0}


def test_a_class_cut_into_bins_gets_numbers_of_its_bin() -> None:
    prices = ("5", "6", "20", "30")
    price = Attribute(
        "price", "categorical", role="class", storage="Float64", categories=prices, bins=(10.0,)
    )
    table = table_of({"x": (number("x", 0, 3), [0, 1, 2, 3] * 50), "price": (price, [0, 1, 2, 3] * 50)})
    found = source_of(table)
    assert found.label is not None
    codes = np.array([0, 1] * 100, np.int32)
    drawn = found.classes(found.label, codes)
    assert set(drawn[codes == 0].tolist()) == {0, 1}
    assert set(drawn[codes == 1].tolist()) == {2, 3}


def test_a_numeric_class_is_a_number_like_any_other() -> None:
    size = Attribute("size", "numeric", role="class", low=0, high=9, precision=0)
    table = table_of({"x": (number("x", 0, 3), [0, 1, 2, 3] * 5), "size": (size, list(range(10)) * 2)})
    found = source_of(table)
    assert found.label is None
    assert [column.name for column in found.varied] == ["x", "size"]


def test_other_empty_records_are_filled_from_what_was_learnt_once() -> None:
    found = source_of(mixed_table(1, 200))
    asked: list[str] = []

    def learn() -> int:
        asked.append("lesson")
        return len(asked)

    other = found.filling(np.array([900, 17, 5000]))
    assert [each.remembered("lesson", learn) for each in (found, other, found)] == [1, 1, 1]
    assert (other.slots.count, other.slots.group_count) == (3, 1)
    drawn = found.filling(range(5001)).drawn("count", 0, 50)
    assert other.drawn("count", 0, 50).tolist() == drawn[[900, 17, 5000]].tolist()
    assert found.ids_of(np.array([0, 3])).tolist() == [0, 3]
