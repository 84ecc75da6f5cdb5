"""Reiss' approximate swap: equal to a slow one, exact where it must be, and near where it can be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest

from hushwood.arrays import Array, Codes
from hushwood.errors import InputError
from hushwood.random_streams import Streams, keyed_order
from hushwood.tables.table import Table
from hushwood.techniques.approximate_swap import ApproximateSwap, ApproximateSwapLaw
from hushwood.techniques.laws.joint import LawPerturber
from oracles import approximate_swap as oracle
from support.mixed_tables import category, number, table_of, target
from support.transition_tables import segmented

STREAMS = Streams(bytes(range(32)))
SIZES = (3, 2, 4, 3, 2)


def random_codes(seed: int, rows: int, columns: int) -> Codes:
    """Columns that go together; -1 is missing."""
    chance = np.random.default_rng(seed)
    hidden = chance.integers(0, 3, rows)
    found = [
        np.where(chance.random(rows) < 0.6, hidden % size, chance.integers(-1, size, rows))
        for size in SIZES[:columns]
    ]
    return np.stack(found, axis=1).astype(np.int32)


def people(codes: Codes) -> Table:
    """The columns a, b, c ... of these codes; the last one is the class."""
    names = "abcde"[: codes.shape[1]]
    last = len(names) - 1
    return table_of(
        {
            name: ((target if j == last else category)(name, "vwxyz"[: SIZES[j]]), codes[:, j].tolist())
            for j, name in enumerate(names)
        }
    )


def prepared(technique: ApproximateSwap, table: Table, ids: Sequence[int] | None = None) -> LawPerturber:
    names = [attribute.name for attribute in table.schema.inputs]
    return technique.prepare(table, names, segmented([0] * table.rows if ids is None else ids))


def law_of(perturber: LawPerturber) -> ApproximateSwapLaw:
    (law,) = perturber.law().laws
    assert isinstance(law, ApproximateSwapLaw)
    return law


def released(
    technique: ApproximateSwap, table: Table, ids: Sequence[int] | None = None, key: int = 1
) -> dict[str, Array]:
    groups = np.array([0] * table.rows if ids is None else ids)
    streams = Streams(bytes([key] * 32))
    return dict(prepared(technique, table, ids).perturb(table.columns, groups, range(table.rows), streams))


def counted(columns: Sequence[Array]) -> dict[tuple[int, ...], int]:
    found: dict[tuple[int, ...], int] = {}
    for record in zip(*(column.tolist() for column in columns), strict=True):
        found[record] = found.get(record, 0) + 1
    return found


@pytest.mark.parametrize("order", [1, 2, 3, 4])
@pytest.mark.parametrize("controls", [(), None])
def test_it_is_the_slow_swap(order: int, controls: tuple[str, ...] | None) -> None:
    for seed in range(6):
        table = people(random_codes(seed, 40 + 5 * seed, 5))
        ids = np.random.default_rng(seed).integers(0, 3, table.rows).tolist()
        technique = ApproximateSwap(order, controls, within="segment")
        law = law_of(prepared(technique, table, ids))
        found = law.sample(table.columns, np.array(ids), range(table.rows), STREAMS)
        names = (*law.controls, *law.attributes)
        fixed, groups = len(law.controls), np.array(ids)
        turns = [
            keyed_order(STREAMS.words("REISS", name, 0, range(table.rows)), groups) for name in law.attributes
        ]
        u = np.stack(
            [STREAMS.uniform("REISS", name, 1, range(table.rows)) for name in law.attributes], axis=1
        )
        for group in range(3):
            rows = np.flatnonzero(groups == group)
            place = {row: at for at, row in enumerate(rows.tolist())}
            coded = [
                [len(table.schema[n].categories) if c < 0 else c for c in table.columns[n][rows].tolist()]
                for n in names
            ]
            records = list(zip(*coded, strict=True))
            orders = [[place[row] for row in turn.tolist() if row in place] for turn in turns]
            wanted = oracle.swapped(records, fixed, order, orders, u[rows].tolist())
            for j, name in enumerate(law.attributes):
                last = len(table.schema[name].categories)
                assert found[name][rows].tolist() == [
                    -1 if record[fixed + j] == last else record[fixed + j] for record in wanted
                ]


@pytest.mark.parametrize("order", [1, 2, 3])
def test_the_stated_law_is_that_of_the_first_record(order: int) -> None:
    table = people(random_codes(9, 60, 4))
    law = law_of(prepared(ApproximateSwap(order), table))
    records = [tuple(row) for row in law.codes.tolist()]
    asked = list(product(*(range(width) for width in law.widths)))
    values = np.array(asked, np.int32)
    columns = {
        name: np.where(values[:, j] == law.widths[j] - 1, -1, values[:, j])
        for j, name in enumerate((*law.controls, *law.attributes))
    }
    chances = np.exp(law.log_prob(columns, columns, np.zeros(len(asked), int)))
    wanted = [oracle.chance_of_first(records, 1, order, record) for record in asked]
    np.testing.assert_allclose(chances, wanted, atol=1e-12)
    by_control = np.bincount(values[:, 0], chances)
    np.testing.assert_allclose(by_control, 1)


def test_the_first_record_by_hand() -> None:
    # Classes x x x y; a: v v w w. Of class x, a is v with 2/3 by the table of class and a.
    table = table_of({"a": (category("a", "vw"), [0, 0, 1, 1]), "k": (target("k", "xy"), [0, 0, 0, 1])})
    law = law_of(prepared(ApproximateSwap(), table))
    asked = {"a": np.array([0, 1, 0, 1]), "k": np.array([0, 0, 1, 1])}
    chances = np.exp(law.log_prob(asked, asked, np.zeros(4, int)))
    # Class y never had v: a millionth of a record of two, against one record.
    small = 2e-6 / (2e-6 + 1)
    np.testing.assert_allclose(chances, [2 / 3, 1 / 3, small, 1 - small])


@pytest.mark.parametrize("within", ["table", "segment"])
def test_columns_keep_their_values_in_the_table_or_in_every_segment(within: str) -> None:
    table = people(random_codes(4, 300, 5))
    ids = np.random.default_rng(1).integers(0, 4, 300)
    groups = ids if within == "segment" else np.zeros(300, int)
    found = released(ApproximateSwap(within=within), table, ids.tolist())  # type: ignore[arg-type]
    for name in "abcd":
        assert found[name].dtype == np.int32
        assert counted([groups, found[name]]) == counted([groups, table.columns[name]])
        assert not np.array_equal(found[name], table.columns[name])


def test_tables_of_all_columns_are_exact_if_the_order_reaches_them() -> None:
    table = people(random_codes(5, 200, 3))
    found = released(ApproximateSwap(3), table)
    before, after = ([columns[name] for name in "ab"] for columns in (table.columns, found))
    assert counted([*after, table.columns["c"]]) == counted([*before, table.columns["c"]])
    two = released(ApproximateSwap(2), table)
    assert counted([two["a"], table.columns["c"]]) == counted([table.columns["a"], table.columns["c"]])


def distance(table: Table, found: dict[str, Array], ways: int) -> float:
    """Mean total variation of all tables of so many columns, the class among them."""
    after = {**table.columns, **found}
    off = []
    for names in combinations("abcde", ways):
        one, other = counted([table.columns[n] for n in names]), counted([after[n] for n in names])
        off.append(sum(abs(one.get(key, 0) - other.get(key, 0)) for key in {*one, *other}) / 2 / table.rows)
    return float(np.mean(off))


def test_tables_of_the_order_stay_near_and_those_above_it_less() -> None:
    table = people(random_codes(6, 3000, 5))
    one, two, three = (released(ApproximateSwap(order), table) for order in (1, 2, 3))
    assert distance(table, two, 2) < 0.02 < 0.1 < distance(table, one, 2)
    assert distance(table, three, 3) < distance(table, two, 3)
    assert np.mean([(two[n] == table.columns[n]).mean() for n in "abcd"]) < 0.7


def test_released_records_do_not_follow_the_original_ones() -> None:
    """Given its class, a record's own value says nothing about what is released for it."""
    table = people(random_codes(7, 4000, 2))
    same = np.mean(
        [released(ApproximateSwap(), table, key=key)["a"] == table.columns["a"] for key in (1, 2, 3)]
    )
    shares = [np.bincount(table.columns["a"][table.columns["b"] == k] + 1) for k in (-1, 0, 1)]
    wanted = sum((s**2).sum() / s.sum() for s in shares) / table.rows
    assert same == pytest.approx(wanted, abs=0.02)


def test_a_wrong_law_is_not_that_of_many_first_records() -> None:
    """2,000 segments of the same five records of three columns: the first that is drawn of each follows the law."""
    from scipy.stats import chisquare

    codes = np.array([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 2], [2, 1, 2]], np.int32)
    copies = 2000
    table = people(np.tile(codes, (copies, 1)))
    ids = np.repeat(np.arange(copies), 5)
    law = law_of(prepared(ApproximateSwap(controls=(), within="segment"), table, ids.tolist()))
    one_order = [
        np.argsort(STREAMS.words("REISS", n, 0, range(len(ids))).reshape(-1, 5), axis=1) for n in "ab"
    ]
    drawn = law.sample(table.columns, ids, range(len(ids)), STREAMS)
    # Records that are first in both columns' orders.
    first = np.flatnonzero(one_order[0][:, 0] == one_order[1][:, 0])
    rows = first * 5 + one_order[0][first, 0]
    cells = np.bincount(drawn["a"][rows] * 2 + drawn["b"][rows], minlength=6)
    asked = {"a": np.repeat([0, 1, 2], 2), "b": np.tile([0, 1], 3), "c": np.zeros(6, int)}

    def p_value(stated: ApproximateSwapLaw) -> float:
        chances = np.exp(stated.log_prob(asked, asked, np.zeros(6, int)))
        kept = chances > 1e-4
        return float(chisquare(cells[kept], cells[kept].sum() * chances[kept] / chances[kept].sum()).pvalue)

    assert p_value(law) > 1e-3
    assert p_value(replace(law, order=1)) < 1e-3


def test_what_is_refused() -> None:
    table = table_of({"a": (category("a", "vw"), [0, 1]), "n": (number("n", 0, 9), [1.0, 2.0])})
    with pytest.raises(InputError, match="order of REISS must be 1 or more; 0 was given"):
        ApproximateSwap(0)
    with pytest.raises(InputError, match=r"'m' for a control|column for a control 'm'"):
        prepared(ApproximateSwap(controls=("m",)), table)
    with pytest.raises(InputError, match="'n' is numeric and cannot be a control of REISS"):
        ApproximateSwap(controls=("n",)).prepare(table, ["a"], segmented([0, 0]))
    wide = {n: (category(n, [str(i) for i in range(6000)]), [0, 1]) for n in "ab"}
    with pytest.raises(
        InputError, match=r"Tables of 2 of the 2 columns have 36,012,001 cells, more than 25,000,000"
    ):
        prepared(ApproximateSwap(), table_of(wide))


def test_controls_are_copied_and_a_table_of_controls_only_stays() -> None:
    table = people(random_codes(2, 50, 3))
    found = released(ApproximateSwap(controls=("a",)), table)
    assert sorted(found) == ["b"]
    perturber = prepared(ApproximateSwap(controls=("a", "b")), table)
    assert perturber.attributes == ()
    covered = perturber.covers("a")
    assert covered is not None
    assert not covered.any()
