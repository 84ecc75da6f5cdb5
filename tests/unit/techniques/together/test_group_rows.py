"""Records as group techniques see them: parts of them, their numbers by chance, and what goes out.

The columns that are held fixed, as a design matrix and as strata.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm, spearmanr

from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.segments.partition import whole_table
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.techniques.gadp import Cgadp
from hushwood.techniques.protocol import Technique
from hushwood.techniques.shuffle import Rotation, Shuffle
from hushwood.techniques.together.group_rows import GroupRows, given_columns
from support.correlated_tables import STREAMS, cut, drawn_by, hard_table
from support.mixed_tables import category, number, table_of, target


def rows() -> GroupRows:
    table = hard_table(3, 120, ["real", "whole", "decimal"], gaps=0.2)
    return drawn_by(Rotation(within="segment"), table, cut(table, ("x0", 0.5))).rows


def test_a_part_holds_its_own_records() -> None:
    whole = rows()
    chosen = np.arange(whole.cells.count) % 2 == 1
    part, places = whole.taken(chosen)
    assert np.array_equal(np.arange(120)[places], np.flatnonzero(chosen[whole.cell]))
    assert part.cells.count == chosen.sum()
    assert np.array_equal(part.numbers, whole.numbers[places])
    assert np.array_equal(part.cells.segment[part.cell], whole.cells.segment[whole.cell][places])
    assert np.array_equal(part.cells.known[part.cell], whole.cells.known[whole.cell][places])
    assert np.array_equal(np.bincount(part.cell), part.cells.sizes)
    assert np.array_equal(part.normals(2), whole.normals(2)[places])
    same, everything = whole.taken(np.ones(whole.cells.count, bool))
    assert same is whole
    assert everything == slice(None)


def test_chance_is_that_of_the_columns_streams() -> None:
    found = rows().normals(1)
    assert np.array_equal(found[:, 2], STREAMS.normal("ROTATION", "x2", 1, range(120)))
    assert np.array_equal(found, rows().normals(1, threads=2))


def test_missing_numbers_have_all_the_room_and_stay_missing() -> None:
    whole = rows()
    low, high = whole.room()
    assert np.array_equal(np.isinf(low), ~whole.cells.known)
    assert np.array_equal(np.isinf(high), ~whole.cells.known)
    out = whole.released(whole.numbers)
    for name, values in out.items():
        assert np.array_equal(values, whole.columns[name], equal_nan=True)


def small() -> Table:
    return table_of(
        {
            "x": (number("x", 0, 9), [1.0, 2.0, np.nan, 3.0]),
            "c": (category("c", "pqr"), [0, 2, 1, 0]),
            "gap": (category("gap", "uv"), [-1, 0, 1, 0]),
            "k": (target("k", "ab"), [0, 1, -1, 1]),
        }
    )


def test_a_design_by_hand() -> None:
    """Numbers are standardised (missing: the mean); the first category is the one without an indicator."""
    given = given_columns(small(), ("c", "x", "gap"), "table")
    sd = np.sqrt(2 / 3)
    assert given.columns == 5
    assert given.design(small().columns) == pytest.approx(
        np.array(
            [
                [-1 / sd, 0, 0, 0, 1],
                [0, 0, 1, 0, 0],
                [0, 1, 0, 1, 0],
                [1 / sd, 0, 0, 0, 0],
            ]
        )
    )


def test_strata_tell_combinations_apart() -> None:
    strata = given_columns(small(), ("c", "gap"), "table").strata(small().columns)
    assert len(set(strata.tolist())) == 4
    assert len(set(given_columns(small(), ("c",), "table").strata(small().columns).tolist())) == 3
    assert given_columns(small(), ("x",), "table").strata(small().columns).tolist() == [0] * 4


def test_the_class_is_given_within_a_table_unless_told_otherwise() -> None:
    assert given_columns(small(), None, "table").categorical == ("k",)
    assert given_columns(small(), None, "segment").columns == 0
    assert given_columns(small(), (), "table").columns == 0
    assert given_columns(small(), None, "table").design(small().columns).tolist() == [
        [0, 0],
        [1, 0],
        [0, 1],
        [1, 0],
    ]
    without = table_of({"x": (number("x", 0, 9), [1.0, 2.0])})
    assert given_columns(without, None, "table").columns == 0


def test_a_binned_class_gives_its_bins() -> None:
    attribute = Attribute(
        "k", "categorical", role="class", categories=("1", "5", "9", "30"), bins=(5.0, 20.0)
    )
    table = table_of({"x": (number("x", 0, 9), [1.0] * 5), "k": (attribute, [0, 1, 2, 3, -1])})
    given = given_columns(table, None, "table")
    assert given.widths == (4,)
    assert given.design(table.columns).tolist() == [[0, 0, 0], [0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]


def test_many_columns_do_not_run_out_of_numbers() -> None:
    """The product of 60 columns of three categories is more than 64 bits hold."""
    chance = np.random.default_rng(1)
    codes = chance.integers(0, 3, (60, 50))
    codes[:, 25:] = codes[:, :25]
    table = table_of({f"c{i}": (category(f"c{i}", "pqr"), codes[i].tolist()) for i in range(60)})
    strata = given_columns(table, tuple(table.columns), "table").strata(table.columns)
    assert set(strata.tolist()) == set(range(25))
    assert np.array_equal(strata[:25], strata[25:])


def test_a_constant_or_empty_number_does_no_harm() -> None:
    table = table_of({"x": (number("x", 7, 7), [7.0] * 3), "void": (number("void", 0, 0), [np.nan] * 3)})
    assert not given_columns(table, ("x", "void"), "table").design(table.columns).any()


def test_unknown_columns_and_too_many_categories_are_refused() -> None:
    with pytest.raises(InputError, match=r"column to condition on 'cc'.*Did you mean 'c'"):
        given_columns(small(), ("cc",), "table")
    many = category("c", [str(i) for i in range(300)])
    with pytest.raises(InputError, match="300 categories in total; the limit is 200"):
        given_columns(table_of({"c": (many, [0, 1])}), ("c",), "table")


def test_numbers_by_their_ranks_are_normal_scores() -> None:
    values = [5.0, 1.0, np.nan, 1000.0, 5.0]
    table = table_of({"x": (number("x", 0, 1000), values), "k": (target("k", "ab"), [0, 1, 0, 1, 0])})
    given = given_columns(table, ("x",), "table").by_ranks(table)
    wanted = norm.ppf([0.5, 1 / 8, 0.5, 7 / 8, 0.5])
    np.testing.assert_allclose(given.numbers(table.columns).ravel(), wanted, atol=1e-12)
    some = {"x": np.array([1000.0, np.nan])}
    np.testing.assert_allclose(given.numbers(some).ravel(), wanted[[3, 2]], atol=1e-12)


@pytest.mark.parametrize("technique", [Cgadp(given=("s",)), Shuffle(given=("s",))], ids=["CGADP", "SHUFFLE"])
def test_methods_on_ranks_keep_the_link_to_a_skewed_column(technique: Technique) -> None:
    chance = np.random.default_rng(5)
    z = chance.normal(size=3000)
    x, s = z + 0.5 * chance.normal(size=3000), np.exp(2 * z)
    table = table_of(
        {
            "x": (number("x", float(x.min()), float(x.max()), None), x.tolist()),
            "s": (number("s", float(s.min()), float(s.max()), None), s.tolist()),
            "k": (target("k", "ab"), [0, 1] * 1500),
        }
    )
    segments = whole_table(table)
    perturber = technique.prepare(table, ["x", "s"], segments)
    new = perturber.perturb(table.columns, segments.ids, range(3000), Streams(bytes(32)))
    assert list(new) == ["x"]
    assert spearmanr(new["x"], s).statistic == pytest.approx(spearmanr(x, s).statistic, abs=0.03)


def test_rare_categories_of_a_cell_are_put_together() -> None:
    """In the first cell q has two records and goes to p; in the second p has one, which goes with r, the largest."""
    codes = [0, 0, 0, 1, 1, 2, 2, 2, 0, 1, 1, 1, 2, 2, 2, 2]
    table = table_of({"c": (category("c", "pqr"), codes)})
    given = given_columns(table, ("c",), "table")
    cell = np.repeat([0, 1], 8)
    found = given.common_design(table.columns, cell, np.array([8, 8]))
    assert found[:, 0].tolist() == [0] * 8 + [0, 1, 1, 1, 0, 0, 0, 0]
    assert found[:, 1].tolist() == [0, 0, 0, 0, 0, 1, 1, 1] + [0] * 8
    one = given.common_design(table.columns, np.zeros(16, np.int64), np.array([16]))
    assert np.array_equal(one, given.design(table.columns))


def test_without_categories_nothing_is_put_together() -> None:
    table = small().with_columns({"c": np.zeros(4, np.int32)})
    one = replace(table, schema=table.schema.with_attribute(category("c", "p")))
    for names in (("x",), ("x", "c"), ("c",)):
        given = given_columns(one, names, "table")
        found = given.common_design(one.columns, np.zeros(4, np.int64), np.array([4]))
        assert np.array_equal(found, given.design(one.columns))
