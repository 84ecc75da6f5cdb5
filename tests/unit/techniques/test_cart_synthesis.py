from __future__ import annotations

import numpy as np
import pytest

from hushwood.random_streams import Streams
from hushwood.techniques.cart_synthesis import CartSynthesis
from support.dependent_tables import copied_rare_numbers, dependent_table, synthesised
from support.mixed_tables import category, number, table_of, target


def test_donors_come_from_the_leaf_of_the_values_drawn_before() -> None:
    """By hand: a town has its own ages and its own class, so no mixture of two towns can come out."""
    ages = [20, 21, 22, 23] * 10 + [60, 61, 62, 63] * 10
    table = table_of(
        {
            "town": (category("town", "ab"), [0] * 40 + [1] * 40),
            "age": (number("age", 18, 90), ages),
            "ill": (target("ill", ("no", "yes")), [0] * 40 + [1] * 40),
        }
    )
    for key in range(5):
        new = synthesised(CartSynthesis(blur=0), table, Streams(bytes([key] * 32)))
        old = new["age"] > 40
        assert 10 < old.sum() < 70
        assert (new["town"] == old).all()
        assert (new["ill"] == old).all()
        assert set(new["age"].tolist()) <= set(ages)


def test_a_leaf_of_all_records_makes_columns_independent() -> None:
    table = dependent_table(600)
    alike = synthesised(CartSynthesis(min_leaf=400), table)
    assert abs(np.corrcoef(alike["x"], alike["y"])[0, 1]) < 0.15
    close = synthesised(CartSynthesis(min_leaf=5), table)
    assert np.corrcoef(close["x"], close["y"])[0, 1] > 0.95


@pytest.mark.parametrize("teacher", ["ensemble", "boosting", "tree"])
def test_teachers_give_classes_that_follow_the_inputs(teacher: str) -> None:
    table = dependent_table(800)
    new = synthesised(CartSynthesis(teacher=teacher), table)  # type: ignore[arg-type]
    assert np.corrcoef(new["x"], new["ill"])[0, 1] > 0.6
    assert abs(new["ill"].mean() - table.columns["ill"].mean()) < 0.07


def test_without_a_teacher_the_class_follows_nothing() -> None:
    table = dependent_table(800)
    new = synthesised(CartSynthesis(teacher="none"), table)
    assert abs(np.corrcoef(new["x"], new["ill"])[0, 1]) < 0.12
    assert abs(new["ill"].mean() - table.columns["ill"].mean()) < 0.07


def test_promises_follow_the_blur() -> None:
    table = dependent_table(300)
    x, town = table.schema["x"], table.schema["town"]
    assert CartSynthesis().promise_for(x).values == "inside"
    assert CartSynthesis(blur=0).promise_for(x).values == "held"
    assert CartSynthesis().promise_for(town).values == "held"
    assert copied_rare_numbers(table.columns["x"], synthesised(CartSynthesis(blur=0), table)["x"]) > 0.9
