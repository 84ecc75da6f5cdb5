from __future__ import annotations

import numpy as np
import pytest

from hushwood.techniques.copula_synthesis import CopulaSynthesis
from support.dependent_tables import correlation_of, dependent_table, normal_table, synthesised
from support.mixed_tables import category, table_of, target


@pytest.mark.parametrize("correlation", [-0.8, 0.0, 0.5, 0.9])
@pytest.mark.parametrize("blur", [0, 5])
def test_a_normal_table_keeps_its_correlation(correlation: float, blur: int) -> None:
    table = normal_table(correlation)
    before = correlation_of(dict(table.columns), "x", "y")
    assert abs(correlation_of(synthesised(CopulaSynthesis(blur=blur), table), "x", "y") - before) < 0.05


def test_without_the_blur_every_number_is_one_of_the_column() -> None:
    table = normal_table(0.5, 500)
    new = synthesised(CopulaSynthesis(blur=0), table)
    assert np.isin(new["x"], table.columns["x"]).all()
    assert CopulaSynthesis(blur=0).promise_for(table.schema["x"]).values == "held"


def test_shares_of_categories_are_those_of_the_column() -> None:
    """By hand: two columns of 5, 3 and 2 tenths; drawn by their shares, whatever their order."""
    codes = ([2] * 500 + [0] * 300 + [1] * 200) * 4
    table = table_of(
        {"a": (category("a", "xyz"), codes), "k": (target("k", "no"), [0, 1] * (len(codes) // 2))}
    )
    new = synthesised(CopulaSynthesis(), table)
    assert np.abs(np.bincount(new["a"], minlength=3) / len(codes) - [0.3, 0.2, 0.5]).max() < 0.03


def test_the_class_is_a_column_of_the_copula_without_a_teacher() -> None:
    table = dependent_table(1000)
    taught, among = (synthesised(CopulaSynthesis(teacher=t), table) for t in ("tree", "none"))
    assert np.corrcoef(taught["x"], taught["ill"])[0, 1] > 0.6
    assert np.corrcoef(among["x"], among["ill"])[0, 1] > 0.3
    assert abs(among["ill"].mean() - table.columns["ill"].mean()) < 0.06


def test_columns_that_are_the_same_do_not_stop_the_draw() -> None:
    """More columns than there are dependences: the correlations have no inverse."""
    table = normal_table(0.3, 40)
    x = table.columns["x"]
    many = {f"x{i}": (table.schema["x"], (x * (1 - 2 * (i % 2))).tolist()) for i in range(60)}
    wide = table_of(
        {
            **{
                name: (type(a)(name, "numeric", low=-9, high=9, precision=None), values)
                for name, (a, values) in many.items()
            },
            "k": (table.schema["k"], table.columns["k"].tolist()),
        }
    )
    new = synthesised(CopulaSynthesis(blur=0), wide)
    assert correlation_of(new, "x0", "x2") > 0.9
    assert correlation_of(new, "x0", "x1") < -0.9
