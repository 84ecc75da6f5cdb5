"""The walk of rotations: what it keeps, what it mixes, and what it cannot move."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.segments.partition import whole_table
from hushwood.techniques.shuffle import Rotation
from hushwood.techniques.together.fallbacks import SWEEPS, fewest_to_turn, walked
from support.correlated_tables import cut, described, drawn_by, hard_table
from support.mixed_tables import category, number, table_of, target


def test_only_chosen_cells_are_walked() -> None:
    table = hard_table(1, 200, ["real", "whole"])
    done = drawn_by(Rotation(within="segment"), table, cut(table, ("x0", 0.5), ("x1", 0.5)))
    rows, chosen = done.rows, np.array([False, True, False, True])
    found = walked(rows, chosen, rows.numbers)
    assert np.array_equal(found[~chosen[rows.cell]], rows.numbers[~chosen[rows.cell]])
    assert (found[chosen[rows.cell]] != rows.numbers[chosen[rows.cell]]).mean() > 0.95
    assert walked(rows, np.zeros(4, bool), rows.numbers) is rows.numbers
    alone = walked(rows, np.array([False, True, False, False]), rows.numbers)
    assert np.array_equal(alone[rows.cell == 1], found[rows.cell == 1])


def test_a_long_walk_forgets_where_it_began() -> None:
    """The correlation of a column with itself after the walk is that of chance."""
    table = hard_table(2, 3000, ["real", "zeros", "whole"])
    done = drawn_by(Rotation(given=()), table, whole_table(table))
    for j in range(3):
        assert abs(np.corrcoef(done.before[:, j], done.after[:, j])[0, 1]) < 4 / np.sqrt(3000)


@pytest.mark.parametrize("given", [("job",), ("job", "x2"), ("x1", "x2")])
def test_means_of_every_category_stay_and_links_to_given_numbers(given: tuple[str, ...]) -> None:
    table = hard_table(3, 300, ["real", "real", "shared"], gaps=0.0)
    done = drawn_by(Rotation(given=given), table, whole_table(table))
    design = done.perturber.given.design(table.columns)
    assert np.allclose(design.T @ done.after, design.T @ done.before, atol=1e-9)
    assert (done.after != done.before).mean() > 0.9


def test_a_scale_changes_nothing_but_the_scale() -> None:
    """Also not who is turned with whom: a power of two is exact."""
    plain = hard_table(4, 90, ["zeros", "real"])
    values, two, others = plain.columns["x0"], plain.schema["x1"], plain.columns["x1"]
    done = []
    for factor in (1.0, 2.0**40, 2.0**-40):
        scaled = described("x0", factor * values, None), (factor * values).tolist()
        table = table_of({"x0": scaled, "x1": (two, others.tolist())})
        done.append(drawn_by(Rotation(), table, whole_table(table)).after / [factor, 1.0])
    assert np.array_equal(done[0], done[1])
    assert np.array_equal(done[0], done[2])


def test_how_many_records_it_takes() -> None:
    table = hard_table(5, 30, ["real", "real", "real"])
    segments = whole_table(table)
    assert fewest_to_turn(drawn_by(Rotation(given=("job",)), table, segments).perturber.given) == 3
    assert fewest_to_turn(drawn_by(Rotation(given=("x0", "x1")), table, segments).perturber.given) == 5
    assert SWEEPS % 2 == 0  # as many sweeps among likes as among all


@pytest.mark.parametrize("rare", [1, 2])
def test_records_of_rare_categories_are_turned_with_others(rare: int) -> None:
    """Two rare categories together are enough to turn; one alone joins the largest."""
    chance = np.random.default_rng(rare)
    codes = [0] * 40 + [1] * 9 + [2] * rare + [3] * 2
    values = chance.normal(size=(len(codes), 2))
    table = table_of(
        {
            "c": (category("c", "pqrs"), codes),
            **{f"x{j}": (number(f"x{j}", -9, 9, None), values[:, j].tolist()) for j in range(2)},
            "k": (target("k", "ab"), [0, 1] * (len(codes) // 2) + [0] * (len(codes) % 2)),
        }
    )
    done = drawn_by(Rotation(given=("c",)), table, whole_table(table))
    assert (done.after != done.before).all()
    assert np.allclose(done.after.mean(axis=0), done.before.mean(axis=0))
    assert np.allclose(np.cov(done.after.T), np.cov(done.before.T))
    large = np.array(codes) == 1
    assert np.allclose(done.after[large].mean(axis=0), done.before[large].mean(axis=0))
